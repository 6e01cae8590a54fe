"""Write the JSON schemas of every verb's request and result to docs/schemas/; `--check` only compares."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pydantic import TypeAdapter

from bottega.workshop import Event
from bottega.workshop.registry import VERBS, find_verb

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"


def schemas() -> dict[str, str]:
    """Every file by its name; verbs of other packages that are installed here do not count."""
    files = {}
    for name in sorted(VERBS):
        verb = find_verb(name)
        assert verb.name == name, f"the verb {verb.name} stands under {name}"
        for form, schema in (("request", verb.request_schema()), ("result", verb.result_schema())):
            files[f"{name}.{form}.json"] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    files["event.json"] = json.dumps(TypeAdapter(Event).json_schema(), indent=1, ensure_ascii=False) + "\n"
    return files


def main() -> int:
    wanted = schemas()
    if "--check" in sys.argv:
        present = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.json")}
        return 0 if present == wanted else 1
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.json"):
        file.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
