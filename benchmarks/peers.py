"""The same work in the obvious way, to be compared with."""

from random import Random


def simulate_in_plain_python(
    tasks: int, steps: int, p_success: float, p_detect: float, retries: int, random: Random
) -> int:
    """Tasks that succeed, one attempt and one check at a time."""
    draw = random.random
    succeeded = 0
    for _ in range(tasks):
        for _ in range(steps):
            for _ in range(retries + 1):
                good = draw() < p_success
                if good or draw() >= p_detect:
                    break
            else:
                good = False
            if not good:
                break
        else:
            succeeded += 1
    return succeeded
