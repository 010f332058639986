"""Waiting for things, with a deadline and never by sleeping for luck."""

import time

# Generous: it only passes when something is broken, or the machine is drowning in work.
DEADLINE_S = 30


class TooLate(AssertionError):
    """What was waited for did not come."""


class Deadline:
    def __init__(self, what, seconds=DEADLINE_S):
        self.what = what
        self.ends = time.monotonic() + seconds

    def left(self, details=lambda: ""):
        """Seconds left; raises TooLate when there are none."""
        seconds = self.ends - time.monotonic()
        if seconds <= 0:
            raise TooLate(f"waited in vain for {self.what} {details()}".rstrip())
        return seconds


def poll(claim, what, seconds=DEADLINE_S):
    """Asks until the claim holds, for what cannot notify us; returns what it returned."""
    deadline = Deadline(what, seconds)
    while True:
        result = claim()
        if result:
            return result
        deadline.left()
        time.sleep(0.005)
