"""A single compiled module; nothing beside it. Here so that every compiled dependency has its place."""
