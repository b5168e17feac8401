"""What a model still finds in a long prompt: by the place of a fact, which was measured, and by the prompt's
length, for which nobody has published a formula.

`recall_at` draws straight lines between published points; `context_rot` is an illustration, no measurement.
Both are about models of their time: 2023 for the first, 2025 for the reports behind the second.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simlib.errors import Numbers, OutOfRange, broadcast_shape, floats, known, probability, real, whole
from simlib.theory.exact import narrowed
from simlib.theory.growth import token_counts


class MeasuredRecall(NamedTuple):
    """Shares of questions answered right by the place, from 1, of the one document that has the answer."""

    model: str
    positions: tuple[int, ...]
    shares: tuple[float, ...]
    documents: int
    source: str


_SOURCE = "Liu et al., Lost in the Middle (arXiv 2307.03172, 2023), table 6"
_PLACES = (1, 5, 10, 15, 20)

MEASURED_RECALL = (
    MeasuredRecall("GPT-3.5-Turbo", _PLACES, (0.758, 0.572, 0.538, 0.554, 0.632), 20, _SOURCE),
    MeasuredRecall("Claude-1.3", _PLACES, (0.599, 0.559, 0.568, 0.572, 0.601), 20, _SOURCE),
    MeasuredRecall("LongChat-13B-16K", _PLACES, (0.686, 0.574, 0.553, 0.525, 0.550), 20, _SOURCE),
    MeasuredRecall("MPT-30B", _PLACES, (0.537, 0.518, 0.522, 0.527, 0.563), 20, _SOURCE),
)


def measured_recall(model: str) -> MeasuredRecall:
    """The published row of a model.

    model : one of the four names in MEASURED_RECALL.
    Returns a MeasuredRecall, in shares.
    Raises UnknownName, which offers the nearest names.
    Source: Liu et al. (2023), table 6.

    >>> measured_recall("Claude-1.3").shares
    (0.599, 0.559, 0.568, 0.572, 0.601)
    """
    rows = {row.model: row for row in MEASURED_RECALL}
    return rows[known("model", model, rows)]


def recall_at(position: ArrayLike, documents: ArrayLike = 20, model: str = "GPT-3.5-Turbo") -> Numbers:
    """Share of questions answered right where the answer stands in one document of many.

    Straight lines between the five published places; see `is_published`. For another number of documents the
    same curve is stretched, which is an assumption: what was measured with 30 is lower.

    position : of the document, from 1 for the first to `documents`. documents : in the prompt, whole, at
    least 2. Both broadcast. model : see `measured_recall`.
    Returns shares, in the broadcast shape.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or UnknownName.
    Source: Liu et al. (2023), table 6: 20 documents, about 4,000 tokens, models of 2023. Without any document
    GPT-3.5-Turbo answered 56.1 % right, more than with the answer in the middle; Claude-1.3 is nearly flat.

    >>> recall_at(10), round(recall_at(3), 3), recall_at(1, model="Claude-1.3")
    (0.538, 0.665, 0.599)
    """
    row = measured_recall(model)
    place, total = _places(position, documents)
    stretched = 1 + (row.documents - 1) * ((place - 1) / (total - 1))
    return narrowed(np.interp(stretched, row.positions, row.shares))


def is_published(position: ArrayLike, documents: ArrayLike = 20, model: str = "GPT-3.5-Turbo") -> Numbers:
    """Whether `recall_at` gives a measured value there, and no interpolated one.

    position, documents, model : as for `recall_at`.
    Returns truth values, in the broadcast shape.
    Raises NotANumber, NotWhole, OutOfRange, ShapeMismatch or UnknownName.
    Source: Liu et al. (2023), table 6.

    >>> is_published([1, 2, 5]), is_published(10, documents=30)
    (array([ True, False,  True]), False)
    """
    row = measured_recall(model)
    place, total = _places(position, documents)
    return narrowed(np.isin(place, row.positions) & (total == row.documents))


def context_rot(
    tokens: ArrayLike,
    *,
    short_share: ArrayLike = 0.95,
    lost_per_doubling: ArrayLike = 0.035,
    short_tokens: ArrayLike = 300,
) -> Numbers:
    """Illustrative, fitted to nothing: a share that falls by the same points whenever the prompt doubles.

    short_share - lost_per_doubling log2(tokens / short_tokens), short_share below `short_tokens`, never below
    0. No published formula exists; models, tasks and distractors differ too much for one. Made for a slider.

    tokens : of the prompt. short_share : found in short prompts, from 0 to 1. lost_per_doubling : a share,
    from 0 to 1. short_tokens : up to which nothing is lost, more than 0. All broadcast.
    Returns shares, in the broadcast shape.
    Raises NotANumber, OutOfRange or ShapeMismatch.
    Source: the direction only: Hong, Troynikov and Huber, Context Rot (Chroma, 2025), in which 18 models all
    get worse as the prompt grows, unevenly; Chroma sells retrieval. The default loses the 30 points that a
    second-hand account gives as the largest gap between some 300 and 113,000 tokens.

    >>> [round(context_rot(n), 2) for n in (300, 113_000)]
    [0.95, 0.65]
    """
    (count,) = token_counts(tokens=tokens)
    best, lost = probability("short_share", short_share), probability("lost_per_doubling", lost_per_doubling)
    start = real("short_tokens", short_tokens, above=0, noun="tokens")
    broadcast_shape(tokens=count, short_share=best, lost_per_doubling=lost, short_tokens=start)
    longer = np.maximum(floats("tokens", count), start)
    doublings = np.log2(longer) - np.log2(floats("short_tokens", start))
    return narrowed(np.maximum(best - lost * doublings, 0))


def _places(position: ArrayLike, documents: ArrayLike) -> tuple[Numbers, Numbers]:
    place, total = real("position", position, low=1), whole("documents", documents, low=2)
    broadcast_shape(position=place, documents=total)
    if np.any(np.asarray(place) > total):
        raise OutOfRange("position", position, f"numbers from 1 to documents, here {documents!r}")
    return floats("position", place), floats("documents", total)
