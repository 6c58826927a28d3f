"""The window and the command line: the only package that knows Qt."""
