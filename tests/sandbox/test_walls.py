"""What a command behind bubblewrap cannot reach."""

from __future__ import annotations

import socket
import sys
import tempfile
from pathlib import Path

import pytest

from bottega.sandbox import Bubblewrap

from .commands import python


def test_no_listener_on_this_machine_can_be_reached(bubblewrap: Bubblewrap) -> None:
    code = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=2)"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
        ran = bubblewrap.run(python(code, str(port)), files={})
    assert "ConnectionRefusedError" in ran.stderr


def test_no_interface_but_its_own_loopback_is_there(bubblewrap: Bubblewrap) -> None:
    ran = bubblewrap.run(python("import socket; print([name for _, name in socket.if_nameindex()])"), files={})
    assert ran.stdout == "['lo']\n"


def test_nothing_outside_the_work_directory_can_be_written(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    places = ["/", "/usr", "/etc", "/dev", "/sandbox", "/var/tmp", "/home", "/root", "/proc", str(Path.home())]
    code = (
        "import pathlib, sys\n"
        "for place in sys.argv[1:]:\n"
        "    try: pathlib.Path(place, 'intruder').write_text('x')\n"
        "    except OSError: continue\n"
        "    print('wrote to', place)\n"
    )
    ran = bubblewrap.run(python(code, *places, str(tmp_path)), files={})
    assert (ran.code, ran.stdout) == (0, "")
    assert not list(tmp_path.iterdir())


def test_the_temporary_directory_is_its_own(bubblewrap: Bubblewrap) -> None:
    with tempfile.NamedTemporaryFile() as ours:
        code = "import os, sys, tempfile; tempfile.mkstemp(); print(os.path.exists(sys.argv[1]))"
        assert bubblewrap.run(python(code, ours.name), files={}).stdout == "False\n"


def test_the_home_directory_cannot_be_read(bubblewrap: Bubblewrap) -> None:
    with tempfile.NamedTemporaryFile("w", dir=Path.home(), prefix=".bottega-test-") as secret:
        secret.write("sk-secret")
        secret.flush()
        ran = bubblewrap.run(["cat", secret.name], files={})
    assert ran.code == 1
    assert "sk-secret" not in ran.stdout


def test_places_that_hold_secrets_or_sockets_are_absent(bubblewrap: Bubblewrap) -> None:
    places = ["/var", "/run", "/home", "/mnt", "/media", "/srv", "/sys", "/boot", "/etc/shadow", "/etc/ssh"]
    hidden = [
        place
        for place in places
        if not any(Path(prefix).is_relative_to(place) for prefix in (sys.prefix, sys.base_prefix))
    ]
    code = "import os, sys; print([place for place in sys.argv[1:] if os.path.exists(place)])"
    assert bubblewrap.run(python(code, *hidden), files={}).stdout == "[]\n"


def test_the_environment_of_the_caller_cannot_be_found(bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    ran = bubblewrap.run(["sh", "-c", "cat /proc/*/environ; env"], files={})
    assert "HOME=/sandbox/work" in ran.stdout
    assert "sk-secret" not in ran.stdout


def test_a_command_has_no_powers_and_cannot_gain_any(bubblewrap: Bubblewrap) -> None:
    status = bubblewrap.run(["cat", "/proc/self/status"], files={}).stdout
    assert "CapEff:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status


def test_the_processes_of_this_machine_are_out_of_sight(bubblewrap: Bubblewrap) -> None:
    ran = bubblewrap.run(
        python("import os; print(len([name for name in os.listdir('/proc') if name.isdigit()]))"), files={}
    )
    assert int(ran.stdout) <= 3


def test_shared_memory_and_pools_work(bubblewrap: Bubblewrap) -> None:
    code = "import multiprocessing\nwith multiprocessing.Pool(2) as pool: print(pool.map(abs, [-1, -2]))"
    assert bubblewrap.run(python(code), files={}).stdout == "[1, 2]\n"


def test_a_place_that_is_shown_can_be_read_and_not_written(bubblewrap: Bubblewrap) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        place = Path(folder)
        place.chmod(0o755)
        (place / "note").write_text("hello")
        (place / "note").chmod(0o644)
        code = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); print(p.read_text()); p.write_text('x')"
        ran = bubblewrap.run(python(code, str(place / "note")), files={}, shown=[str(place)])
        assert ran.stdout == "hello\n"
        assert ran.code != 0
        assert (place / "note").read_text() == "hello"
