"""Eighteen requests, replayed one by one: the run that lessons practise on.

Article A prints three contexts of its long audit (1,146 at the first call, 3,906 at the seventeenth, 5,327 at
the last) and the total, about 47,150. The contexts in between are ours, see articles.runs.
"""

import numpy as np

from simlib.articles.figures.figure import Figure
from simlib.articles.figures.staircase import Staircase, draw_staircase, staircase_table
from simlib.articles.inputs import ArticleA
from simlib.articles.runs import audit_run
from simlib.errors import OutOfRange, axis_length
from simlib.plots.axes import thousands

CONTEXTS = np.array(audit_run(ArticleA()).contexts)


def replayed_run(calls: int = 1) -> Staircase:
    """The first requests of the run, on axes that have room for all of it.

    calls : how many are replayed, from 1 to 18.
    Returns a Staircase, in tokens.
    Raises NotANumber, NotWhole or OutOfRange.

    >>> replayed_run(18).total
    47150.0
    """
    number = axis_length("calls", calls, low=1)
    if number > CONTEXTS.size:
        raise OutOfRange("calls", calls, f"whole numbers from 1 to {CONTEXTS.size}")
    return Staircase(CONTEXTS[:number], width=CONTEXTS.size, height=float(CONTEXTS.max()))


def _sentence(run: Staircase) -> str:
    again = thousands(float(run.read_again[-1]))
    return (
        f"Call {run.contexts.size} reads {thousands(run.last)} tokens, {again} of them again; "
        f"{thousands(run.total)} tokens have been read so far."
    )


REPLAYED_RUN = Figure(
    id="replayed-run",
    title="Every call reads all of it again",
    passage="article A, step 4, the audit (reconstructed)",
    data=replayed_run,
    draw=draw_staircase,
    sentence=_sentence,
    table=staircase_table,
)
