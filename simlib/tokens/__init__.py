"""How many tokens a text has, as well as that can be known offline."""
