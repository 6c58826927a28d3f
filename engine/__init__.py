"""The engine: archive, index, search, agent and answers. Knows nothing of Qt."""
