#!/usr/bin/env python3
"""includes.py ROOT BUILD: what a part may include is what docs/architecture.md says, and no more.

Every header of every part is included on trial from every part, with the flags that the part is
compiled with. A public header must compile where the table allows it and nowhere else, a private
one only in its own part. Libraries have their headers in the system's folder, and a path with ..
needs no flags, so for those the sources are read.
"""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

root, build = sys.argv[1:3]
LIBRARIES = {"curses.h": "ncursesw", "gpiod.h": "libgpiod", "ini.h": "inih", "jansson.h": "jansson",
             "libpq-fe.h": "libpq",
             "mosquitto.h": "libmosquitto", "sqlite3.h": "sqlite3"}


def parts():
    """folder -> (may include, libraries), from the table of the book."""
    with open(os.path.join(root, "docs/architecture.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| `([\w/]+)/` \| .* \| (.*?) ?\| (.*?) ?\|$", file.read(), re.MULTILINE)
    return {folder: (re.findall(r"`(\w+)`", may), libraries.split()) for folder, may, libraries in rows}


def flags_of(folder):
    """The compiler and its flags, of the source of the part that sees most other parts."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if os.path.dirname(entry["file"]) == os.path.join(root, folder)]
    entry = max(entries, key=lambda entry: len(re.findall(r" -I\S+/include\b", entry["command"])))
    words = shlex.split(entry["command"])
    return [word for word in words[:words.index("-o")] if not word.startswith("-M")]


def files(folder, endings):
    """The paths of the files of the part; parts in daemon/ are not part of daemon/."""
    for directory, folders, names in os.walk(os.path.join(root, folder)):
        if folder == "daemon":
            folders.clear()
        yield from (os.path.join(directory, name) for name in sorted(names) if name.endswith(endings))


def headers(folder):
    """(path, text of an include, is public) for each header of the part."""
    public = os.path.join(root, folder, "include")
    for path in files(folder, ".h"):
        is_public = path.startswith(public + "/")
        yield path, os.path.relpath(path, public if is_public else os.path.join(root, folder)), is_public


def finds(folder, flags, path, text):
    """Whether a source in this folder gets that very file when it says so."""
    run = subprocess.run([*flags, "-M", "-x", "c", "-"], input=f'#include "{text}"\n', text=True,
                         capture_output=True, cwd=os.path.join(root, folder), check=False)
    return path in run.stdout.split()


def trials(table):
    """(folder, path, text of the include, must compile) for each pair of a part and another part's header."""
    for folder, (may, _) in table.items():
        for other in table:
            if other == folder:
                continue
            for path, text, public in headers(other):
                yield folder, path, text, public and os.path.basename(other) in may


def check_sources(table):
    """Includes of libraries that the table does not name, and those that leave the part by ..: these compile."""
    for folder, (_, libraries) in table.items():
        for path in files(folder, (".c", ".h")):
            with open(path, encoding="utf-8") as file:
                included = re.findall(r'#include [<"]([\w./]+)', file.read())
            for header in included:
                library = LIBRARIES.get(header.split("/")[0])
                target = os.path.normpath(os.path.join(os.path.dirname(path), header))
                leaves = ".." in header and not target.startswith(os.path.join(root, folder) + "/")
                if leaves or (library and library not in libraries):
                    yield f"{os.path.relpath(path, root)} includes {header}, which the table does not allow"


def main():
    table = parts()
    problems = list(check_sources(table))
    flags = {folder: flags_of(folder) for folder in table}
    tried = list(trials(table))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda trial: finds(trial[0], flags[trial[0]], trial[1], trial[2]), tried))
    for (folder, _, text, expected), result in zip(tried, results):
        if result != expected:
            problems.append(f'{folder}/: #include "{text}" ' +
                            ("compiles and must not" if result else "does not compile and should"))
    refused = sum(not result for result in results)
    print(*problems, sep="\n")
    print(f"{len(table)} parts, {len(tried)} includes tried, {refused} refused, {len(problems)} problems")
    return 1 if problems or not refused or refused == len(tried) else 0


sys.exit(main())
