"""silent.py HOST PORT COUNT: connections that send nothing are limited and closed, and others are served."""
import socket
import sys
import time

host, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
ENOUGH_S = 20  # the server allows 10

silent = [socket.create_connection((host, port)) for _ in range(count)]
half = [socket.create_connection((host, port)) for _ in range(20)]
for each in half:
    each.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
with socket.create_connection((host, port)) as honest:
    honest.settimeout(5)
    honest.sendall(b"GET /manifest.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert honest.recv(12) == b"HTTP/1.1 200", "others are not served"
began = time.monotonic()
for each in silent + half:
    each.settimeout(max(0.1, began + ENOUGH_S - time.monotonic()))
    try:
        while each.recv(4096):
            pass
    except ConnectionResetError:
        pass
print(f"all {len(silent + half)} closed after {time.monotonic() - began:.1f} s")
