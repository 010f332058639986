"""A TCP connection as a stream of bytes."""
import errno
import select
import socket


class Stream:
    def __init__(self, host, port, timeout_s):
        address = socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM)[0][-1]
        self.socket = socket.socket()
        try:
            self.socket.settimeout(timeout_s)
            self.socket.connect(address)
        except OSError:
            self.socket.close()
            raise
        self.poll = select.poll()
        self.poll.register(self.socket, select.POLLIN)

    def send(self, data):
        """Waits until the connection has taken all of it, at most the timeout."""
        if self.socket.write(data) != len(data):
            raise OSError(errno.ETIMEDOUT)

    def receive(self):
        """What has arrived, at once, possibly nothing."""
        if not self.poll.poll(0):
            return b""
        data = self.socket.recv(256)
        if not data:
            raise OSError(errno.ECONNRESET)
        return data

    def close(self):
        self.socket.close()
