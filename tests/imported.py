"""Importing this module imports every module of bottega: for a process from which others are forked."""

import pkgutil
from importlib import import_module

import bottega

_LEFT_OUT = ("bottega.testing", "bottega.__main__", "bottega.settings.__main__")

for _module in pkgutil.walk_packages(bottega.__path__, "bottega."):
    if not _module.name.startswith(_LEFT_OUT) and not _module.name.endswith("worker"):
        import_module(_module.name)
