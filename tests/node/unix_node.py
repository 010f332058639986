"""A node of a test's own: the node program in the unix port of MicroPython, with scripted pins."""
import os
import pathlib
import shutil
import subprocess
import threading

from waiting import Deadline, poll

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHROOT = pathlib.Path(os.environ["NODE_CHROOT"])
INPUTS = {
    "cannon": "beam = GP14\nbeam2 = GP15\n",
    "reel": "encoder = GP14 GP15\nbutton = GP13\n",
}
SETTINGS = """[node]
name = {name}
table = {table}
[wifi]
name = any
[broker]
host = 127.0.0.1
port = {port}
[inputs]
{inputs}"""


class UnixNode:
    """Its files are in a folder of the chroot, which is the only place that it sees."""

    def __init__(self, name, table, port, inputs=None):
        self.folder = CHROOT / f"node-{os.getpid()}-{name}"
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(ROOT / "hw/node", self.folder)
        for path in (ROOT / "tests/node").glob("*.py"):
            shutil.copy(path, self.folder)
        text = SETTINGS.format(name=name, table=table, port=port, inputs=inputs or INPUTS[name])
        (self.folder / "node.ini").write_text(text)
        self.said = []
        self.process = self.thread = None
        self.start()

    def start(self):
        command = f"cd /{self.folder.name} && exec micropython play.py node.ini"
        self.process = subprocess.Popen(
            ["chroot", str(CHROOT), "sh", "-c", command], text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.thread = threading.Thread(target=self.listen, args=(self.process.stdout,), daemon=True)
        self.thread.start()

    def listen(self, output):
        for line in output:
            self.said.append(line.rstrip())

    def do(self, *words):
        print(*words, file=self.process.stdin, flush=True)

    def hear(self, words):
        poll(lambda: any(words in line for line in self.said), f"{words!r} from the node")

    def kill(self):
        """As if somebody took the battery out."""
        self.process.kill()
        self.process.wait(Deadline("the end of the node").left())
        self.thread.join()
        self.process.stdin.close()
        self.process.stdout.close()

    def end(self):
        self.kill()
        shutil.rmtree(self.folder)
