"""Drawing: the only room that knows matplotlib.

A figure elsewhere is a function that computes its data and a function `draw(ax, data)` that puts them on an
Axes with the marks, labels and axes of this room; `canvas` turns that into SVG or PNG.
"""
