"""A private mosquitto on loopback, and a wire to it that can be cut."""

import contextlib
import os
import pathlib
import selectors
import shutil
import signal
import socket
import subprocess
import threading

from waiting import Deadline, poll

PORT_TRIES = 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


class Certificates:
    """A throw-away authority, and certificates of it: of 127.0.0.1 and of a table."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.ca = self.folder / "ca.crt"
        self.certificate = self.folder / "server.crt"
        self.key = self.folder / "server.key"
        ca_key = self.folder / "ca.key"
        request = self.folder / "server.csr"
        names = self.folder / "names.cnf"
        names.write_text("subjectAltName = IP:127.0.0.1, DNS:localhost\n")
        new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        self.openssl(
            "req", "-x509", *new_key, "-keyout", ca_key, "-out", self.ca,
            "-days", "2", "-subj", "/CN=throw-away authority",
        )  # fmt: skip
        self.client_certificate = self.folder / "table.crt"
        self.client_key = self.folder / "table.key"
        for key, certificate in (
            (self.key, self.certificate), (self.client_key, self.client_certificate)
        ):  # fmt: skip
            self.openssl("req", *new_key, "-keyout", key, "-out", request, "-subj", "/CN=127.0.0.1")
            self.openssl(
                "x509", "-req", "-in", request, "-CA", self.ca, "-CAkey", ca_key,
                "-CAcreateserial", "-days", "2", "-extfile", names, "-out", certificate,
            )  # fmt: skip

    @staticmethod
    def openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Broker:
    """Listeners: port (plain), ws_port (websockets) and, with certificates, tls_port."""

    def __init__(
        self, folder, certificates=None, passwords=None, persistent=False, strict_tls=False
    ):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.certificates = certificates
        self.strict_tls = strict_tls
        self.passwords = passwords
        self.persistent = persistent
        self.process = None
        self.start_on_free_ports()

    def start_on_free_ports(self):
        # Somebody else may take a port between the moment it was free and ours.
        for _ in range(PORT_TRIES):
            self.port, self.ws_port, self.tls_port = free_port(), free_port(), free_port()
            with contextlib.suppress(ChildProcessError):
                self.start()
                return
        raise ChildProcessError(self.log_path.read_text())

    @property
    def ports(self):
        """All that it listens on."""
        return [self.port, self.ws_port] + ([self.tls_port] if self.certificates else [])

    @property
    def log_path(self):
        return self.folder / "mosquitto.log"

    def configuration(self):
        lines = [
            f"listener {self.port} 127.0.0.1",
            f"listener {self.ws_port} 127.0.0.1",
            "protocol websockets",
            "socket_domain ipv4",
        ]
        if self.certificates:
            lines += [
                f"listener {self.tls_port} 127.0.0.1",
                f"cafile {self.certificates.ca}",
                f"certfile {self.certificates.certificate}",
                f"keyfile {self.certificates.key}",
                f"require_certificate {str(self.strict_tls).lower()}",
            ]
        if self.passwords:
            lines += [f"password_file {self.passwords}", "allow_anonymous false"]
        else:
            lines += ["allow_anonymous true"]
        if self.persistent:
            lines += ["persistence true", f"persistence_location {self.folder}/"]
        if os.geteuid() == 0:
            lines += ["user root"]
        lines += ["set_tcp_nodelay true", "max_queued_messages 0", "log_type all"]
        return "\n".join(lines) + "\n"

    def start(self):
        program = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin")
        settings = self.folder / "mosquitto.conf"
        settings.write_text(self.configuration())
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen([program, "-c", settings], stdout=log, stderr=log)
        poll(
            lambda: self.process.poll() is not None or all(map(answers, self.ports)), "the broker"
        )
        if self.process.poll() is not None:
            raise ChildProcessError(self.log_path.read_text())

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(Deadline("the end of the broker").left())

    def reload(self):
        self.process.send_signal(signal.SIGHUP)


class Wire:
    """A port that leads to the broker's, as long as nobody cuts it."""

    def __init__(self, broker_port):
        self.broker_port = broker_port
        self.whole = True
        self.held = False  # nothing is read from those who come
        self.cut_after = None  # bytes that still reach the broker, then the wire breaks
        self.pairs = {}
        self.events = selectors.DefaultSelector()
        self.waker, self.wakened = socket.socketpair()
        self.events.register(self.wakened, selectors.EVENT_READ)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.events.register(self.listener, selectors.EVENT_READ)
        self.running = True
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while self.running:
            for key, _ in self.events.select():
                if key.fileobj is self.wakened:
                    self.wakened.recv(64)
                elif key.fileobj is self.listener:
                    self.accept()
                elif key.fileobj in self.pairs:
                    self.carry(key.fileobj)
            self.follow_hold()
            if not self.whole:
                self.drop_all()

    def follow_hold(self):
        known = self.events.get_map()
        for end, (_, is_near) in self.pairs.items():
            if is_near and self.held and end in known:
                self.events.unregister(end)
            elif not self.held and end not in known:
                self.events.register(end, selectors.EVENT_READ)

    def lets_in(self, near):
        """Whether who comes may go on to the broker."""
        return self.whole

    def accept(self):
        near, _ = self.listener.accept()
        if not self.lets_in(near):
            near.close()
            return
        far = socket.create_connection(("127.0.0.1", self.broker_port))
        for one, other in ((near, far), (far, near)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.pairs[one] = (other, one is near)
            self.events.register(one, selectors.EVENT_READ)

    def carry(self, source):
        other, is_near = self.pairs[source]
        data = b""
        with contextlib.suppress(OSError):
            data = source.recv(65536)
        if is_near and self.cut_after is not None:
            data = data[: self.cut_after]
            self.cut_after -= len(data)
        if data:
            with contextlib.suppress(OSError):
                other.sendall(data)
        if not data or self.cut_after == 0:
            self.cut_after = None
            self.drop(source)

    def drop(self, one):
        for end in (one, self.pairs[one][0]):
            if end in self.events.get_map():
                self.events.unregister(end)
            del self.pairs[end]
            end.close()

    def drop_all(self):
        while self.pairs:
            self.drop(next(iter(self.pairs)))

    def cut(self):
        """Ends every connection, and refuses new ones until it is mended."""
        self.whole = False
        self.waker.send(b"!")

    def mend(self):
        self.whole = True

    def hold(self, held):
        """While it is held, connections stay, and what is sent to the broker gets stuck."""
        self.held = held
        self.waker.send(b"!")

    def close(self):
        self.running = False
        self.cut()
        self.thread.join(Deadline("the wire's thread").left())
        for end in (self.listener, self.waker, self.wakened):
            end.close()
        self.events.close()


class OldWire(Wire):
    """A wire to a broker that knows nothing newer than MQTT 3.1.1."""

    PROTOCOL_LEVEL = 8  # its place in a CONNECT of less than 128 bytes
    REFUSAL = b"\x20\x02\x00\x01"  # unacceptable protocol version

    def __init__(self, broker_port):
        self.levels = []  # that were asked for
        super().__init__(broker_port)

    def lets_in(self, near):
        near.settimeout(Deadline("a CONNECT").left())
        connect = b""
        while len(connect) <= self.PROTOCOL_LEVEL:
            connect = near.recv(64, socket.MSG_PEEK)
        self.levels.append(connect[self.PROTOCOL_LEVEL])
        near.settimeout(None)
        if self.levels[-1] > 4:
            near.sendall(self.REFUSAL)
            near.shutdown(socket.SHUT_WR)
            return False
        return super().lets_in(near)


class ClosingWire(OldWire):
    """Closes the connection on MQTT 5 without an answer, as RabbitMQ before 3.13 does."""

    REFUSAL = b""
