"""The laws: numbers or arrays in, numbers or arrays out; no file is read, nothing plotted or kept.

Growth of a context and its total (`growth`, `budget`, `spread`, `fit`, on `exact` whole numbers),
reliability of a long task (`reliability`, `simulation`, `counts`, `tasks`, `horizon`), how sure a measured
rate is (`intervals`), and what a long prompt costs beside money (`latency`, `attention`, `recall`).
"""
