"""A stream of commands, and what must be there after a crash in the middle of it."""

COMMANDS_A_ROUND = 30

# A turn that always goes on, whoever's it is, so that any number of commands can be sent blindly.
TURN = ["fire", "end-phase", "roll-move", "end-phase", "end-phase"]


class CrashChecks:
    """For a TestCase."""

    def send_blindly(self, table, chance):
        """A stream of commands, of which some are refused; returns their ids and verbs."""
        sent = {}
        for _ in range(COMMANDS_A_ROUND):
            verb = chance.choice(TURN + ["undo"])
            sent[table.post(verb, {})] = verb
        return sent

    def answers(self, table, sent):
        replies = [it.json for it in table.said(table.reply_name)]
        return {it["id"]: it for it in replies if it.get("id") in sent}

    def check_nothing_lost(self, table, before, sent, start):
        """Whatever was answered or published when start() is called is there after it."""
        answered = self.answers(table, sent)
        published = table.events()
        stated = table.said("state")[-1].json["seq"]
        mark = len(table.client.messages)
        start()
        kept = {it["seq"]: it for it in table.history()}
        self.assertEqual(sorted(kept), list(range(1, len(kept) + 1)))
        for event in published:
            self.assertEqual(kept.get(event["seq"]), event)
        for command_id, reply in answered.items():
            if reply["ok"]:
                self.assertLessEqual(reply["seq"], max(kept))
                again = table.send(sent[command_id], id=command_id)
                self.assertEqual(again, reply)
        self.assertGreaterEqual(max(kept), max(before, stated))
        # After a restart of the broker, commands that are sent again may have moved it further.
        table.await_said("state", lambda it: it["seq"] >= max(kept), mark)
        return max(kept)
