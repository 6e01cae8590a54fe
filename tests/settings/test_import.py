from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

WATCH = """
import json, sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import bottega.settings
print(json.dumps([path for path in opened if not path.endswith((".py", ".pyc", ".so", ".zip"))]))
"""


def imported(cwd: Path, home: Path) -> list[str]:
    """The files that importing the package opens beside code, in the worst of surroundings."""
    environ = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "BOTTEGA_NONSENSE": "1",
        "BOTTEGA_LIMITS_TOKENS": "many",
        "OLLAMA_HOST": "http://[::1",
    }
    ended = subprocess.run(
        [sys.executable, "-c", WATCH], cwd=cwd, env=environ, capture_output=True, text=True, check=True
    )
    assert ended.stderr == ""
    found: list[str] = json.loads(ended.stdout)
    return found


def test_importing_settings_reads_no_settings_and_makes_nothing(tmp_path: Path) -> None:
    home, cwd = tmp_path / "home", tmp_path / "cwd"
    (home / "bottega").mkdir(parents=True)
    (home / "bottega" / "config.toml").write_text("not toml at all [")
    cwd.mkdir()
    (cwd / "bottega.toml").write_text("[[[")
    before = sorted(tmp_path.rglob("*"))
    assert [path for path in imported(cwd, home) if path.startswith(str(tmp_path)) or path.endswith(".toml")] == []
    assert sorted(tmp_path.rglob("*")) == before


def test_importing_settings_does_not_need_a_home(tmp_path: Path) -> None:
    no_home = tmp_path / "file"
    no_home.write_text("")
    no_home.chmod(0)
    imported(tmp_path, no_home)
