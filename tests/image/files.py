"""files.py IMAGE FOLDER BILL: what the boot firmware of a Raspberry Pi looks for on a card is there, and BILL is the
bill of materials of the card. A line a claim.

No virtual machine runs that firmware, so its files are checked one by one: the names by the documentation of
config.txt, the contents by their formats.
"""
import json
import os
import re
import struct
import sys

from support import SECTOR, Card, run, run_claims

IMAGE, FOLDER, BILL = sys.argv[1:4]
FOR_PI_5 = "backports" in os.path.basename(IMAGE)
# The names with upstream_kernel=1, and what the device tree calls the board.
BOARDS = {
    "bcm2837-rpi-3-b.dtb": b"raspberrypi,3-model-b\0",
    "bcm2837-rpi-3-b-plus.dtb": b"raspberrypi,3-model-b-plus\0",
    "bcm2711-rpi-4-b.dtb": b"raspberrypi,4-model-b\0",
    "bcm2711-rpi-400.dtb": b"raspberrypi,400\0",
}
AARCH64 = 183  # in the header of a program
PI_5 = {"bcm2712-rpi-5-b.dtb": b"raspberrypi,5-model-b\0"}
FIRMWARE = ("bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat")
# What a Raspberry Pi needs before the root file system is there, as modules or built in.
DRIVERS = ("sdhci_iproc", "bcm2835_wdt", "ext4")
PI_5_DRIVERS = ("sdhci_brcmstb",)
# USB, Ethernet and GPIO of a Pi 5 are in its RP1 chip.
RP1_DRIVERS = ("rp1_pci", "pinctrl-rp1", "clk-rp1")


def settings(card):
    pairs = (line.strip().partition("=") for line in card.read("config.txt").splitlines() if "=" in line)
    return {key: value for key, _, value in pairs}


def the_first_partition_is_a_fat32_that_the_firmware_reads(card, _):
    assert card.table[510:] == b"\x55\xaa"
    assert card.table[446 + 4] == 0x0C, "the first partition is not of the type FAT32"
    with open(card.path, "rb") as file:
        file.seek(card.fat_start * SECTOR)
        sector = file.read(SECTOR)
    assert sector[82:90] == b"FAT32   " and sector[71:82] == b"SHIPAHOY   ", sector[71:90]


def the_firmware_is_there(card, _):
    for name in FIRMWARE:
        assert len(card.bytes(name)) > 1000, f"{name} is missing or empty"
    assert card.bytes("start.elf")[:4] == card.bytes("start4.elf")[:4] == b"\x7fELF"


def the_processor_starts_in_64_bits_with_a_kernel_that_is_not_packed(card, _):
    """The firmware loads a plain or gzipped kernel, not one that unpacks itself for EFI (zboot)."""
    assert settings(card)["arm_64bit"] == "1"
    kernel = card.bytes(card.boot_files()[0])
    assert kernel[0x38:0x3C] == b"ARM\x64" and kernel[4:8] != b"zimg", kernel[:64]


def the_initramfs_is_complete_and_has_the_drivers_of_the_card(card, _):
    path = f"{FOLDER}/initrd"
    with open(path, "wb") as file:
        file.write(card.bytes(card.boot_files()[1]))
    names = run("lsinitramfs", path)
    assert re.search(r"^(usr/)?bin/mount$", names, re.M) and re.search(r"^init$", names, re.M)
    os.makedirs(f"{FOLDER}/tree")
    run("unmkinitramfs", path, f"{FOLDER}/tree")
    programs = [f"{folder}/{name}" for folder, _, files in os.walk(f"{FOLDER}/tree") for name in files
                if not os.path.islink(f"{folder}/{name}")]
    foreign = [path for path in programs if machine_of(path) not in (None, AARCH64)]
    assert not foreign, foreign
    built_in = "".join(open(f"{folder}/{name}", encoding="utf-8").read()
                       for folder, _, files in os.walk(f"{FOLDER}/tree") for name in files if name == "modules.builtin")
    for driver in DRIVERS + (PI_5_DRIVERS if FOR_PI_5 else ()):
        pattern = rf"/{driver.replace('_', '[_-]')}\.ko"
        assert re.search(pattern, names) or re.search(pattern, built_in), f"the initramfs has no {driver}"


def machine_of(path):
    """The number of the processor, if it is a program."""
    with open(path, "rb") as file:
        start = file.read(20)
    return struct.unpack("<H", start[18:])[0] if start[:4] == b"\x7fELF" else None


def a_pi_5_has_the_drivers_of_its_rp1(card, _):
    root = f"{card.path}?offset={root_start(card) * SECTOR}"
    version = card.boot_files()[0].removeprefix("vmlinuz-")
    modules = run("debugfs", "-R", f"cat /usr/lib/modules/{version}/modules.dep", root)
    for driver in RP1_DRIVERS:
        assert f"/{driver}.ko" in modules, f"{version} has no {driver}"


def each_board_has_its_device_tree(card, _):
    assert settings(card)["upstream_kernel"] == "1", "the firmware would look for other names"
    trees = BOARDS | (PI_5 if FOR_PI_5 else {})
    for name, board in trees.items():
        tree = card.bytes(name)
        assert tree[:4] == b"\xd0\x0d\xfe\xed" and struct.unpack(">I", tree[4:8])[0] == len(tree), f"{name} is damaged"
        assert board in tree, f"{name} is not of {board[:-1].decode()}"


def the_command_line_finds_the_root_by_its_label(card, _):
    lines = card.read("cmdline.txt").strip().splitlines()
    assert len(lines) == 1 and len(lines[0]) < 1024, lines
    words = lines[0].split()
    assert "root=LABEL=shipahoy" in words and "fsck.repair=yes" in words and "quiet" in words, lines
    offset = str(root_start(card) * SECTOR)
    assert run("blkid", "-p", "-O", offset, "-s", "LABEL", "-o", "value", card.path).strip() == "shipahoy"


def root_start(card):
    return struct.unpack("<I", card.table[470:474])[0]


def the_settings_can_be_edited_on_any_computer(card, _):
    text = card.bytes("table.ini")
    assert text.isascii() and text.count(b"\r\n") == text.count(b"\n") > 20
    for section in (b"[wifi]", b"[referee]", b"[tv]", b"[computer]", b"[table]"):
        assert section in text, section


def the_bill_of_materials_is_that_of_the_card(card, _):
    status = run("debugfs", "-R", "cat /var/lib/dpkg/status", f"{card.path}?offset={root_start(card) * SECTOR}")
    fields = [dict(re.findall(r"^(Package|Version|Status): (.*)$", each, re.M)) for each in status.split("\n\n")]
    installed = {(each["Package"], each["Version"]) for each in fields if each.get("Status") == "install ok installed"}
    with open(BILL, encoding="utf-8") as file:
        bill = json.load(file)
    listed = {(each["name"], each["version"]) for each in bill["components"]}
    assert len(installed) > 200 and listed == installed, listed ^ installed
    without = [each["name"] for each in bill["components"] if not each["licenses"]]
    print(f"       {len(listed)} packages, {len(without)} without a machine-readable licence")
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")


CLAIMS = (
    the_first_partition_is_a_fat32_that_the_firmware_reads,
    the_firmware_is_there,
    the_processor_starts_in_64_bits_with_a_kernel_that_is_not_packed,
    the_initramfs_is_complete_and_has_the_drivers_of_the_card,
    *([a_pi_5_has_the_drivers_of_its_rp1] if FOR_PI_5 else []),
    each_board_has_its_device_tree,
    the_command_line_finds_the_root_by_its_label,
    the_settings_can_be_edited_on_any_computer,
    the_bill_of_materials_is_that_of_the_card,
)


run_claims(CLAIMS, Card(IMAGE, FOLDER))
