"""The logbook with real tables: every game is stored once and completely, whoever was away meanwhile."""

import json
import os
import pathlib
import subprocess
import tempfile

import harness
from harness import Shared, TableTest
from logbook import PROGRAM, Logbook
from table import PREFIX
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module


def draw(states):
    """The states of a reply, complete, by their seq."""
    drawn, state = {}, None
    for entry in states:
        changes = entry.get("changes")
        if changes is None:
            state = entry["state"]
        else:
            state = state | changes | {"pieces": state["pieces"] | changes.get("pieces", {})}
        drawn[entry["seq"]] = state
    return drawn


class LogbookTest(TableTest):
    def logbook(self, **settings):
        folder = pathlib.Path(tempfile.mkdtemp(dir=Shared.folder))
        logbook = Logbook(folder, settings.pop("port", Shared.broker.port), **settings)
        self.addCleanup(self.close_logbook, logbook)
        logbook.start()
        return logbook

    @staticmethod
    def close_logbook(logbook):
        code = logbook.close()
        assert not logbook.faults(), logbook.log()
        assert code == 0, f"exit code {code}: {logbook.log()}"

    def play(self, table, shots=1, stored_in=None):
        """
        A few turns of two players; after each, it waits for the logbook `stored_in`, if any. Returns the id of the
        game and its last seq.
        """
        table.new_game(players=2)
        for shot in range(shots):
            table.do("fire")
            table.do("topple", piece=("green-1", "red-1", "green-2", "red-2", "green-3")[shot])
            table.do("end-phase")
            table.do("roll-move", value=2)
            table.do("end-phase")
            table.do("end-phase")
            if stored_in:
                stored_in.await_game(*self.last(table))
        return self.last(table)

    @staticmethod
    def last(table):
        event = table.events()[-1]
        return event["game"], event["seq"]

    def compare(self, logbook, table, game, seq):
        """What is stored is what the table published, and every step can be drawn."""
        stored = logbook.await_game(game, seq)
        published = [event for event in table.events() if event["game"] == game]
        told = [{key: value for key, value in event.items() if key != "undone"} for event in stored["events"]]
        self.assertEqual(told, published)
        drawn = draw(stored["states"])
        for state in (it.json for it in table.said("state")):
            if state["game"] == game and state["seq"] in drawn:
                told = drawn[state["seq"]]
                self.assertEqual((told["phase"], told["players"]), (state["phase"], state["players"]))
        self.assertIn(seq, drawn)
        return stored


class Storing(LogbookTest):
    def test_a_game_that_is_played_is_stored_with_every_state(self):
        logbook, table = self.logbook(), self.table()
        game, seq = self.play(table, shots=3)
        stored = self.compare(logbook, table, game, seq)
        self.assertEqual(stored["game"]["players"], ["Anna", "Ben"])
        self.assertEqual(stored["game"]["table"], table.name)
        anna = logbook.ask("statistics", player="anna")["statistics"][0]
        self.assertEqual((anna["shots"], anna["hits"], anna["captured"]["ships"]), (2, 2, 2))

    def test_games_from_before_the_start_are_read(self):
        table = self.table()
        games = [self.play(table, shots=2), self.play(table), self.play(table, shots=4)]
        logbook = self.logbook()
        for game, seq in games:
            self.compare(logbook, table, game, seq)

    def test_what_was_undone_is_marked(self):
        logbook, table = self.logbook(), self.table()
        table.new_game(players=2)
        table.do("fire")
        table.do("topple", piece="green-1")
        table.do("undo")
        game, seq = self.last(table)
        stored = logbook.await_game(game, seq)
        undone = [event["event_type"] for event in stored["events"] if event.get("undone")]
        self.assertEqual(undone, ["piece-toppled", "piece-captured"])
        anna = logbook.ask("statistics", player="Anna")["statistics"][0]
        self.assertEqual(anna["captured"]["ships"], 0)

    def test_a_table_that_restarts_goes_on(self):
        logbook, table = self.logbook(), self.table()
        self.play(table)
        table.daemon.kill()
        table.start()
        table.do("fire")
        game, seq = self.last(table)
        self.compare(logbook, table, game, seq)

    def test_a_killed_logbook_misses_nothing_and_doubles_nothing(self):
        logbook, table = self.logbook(), self.table()
        self.play(table)
        logbook.kill()
        game, seq = self.play(table, shots=3)
        logbook.start()
        stored = self.compare(logbook, table, game, seq)
        self.assertEqual([event["seq"] for event in stored["events"]], list(range(1, seq + 1)))

    def test_two_tables_are_stored_side_by_side(self):
        logbook, one, other = self.logbook(), self.table(), self.table()
        for table in (one, other):
            self.compare(logbook, table, *self.play(table))
        names = {entry["table"] for entry in logbook.ask("games")["games"]}
        self.assertLessEqual({one.name, other.name}, names)


class Hostile(LogbookTest):
    def test_events_of_an_invented_table_are_not_stored(self):
        logbook = self.logbook()
        event = {"v": 1, "game": "20260101-000000-0000", "seq": 1, "at": "2026-01-01T00:00:00.000Z",
                 "event_type": "game-started", "turn": 1, "player": 1, "rule": None, "message": "x"}
        for payload in (json.dumps(event), "{", "[" * 100000, "", json.dumps(event | {"seq": 10**30})):
            logbook.client.publish(f"{PREFIX}/invented/event/game-started", payload)
            logbook.client.publish(f"{PREFIX}/invented/status", "online")
            logbook.client.publish(f"{PREFIX}/invented/reply", payload)
        self.assertNotIn("invented", {entry["table"] for entry in logbook.ask("games")["games"]})

    def test_an_event_out_of_order_does_not_harm_a_real_game(self):
        logbook, table = self.logbook(), self.table()
        game, seq = self.play(table)
        logbook.await_game(game, seq)
        for false_seq in (0, seq + 50, 10**9):
            event = table.events()[-1] | {"seq": false_seq}
            logbook.client.publish(f"{PREFIX}/{table.name}/event/{event['event_type']}", json.dumps(event))
        stored = logbook.game(game)
        self.assertEqual([event["seq"] for event in stored["events"]], list(range(1, seq + 1)))
        false_seqs = {0, seq + 50, 10**9}
        table.client.wait(lambda it: "/event/" in it.topic and it.json["seq"] == 10**9, "the last false event")
        table.client.messages[:] = [it for it in table.client.messages if "/event/" not in it.topic
                                    or it.json["seq"] not in false_seqs]

    def test_wrong_questions_get_sentences(self):
        logbook = self.logbook()
        for verb, fields, error in (
            ("games", {"limit": 0}, "bad-value"), ("game", {"game": "none"}, "not-found"),
            ("merge", {}, "unknown-command"), ("games", {"table": "x" * 5000}, "too-large"),
        ):  # fmt: skip
            mark = len(logbook.client.messages)
            logbook.client.publish(f"{PREFIX}/logbook/ask/{verb}", json.dumps(fields))
            reply = logbook.client.wait(lambda it: it.topic == f"{PREFIX}/logbook/reply", verb, mark).json
            self.assertEqual((reply["ok"], reply["error"]), (False, error))
            self.assertTrue(reply["message"].endswith("."))

    def test_a_reply_goes_to_its_response_topic_only_below_the_logbook(self):
        logbook = self.logbook()
        for answer_to, expected in (
            (f"{PREFIX}/logbook/reply/me", f"{PREFIX}/logbook/reply/me"),
            (f"{PREFIX}/table/state", f"{PREFIX}/logbook/reply"),
            (f"{PREFIX}/logbook/reply/me/x", f"{PREFIX}/logbook/reply"),
        ):
            mark = len(logbook.client.messages)
            logbook.client.publish(f"{PREFIX}/logbook/ask/records", "{}", answer_to=answer_to)
            logbook.client.wait(lambda it, topic=expected: it.topic == topic, expected, mark)


class Records(LogbookTest):
    EARLIER_GAMES = 5

    @staticmethod
    def announced(logbook):
        return [it.json for it in logbook.client.messages if it.topic == f"{PREFIX}/logbook/record"]

    def test_a_new_record_is_announced_once_and_an_old_game_is_not(self):
        table = self.table()
        for _ in range(self.EARLIER_GAMES):
            self.play(table)
        logbook = self.logbook()
        logbook.await_game(*self.last(table))
        self.assertEqual(logbook.ask("records")["records"][0]["value"], self.EARLIER_GAMES)  # a hit in each
        game, _ = self.play(table, shots=5, stored_in=logbook)
        said = logbook.client.wait(
            lambda it: it.topic == f"{PREFIX}/logbook/record" and it.json["record"] == "longest-hits", "a record")
        self.assertEqual((said.json["game"], said.json["previous"]["value"]), (game, self.EARLIER_GAMES))
        self.assertGreater(said.json["value"], self.EARLIER_GAMES)
        records = self.announced(logbook)
        self.assertEqual({record["game"] for record in records}, {game})
        set_by = [(record["record"], record["player"]) for record in records]
        self.assertEqual(len(set_by), len(set(set_by)), "a player who breaks their own record of this game is known")

    def test_the_records_of_the_first_games_are_not_announced(self):
        table, logbook = self.table(), self.logbook()
        for shots in range(1, self.EARLIER_GAMES + 1):
            logbook.await_game(*self.play(table, shots=shots))
        self.assertGreater(logbook.ask("records")["records"][0]["value"], 1)
        self.assertEqual(self.announced(logbook), [])


class Program(LogbookTest):
    def run_logbook(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)

    def test_status_is_online_and_offline_at_the_end(self):
        logbook = self.logbook()
        topic = f"{PREFIX}/logbook/status"
        logbook.client.wait(lambda it: it.topic == topic and it.payload == b"online", "online")
        logbook.kill()
        logbook.client.wait(lambda it: it.topic == topic and it.payload == b"offline", "offline")

    def test_two_logbooks_on_one_broker_are_reported_by_both(self):
        one = self.logbook()
        self.assertNotIn("another logbook", one.log())
        other = self.logbook()
        for logbook in (one, other):
            poll(lambda logbook=logbook: "another logbook is connected with the prefix" in logbook.log(), "the error")

    def test_errors_name_file_and_line(self):
        path = Shared.folder / "wrong.ini"
        path.write_text("[logbook]\ndatabase = mysql://x\ndatabse = sqlite:x\n")
        result = self.run_logbook("--check", "--config", path)
        self.assertEqual(result.returncode, 78)
        self.assertIn(f"{path}:2: [logbook] database", result.stderr)
        self.assertIn(f"{path}:3: [logbook] databse", result.stderr)
        self.assertEqual(self.run_logbook("--export", "xml", "x").returncode, 64)
        self.assertEqual(self.run_logbook("--help").returncode, 0)

    def test_a_damaged_and_an_unwritable_database_end_it_with_a_sentence(self):
        folder = Shared.folder / "damaged"
        folder.mkdir()
        (folder / "a.ini").write_text("")
        (folder / "logbook.db").write_text("not a database" * 1000)
        result = self.run_logbook("--config", folder / "a.ini", "--state-dir", folder)
        self.assertEqual(result.returncode, 69)
        self.assertIn("database: it is damaged; restore a backup: file is not a database", result.stderr)
        result = self.run_logbook("--config", folder / "a.ini", "--state-dir", folder / "nowhere")
        self.assertEqual(result.returncode, 69)
        self.assertIn("unable to open database file", result.stderr)

    def test_exports_have_every_event(self):
        logbook, table = self.logbook(), self.table()
        game, seq = self.play(table)
        logbook.await_game(game, seq)
        for name in ("csv", "json"):
            folder = logbook.folder / name
            result = self.run_logbook("--config", logbook.configuration, "--state-dir", logbook.state, "--export", name,
                                      folder)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            lines = (folder / f"events.{name}").read_text().splitlines()
            self.assertEqual(len([line for line in lines if game in line]), seq)
        events = [json.loads(line) for line in (logbook.folder / "json/events.json").read_text().splitlines()]
        self.assertEqual([event["event"] for event in events if event["game"] == game], table.events())


if __name__ == "__main__":
    harness.main()
