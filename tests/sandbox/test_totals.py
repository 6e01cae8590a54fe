"""What all processes and files of a command use together is bounded, and hostile programs get nowhere."""

from __future__ import annotations

import sys

import pytest
from bench.attack_sandbox import faults_of, layer_faults_of
from bench.hostile_programs import LAYER_ATTACKS, SANDBOX_ATTACKS, Attack

from bottega.sandbox import Bubblewrap, Limits, Rlimits, Sandbox
from bottega.sandbox.seccomp import build_filter

from .commands import python

SMALL = Limits(seconds=5, memory_mb=256, disk_mb=32, files=500, file_mb=16)
MANY_FILES = "for n in range(200): open(f'f{n}', 'wb').write(bytes(1 << 20))"
IN_THE_SUITE = {
    "many files of a megabyte",
    "files in every place that can be written",
    "through standard input",
    "memory files",
    "daemon by double fork",
    "user namespace",
    "user namespace by clone",
    "user namespace by a program",
    "inherited descriptors",
    "environment of others",
    "places",
    "raise limits",
}
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="macOS has no /proc")


def test_many_small_files_do_not_add_up_behind_bubblewrap(bubblewrap: Bubblewrap) -> None:
    ran = bubblewrap.run(python(MANY_FILES), files={}, limits=SMALL)
    assert ran.code == 1
    assert "No space left on device" in ran.stderr


def test_without_walls_a_command_that_fills_the_disk_is_killed() -> None:
    ran = Rlimits().run(python(MANY_FILES + "\nimport time; time.sleep(60)"), files={}, limits=SMALL)
    assert (ran.code, ran.overrun) == (None, "more than 32 MB on disk")
    assert str(ran).startswith("killed for more than 32 MB on disk")


@pytest.mark.parametrize("make", ["open(f'e{n}', 'w').close()", "os.mkdir(f'd{n}')", "os.symlink('a', f'l{n}')"])
def test_the_number_of_files_is_bounded(sandbox: Sandbox, make: str) -> None:
    code = f"import os, time\nfor n in range(2000): {make}\ntime.sleep(60)"
    ran = sandbox.run(python(code), files={}, limits=SMALL)
    assert ran.overrun == "more than 500 files"


@needs_linux
def test_the_memory_of_all_processes_together_is_bounded(sandbox: Sandbox) -> None:
    code = (
        "import os, time\n"
        "for _ in range(5):\n"
        "    if os.fork() == 0: hog = bytearray(b'x') * (100 << 20); time.sleep(60)\n"
        "time.sleep(60)\n"
    )
    ran = sandbox.run(python(code), files={}, limits=SMALL)
    assert ran.overrun == "more than 256 MB of memory"
    assert ran.seconds < 5


@needs_linux
def test_memory_that_forked_processes_share_counts_once(sandbox: Sandbox) -> None:
    code = (
        "import os, time\n"
        "hog = bytearray(b'x') * (100 << 20)\n"
        "children = [os.fork() or (time.sleep(0.5), os._exit(0)) for _ in range(5)]\n"
        "for child in children: os.waitpid(child, 0)\n"
        "print('done')\n"
    )
    assert sandbox.run(python(code), files={}, limits=SMALL).stdout == "done\n"


@pytest.mark.parametrize("attack", [one for one in SANDBOX_ATTACKS if one.name in IN_THE_SUITE], ids=lambda a: a.name)
def test_a_hostile_program_gets_nowhere(
    bubblewrap: Bubblewrap, attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTACK_SECRET", "sk-not-for-you")
    assert faults_of(attack, bubblewrap) == []


@pytest.mark.parametrize("attack", LAYER_ATTACKS, ids=lambda attack: attack.name)
def test_a_hostile_program_gets_nowhere_from_a_layer(bubblewrap: Bubblewrap, attack: Attack) -> None:
    assert layer_faults_of(attack, bubblewrap) == []


def test_every_attack_meant_for_the_suite_exists() -> None:
    assert {one.name for one in SANDBOX_ATTACKS} >= IN_THE_SUITE


def test_a_sandbox_in_which_user_namespaces_can_be_made_is_not_used(
    bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bottega.sandbox.bubblewrap.build_filter", lambda: b"\x06\0\0\0\0\0\xff\x7f")  # allow all
    if (trouble := bubblewrap.find_trouble()) is None:
        pytest.skip("this kernel lets nobody make user namespaces")
    assert "a user namespace can be made inside" in trouble


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_is_a_whole_program(machine: str) -> None:
    program = build_filter(machine)
    assert program is not None
    assert len(program) % 8 == 0
    assert len(program) // 8 < 4096


def test_an_unknown_processor_has_no_filter() -> None:
    assert build_filter("vax") is None
