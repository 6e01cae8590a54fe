"""SQL of several dialects, read token by token; docs/decisions/0015 says why no grammar is used.

T-SQL has no separators between statements, MySQL scripts change them, PostgreSQL puts routine bodies in dollar quotes.
The keywords before a name that is defined, read, written or called are nearly the same in each.
"""

from __future__ import annotations

from bottega.index.analyse.sql.script import Script, read

__all__ = ["Script", "read"]
