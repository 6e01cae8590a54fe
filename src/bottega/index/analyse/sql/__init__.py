"""SQL of several dialects, read token by token.

T-SQL has no separators between statements, MySQL changes them, PostgreSQL puts bodies in dollar quotes: no one grammar
takes all three, while the words that define, read and write things are nearly the same in each.
"""

from __future__ import annotations

from bottega.index.analyse.sql.script import Script, read

__all__ = ["Script", "read"]
