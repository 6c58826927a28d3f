"""The pages of the window, one a place to go."""
