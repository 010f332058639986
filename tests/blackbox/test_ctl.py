#!/usr/bin/python3
"""The hand tool as a person uses it, at a real table."""

import harness
from ctl import ctl
from harness import TableTest

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

FINE, REFUSED, USAGE, UNAVAILABLE, CONFIG = 0, 1, 64, 69, 78


class Words(TableTest):
    def test_a_mistyped_option_or_subcommand_is_told_with_the_nearest_one(self):
        for words, nearest in ((["--tabel", "x"], "--table"), (["wacth"], "watch")):
            with self.subTest(words):
                ended = ctl(*words)
                self.assertEqual(ended.returncode, USAGE)
                self.assertIn(f"the nearest is {nearest};", ended.stderr)

    def test_a_file_that_cannot_be_read_is_told_without_a_line(self):
        checked = ctl("check", "missing.ini")
        self.assertEqual(checked.returncode, CONFIG)
        self.assertTrue(checked.stderr.startswith("missing.ini: cannot be read: "), checked.stderr)


if __name__ == "__main__":
    harness.main()
