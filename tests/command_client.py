"""Hand a command to the server of `tests/command_server.py` with this process's streams, and end as it ends.

Runs on an interpreter without site packages and imports next to nothing, because it is started for every command.
"""

import _socket
import os
import sys

SEPARATOR = b"\0"


def main() -> None:
    address, *arguments = sys.argv[1:]
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.connect(address)
    variables = [name + b"=" + value for name, value in os.environb.items()]
    parts = [os.getcwdb(), b"%d" % len(arguments), *map(os.fsencode, arguments), *variables]  # noqa: PTH109 - pathlib takes time
    descriptors = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
    body = SEPARATOR.join(parts)
    ancillary = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, descriptors)]
    sent = connection.sendmsg([len(body).to_bytes(4, "big"), body], ancillary)
    connection.sendall(body[sent - 4 :])
    code = int(connection.recv(16) or b"1")
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


main()
