"""All lessons there are, by number."""

from collections.abc import Mapping
from types import MappingProxyType

from simlib.lab.lesson import Lesson
from simlib.lab.lessons import caching, ledger, loop, reliability, square, start_here

LESSONS: Mapping[str, Lesson] = MappingProxyType(
    {
        lesson.number: lesson
        for lesson in (
            start_here.LESSON,
            loop.LESSON,
            square.LESSON,
            ledger.LESSON,
            caching.LESSON,
            reliability.LESSON,
        )
    }
)
