"""The books keep their word: links lead somewhere, files that are named exist, snippets of configuration
are accepted, options and messages are those of the programs."""
import errno
import glob
import os
import re
import unittest

import pages
from pages import BUILD, CTL, DAEMON, FOLDERS, LOGBOOK, PAGES, PROJECT, SCRATCH, read, run

README_LINES_MAX = 150
CARD_SETTINGS = f"{BUILD}/daemon/config/card-settings"
SPOKEN_MIN = 12  # what is shorter is found anywhere
FOREIGN_OPTIONS = {"--preset", "--build", "--install", "--target", "--autoplay-policy"}


def anchors(page):
    titles = re.findall(r"^#+ (.*)$", pages.without_blocks(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


def known_options():
    known = FOREIGN_OPTIONS.union(
        pages.options_of("sh", "config/mosquitto/shipahoy-user.sh"), pages.options_of(DAEMON), pages.options_of(CTL), pages.options_of(LOGBOOK),
        pages.options_of(f"{BUILD}/tests/random/random_play"))
    known |= pages.options_in(read("config/mosquitto/shipahoy-user.sh"))
    for script in ["systemd/image/build.sh", *glob.glob("**/run.sh", root_dir=PROJECT, recursive=True)]:
        if not script.startswith("build/"):
            known |= pages.options_in(read(script))
    return known


class Books(unittest.TestCase):
    def setUp(self):
        os.makedirs(SCRATCH, exist_ok=True)

    def test_relative_links_lead_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", pages.without_blocks(page)):
                if re.match(r"[a-z]+:", target):
                    continue
                with self.subTest(page=page, target=target):
                    path, _, anchor = target.partition("#")
                    path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                    self.assertTrue(os.path.exists(os.path.join(PROJECT, path)))
                    if anchor:
                        self.assertIn(anchor, anchors(path))

    def test_every_page_can_be_reached_from_the_readme(self):
        reached, waiting = set(), ["README.md"]
        while waiting:
            page = waiting.pop()
            reached.add(page)
            for target in re.findall(r"\]\(([^)\s#]+\.md)", pages.without_blocks(page)):
                path = os.path.normpath(os.path.join(os.path.dirname(page), target))
                if path not in reached and os.path.exists(os.path.join(PROJECT, path)):
                    waiting.append(path)
        self.assertEqual(set(PAGES) - reached, set())

    def test_files_that_are_named_exist(self):
        for page in PAGES:
            for span in pages.code_spans(page):
                # A word in capitals stands for a name of your own; a name may lack its suffix.
                path = re.match(rf"(?:{FOLDERS})/[\w./*-]*$", span)
                if path and not re.search(r"\b[A-Z]{3,}\b", span) and not pages.is_made(span):
                    with self.subTest(page=page, path=span):
                        self.assertTrue(glob.glob(span, root_dir=PROJECT) or
                                        glob.glob(f"{span}.*", root_dir=PROJECT))

    def test_configuration_in_the_books_is_accepted(self):
        path = os.path.join(SCRATCH, "snippet.ini")
        for page in PAGES:
            for block in pages.blocks(page, "ini"):
                with self.subTest(page=page, block=block), open(path, "w", encoding="utf-8") as file:
                    # Any file that can be read stands for that of the password.
                    file.write(re.sub(r"(?m)^password_file = .*", f"password_file = {path}", block))
                    file.flush()
                    is_card = "[wifi]" in block
                    check = run(CARD_SETTINGS, path) if is_card else run(CTL, "check", path)
                    self.assertEqual(check.returncode, 0, check.stderr)

    def test_options_that_are_named_exist(self):
        known = known_options()
        for page in PAGES:
            for span in pages.code_spans(page):
                with self.subTest(page=page, span=span):
                    self.assertLessEqual(pages.options_in(span), known)

    def test_messages_that_are_explained_are_those_of_the_programs(self):
        sources = glob.glob("daemon/**/*.c", root_dir=PROJECT, recursive=True)
        sources += glob.glob("hw/*.c", root_dir=PROJECT)
        sources += ["config/mosquitto/shipahoy-user.sh", "config/web/web.sh"]
        # A string may go on in the next line of the source; what the system says is known too.
        said = re.sub(r'"\s+"', "", "".join(map(read, sources)))
        said += "".join(map(os.strerror, errno.errorcode))
        for message in re.findall(r"^\| `([^`]+)`", read("docs/operations.md"), re.MULTILINE):
            for part in re.split(r"…|\b[A-Z]+\b|[0-9.]+|[:;,] ", message):
                with self.subTest(message=message, part=part):
                    self.assertTrue(len(part) < SPOKEN_MIN or part.strip() in said)

    def test_every_rule_has_its_place_in_the_book_of_rules(self):
        known = set(re.findall(r"^    X\(([A-Z]+\d)\)", read("rules/include/rules/words.h"), re.MULTILINE))
        told = re.findall(r"^\| ([A-Z]+\d) \|", read("docs/rules.md"), re.MULTILINE)
        self.assertEqual(sorted(told), sorted(known))

    def test_readme_is_short(self):
        self.assertLess(len(read("README.md").splitlines()), README_LINES_MAX)


if __name__ == "__main__":
    pages.main()
