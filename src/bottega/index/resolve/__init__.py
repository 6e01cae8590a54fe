"""Name resolution: the file of an import, the definition of a use, and the confidence of both."""

from __future__ import annotations

from bottega.index.resolve.candidates import Candidates, Definition
from bottega.index.resolve.imports import Imports
from bottega.index.resolve.layout import FileName, Layout
from bottega.index.resolve.resolution import Edge
from bottega.index.resolve.uses import Uses

__all__ = ["Candidates", "Definition", "Edge", "FileName", "Imports", "Layout", "Uses"]
