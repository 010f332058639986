"""A test runner for MicroPython: every function test_* of a module is a test."""
import sys


def equal(got, expected):
    assert got == expected, "got %r, expected %r" % (got, expected)


def run_tests(module):
    """Prints `ok NAME` or `not ok NAME` with the traceback, and how many passed."""
    failed = 0
    names = sorted(name for name in module if name.startswith("test_"))
    for name in names:
        try:
            module[name]()
            print("ok", name[5:])
        except Exception as error:
            failed += 1
            print("not ok", name[5:])
            sys.print_exception(error, sys.stdout)
    print("%d passed, %d failed" % (len(names) - failed, failed))
