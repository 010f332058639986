"""The manual pages are well formed, and name the options and subcommands that the programs have."""
import glob
import re
import unittest

import pages
from pages import CTL, DAEMON, LOGBOOK, PROJECT, read, run

PAGES = sorted(glob.glob("docs/man/*", root_dir=PROJECT))
USER_SCRIPT = ("sh", "config/mosquitto/shipahoy-user.sh")


def spoken(page):
    """The page as it is read, without the marks of its source."""
    return re.sub(r"\\f[BIR]|^\.\w+ ", "", read(page).replace("\\-", "-"), flags=re.MULTILINE)


class Man(unittest.TestCase):
    def test_pages_are_well_formed(self):
        for page in PAGES:
            with self.subTest(page=page):
                lint = run("mandoc", "-Tlint", page)
                self.assertEqual(lint.stdout + lint.stderr, "")
                man = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page)
                self.assertEqual((man.returncode, man.stderr), (0, ""))

    def test_options_are_those_of_the_programs(self):
        for page, program in (("docs/man/shipahoyd.8", (DAEMON,)), ("docs/man/shipahoyctl.1", (CTL,)),
                              ("docs/man/shipahoy-logbook.8", (LOGBOOK,)), ("docs/man/shipahoy-user.8", USER_SCRIPT)):
            with self.subTest(page=page):
                told = re.findall(r"^\.BI? (\\-\\-\S+)", read(page), re.MULTILINE)
                self.assertEqual({option.replace("\\", "") for option in told},
                                 pages.options_of(*program))

    def test_subcommands_are_those_of_shipahoyctl(self):
        offered = re.findall(r"^  (\w+).*\n      ", run(CTL, "--help").stdout, re.MULTILINE)
        section = read("docs/man/shipahoyctl.1").split(".SH SUBCOMMANDS")[1].split(".SH")[0]
        self.assertEqual(re.findall(r"^\.TP\n\.BR? (\w+)", section, re.MULTILINE), offered)
        simulated = re.findall(r"^  sim (\w+)", run(CTL, "sim").stdout, re.MULTILINE)
        self.assertTrue(simulated)
        for word in simulated:
            self.assertRegex(section, rf"(?m)^\.B[IR] {word} ")

    def test_exit_codes_are_those_of_the_programs(self):
        known = re.findall(r"^    EXIT_\w+ = (\d+)", read("daemon/common/include/common/exit_codes.h"), re.MULTILINE)
        for page in ("docs/man/shipahoyd.8", "docs/man/shipahoy-logbook.8", "docs/man/shipahoyctl.1"):
            section = read(page).split(".SH EXIT STATUS")[1].split(".SH")[0]
            with self.subTest(page=page):
                self.assertLessEqual(set(known), set(re.findall(r"(?m)^\.B (\d+)$", section)))

    def test_pages_that_are_referred_to_exist(self):
        for page in PAGES:
            for name, section in re.findall(r"\b(shipahoy[\w.-]*) ?\((\d)\)", spoken(page)):
                with self.subTest(page=page, name=name):
                    self.assertIn(f"docs/man/{name}.{section}", PAGES)


if __name__ == "__main__":
    pages.main()
