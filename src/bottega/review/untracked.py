"""New files that git does not track yet, as a diff that adds them."""

from __future__ import annotations

from pathlib import Path

from bottega.amounts import plural
from bottega.errors import InputError
from bottega.source.git import Git
from bottega.source.text import decode

_LARGEST_NEW = 1_000_000
_MOST_NEW = 20_000
_LINK = "120000"


def diff_untracked(git: Git, root: Path) -> str:
    """Files that git does not know yet and does not ignore, as if they were added."""
    printed = git.ask("ls-files", "--others", "--exclude-standard", "-z") or b""
    names = [name for name in printed.decode("utf-8", "surrogateescape").split("\0") if name]
    names = [name for name in names if not name.startswith(".bottega/")]
    if len(names) > _MOST_NEW:
        raise InputError(
            f"{plural(len(names), 'new file')} not ignored; at most {_MOST_NEW} are read",
            hint="Ignore or commit them.",
        )
    return "".join(_render_as_new(root / name, name) for name in names)


def _render_as_new(place: Path, name: str) -> str:
    """A diff that adds a file; of a link, where it leads."""
    quoted = f'"b/{_escape(name)}"'
    is_link = place.is_symlink()
    head = f"diff --git {quoted.replace('b/', 'a/', 1)} {quoted}\nnew file mode {_LINK if is_link else '100644'}\n"
    binary = f"{head}Binary files /dev/null and {quoted} differ\n"
    try:
        if not is_link and (not place.is_file() or place.stat().st_size > _LARGEST_NEW):
            return binary
        text = str(place.readlink()) if is_link else decode(place.read_bytes())
    except OSError:
        return binary
    if text is None:
        return binary
    lines = text.split("\n")
    ended = lines[-1] == ""
    lines = lines[:-1] if ended else lines
    if not lines:
        return head
    body = "".join(f"+{line}\n" for line in lines) + ("" if ended else "\\ No newline at end of file\n")
    return f"{head}--- /dev/null\n+++ {quoted}\n@@ -0,0 +1,{len(lines)} @@\n{body}"


def _escape(name: str) -> str:
    """As git quotes names: bytes that are no text by their number."""
    found = []
    for char in name:
        code = ord(char)
        if char in '"\\':
            found.append(f"\\{char}")
        elif code < 32 or 0xDC80 <= code <= 0xDCFF:
            found.append(f"\\{code & 0xFF:03o}")
        else:
            found.append(char)
    return "".join(found)
