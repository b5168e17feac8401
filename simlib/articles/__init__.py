"""The three articles: what they state (`facts`), what they give (`inputs`), ours beside theirs (`reproduce`).

`article_a`, `article_b` and `article_c` say how each fact is computed; `report` shows the result to people.
"""
