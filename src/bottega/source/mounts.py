"""Which file systems hold no real files."""

from __future__ import annotations

import os
from pathlib import Path

_PSEUDO_FILESYSTEMS = frozenset(
    """proc sysfs cgroup cgroup2 debugfs tracefs securityfs pstore bpf configfs efivarfs mqueue hugetlbfs devpts
    devtmpfs fusectl binfmt_misc autofs rpc_pipefs nsfs selinuxfs""".split()
)


class Mounts:
    """Recognises pseudo file systems such as /proc, which are listed and never read."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}
        self._table: dict[int, str] | None = None

    def is_pseudo(self, device: int) -> bool:
        if device not in self._known:
            self._known[device] = self._read_mounts().get(device, "") in _PSEUDO_FILESYSTEMS
        return self._known[device]

    def _read_mounts(self) -> dict[int, str]:
        if self._table is None:
            self._table = {}
            try:
                lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
            except OSError:
                lines = []
            for line in lines:
                fields = line.split(" ")
                major, _, minor = fields[2].partition(":")
                kind = fields[fields.index("-") + 1] if "-" in fields else ""
                self._table[os.makedev(int(major), int(minor))] = kind
        return self._table
