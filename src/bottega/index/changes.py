"""What differs between the working tree and the index, and the rows of files that changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bottega.index.analyse import Analysis
from bottega.index.analyses import FoundFile
from bottega.index.resolve.layout import FileName, module_name
from bottega.index.rows import FileRow
from bottega.index.walk import FileStamp, Listing

_DECLARING = ("go.mod", "Cargo.toml", "package.json", "tsconfig.json", "jsconfig.json")


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs between the tree and the index; `suspects` have another stamp, but may have the same content."""

    known: Mapping[str, FileRow]
    listing: Listing
    gone: tuple[FileRow, ...]
    suspects: Mapping[str, FileStamp]
    packages: frozenset[str]
    """Directories that are Python packages."""

    @classmethod
    def compare(cls, known: Mapping[str, FileRow], listing: Listing) -> Changes:
        files = listing.files
        inits = (path for path in files if path.endswith(("/__init__.py", "/__init__.pyi")))
        return cls(
            known,
            listing,
            tuple(row for path, row in known.items() if path not in files),
            {path: stamp for path, stamp in files.items() if path not in known or known[path].stamp != stamp},
            frozenset(path.rpartition("/")[0] for path in inits),
        )

    @property
    def count(self) -> int:
        return len(self.gone) + len(self.suspects)


def build_file_row(file: FoundFile, analysis: Analysis | None, number: int, packages: frozenset[str]) -> FileRow:
    namespace = analysis.namespace if analysis is not None else ""
    return FileRow(
        *(number, file.path, file.language, file.role, "project", file.hash, file.blob, file.stamp.size),
        lines=analysis.lines if analysis is not None else 0,
        depth=analysis.depth if analysis is not None else "",
        note=file.note,
        namespace=namespace,
        module=module_name(FileName(number, file.path, file.language, namespace), packages) if analysis else "",
        analysis=file.key if analysis is not None else None,
        segment=None,
        document=None,
        mtime_ns=file.stamp.mtime_ns,
        ctime_ns=file.stamp.ctime_ns,
        inode=file.stamp.inode,
    )


def declares_modules(path: str) -> bool:
    """Whether a file says where modules are found."""
    name = path.rpartition("/")[2]
    return name in _DECLARING or (name.startswith(("tsconfig.", "jsconfig.")) and name.endswith(".json"))
