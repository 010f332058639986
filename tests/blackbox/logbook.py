"""A shipahoy-logbook process, and questions to it."""

import json
import os

from client import Client
from daemon import ROOT, Daemon
from table import PREFIX, new_id
from waiting import poll

PROGRAM = os.environ.get("SHIPAHOY_LOGBOOK", str(ROOT / "build/dev/daemon/logbook/shipahoy-logbook"))


class Logbook(Daemon):
    program = PROGRAM

    def __init__(
        self, folder, port, database=None, client_port=None, sheets=None, host="127.0.0.1", version=5
    ):
        """version is that of its client."""
        ini = f"[mqtt]\nhost = {host}\nport = {port}\nprefix = {PREFIX}\n"
        for key, value in (("database", database), ("sheets", sheets)):
            ini += f"[logbook]\n{key} = {value}\n" if value else ""
        super().__init__(folder, ini)
        self.state.mkdir(exist_ok=True)
        self.client = Client(client_port or port, version, [f"{PREFIX}/logbook/#"])

    def start(self, preexec=None, **environment):
        """Until it is subscribed, too."""
        mark = len(self.client.messages)
        super().start(preexec, **environment)
        self.client.wait(
            lambda it: it.topic == f"{PREFIX}/logbook/status" and it.payload == b"online",
            "the logbook online", mark,
        )  # fmt: skip

    def send(self, door, verb, **fields):
        mark = len(self.client.messages)
        fields = {"id": new_id()} | fields
        self.client.publish(f"{PREFIX}/logbook/{door}/{verb}", json.dumps(fields))
        return self.client.wait(
            lambda it: it.topic == f"{PREFIX}/logbook/reply" and it.json["id"] == fields["id"],
            f"the reply to {verb}", mark,
        ).json  # fmt: skip

    def ask(self, verb, **fields):
        reply = self.send("ask", verb, **fields)
        assert reply["ok"], reply
        return reply

    def game(self, game):
        """All of a game: its entry, events and states."""
        whole = self.ask("game", game=game)
        while whole["more"]:
            part = self.ask("game", game=game, **{"from": whole["events"][-1]["seq"] + 1})
            whole["more"] = part["more"]
            whole["events"] += part["events"]
            whole["states"] += part["states"]
        return whole

    def await_game(self, game, seq):
        """The game, when it is stored with its states up to this event."""

        def is_stored():
            reply = self.send("ask", "game", game=game, **{"from": seq})
            return reply["ok"] and reply["events"] and reply["states"]

        # The longest way: a database that failed is tried again after ten seconds, and so is a table.
        poll(is_stored, f"event {seq} of {game} with its state in the logbook", 90)
        return self.game(game)

    def close(self):
        code = self.terminate() if self.alive() else 0
        self.client.close()
        return code
