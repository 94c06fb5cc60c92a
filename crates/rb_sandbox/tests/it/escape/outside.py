"""Plants what a suite could look for outside of its sandbox, then becomes the program in its arguments.

All of it survives the `exec`: a key in the session keyring, a segment of shared memory, listening sockets.
"""

import ctypes
import os
import socket
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
NUMBERS = {"x86_64": (248, 250, 29), "aarch64": (217, 219, 194)}
ADD_KEY, KEYCTL, SHMGET = NUMBERS.get(os.uname().machine, (None, None, None))
SESSION, JOIN = ctypes.c_long(-3), 1

# What the build server left open is none of our business.
os.closerange(3, 1024)
env = {}
if KEYCTL:
    libc.syscall(KEYCTL, JOIN, None)
    text = b"planted"
    if libc.syscall(ADD_KEY, b"user", b"rb-planted", text, len(text), SESSION) > 0:
        env["PLANTED_KEY"] = "rb-planted"
    segment = libc.syscall(SHMGET, os.getpid(), 4096, 0o1600)
    if segment >= 0:
        env["PLANTED_SHM"] = str(os.getpid())
for kind in ("ipc", "net", "pid", "uts", "mnt", "user"):
    env[f"OUTER_{kind.upper()}"] = os.readlink(f"/proc/self/ns/{kind}")
try:
    server = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    server.bind((socket.VMADDR_CID_ANY, socket.VMADDR_PORT_ANY))
    server.listen()
    port = server.getsockname()[1]
    client = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    client.settimeout(5)
    client.connect((1, port))
    server.set_inheritable(True)
    env["PLANTED_VSOCK"] = str(port)
except (OSError, AttributeError):
    pass
os.execve(sys.argv[1], sys.argv[1:], {**os.environ, **env})
