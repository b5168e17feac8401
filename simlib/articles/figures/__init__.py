"""The articles' figures: each a function that computes, a function that draws, and a sentence."""
