"""shipahoyctl, run to its end or talked to while it runs."""

import os
import subprocess

from daemon import ROOT, SANITIZERS
from waiting import Deadline

PROGRAM = os.environ.get("SHIPAHOYCTL", str(ROOT / "build/dev/daemon/ctl/shipahoyctl"))


def ctl(*words, table=None, **more):
    """Runs it to its end; with a table, for that one."""
    at_table = ["--config", table.daemon.configuration] if table else []
    return subprocess.run(
        [PROGRAM, *map(str, [*at_table, *words])], capture_output=True, text=True, check=False,
        env=os.environ | SANITIZERS, timeout=Deadline("the end of shipahoyctl").left(), **more,
    )  # fmt: skip
