"""Definitions that a tool or a framework reads by name from a file it knows."""

from __future__ import annotations

import re

_ANY, _UPPER = r"[^\W_]\w*", r"[A-Z][A-Z0-9_]*"
# The path of a file, and the names that are read from it. A name with a leading underscore is the file's own.
_READ = [
    (re.compile(rf"(?:^|/)(?:{file})$"), re.compile(name))
    for file, name in (
        (r"(?:conf|setup|noxfile|dodo|fabfile|hubconf|wsgi|asgi|celeryconfig|gunicorn[._]conf(?:ig)?)\.py", _ANY),
        (r"(?:jupyter|ipython|pelican)\w*conf(?:ig)?\.py|(?:migrations|alembic)/env\.py", _ANY),
        (r"(?:\w+_)?settings\.py|settings/\w+\.py|(?:local_|default_|test_)?config\.py", _UPPER),
        (r"urls\.py", r"urlpatterns|app_name|handler\d+"),
        (r"[\w.-]+\.(?:config|conf)\.[cm]?[jt]s|\.\w+rc\.[cm]?js|gulpfile\.[cm]?[jt]s|Gruntfile\.js", _ANY),
        (r"(?:conf|settings|build)\.sbt|build\.gradle\.kts|Rakefile|Gemfile|Podfile|Vagrantfile", _ANY),
    )
]


def is_read_by_name(path: str, name: str) -> bool:
    """Whether the tool that a file is written for reads a definition of this name."""
    return any(names.fullmatch(name) for file, names in _READ if file.search(path))
