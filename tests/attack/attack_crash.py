"""Crashes in the middle of a flood, a full disk, damaged files: nothing accepted is lost."""

import resource
import shutil
import signal
import time

import campaign
from campaign import SECONDS, AttackTest, Flood
from crash import COMMANDS_A_ROUND, CrashChecks
from harness import Shared
from packets import publish

setUpModule = campaign.set_up_module
tearDownModule = campaign.tear_down_module

FEW_BYTES = 300  # that still fit on a disk before it is full
TURNS = 6  # of the game whose file is damaged
SECTOR = 512


class Crashes(CrashChecks, AttackTest):
    def game(self):
        table = self.attacked_table()
        table.new_game(dice="daemon")
        return table

    def flood(self, table):
        """Unreadable commands, so few that replies are not dropped on a busy machine."""
        nonsense = publish(table.topic("command/aim"), "{")
        return Flood("captain", [nonsense * 20], connections=1, pause_s=0.05)

    def crash_again_and_again(self, table, start):
        """start() is called in the middle of a stream of commands; the table is online after it."""
        seq = table.state()["seq"]
        rounds = 0
        ends = time.monotonic() + 2 * SECONDS
        with self.flood(table):
            while time.monotonic() < ends:
                mark = len(table.client.messages)
                sent = self.send_blindly(table, self.chance)
                told = mark + self.chance.randrange(COMMANDS_A_ROUND)
                table.client.until(lambda t=told: len(table.client.messages) >= t, "the moment")
                seq = self.check_nothing_lost(table, seq, sent, start)
                rounds += 1
        self.note(rounds=rounds, seq=seq)
        self.check_memory(table)

    def test_kill_9_loses_nothing(self):
        table = self.game()

        def kill_and_start():
            table.kill()
            table.start()

        self.crash_again_and_again(table, kill_and_start)

    def test_a_broker_that_is_killed_loses_nothing(self):
        table = self.game()

        def restart_broker():
            # Who listens misses what is said until it is connected again: history has it.
            Shared.broker.stop(signal.SIGKILL)
            mark = len(table.client.messages)
            Shared.broker.start()
            table.await_status("online", mark)

        self.crash_again_and_again(table, restart_broker)
        table.client.close()
        table.client.messages.clear()  # which have gaps; what matters is in the history

    def test_a_full_disk_loses_nothing(self):
        table = self.game()

        def limit(size):
            pair = (size, resource.RLIM_INFINITY)
            resource.prlimit(table.daemon.process.pid, resource.RLIMIT_FSIZE, pair)

        def fill_and_kill():
            table.kill()
            table.start(preexec=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
            size = max(it.stat().st_size for it in table.daemon.state.iterdir())
            limit(self.chance.randrange(size + FEW_BYTES))
            self.send_blindly(table, self.chance)
            table.send("history")
            table.kill()
            table.start()

        self.crash_again_and_again(table, fill_and_kill)


class Damage(AttackTest):
    """The broker has acknowledged all of a game whose file is then damaged."""

    def play(self, table):
        """A game with all lengths that its file had on the way."""
        table.new_game(dice="daemon")
        lengths = []
        for verb in ("fire", "end-phase", "roll-move", "end-phase", "end-phase") * TURNS:
            table.do(verb)
            journal = max(table.daemon.state.iterdir(), key=lambda path: path.stat().st_size)
            lengths.append(len(journal.read_bytes().rstrip(b"\x00")))
        table.state()
        table.send("history")  # whose answer proves that the daemon has read all acknowledgements
        table.kill()
        return journal, lengths

    def damaged(self, content, lengths):
        """What may have become of the content, by what was done to it."""
        for length in lengths[:-1]:
            yield f"cut at {length}", content[:length]
            yield f"zeros from {length}", content[:length].ljust(len(content), b"\x00")
        for at in range(0, lengths[-1], SECTOR):
            yield f"zeros at {at}", content[:at] + bytes(SECTOR) + content[at + SECTOR :]
        while True:
            at = self.chance.randrange(lengths[-1])
            flipped = bytes([content[at] ^ 1 << self.chance.randrange(8)])
            yield f"a bit at {at}", content[:at] + flipped + content[at + 1 :]

    def test_what_contradicts_the_acknowledged_mark_is_reported_and_no_number_comes_again(self):
        table = self.attacked_table()
        journal, lengths = self.play(table)
        whole = table.state()
        content = journal.read_bytes()
        kept = table.folder / "kept"
        shutil.copytree(table.daemon.state, kept)
        played = len(table.client.messages)
        count = 0
        silent, reused = [], []
        ends = time.monotonic() + 4 * SECONDS
        for what, damaged in self.damaged(content, lengths):
            if time.monotonic() > ends:
                break
            shutil.rmtree(table.daemon.state)
            shutil.copytree(kept, table.daemon.state)
            journal.write_bytes(damaged)
            said = len(table.daemon.log())
            table.start()
            state = table.await_said("state", since=played)
            table.send("new-game", anyway=True)
            table.send("end-phase")
            table.daemon.terminate()
            log = table.daemon.log()[said:]
            if state != whole and not ("damage" in log or "kept as" in log):
                silent.append(what)
            reused += [f"{what}: {problem}" for problem in table.order_problems()]
            del table.client.messages[played:]  # each file is one way that the evening went on
            count += 1
        self.note(files=count, silent=len(silent), reused=len(reused))
        self.assertEqual(silent, [])
        self.assertEqual(reused, [])
