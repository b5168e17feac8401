"""Sweeps give the same numbers anywhere, and lose nothing that was finished."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

from simlib.errors import NotWhole, OutOfRange
from simlib.sweep import SweepFailed, SweepInterrupted, grid, sweep
from simlib.theory.counts import simulate_counts

# Started afresh, as on every system: a fork would copy the threads of the tests before.
processes_of = partial(ProcessPoolExecutor, mp_context=get_context("spawn"))


def success(p_success, steps, rng):
    return simulate_counts(1_000, steps, p_success, 0.9, 2, rng=rng).success


def double_unless_three(item):
    if item == 3:
        raise ValueError("three is not doubled")
    return 2 * item


def test_the_same_numbers_here_in_a_thread_and_in_two_processes():
    points = grid(p_success=[0.9, 0.95], steps=[5, 20])
    here = sweep(success, points, seed=7)
    with ThreadPoolExecutor(1) as thread, processes_of(2) as processes:
        assert sweep(success, points, seed=7, executor=thread) == here
        assert sweep(success, points, seed=7, executor=processes) == here
    assert len(set(here)) == 4
    assert sweep(success, points, seed=8) != here


def test_an_items_number_does_not_depend_on_what_else_is_swept():
    points = grid(p_success=[0.9], steps=[5, 20, 50])
    whole_sweep = sweep(success, points, seed=7)
    assert sweep(success, points, seed=7, finished={0: None, 1: None})[2] == whole_sweep[2]


def test_results_come_in_the_items_order_whatever_finished_first():
    def wait(seconds):
        time.sleep(seconds)
        return seconds

    delays = [0.05, 0.0, 0.02]
    with ThreadPoolExecutor(3) as threads:
        assert sweep(wait, delays, executor=threads) == delays


def test_a_grid_is_every_combination():
    assert grid(a=[1, 2], b="xy") == [{"a": a, "b": b} for a in (1, 2) for b in "xy"]
    assert grid(a=[]) == []
    assert grid() == [{}]
    assert sweep(double_unless_three, []) == []


@pytest.mark.parametrize("pool", [None, ThreadPoolExecutor, processes_of], ids=["here", "thread", "process"])
def test_a_failure_keeps_what_was_finished_and_names_the_item(pool):
    executor = pool(1) if pool else None
    with pytest.raises(SweepFailed, match=r"failed at 3 \(ValueError\('three is not doubled'\)\)") as caught:
        sweep(double_unless_three, range(6), executor=executor)
    if executor:
        executor.shutdown()
    kept = caught.value.finished
    assert {position: kept[position] for position in range(3)} == {0: 0, 1: 2, 2: 4}
    assert 3 not in kept
    assert isinstance(caught.value.__cause__, ValueError)


class AllAtOnce(Executor):
    """Runs what is submitted at once, but for the last two calls, which stay pending."""

    def __init__(self, calls):
        self.immediate = calls - 2
        self.futures = []

    def submit(self, call):
        future = Future()
        self.futures.append(future)
        if len(self.futures) <= self.immediate:
            try:
                future.set_result(call())
            except ValueError as error:
                future.set_exception(error)
        return future


def test_what_was_done_but_not_yet_collected_is_kept_and_the_rest_is_cancelled():
    executor = AllAtOnce(7)
    with pytest.raises(SweepFailed) as caught:
        sweep(double_unless_three, range(7), executor=executor)
    assert caught.value.finished == {0: 0, 1: 2, 2: 4, 4: 8}
    assert [future.cancelled() for future in executor.futures] == [False] * 5 + [True] * 2


def test_a_function_that_leaves_the_process_loses_nothing_either():
    with pytest.raises(SweepFailed, match="SystemExit") as caught:
        sweep(lambda item: sys.exit(3) if item == 2 else item, range(4))
    assert caught.value.finished == {0: 0, 1: 1}


def test_an_interrupt_keeps_what_was_finished_and_the_sweep_can_go_on():
    calls = []

    def interrupted_once(item):
        calls.append(item)
        if item == 2 and calls.count(2) == 1:
            raise KeyboardInterrupt
        return item * 10

    finished = {}
    with pytest.raises(SweepInterrupted, match="2 results are kept"):
        sweep(interrupted_once, range(4), finished=finished)
    assert finished == {0: 0, 1: 10}
    assert sweep(interrupted_once, range(4), finished=finished) == [0, 10, 20, 30]
    assert calls == [0, 1, 2, 2, 3]


INTERRUPTED = """
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from simlib.sweep import SweepInterrupted, sweep


class Told(dict):
    def __setitem__(self, position, result):
        super().__setitem__(position, result)
        print(f"have {len(self)}", flush=True)


def work(item):
    while item > 1 and not Path("released").exists():
        time.sleep(0.01)
    return item


if __name__ == "__main__":
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        try:
            sweep(work, range(6), executor=pool, finished=Told())
        except SweepInterrupted as stopped:
            print(sorted(stopped.finished.items()), flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal to a process")
def test_ctrl_c_on_a_process_pool_keeps_what_was_finished(tmp_path):
    """Two items are done, the others wait until they are released, which is after the interrupt."""
    (tmp_path / "interrupted.py").write_text(INTERRUPTED, encoding="utf-8")
    command = [sys.executable, "interrupted.py"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        told = [process.stdout.readline() for _ in range(2)]
        process.send_signal(signal.SIGINT)
        told.append(process.stdout.readline())
        (tmp_path / "released").touch()
    assert told == ["have 1\n", "have 2\n", "[(0, 0), (1, 1)]\n"]
    assert process.returncode == 0


def test_a_pipe_sees_no_progress_bar(capfd):
    sweep(double_unless_three, [1, 2])
    assert capfd.readouterr() == ("", "")


def test_bad_input_is_named():
    with pytest.raises(OutOfRange, match="finished is 6; allowed: positions of the 6 items, counted from 0"):
        sweep(double_unless_three, range(6), finished={6: 12})
    with pytest.raises(NotWhole, match=r"seed is 1\.5"):
        sweep(double_unless_three, range(6), seed=1.5)
