"""From ranked hits to a checked answer: evidence, the one call that answers, citations, and "not found"."""
