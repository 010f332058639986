"""What is measured in the machine: written to /share/figures as lines of `| what | value |`."""

import glob
import os
import subprocess
import time

from table import MS, Line, poll, read, run, wait_until

PULSES = 60
PULSE_EVERY_NS = 300 * MS
IDLE_S = 20
ENCODER_COUNTS = 3000
ENCODER_RATES = (500, 1000, 1500, 2000, 3000, 0)


def daemon_pid():
    shown = run("systemctl", "show", "-P", "MainPID", "shipahoyd").stdout
    return int(shown or 0)


def note(what, value):
    print(f"{what}: {value}", flush=True)
    with open("/share/figures", "a") as file:
        file.write(f"| {what} | {value} |\n")


def spread_ms(latencies_ns):
    ordered = sorted(latencies_ns)
    median, worst = ordered[len(ordered) // 2] / 1e6, ordered[-1] / 1e6
    return f"median {median:.2f} ms, worst of {len(ordered)} {worst:.2f} ms"


def versions():
    library = run("dpkg-query", "-W", "-f", "${Package} ${Version}, ", "libgpiod2", "libgpiod3",
                  "mosquitto", "systemd").stdout.rstrip(", ")
    note("versions", f"Linux {os.uname().release}, {library}")


def pipeline():
    """gpiomon | mosquitto_pub -l, on a line of its own."""
    chip = read("/sys/kernel/config/gpio-sim/spare/bank0/chip_name")
    if run("gpiomon", "--version").stdout.startswith("gpiomon (libgpiod) v1"):
        watch = f"gpiomon --line-buffered --format=%e {chip} 0"
    else:
        watch = f"gpiomon --chip {chip} --format=%e 0"
    return subprocess.Popen(["sh", "-c", f"{watch} | mosquitto_pub -l -t pipe"],
                            start_new_session=True)


def latencies(table):
    """A second ball in a turn is a foul each time: an event that is recorded and published."""
    process = pipeline()
    spare = Line("spare", 0)
    poll(lambda: "gpiomon" in run("gpioinfo").stdout, "gpiomon to have its line")
    ours, theirs = [], []
    for _ in range(PULSES):
        since = table.now()
        left_ns, _, _ = table.shoot()
        ours.append(table.event("foul", since).at_ns - left_ns)
        wait_until(left_ns + PULSE_EVERY_NS // 2)
        up_ns = spare.set(1)
        wait_until(up_ns + 4 * MS)
        since = table.now()
        down_ns = spare.set(0)
        message = table.mqtt.wait(
            lambda m: m.topic == "pipe" and m.at_ns > down_ns, "the pipeline", since)
        theirs.append(message.at_ns - down_ns)
        wait_until(left_ns + PULSE_EVERY_NS)
    os.killpg(process.pid, 15)
    process.wait()
    note("edge to publish, shipahoyd (0.2 ms of it glitch filter, and the journal's sync)",
         spread_ms(ours))
    note("edge to publish, gpiomon into mosquitto_pub -l", spread_ms(theirs))


def syncs():
    """What the journal does for each input, on the same disk."""
    taken = []
    fd = os.open("/var/lib/shipahoy-sync", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for _ in range(PULSES):
        begin = time.monotonic_ns()
        os.write(fd, bytes(32))
        os.fdatasync(fd)
        taken.append(time.monotonic_ns() - begin)
    os.close(fd)
    note("a write and a sync of that disk alone", spread_ms(taken))


def encoder(table):
    """So many counts forth; the rope must then be where it was turned to."""
    held = 0
    for rate in ENCODER_RATES:
        since = table.now()
        table.send("select", piece="blue-2")
        table.wait_rope(0, since)
        since = table.now()
        driven = table.pull(ENCODER_COUNTS, rate)
        name = f"encoder, {f'at most {rate}' if rate else 'flat out:'} ({driven:.0f}) edges/s"
        try:
            table.wait_rope(ENCODER_COUNTS / 20, since, 3)
        except AssertionError:
            told = table.last("rope")["knots"]
            note(name, f"{told * 20:.0f} of {ENCODER_COUNTS} counts")
            continue
        held = max(held, driven)
        note(name, f"all {ENCODER_COUNTS} counts")
    assert held > 0, "no rate of the encoder was held"


def used_s(pid):
    fields = read(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wakeups(pid):
    return sum(int(line.split()[1]) for path in glob.glob(f"/proc/{pid}/task/*/status")
               for line in read(path).splitlines() if "ctxt_switches" in line)


def idle(table):
    pid = daemon_pid()
    time.sleep(3)  # so that the last readings of sensors are out
    cpu, woken = used_s(pid), wakeups(pid)
    time.sleep(IDLE_S)
    note("idle with 40 sensors", f"{(used_s(pid) - cpu) * 100 / IDLE_S:.2f} % of a CPU, "
         f"{(wakeups(pid) - woken) / IDLE_S:.2f} wakeups/s")
    memory = {line.split(":")[0]: int(line.split()[1])
              for line in read(f"/proc/{pid}/status").splitlines() if "kB" in line}
    note("memory with 40 sensors", f"{memory['VmRSS'] / 1024:.1f} MB resident, of these "
         f"{memory['RssAnon'] / 1024:.1f} MB its own")


def measure(table):
    versions()
    idle(table)
    latencies(table)
    syncs()
    encoder(table)
