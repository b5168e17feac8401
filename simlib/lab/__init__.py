"""The notebooks' face: panels with sliders, exercises that check themselves, and the two editions.

A notebook needs one line: `from simlib.lab.desk import open_lesson`. This room alone knows ipywidgets.
"""
