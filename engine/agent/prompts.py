"""What the search loops tell a model. The intent is the ReFind paper's (appendix 7), the words are ours.

Everything that stays the same comes first and everything that grows comes last, so that a model reads
each part once.
"""

from datetime import date

REFIND = """\
You look for evidence in somebody's old chats. Another program will answer the question later from what \
you save, so do not answer it yourself.

You have three actions:
search_chatrecord {"keywords": ["word", "word"]} finds messages with these words or other forms of them. \
{seen}Each search gives numbered results.
take_note {"indices": [1, 3]} saves results of the last search in full.
finish_search {} ends the search.

How to work:
- After each search look at all results and save every one that may help, before you search again. What \
is not saved is lost with the next search.
- If nothing helps, do not save anything: search with other words, or finish.
- Try different words: names, things, places, words that the people themselves would have typed.
- At most {searches} searches. Finish as soon as the saved results are enough.
{time}
Write a thought of one or two sentences, then one action, and nothing else:
Thought: Results 1 and 3 speak of the journey, so I save them.
Action: take_note
Action Input: {"indices": [1, 3]}"""

REFIND_SEEN = "Conversations that were already shown are left out of later searches. "
REFIND_TIME = """\
- A search may be limited to days: {"keywords": ["word"], "date_from": "2023-06-01", "date_to": \
"2023-06-30"}. Search without dates first, because people also speak of a thing later; then narrow down.
"""

WORDS = """\
You help to search somebody's old chats by words. Given a question, list words that the people probably \
typed in the messages that hold the answer: synonyms, related things, everyday words, other forms. Use \
the language of the question. No names, no words that are already in the question.

Question: Where did Tom hurt his leg?
Words: broke, ankle, knee, fell, hospital, skiing, crutches
Question: What pets does Lena have?
Words: dog, cat, puppy, kitten, rabbit, vet, feed"""

THOROUGH = """\
You help to search somebody's old chats. You see a question and numbered search results. First say which \
results help to answer the question. Then, when asked, give new words to search for: words that the \
people may have typed, other than those searched before.

Question: When did Jonas move to Porto?
Results:
[1] 2022-03-04
Jonas: the flat by the river is ours from the 1st!
[2] 2022-01-10
Jonas: we watched a film about Porto
Helpful: 1
New words: moving van, boxes, new flat, keys"""


def refind_system(*, searches: int, time: bool, seen: bool) -> str:
    """The system prompt of the paper's loop for the controls that are on."""
    return (
        REFIND.replace("{seen}", REFIND_SEEN if seen else "")
        .replace("{searches}", str(searches))
        .replace("{time}", REFIND_TIME if time else "")
    )


def refind_question(question: str, now: date) -> str:
    """The first message of the paper's loop."""
    return f"Today is {now.isoformat()}.\nQuestion: {question}\n\nBegin with a search."


def refind_observation(observation: str) -> str:
    """What follows each action of the paper's loop."""
    return f"Observation: {observation}\n\nGo on with Thought, Action and Action Input."
