"""shipahoyctl backup and restore, below a directory: test_backup.py PROJECT BUILD_DIR.

Systemd and real paths are tried by run.sh.
"""
import glob
import io
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import unittest

PROJECT, BUILD = sys.argv[1:3]
SCRIPT = f"{PROJECT}/systemd/backup/backup.sh"
CTL = f"{BUILD}/daemon/ctl/shipahoyctl"

FILES = {
    "etc/shipahoy/shipahoy.ini": "[table]\nname = den\n",
    "etc/shipahoy/https/authority.key": "a key\n",
    "etc/mosquitto/shipahoy.passwd": "anna:hash\n",
    "etc/mosquitto/shipahoy.acl": "user anna\n",
    "etc/mosquitto/conf.d/shipahoy.conf": "listener 1883 localhost\n",
    "var/lib/shipahoy/open-game": "a game\n",
    "var/lib/shipahoy/acknowledged": "4\n",
    "var/lib/shipahoy/paired.ini": "[radio]\n",
    "var/lib/shipahoy-logbook/.pgpass": "a password\n",
}
# Kills the script that calls it, the first time that it is called with this number.
KILLER = """#!/bin/sh
count=$(($(cat "$COUNTER") + 1))
echo $count >"$COUNTER"
[ $count != "$KILL_AT" ] || { kill -9 $PPID; exit 1; }
exec /bin/mv "$@"
"""


class BackupTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = f"{self.folder}/root"
        self.file = f"{self.folder}/table.backup"
        self.commands = f"{self.folder}/commands"
        os.mkdir(self.commands)
        self.add_command("sync", "#!/bin/sh\n")  # takes long on a busy machine, and changes nothing here
        self.make_table()

    def make_table(self):
        for path, text in FILES.items():
            self.write(path, text)
        os.chmod(f"{self.root}/etc/shipahoy/https/authority.key", 0o600)
        with sqlite3.connect(f"{self.root}/var/lib/shipahoy-logbook/logbook.db") as database:
            database.execute("CREATE TABLE IF NOT EXISTS game (name TEXT)")
            database.execute("INSERT INTO game VALUES ('the first')")
        database.close()

    def write(self, path, text):
        path = f"{self.root}/{path}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, path):
        with open(f"{self.root}/{path}", encoding="utf-8") as file:
            return file.read()

    def run_script(self, *words, version="1.2.3", script=SCRIPT, **environment):
        path = f"{self.commands}:{BUILD}/daemon/logbook:{os.environ['PATH']}"
        return subprocess.run(
            ["sh", script, "--root", self.root, "--version", version, *words],
            capture_output=True, text=True, check=False, env=os.environ | {"PATH": path} | environment,
        )  # fmt: skip

    def do(self, *words, **more):
        done = self.run_script(*words, **more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def check_refused(self, reason, *words, **more):
        before = self.tree()
        done = self.run_script(*words, **more)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(reason, done.stderr)
        self.assertEqual(self.tree(), before)

    def tree(self):
        """Every path with its mode and content; of the database its rows."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            for name in folders + names:
                path = os.path.join(folder, name)
                status = os.lstat(path)
                content = None
                if name == "logbook.db":
                    database = sqlite3.connect(path)
                    content = database.execute("SELECT name FROM game").fetchall()
                    database.close()
                elif name in names and not os.path.islink(path):
                    content = self.read(os.path.relpath(path, self.root))
                if not name.startswith("logbook.db-"):
                    found[os.path.relpath(path, self.root)] = oct(status.st_mode), content
        return found

    def add_command(self, name, text):
        path = f"{self.commands}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def change_table(self):
        """Every kind of difference: another content, a new file, a lost file, an item that is new."""
        self.write("etc/shipahoy/shipahoy.ini", "[table]\nname = attic\n")
        self.write("var/lib/shipahoy/20260101-000000-1.journal", "a later game\n")
        self.write("etc/systemd/system/shipahoyd.service.d/override.conf", "[Service]\n")
        os.unlink(f"{self.root}/etc/mosquitto/shipahoy.acl")


class Backup(BackupTest):
    def test_restore_brings_back_everything_and_nothing_else(self):
        before = self.tree()
        self.do("backup", self.file)
        self.assertEqual(self.tree(), before)
        self.change_table()
        self.do("restore", self.file)
        after = self.tree()
        for path in ("etc/systemd", "etc/systemd/system"):
            del after[path]
        self.assertEqual(after, before)

    def test_restores_into_a_new_machine(self):
        before = self.tree()
        self.do("backup", self.file)
        shutil.rmtree(self.root)
        for path in ("var/lib", "etc/mosquitto/conf.d"):
            os.makedirs(f"{self.root}/{path}")
        self.do("restore", self.file)
        self.assertEqual(self.tree(), before)

    def test_only_its_owner_reads_the_file(self):
        self.do("backup", self.file)
        self.assertEqual(os.stat(self.file).st_mode & 0o777, 0o600)

    def test_an_existing_file_is_kept_unless_forced(self):
        self.do("backup", self.file)
        self.check_refused("exists", "backup", self.file)
        self.do("--force", "backup", self.file)

    def test_links_are_left_out_and_named(self):
        os.symlink("/etc/passwd", f"{self.root}/etc/shipahoy/link")
        self.assertIn("/etc/shipahoy/link", self.do("backup", self.file))
        with tarfile.open(self.file) as archive:
            self.assertTrue(all(member.isfile() or member.isdir() for member in archive))

    def test_the_mark_is_never_newer_than_the_game(self):
        # A table that plays while files are copied: each copy comes with the next event.
        self.add_command("cp", f"""#!/bin/sh
            for file in acknowledged open-game; do
                echo $(($(cat {self.root}/var/lib/shipahoy/$file) + 1)) >{self.root}/var/lib/shipahoy/$file
            done
            exec /bin/cp "$@"
        """)
        for name in ("open-game", "acknowledged"):
            self.write(f"var/lib/shipahoy/{name}", "1\n")
        self.do("backup", self.file)
        with tarfile.open(self.file) as archive:
            game, mark = (int(archive.extractfile(f"files/var/lib/shipahoy/{name}").read())
                          for name in ("open-game", "acknowledged"))
        self.assertLessEqual(mark, game)

    def test_a_logbook_elsewhere_is_not_part_of_it(self):
        self.write("etc/shipahoy/shipahoy.ini", "[logbook]\ndatabase = postgresql:///shipahoy\n")
        self.assertIn("pg_dump", self.do("backup", self.file))
        before = self.tree()  # with a file from the time before the other database
        self.do("restore", self.file)
        self.assertEqual(self.tree(), before)

    def test_a_logbook_with_its_path_in_the_configuration_is_part_of_it(self):
        logbook = "/var/lib/shipahoy-logbook"
        os.makedirs(f"{self.root}{logbook}/club")
        self.copy_logbook("club/logbook.db")
        for path in ("logbook.db", "club/logbook.db"):
            with self.subTest(path):
                self.write("etc/shipahoy/shipahoy.ini", f"[logbook]\ndatabase = sqlite:{logbook}/{path} ; ours\n")
                before = self.tree()
                self.assertNotIn("not part", self.do("--force", "backup", self.file))
                self.do("restore", self.file)
                self.assertEqual(self.tree(), before)

    def copy_logbook(self, name):
        folder = f"{self.root}/var/lib/shipahoy-logbook"
        shutil.copy(f"{folder}/logbook.db", f"{folder}/{name}")

    def test_a_logbook_that_is_written_is_copied_whole(self):
        database = sqlite3.connect(f"{self.root}/var/lib/shipahoy-logbook/logbook.db")
        self.addCleanup(database.close)
        database.execute("PRAGMA journal_mode = WAL")
        with database:
            database.execute("INSERT INTO game VALUES ('in the log')")
        self.do("backup", self.file)
        with tarfile.open(self.file) as archive:
            names = [name for name in archive.getnames() if "logbook.db" in name]
            archive.extract("files/var/lib/shipahoy-logbook/logbook.db", self.folder, filter="data")
        self.assertEqual(names, ["files/var/lib/shipahoy-logbook/logbook.db"])
        copy = sqlite3.connect(f"{self.folder}/files/var/lib/shipahoy-logbook/logbook.db")
        self.addCleanup(copy.close)
        self.assertEqual(copy.execute("SELECT name FROM game").fetchall(), [("the first",), ("in the log",)])

    def test_a_full_disk_leaves_no_half_file(self):
        self.add_command("tar", """#!/bin/sh
            case "$*" in *.partial*) echo half >"$5"; echo "No space left on device" >&2; exit 2 ;; esac
            exec /bin/tar "$@"
        """)
        self.check_refused("No space left", "backup", self.file)
        self.assertEqual(glob.glob(f"{self.folder}/table.backup*"), [])


class Refusals(BackupTest):
    def setUp(self):
        super().setUp()
        self.do("backup", self.file)

    def rewrite(self, change):
        """Writes the backup again, with a change to its list of members and their contents."""
        with tarfile.open(self.file) as archive:
            members = [(member, archive.extractfile(member).read() if member.isfile() else b"")
                       for member in archive]
        with tarfile.open(self.file, "w:gz") as archive:
            for member, content in change(members):
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))

    def add_member(self, name, kind=tarfile.REGTYPE, target=""):
        def change(members):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, target
            return [*members, (member, b"")]

        self.rewrite(change)

    def test_a_newer_version(self):
        self.check_refused("Upgrade first", "restore", self.file, version="1.2.2")
        self.check_refused("Upgrade first", "restore", self.file, version="1.1.10")
        self.do("restore", self.file, version="1.10.0")

    def test_a_file_that_is_no_backup(self):
        self.check_refused("cannot be read", "restore", f"{self.folder}/missing")
        self.check_refused("not a backup", "restore", SCRIPT)

    def test_a_truncated_file(self):
        with open(self.file, "r+b") as file:
            file.truncate(os.path.getsize(self.file) - 20)
        self.check_refused("damaged", "restore", self.file)

    def test_changed_content(self):
        self.rewrite(lambda members: [(member, content.replace(b"den", b"den2")) for member, content in members])
        self.check_refused("checksums", "restore", self.file)

    def test_a_lost_file(self):
        self.rewrite(lambda members: [each for each in members if not each[0].name.endswith("open-game")])
        self.check_refused("checksums", "restore", self.file)

    def test_an_additional_file(self):
        self.add_member("files/etc/shipahoy/more")
        self.check_refused("checksums", "restore", self.file)

    def test_links_devices_and_other_places(self):
        for name, kind, target, reason in (
            ("files/etc/shipahoy/link", tarfile.SYMTYPE, "/etc/passwd", "a link"),
            ("files/etc/shipahoy/link", tarfile.LNKTYPE, "manifest", "a link"),
            ("files/etc/shipahoy/null", tarfile.CHRTYPE, "", "a link or a special file"),
            ("/etc/passwd", tarfile.REGTYPE, "", "an absolute path"),
            ("files/../../x", tarfile.REGTYPE, "", "a path with .."),
            ("files/etc/a name\nwith ../..", tarfile.REGTYPE, "", "a path with .."),
            ("passwd", tarfile.REGTYPE, "", "not a part"),
            ("manifest", tarfile.REGTYPE, "", "twice"),
        ):
            with self.subTest(name=name, kind=kind):
                self.do("--force", "backup", self.file)
                self.add_member(name, kind, target)
                self.check_refused(reason, "restore", self.file)

    def test_too_little_space(self):
        self.add_command("df", "#!/bin/sh\necho head\necho disk 9000 8000 500 90% /\n")
        self.check_refused("500 KiB free", "restore", self.file)
        self.check_refused("500 KiB free", "--force", "backup", self.file)

    def test_a_machine_without_a_broker(self):
        shutil.rmtree(f"{self.root}/etc/mosquitto")
        self.check_refused("Install what it belongs to", "restore", self.file)

    def test_a_directory_that_cannot_be_replaced(self):
        os.rename(f"{self.root}/var/lib/shipahoy", f"{self.folder}/elsewhere")
        os.symlink(f"{self.folder}/elsewhere", f"{self.root}/var/lib/shipahoy")
        self.check_refused("is a link", "restore", self.file)

    def test_a_logbook_that_is_not_in_the_backup(self):
        folder = f"{self.root}/var/lib/shipahoy-logbook"
        shutil.copy(f"{folder}/logbook.db", f"{folder}/club.db")
        self.add_command("cat", "#!/bin/sh\nexec /bin/cat \"$@\"\n")
        before = os.stat(f"{folder}/club.db").st_size
        done = self.run_script("restore", self.file)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("does not contain the logbook", done.stderr)
        self.assertEqual(os.stat(f"{folder}/club.db").st_size, before)

    def test_services_run_again_and_no_copies_are_left(self):
        """The script with services, which this directory does not have."""
        place = f"{self.folder}/systemd/backup"
        os.makedirs(place)
        os.symlink(f"{PROJECT}/config", f"{self.folder}/config")
        with open(SCRIPT, encoding="utf-8") as file:
            text = file.read().replace("has_services()\n{\n    [ -z \"$root\" ] && ", "has_services()\n{\n    true || ")
        with open(f"{place}/backup.sh", "w", encoding="utf-8") as file:
            file.write(text)
        said = f"{self.folder}/said"
        for reason, stop, mv in (
            ("cannot be stopped", "exit 1", ""),
            ("cannot be written", "exit 0", 'case "$*" in *shipahoy-restore) exit 1 ;; esac'),
            ("", "kill -INT $PPID", ""),
        ):
            with self.subTest(stop=stop, mv=mv):
                self.add_command("systemctl", f"#!/bin/sh\necho $* >>{said}\ncase $1 in stop) {stop} ;; esac\n")
                self.add_command("mv", f'#!/bin/sh\n{mv}\nexec /bin/mv "$@"\n')
                before = self.tree()
                done = self.run_script("restore", self.file, script=f"{place}/backup.sh")
                self.assertIn(done.returncode, (70, 130), done.stderr)
                self.assertIn(reason, done.stderr)
                self.assertEqual(self.tree(), before)
                with open(said, encoding="utf-8") as file:
                    self.assertEqual([line.split(maxsplit=1) for line in file.readlines()[-2:]],
                                     [[verb, "shipahoyd shipahoy-logbook\n"] for verb in ("stop", "start")])

    def test_without_root(self):
        words = ["setpriv", "--reuid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
        done = subprocess.run([*words, "sh", SCRIPT, "--version", "1", "backup", "/tmp/never"],
                              capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual((done.returncode, "needs root" in done.stderr), (1, True))

    def test_a_running_game(self):
        state = f"{self.folder}/state"
        os.mkdir(state)
        with open(f"{PROJECT}/tests/traces/sea_monster.journal", encoding="utf-8") as file:
            begun = file.readlines()[:10]
        with open(f"{state}/open-game", "w", encoding="utf-8") as file:
            file.writelines(begun)
        done = subprocess.run([CTL, "--state-dir", state, "restore", self.file],
                              capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual((done.returncode, "A game is running" in done.stderr), (1, True))


class Kill(BackupTest):
    def test_a_killed_restore_leaves_the_old_or_the_new_state(self):
        self.do("backup", self.file)
        new = {path: state for path, state in self.tree().items() if not path.startswith("etc/systemd")}
        self.add_command("mv", KILLER)
        counter = f"{self.folder}/counter"
        outcomes = []
        for kill_at in range(1, 100):
            shutil.rmtree(self.root)
            self.make_table()
            self.change_table()
            old = self.tree()
            with open(counter, "w", encoding="utf-8") as file:
                file.write("0")
            done = self.run_script("restore", self.file, COUNTER=counter, KILL_AT=str(kill_at))
            if done.returncode == 0:
                break
            self.do("restore", COUNTER=counter, KILL_AT="0")
            kept = self.tree()
            self.assertEqual([path for path in kept if ".re" in path], [])
            is_old = kept == old
            is_new = {path: state for path, state in kept.items() if not path.startswith("etc/systemd")} == new
            self.assertTrue(is_old or is_new, f"killed at {kill_at}: {sorted(kept)}")
            outcomes.append("old" if is_old else "new")
            # What a killed run has left does not disturb the next one.
            self.do("restore", self.file, COUNTER=counter, KILL_AT="0")
            self.assertEqual([path for path in self.tree() if ".re" in path], [])
        self.assertEqual(outcomes, sorted(outcomes, reverse=True))
        self.assertEqual(set(outcomes), {"old", "new"})

    def test_a_killed_backup_leaves_no_file(self):
        self.add_command("mv", KILLER)
        counter = f"{self.folder}/counter"
        with open(counter, "w", encoding="utf-8") as file:
            file.write("0")
        self.run_script("backup", self.file, COUNTER=counter, KILL_AT="1")
        self.assertFalse(os.path.exists(self.file))
        self.do("backup", self.file, COUNTER=counter, KILL_AT="0")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
