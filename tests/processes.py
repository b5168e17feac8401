"""Runs in processes of their own, which are killed, or find no room on the disk.

`python processes.py` is told a job a line and forks for each: it has no threads, and what a run needs is
loaded already, so that a run begins at once and many of them take little time.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from disturbed import go, searching

import simlib
from simlib.agent.transcript import TranscriptFailed


class Processes:
    """The process that forks, as a test sees it."""

    def __init__(self):
        folders = [str(Path(simlib.__file__).parents[1]), str(Path(__file__).parent)]
        one_thread = {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(folders)}
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | one_thread,
        )

    def run(self, path, resume=False, *, pause=0.0, kill_after=None, most_bytes=None):
        """Run and wait; returns the exit code (negative for a signal), the seconds, and what failed."""
        self.begin(path, resume, pause=pause, kill_after=kill_after, most_bytes=most_bytes)
        return self.end()

    def begin(self, path, resume=False, **job):
        """Begin a run. What `end` returns is to be asked for before the next one."""
        print(json.dumps({"path": str(path), "resume": resume, **job}), file=self._process.stdin, flush=True)

    def end(self):
        """How the run ended that was begun."""
        return json.loads(self._process.stdout.readline())

    def kill(self):
        """Kill a run that was begun with kill_after="told"."""
        print(file=self._process.stdin, flush=True)
        return self.end()

    def close(self):
        """End the process."""
        with self._process:
            self._process.stdin.close()


def serve():
    """Do what stands on standard input, job by job."""
    go(None)  # what a first run loads, those in the forks have
    for line in sys.stdin:
        job = json.loads(line)
        told, tells = os.pipe()
        begun = time.perf_counter()
        pid = os.fork()
        if not pid:
            _run(job, tells)
        os.close(tells)
        if job["kill_after"] is not None:
            if job["kill_after"] == "told":
                sys.stdin.readline()
            else:
                time.sleep(job["kill_after"])
            os.kill(pid, signal.SIGKILL)  # it was not waited for, so that its number is nobody else's
        with open(told) as pipe:  # noqa: PTH123  # a number is no path
            failed = pipe.read()
        _, status = os.waitpid(pid, 0)
        answer = os.waitstatus_to_exitcode(status), time.perf_counter() - begun, json.loads(failed or "null")
        print(json.dumps(answer), flush=True)


def _run(job, tells):
    """Run, say what failed, and leave the process, whose rest belongs to its parent."""
    code = 1
    try:
        if job["most_bytes"] is not None:
            import resource  # not on Windows

            resource.setrlimit(resource.RLIMIT_FSIZE, (job["most_bytes"], resource.RLIM_INFINITY))
        go(Path(job["path"]), job["resume"], search=searching(job["pause"]))
        code = 0
    except TranscriptFailed as error:
        os.write(tells, json.dumps([str(error), error.path, error.events], default=str).encode())
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve()
