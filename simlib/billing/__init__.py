"""What requests cost: token classes, dated prices, the prompt cache, and closed forms for the bill of a
run.
"""
