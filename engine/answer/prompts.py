"""What the answerer is told, and the examples that show it: short answers, whose words, the later fact.

All of it stands before the evidence and never changes, so a loaded model reads it once. The examples are
invented; their people have names that are rare in real chats.
"""

SYSTEM = """\
You answer questions about old chat messages, using only the messages given. First copy the \
messages that hold the answer, or write "none" if no message says it. Then give the answer itself, in the \
language of the question and in as few words as possible: a name, a date, a number, a list or a short \
phrase, never a whole sentence.
- "I" in a message is the person who wrote it. What one person did is not what another did.
- "Me" is the one who asks.
- (= date) after a word is the date that it means.
- If messages disagree, the later one counts."""

EXAMPLES: tuple[tuple[str, str, str], ...] = (
    (
        """\
2 March 2021:
[1] Odell: I finally sold my boat yesterday (= 1 March 2021), the harbour looks empty now
[2] Tamsin: Great! I sold my bike last week (= the week before 2 March 2021)
5 April 2021:
[3] Odell: Rowing with the kids was such fun""",
        "When did Odell sell his boat?",
        "[1] Odell: I finally sold my boat yesterday (= 1 March 2021), the harbour looks empty now\n"
        "Answer: 1 March 2021",
    ),
    (
        """\
9 May 2020:
[1] Tamsin: I baked bread all morning and then went to my chess club
11 June 2020:
[2] Odell: My guitar lessons start soon
[3] Tamsin: We took up rowing this summer, the lake is lovely""",
        "What hobbies does Tamsin have?",
        "[1] Tamsin: I baked bread all morning and then went to my chess club\n"
        "[3] Tamsin: We took up rowing this summer, the lake is lovely\nAnswer: baking bread, chess, rowing",
    ),
    (
        """\
11 June 2020:
[1] Odell: My guitar lessons start in July, I am so nervous
[2] Tamsin: You will love them!""",
        "Which instrument is Tamsin learning?",
        "none",
    ),
    (
        """\
3 July 2020:
[1] Me: Dad gave me his old camera, I love it
20 August 2020:
[2, later than 1] Me: Dad's camera broke, so I take pictures with my phone now""",
        "What do I take pictures with?",
        "[2, later than 1] Me: Dad's camera broke, so I take pictures with my phone now\nAnswer: your phone",
    ),
)
EXAMPLE_DAY = "2021-06-01"
