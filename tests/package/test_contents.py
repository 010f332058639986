"""What cpack packs: test_contents.py PROJECT BUILD_DIR SCRATCH_DIR.

Quick, with the programs that are built already and whether or not there is a page. What a package
does when it is installed is tried by run.sh.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import unittest

PROJECT, BUILD, SCRATCH = sys.argv[1:4]
CHECK = f"{PROJECT}/systemd/package/check.cmake"
PAGE = "usr/share/shipahoy/www/"


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, check=False, **more)


def cpack(*options):
    return run("cpack", "--config", f"{BUILD}/CPackConfig.cmake", "-B", SCRATCH, *options)


def in_project(pattern):
    return glob.glob(pattern, root_dir=PROJECT, recursive=True)


def expected_files():
    """All but the page, which only npm can make."""
    names = {
        "etc/shipahoy/shipahoy.ini", "usr/bin/shipahoyctl", "usr/bin/shipahoyd",
        "usr/bin/shipahoy-logbook", "usr/lib/systemd/system/shipahoy-logbook.service",
        "usr/lib/systemd/system/shipahoyd.service", "usr/lib/sysusers.d/shipahoy.conf",
        "usr/lib/systemd/system/shipahoy-restore.service", "usr/libexec/shipahoy/backup",
        "usr/lib/udev/rules.d/60-shipahoy-gpio.rules", "usr/sbin/shipahoy-user",
        "usr/lib/systemd/system/shipahoy-kiosk.service", "usr/sbin/shipahoy-kiosk",
        "usr/lib/systemd/system/shipahoy-card.service", "usr/libexec/shipahoy/apply-card",
        "usr/lib/systemd/system/shipahoy-grow-root.service", "usr/libexec/shipahoy/grow-root",
        "usr/libexec/shipahoy/card-settings", "usr/share/shipahoy/card/table.ini",
        "usr/share/doc/shipahoy/CHANGELOG.md.gz", "usr/share/doc/shipahoy/changelog.gz",
        "usr/share/doc/shipahoy/copyright",
        *(f"usr/share/shipahoy/mosquitto/{name}" for name in ("shipahoy.conf", "bridge.conf", "setting.sh")),
        *(f"usr/lib/systemd/system/shipahoy-{name}" for name in ("https.service", "https.timer", "names.service")),
    }
    names |= {f"usr/share/shipahoy/{path}" for path in in_project("config/**/*.ini")}
    names |= {f"usr/share/shipahoy/{path[7:]}" for path in in_project("config/mosquitto/roles/*")}
    names |= {f"usr/share/shipahoy/{path[7:]}" for folder in ("web", "nats")
              for path in in_project(f"config/{folder}/*")}
    names |= {f"usr/share/shipahoy/{path[3:]}" for path in in_project("hw/node/*.*")}
    for path in map(os.path.basename, in_project("docs/man/*")):
        names.add(f"usr/share/man/man{path[-1]}/{path}.gz")
    for path in map(os.path.basename, in_project("daemon/ctl/completion/*.bash")):
        names.add(f"usr/share/bash-completion/completions/{path[:-5]}")
    for path in map(os.path.basename, in_project("daemon/ctl/completion/_*")):
        names.add(f"usr/share/zsh/vendor-completions/{path}")
    return names


class Refusals(unittest.TestCase):
    def test_a_build_for_another_place_is_not_packed(self):
        tried = cpack()
        self.assertNotEqual(tried.returncode, 0)
        self.assertIn("--preset package", " ".join(tried.stderr.split()))

    def check(self, folder, **environment):
        os.makedirs(f"{SCRATCH}/{folder}", exist_ok=True)
        tried = run(shutil.which("cmake"), "-DCPACK_INSTALL_PREFIX=/usr",
                    f"-DCPACK_TEMPORARY_INSTALL_DIRECTORY={SCRATCH}/{folder}", "-P", CHECK,
                    env=os.environ | environment)
        return "" if tried.returncode == 0 else " ".join(tried.stderr.split())

    def test_without_the_page_there_is_no_package(self):
        self.assertIn("The page has not been built", self.check("empty"))

    def test_without_the_tools_that_find_libraries_there_is_no_package(self):
        os.makedirs(f"{SCRATCH}/whole/{PAGE}", exist_ok=True)
        with open(f"{SCRATCH}/whole/{PAGE}/scoreboard.html", "w", encoding="utf-8"):
            pass
        self.assertEqual(self.check("whole"), "")
        self.assertIn("dpkg-shlibdeps is missing", self.check("whole", PATH=SCRATCH))


class Contents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(SCRATCH, ignore_errors=True)
        os.makedirs(SCRATCH)
        made = cpack("-D", "CPACK_INSTALL_PREFIX=/usr", "-D", "CPACK_PRE_BUILD_SCRIPTS=")
        assert made.returncode == 0, made.stdout + made.stderr
        (cls.package,) = glob.glob(f"{SCRATCH}/*.deb")
        cls.tree = f"{SCRATCH}/tree"
        run("dpkg-deb", "-R", cls.package, cls.tree)

    def field(self, name):
        return run("dpkg-deb", "-f", self.package, name).stdout.strip()

    def test_every_file_is_in_its_place_and_no_other(self):
        found = {os.path.relpath(os.path.join(folder, name), self.tree)
                 for folder, _, names in os.walk(self.tree) for name in names}
        found = {path for path in found if not path.startswith(("DEBIAN/", PAGE))}
        self.assertEqual(found, expected_files())

    def test_files_belong_to_root_and_only_programs_are_executable(self):
        for line in run("dpkg-deb", "-c", self.package).stdout.splitlines():
            mode, owner, _, _, _, path = line.split()[:6]
            with self.subTest(path):
                self.assertEqual(owner, "root/root")
                is_program = re.search("/(s?bin|libexec/shipahoy)/.", path) is not None
                self.assertEqual(mode[3] == "x", is_program or mode[0] in "dl")

    def test_a_package_is_for_the_debian_it_was_built_on(self):
        with open("/etc/os-release", encoding="utf-8") as file:
            debian = re.search(r'^VERSION_ID="?([0-9.]+)', file.read(), re.M)[1]
        self.assertRegex(self.field("Version"), rf"^\d+\.\d+\.\d+\+deb{debian}$")
        self.assertEqual(os.path.basename(self.package),
                         f"shipahoy_{self.field('Version')}_{self.field('Architecture')}.deb")

    def test_libraries_and_sysusers_are_depended_on(self):
        depends = self.field("Depends")
        for library in ("libgpiod", "libmosquitto1", "libjansson4", "libinih1", "libncursesw6",
                        "libsqlite3-0", "libpq5"):
            self.assertIn(library, depends)
        self.assertIn("systemd | ", depends)
        for server in ("mosquitto", "nginx", "openssl", "avahi-daemon"):
            self.assertIn(server, self.field("Recommends"))

    def test_the_configuration_survives_upgrades_and_is_accepted(self):
        with open(f"{self.tree}/DEBIAN/conffiles", encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["/etc/shipahoy/shipahoy.ini"])
        for program in ("shipahoyd", "logbook/shipahoy-logbook"):
            check = run(f"{BUILD}/daemon/{program}", "--check", "--config",
                        f"{self.tree}/etc/shipahoy/shipahoy.ini")
            self.assertEqual(check.returncode, 0, check.stderr)

    def test_maintainer_scripts_are_there_and_can_be_run(self):
        for name in ("postinst", "prerm", "postrm"):
            path = f"{self.tree}/DEBIAN/{name}"
            self.assertTrue(os.access(path, os.X_OK), name)
            self.assertEqual(run("sh", "-n", path).returncode, 0, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
