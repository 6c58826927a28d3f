"""Small widgets that are given what they show and tell what the person did."""
