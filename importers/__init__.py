"""Chat formats: one module a format, each recognising an export and yielding its messages and problems.

`IMPORTERS` in `importers.registry` is the explicit list; a new format is one file and one line there.
"""
