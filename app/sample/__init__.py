"""The sample archive: two years of an invented life, as the export files that chat apps write.

Every person, place and sentence in `exports/` was made up for Backscroll. `questions.json` asks 25 things
about it; `questions.py` knows what counts as a right answer.
"""
