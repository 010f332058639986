"""The completions know the words of the programs, and work in a real bash and a real zsh."""
import json
import os
import pty
import re
import select
import signal
import time
import unittest

import pages
from pages import CTL, DAEMON, LOGBOOK, PROJECT, read, run

FOLDER = f"{PROJECT}/daemon/ctl/completion"
ANSWER_S = 30
START_GAME = "start-game"  # another way to say new-game, see docs/mqtt.md


def words_of_list(name):
    """The printed names of a list in rules/words.h, with the rest of each entry."""
    body = re.search(rf"#define {name}\(X\)(.*?)\n\n", read("rules/include/rules/words.h"), re.DOTALL).group(1)
    return dict(re.findall(r'X\(\w+, "([\w-]+)"(.*?)\)[ \\]*$', body, re.MULTILINE))


def bash_answers(line):
    """What COMPREPLY is after the function was called as readline does it, words split at = too."""
    words = re.findall(r"=|[^\s=]+", line) + ([""] if line.endswith((" ", "=")) else [])
    if line.endswith("="):
        words.pop()  # bash offers the = itself as the word
    script = f"""
        compopt() {{ :; }}
        . {FOLDER}/{words[0]}.bash
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)})
        COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _{words[0]} {words[0]} "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD - 1]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    result = run("bash", "-c", script)
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


class Words(unittest.TestCase):
    def check_answers(self, line, expected):
        self.assertEqual(sorted(bash_answers(line)), sorted(expected))

    def test_subcommands_and_options_are_those_of_the_programs(self):
        help_text = run(CTL, "--help").stdout
        self.check_answers("shipahoyctl ", re.findall(r"^  (\w+).*\n      ", help_text, re.M))
        self.check_answers("shipahoyctl --", pages.options_of(CTL))
        self.check_answers("shipahoyctl send --", pages.options_of(CTL))
        self.check_answers("shipahoyd --", pages.options_of(DAEMON))
        self.check_answers("shipahoy-logbook --", pages.options_of(LOGBOOK))
        self.check_answers("shipahoy-logbook --export ", ["csv", "json"])

    def test_verbs_and_their_fields_are_those_of_the_schemas(self):
        verbs = json.loads(read("docs/schemas/command.json"))["definitions"]
        del verbs["pair"], verbs["unpair"]  # subcommands
        self.check_answers("shipahoyctl send ", verbs)
        for verb, schema in verbs.items():
            if verb not in ("new-game", START_GAME):
                with self.subTest(verb=verb):
                    fields = [f"{field}=" for field in schema["properties"] if field != "id"]
                    self.check_answers(f"shipahoyctl send {verb} ", fields)

    def test_the_fields_of_a_new_game_are_those_of_the_book(self):
        section = read("docs/mqtt.md").split("### new-game")[1].split("###")[0]
        fields = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
        fields.discard("players")  # a list of objects, which send cannot say
        self.check_answers("shipahoyctl send new-game ", [f"{field}=" for field in fields])
        self.check_answers(f"shipahoyctl send {START_GAME} ",
                              [f"{field}=" for field in fields - {"abandon"}])

    def test_values_are_those_of_the_rules(self):
        pieces = words_of_list("RULES_PIECES")
        colours = words_of_list("RULES_HARBOURS")
        self.check_answers("shipahoyctl send topple piece=", pieces)
        self.check_answers("shipahoyctl send engage attacker=red-1 target=", pieces)
        self.check_answers("shipahoyctl send load-barrel piece=red-1 harbour=", colours)
        self.check_answers("shipahoyctl send roll-combat value=", words_of_list("RULES_FACES"))
        self.check_answers("shipahoyctl send roll-move value=", "123")
        self.check_answers("shipahoyctl send new-game scenario=",
                              words_of_list("RULES_SCENARIOS"))
        self.check_answers("shipahoyctl send new-game rules=", words_of_list("RULES_VARIANTS"))
        self.check_answers("shipahoyctl send new-game dice=", words_of_list("RULES_DICE"))
        self.check_answers("shipahoyctl send topple piece=red-t", ["red-tower"])
        self.check_answers("shipahoyctl sim topple ", pieces)
        self.check_answers("shipahoyctl sim dock ", colours)

    def test_simulated_sensors_are_those_of_sim(self):
        self.check_answers("shipahoyctl sim ",
                              re.findall(r"^  sim (\w+)", run(CTL, "sim").stdout, re.MULTILINE))

    def test_options_before_the_subcommand_are_skipped(self):
        self.check_answers("shipahoyctl --config a.ini --json send aim ", ["piece="])

    def test_both_shells_have_the_same_words(self):
        bash, zsh = read(f"{FOLDER}/shipahoyctl.bash"), read(f"{FOLDER}/_shipahoyctl")
        for name, other in (("subcommands", "subcommands"), ("verbs", "verbs"), ("sim", "sims")):
            first = re.search(rf"_shipahoyctl_{name}='(.*?)'", bash, re.DOTALL).group(1)
            second = re.search(rf"^{other}=\((.*?)\)", zsh, re.MULTILINE | re.DOTALL).group(1)
            self.assertEqual(first.split(), second.split())
        self.assertEqual(set(re.findall(r"'\*?(--[a-z-]+)\[", zsh)), pages.options_of(CTL))
        for pattern in (r"(scenario=?\).*none )(.*?)[);]", r"(new-game\) .*rules)(.*?)[);]"):
            self.assertTrue(re.search(pattern, bash) and re.search(pattern, zsh))


class Shells(unittest.TestCase):
    """A person types and presses the tabulator; what the program is called with then is the claim."""

    def type_in(self, shell, preparation, typed, expected):
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ.update(TERM="dumb", HOME="/nonexistent")
            os.execvp(shell[0], shell)
        self.addCleanup(os.close, terminal)
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.kill, pid, signal.SIGKILL)
        called = 'shipahoyctl() { echo "called: $*."; }'
        os.write(terminal, f"{preparation}; {called}; echo pre''pared\n".encode())
        self.wait_for(terminal, "prepared\r")
        os.write(terminal, f"shipahoyctl {typed}\n".encode())
        self.wait_for(terminal, f"called: {expected}.")

    def wait_for(self, terminal, expected):
        seen, ends = "", time.monotonic() + ANSWER_S
        while expected not in seen:
            ready = select.select([terminal], [], [], max(0, ends - time.monotonic()))[0]
            self.assertTrue(ready, f"{expected!r} is missing in {seen!r}")
            seen += os.read(terminal, 4096).decode(errors="replace")

    def check_commands(self, shell, preparation):
        for typed, expected in (("se\tend\t", "send end-phase"),
                                ("send topple pi\tyellow-t\t", "send topple piece=yellow-tower"),
                                ("sim ra\tgreen-t\t", "sim raise green-tower")):
            with self.subTest(typed=typed):
                self.type_in(shell, preparation, typed, expected)

    def test_bash_completes_whole_commands(self):
        self.check_commands(["bash", "--norc", "--noprofile", "-i"],
                            f". {FOLDER}/shipahoyctl.bash")

    def test_zsh_completes_whole_commands(self):
        self.check_commands(["zsh", "-f", "-i"],
                            f"fpath=({FOLDER} $fpath); autoload -U compinit && compinit -u -D")


if __name__ == "__main__":
    pages.main()
