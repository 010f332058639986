"""systemd/card/apply.sh below a directory: test_card.py PROJECT BUILD_DIR.

The programs that read the settings are real; those that change the computer only note how they are called.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT, BUILD = sys.argv[1:3]
SCRIPT = f"{PROJECT}/systemd/card/apply.sh"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 anna@laptop"
GOOD = f"""\ufeff[wifi]
name = Mum's "net"
password = under the $sea
country = CZ
[referee]
name = anna
password = aye-aye
[tv]
voice = no
[computer]
language = cs
time_zone = Etc/UTC
host_name = attic
ssh_key = {KEY}
[table]
name = attic
[player.1]
name = Žofie
[player.2]
name = Ben
"""
# Notes its arguments, and has users in a file.
USER = """#!/bin/sh
echo "$*" >>"$NOTES"
[ "$1" != list ] || cat "$USERS" 2>/dev/null
case $* in *"add "*) echo "${*##*add }" >>"$USERS"; echo "http://attic.local/#user=x&password=made-up" ;; esac
"""
PASSPHRASE = """#!/bin/sh
read -r password
printf 'network={\\n\\tssid="%s"\\n\\t#psk="%s"\\n\\tpsk=hash-of-%s\\n}\\n' "$1" "$password" "$(echo "$password" | tr ' $' --)"
"""


class CardTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = f"{self.folder}/root"
        self.card = f"{self.root}/boot/firmware"
        os.makedirs(self.card)
        commands = f"{self.folder}/commands"
        os.mkdir(commands)
        for name, text in (("shipahoy-user", USER), ("wpa_passphrase", PASSPHRASE), ("sync", "#!/bin/sh\n")):
            with open(f"{commands}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(f"{commands}/{name}", 0o755)
        os.symlink(f"{BUILD}/daemon/shipahoyd", f"{commands}/shipahoyd")
        self.environment = os.environ | {
            "PATH": f"{commands}:{os.environ['PATH']}", "NOTES": f"{self.folder}/notes", "USERS": f"{self.folder}/users"}

    def boot(self, text=None, newline="\r\n"):
        if text is not None:
            with open(f"{self.card}/table.ini", "w", encoding="utf-8", newline=newline) as file:
                file.write(text)
        ran = subprocess.run(["sh", SCRIPT, "--root", self.root, "--programs", f"{BUILD}/daemon/config"],
                             env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def read(self, path, otherwise=None):
        try:
            with open(f"{self.root}{path}", encoding="utf-8", newline="") as file:
                return file.read()
        except FileNotFoundError:
            return otherwise

    def notes(self):
        try:
            with open(f"{self.folder}/notes", encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def wifi(self):
        return self.read("/etc/wpa_supplicant/wpa_supplicant-wlan0.conf")

    def test_a_file_from_windows_is_applied(self):
        self.boot(GOOD)
        self.assertIsNone(self.read("/boot/firmware/errors.txt"))
        self.assertEqual(self.read("/etc/hostname"), "attic\n")
        self.assertEqual(self.read("/etc/ssh/keys/admin"), KEY + "\n")
        self.assertEqual(self.read("/etc/shipahoy/kiosk.conf"), "LANGUAGE=cs\nVOICE=no\n")
        self.assertEqual(os.readlink(f"{self.root}/etc/localtime"), "/usr/share/zoneinfo/Etc/UTC")
        self.assertIn("name = attic", self.read("/etc/shipahoy/shipahoy.ini"))
        self.assertNotIn("wifi", self.read("/etc/shipahoy/shipahoy.ini"))
        ssid = "Mum's \"net\"".encode().hex()
        self.assertEqual(self.wifi(), f"country=CZ\nnetwork={{\n\tssid={ssid}\n\tpsk=hash-of-under-the--sea\n}}\n")
        self.assertEqual(self.notes(), ["setup", "--host attic.local --password aye-aye add anna referee"])

    def test_https_is_set_up_on_request(self):
        self.boot("[computer]\nhttps = yes\n")
        self.assertEqual(self.notes()[0], "setup --https")

    def test_no_password_stays_on_the_card(self):
        self.boot(GOOD)
        left = self.read("/boot/firmware/table.ini")
        self.assertNotIn("aye-aye", left)
        self.assertNotIn("under the", left)
        self.assertEqual(left.count("\r\n"), GOOD.count("\n"))
        self.assertIn("name = anna\r\n", left)

    def test_a_file_that_has_not_changed_is_not_applied_again(self):
        self.boot(GOOD)
        before = self.notes()
        self.boot()
        self.assertEqual(self.notes(), before)

    def test_a_change_keeps_the_passwords_that_were_read_before(self):
        self.boot(GOOD)
        wifi, notes = self.wifi(), self.notes()
        self.boot(self.read("/boot/firmware/table.ini").replace("\r\n", "\n").replace("= CZ", "= DE"))
        self.assertEqual(self.wifi(), wifi.replace("CZ", "DE"))
        self.assertEqual(self.notes(), [*notes, "setup", "list"])

    def test_a_wrong_line_is_explained_and_the_others_are_applied(self):
        self.boot(GOOD.replace("= CZ", "= Czechia").replace("cs\n", "fr\n").replace("[tv]", "[tvs]"))
        errors = self.read("/boot/firmware/errors.txt")
        self.assertIn("line 4: [wifi] country = Czechia: expected two capital letters", errors)
        self.assertIn("line 8: [tvs]: unknown section; did you mean [tv]?", errors)
        self.assertIn("line 11: [computer] language = fr: expected en, de or cs\r\n", errors)
        self.assertEqual(self.read("/etc/hostname"), "attic\n")
        self.assertTrue(self.wifi().startswith("network="))

    def test_errors_txt_goes_when_the_errors_are_corrected(self):
        self.boot(GOOD.replace("= CZ", "= Czechia"))
        self.boot(GOOD)
        self.assertIsNone(self.read("/boot/firmware/errors.txt"))

    def test_an_error_message_shows_no_password(self):
        self.boot("[wifi]\nname = net\npassword = sieben7\n")
        self.assertIn("line 3: [wifi] password = ***: expected 8 to 63", self.read("/boot/firmware/errors.txt"))
        self.assertNotIn("sieben7", self.read("/boot/firmware/errors.txt"))

    def test_a_wrong_configuration_of_the_table_leaves_the_one_before(self):
        self.boot(GOOD)
        self.boot(GOOD.replace("[table]\nname = attic", "[table]\nname = my attic"))
        self.assertIn("line 16: [table] name = my attic: expected", self.read("/boot/firmware/errors.txt"))
        self.assertIn("name = attic", self.read("/etc/shipahoy/shipahoy.ini"))

    def test_a_made_up_password_is_on_the_card_until_the_next_start(self):
        self.boot("[computer]\nhost_name = attic\n")
        self.assertIn("password=made-up", self.read("/boot/firmware/login.txt"))
        self.boot()
        self.assertIsNone(self.read("/boot/firmware/login.txt"))

    def test_it_is_deleted_also_if_the_settings_have_changed(self):
        self.boot("[computer]\nhost_name = attic\n")
        self.boot("[computer]\nhost_name = den\n")
        self.assertIsNone(self.read("/boot/firmware/login.txt"))

    def test_a_power_cut_before_the_end_makes_the_password_again(self):
        self.boot("[computer]\nhost_name = attic\n")
        os.remove(f"{self.root}/var/lib/shipahoy-card/applied")
        os.remove(f"{self.card}/login.txt")
        self.boot()
        self.assertIn("password=made-up", self.read("/boot/firmware/login.txt"))

    def test_a_card_without_the_file_or_with_garbage_starts_with_the_defaults(self):
        self.boot()
        self.assertEqual(self.read("/etc/hostname"), "shipahoy\n")
        with open(f"{self.card}/table.ini", "wb") as file:
            file.write(bytes(range(256)) * 4)
        self.boot()
        self.assertIn("not a text file", self.read("/boot/firmware/errors.txt"))
        self.assertEqual(self.read("/etc/hostname"), "shipahoy\n")

    def test_the_screen_can_be_switched_off(self):
        self.boot(GOOD)
        self.boot("[tv]\nshow = no\n")
        self.assertIsNone(self.read("/etc/shipahoy/kiosk.conf"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
