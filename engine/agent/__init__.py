"""The search loops: how a language model drives the search, and what it brings home."""
