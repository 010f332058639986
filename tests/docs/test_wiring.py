"""The wirings of config/wiring/ are accepted, fit the header, and are what the book draws and counts."""
import glob
import os
import re
import subprocess
import sys
import unittest

import pages
from pages import DAEMON, PROJECT, SCRATCH, read, run

DRAWINGS = f"{PROJECT}/docs/drawings"
sys.path.insert(0, DRAWINGS)
import pins  # noqa: E402

SAMPLE = f"{PROJECT}/config/shipahoy.ini"
FREE = set(range(4, 14)) | set(range(16, 28))
OUTPUTS_ONLY = {"mcp23017:7", "mcp23017:15"}


class Wiring(unittest.TestCase):
    def setUp(self):
        os.makedirs(SCRATCH, exist_ok=True)
        self.paths = sorted(glob.glob(f"{PROJECT}/config/wiring/*.ini"))
        self.assertTrue(self.paths)

    def check(self, *files):
        result = run(DAEMON, "--check", *(word for file in files for word in ("--config", file)))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_each_is_accepted_over_the_sample_and_behind_it(self):
        for path in self.paths:
            with self.subTest(path=path):
                self.check(SAMPLE, path)
                joined = os.path.join(SCRATCH, "joined.ini")
                with open(joined, "w", encoding="utf-8") as file:
                    file.write(read(SAMPLE) + read(path))
                self.check(joined)

    def test_lines_are_those_that_the_book_leaves_free(self):
        for path in self.paths:
            wiring, interrupt = pins.read_wiring(path)
            with self.subTest(path=path):
                self.assertLessEqual({int(line) for line in wiring if line.isdigit()},
                                     FREE - {interrupt})
                self.assertFalse(OUTPUTS_ONLY & set(wiring))

    def test_no_line_is_counted_twice_or_forgotten(self):
        for path in self.paths:
            radio = "|".join(pins.RADIO)
            keys = re.findall(rf"^(?:{'|'.join(pins.LINE_KEYS)}) = (?!{radio} )", read(path), re.MULTILINE)
            with self.subTest(path=path):
                self.assertEqual(len(pins.read_wiring(path)[0]), len(keys))

    def test_the_book_counts_the_lines_of_each(self):
        told = re.findall(r"^### .*: (\d+) lines", read("docs/hardware.md"), re.M)
        self.assertEqual(sorted(map(int, told)),
                         sorted(len(pins.read_wiring(path)[0]) for path in self.paths))

    def test_each_sensor_is_named_in_its_drawing(self):
        for path in self.paths:
            name = os.path.splitext(os.path.basename(path))[0]
            drawn = read(f"docs/images/pins-{name}.svg")
            for sensor in pins.read_wiring(path)[0].values():
                with self.subTest(path=path, sensor=sensor):
                    self.assertIn(f">{sensor}<", drawn)

    def test_drawings_are_what_their_programs_draw(self):
        result = subprocess.run([sys.executable, "-B", f"{DRAWINGS}/draw.py", "--check"],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    pages.main()
