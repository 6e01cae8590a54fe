"""A seccomp filter for `bwrap --seccomp` against system calls that generated code does not need and attackers use.

Refused are new namespaces and mounts (a user namespace gives its maker every capability inside it), memory that no
limit counts (memfd, System V segments and queues), other processes' memory, keyrings, BPF, io_uring, and pushing
characters into a terminal. Everything else is allowed: the filter complements the namespaces and does not replace them.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Iterator
from errno import ENOSYS, EPERM

_LOAD, _EQUAL, _AT_LEAST, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000
_NAMESPACES = 0x7E020080
"""CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET,TIME}."""
_TERMINAL_INPUT = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX."""

_CALLS: dict[str, tuple[int, int]] = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "open_by_handle_at": (304, 265),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "mq_open": (240, 180),
}
"""Numbers on x86_64 and on aarch64."""
_CLONE, _CLONE3, _IOCTL = (56, 220), (435, 435), (16, 29)


def build_filter(machine: str = "") -> bytes | None:
    """The BPF program for this processor; `None` where its system call numbers are not in the table."""
    machine = machine or platform.machine()
    if machine not in _AUDIT:
        return None
    column = list(_AUDIT).index(machine)
    return b"".join(_build_program(_AUDIT[machine], column))


def _build_program(audit: int, column: int) -> Iterator[bytes]:
    yield _build_load(_ARCHITECTURE)
    yield from (_jump_if(_EQUAL, audit, skip=1), _build_return(_KILL))  # numbers differ between ABIs
    yield _build_load(_NUMBER)
    if column == 0:
        yield from (_jump_unless(_AT_LEAST, _X32_BIT, skip=1), _build_return(_ERRNO | ENOSYS))
    for numbers in _CALLS.values():
        yield from (_jump_unless(_EQUAL, numbers[column], skip=1), _build_return(_ERRNO | EPERM))
    # The flags of clone3 are in memory, which a filter cannot read; without clone3, libraries use clone.
    yield from (_jump_unless(_EQUAL, _CLONE3[column], skip=1), _build_return(_ERRNO | ENOSYS))
    yield from (_jump_unless(_EQUAL, _CLONE[column], skip=4), _build_load(_FIRST_ARGUMENT))
    yield from (_jump_unless(_HAS_BITS, _NAMESPACES, skip=1), _build_return(_ERRNO | EPERM), _build_return(_ALLOW))
    yield from (_jump_unless(_EQUAL, _IOCTL[column], skip=1 + 2 * len(_TERMINAL_INPUT)), _build_load(_SECOND_ARGUMENT))
    for request in _TERMINAL_INPUT:
        yield from (_jump_unless(_EQUAL, request, skip=1), _build_return(_ERRNO | EPERM))
    yield _build_return(_ALLOW)


def _build_load(offset: int) -> bytes:
    return _pack_instruction(_LOAD, 0, 0, offset)


def _jump_if(test: int, value: int, *, skip: int) -> bytes:
    """Skip so many instructions if the test is true."""
    return _pack_instruction(test, skip, 0, value)


def _jump_unless(test: int, value: int, *, skip: int) -> bytes:
    return _pack_instruction(test, 0, skip, value)


def _build_return(value: int) -> bytes:
    return _pack_instruction(_RETURN, 0, 0, value)


def _pack_instruction(code: int, when_true: int, when_false: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, when_true, when_false, value)
