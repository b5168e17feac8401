"""Twenty-one short texts, one of which holds an answer."""
