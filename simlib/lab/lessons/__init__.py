"""The lessons, one file each: what a notebook shows and asks, apart from its prose."""
