"""`.bottega/`: the directory with the records of a repository, sealed so that only records of this machine are used."""

from bottega.home.directory import (
    NAME,
    find_home,
    is_sealed,
    list_aside_folders,
    seal_home,
    seal_of,
    take_back,
    write_seal,
)
from bottega.home.files import make_private_directory, refuse_links, remove_abandoned_files, replace_file
from bottega.home.locks import FileLock, locked, try_lock
from bottega.home.root import find_root, is_known_by_records
from bottega.home.seal import sign
from bottega.home.sqlite import refuse_programs, transaction

__all__ = [
    "NAME",
    "FileLock",
    "find_home",
    "find_root",
    "is_known_by_records",
    "is_sealed",
    "list_aside_folders",
    "locked",
    "make_private_directory",
    "refuse_links",
    "refuse_programs",
    "remove_abandoned_files",
    "replace_file",
    "seal_home",
    "seal_of",
    "sign",
    "take_back",
    "transaction",
    "try_lock",
    "write_seal",
]
