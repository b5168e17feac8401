"""One function over many points, on any executor, with the same numbers wherever it runs.

Results come back in the order of the items, whatever finished first. A random generator for an item is
spawned from one seed by the item's position, so that neither executor nor order changes a number. What
has been finished is never lost: it is in the error that stops a sweep, and a later sweep can start from it.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from concurrent.futures import Executor, Future, as_completed
from functools import partial
from itertools import product
from typing import Any, NoReturn, TypeVar

import numpy as np
from tqdm import tqdm

from simlib.errors import OutOfRange, SimlibError, single, whole

Result = TypeVar("Result")


class SweepFailed(SimlibError):
    """The function failed on `item`, for the reason in __cause__; `finished` holds results by position."""

    def __init__(self, item: object, finished: Mapping[int, Any]) -> None:
        super().__init__(item, finished)
        self.item, self.finished = item, finished

    def __str__(self) -> str:
        kept = f"{len(self.finished)} results are kept in .finished"
        return f"the sweep failed at {self.item!r} ({self.__cause__!r}); {kept}"


class SweepInterrupted(KeyboardInterrupt):
    """Somebody interrupted the sweep; `finished` holds the results so far by position."""

    def __init__(self, finished: Mapping[int, Any]) -> None:
        super().__init__(finished)
        self.finished = finished

    def __str__(self) -> str:
        return f"the sweep was interrupted; {len(self.finished)} results are kept in .finished"


def progress_bar(total: int, done: int = 0) -> "tqdm[NoReturn]":
    """A bar that shows on a terminal, and nothing in a pipe or without any output at all.

    total : how many items there are. done : how many of them are done already.
    Returns a tqdm bar, to be used in a `with` and updated.
    Raises nothing.

    >>> with progress_bar(10) as bar:
    ...     bar.update()
    """
    return tqdm(total=total, initial=done, leave=False, disable=True if sys.stderr is None else None)


def grid(**axes: Iterable[Any]) -> list[dict[str, Any]]:
    """Every combination of some named values, the last name varying fastest.

    axes : for each name its values, in the unit that the swept function expects.
    Returns a list of dictionaries, one a point; empty if an axis is.
    Raises TypeError if an axis cannot be iterated over.

    >>> grid(p_success=[0.9, 0.99], steps=[20])
    [{'p_success': 0.9, 'steps': 20}, {'p_success': 0.99, 'steps': 20}]
    """
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def sweep(
    function: Callable[..., Result],
    items: Iterable[Any],
    *,
    seed: int | None = None,
    executor: Executor | None = None,
    finished: MutableMapping[int, Result] | None = None,
) -> list[Result]:
    """Call a function on every item and return the results in the items' order.

    function : called with the item, or with its entries as keyword arguments if it is a dictionary
    (as from `grid`). items : the points, seeds or whatever is swept over.
    seed : if given, each call also gets `rng`, a generator of its own.
    executor : any concurrent.futures.Executor; without one the calls run here, one after the other.
    finished : results by position from an earlier sweep over the same items; they are not computed
    again, and new ones are added to it as they come.
    Returns a list of results. A progress bar shows on a terminal, and nothing in a pipe.
    Raises SweepFailed if the function fails and SweepInterrupted on an interrupt; both keep what was
    finished, and calls that have not begun are cancelled.

    >>> sweep(lambda p_success, steps: round(p_success**steps, 2), grid(p_success=[0.9, 0.99], steps=[20]))
    [0.12, 0.82]
    """
    points = list(items)
    finished = {} if finished is None else finished
    for position in finished:
        if position not in range(len(points)):
            raise OutOfRange("finished", position, f"positions of the {len(points)} items, counted from 0")
    seeds = _seeds(seed, len(points))
    calls = {
        position: partial(_call, function, item, seeds[position])
        for position, item in enumerate(points)
        if position not in finished
    }
    futures: dict[Future[Result], int] = {}
    try:
        if executor is not None:
            futures.update((executor.submit(call), position) for position, call in calls.items())
        arriving = ((futures[future], future.result) for future in as_completed(futures))
        with progress_bar(len(points), len(finished)) as bar:
            for position, result in calls.items() if executor is None else arriving:
                try:
                    finished[position] = result()
                except (Exception, SystemExit) as error:
                    raise SweepFailed(points[position], finished) from error
                bar.update()
    except KeyboardInterrupt:
        raise SweepInterrupted(finished) from None
    finally:
        _settle(futures, finished)
    return [finished[position] for position in range(len(points))]


def _seeds(seed: int | None, number: int) -> list[np.random.SeedSequence | None]:
    if seed is None:
        return [None] * number
    return [*np.random.SeedSequence(single("seed", whole("seed", seed))).spawn(number)]


def _call(function: Callable[..., Result], item: Any, seed: np.random.SeedSequence | None) -> Result:
    """One call, in whatever process it is: at module level, so that it can be sent there."""
    random = {} if seed is None else {"rng": np.random.default_rng(seed)}
    return function(**item, **random) if isinstance(item, Mapping) else function(item, **random)


def _settle(futures: Mapping[Future[Result], int], finished: MutableMapping[int, Result]) -> None:
    """Cancel what has not begun, and keep what was done but not yet collected."""
    for future, position in futures.items():
        collected = position in finished or future.cancel()
        if not collected and future.done() and not future.exception():
            finished[position] = future.result()
