"""What the answerer is told, and the examples that show it: short answers, whose words, the later fact, none.

All of it stands before the evidence and never changes, so a loaded model reads it once. The examples are
invented; their people have names that are rare in real chats.
"""

SYSTEM = """\
You answer questions about old chat messages, using only the messages given. Reply with the answer itself, in \
the language of the question and in as few words as possible: a name, a date, a number, a list or a short \
phrase, never a whole sentence. If no message says it, reply "none".
- "I" in a message is the person who wrote it. What one person did is not what another did.
- "Me" is the one who asks.
- (= date) after a word is the date that it means.
- If messages disagree, the later one counts."""

EXAMPLES: tuple[tuple[str, str, str], ...] = (
    (
        """\
[1] 2 March 2021, Odell: I finally sold my boat yesterday (= 1 March 2021), the harbour looks empty now
[2] 2 March 2021, Tamsin: Great! I sold my bike last week (= the week before 2 March 2021)
[3] 5 April 2021, Odell: Rowing with the kids was such fun""",
        "When did Odell sell his boat?",
        "1 March 2021",
    ),
    (
        """\
[1] 9 May 2020, Tamsin: I baked bread all morning and then went to my chess club
[2] 11 June 2020, Odell: My guitar lessons start soon
[3] 11 June 2020, Tamsin: We took up rowing this summer, the lake is lovely""",
        "What hobbies does Tamsin have?",
        "baking bread, chess, rowing",
    ),
    (
        """\
[1] 11 June 2020, Odell: My guitar lessons start in July, I am so nervous
[2] 11 June 2020, Tamsin: You will love them!""",
        "Which instrument is Tamsin learning?",
        "none",
    ),
    (
        """\
[1] 3 July 2020, Odell: The regatta is on 8 August (= 8 August 2020)
[2, later than 1] 20 July 2020, Tamsin: The regatta is moved from the 8th to 5 September (= 5 September 2020)
[3] 5 September 2020, Odell: We came in last, what a day""",
        "When was the regatta?",
        "5 September 2020",
    ),
    (
        """\
[1] 3 May 2021, Odell: Has anyone seen my umbrella? The red one
[2] 3 May 2021, Ramona: Maybe on the ferry
[3] 4 May 2021, Tamsin: ODELL, guess what hangs here behind the piano
[4] 4 May 2021, Odell: My umbrella!""",
        "Who found Odell's umbrella?",
        "Tamsin",
    ),
    (
        """\
[1] 2 July 2020, Tamsin: The sofa has come, green velvet, the men needed an hour for the stairs
[2] 2 July 2020, Tamsin: And the lamp was only 40
[3] 9 July 2020, Odell: I love your sofa""",
        "How much did Tamsin's sofa cost?",
        "none",
    ),
    (
        """\
[1] 7 June 2020, Tamsin: Rufus spilled the paint again
[2] 19 August 2020, Tamsin: So Rufus is not to have nuts any more, says the doctor
[3] 8 January 2021, Tamsin: Now Ivy! Her face swells from strawberries""",
        "What may Rufus and Ivy not eat?",
        "Rufus: nuts, Ivy: strawberries",
    ),
)
EXAMPLE_DAY = "2021-06-01"
