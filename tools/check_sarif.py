"""What `make check-sarif` runs: a review of a small change as SARIF, held against the schema that is named."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

BEFORE = "def pay(amount):\n    return int(amount)\n"
AFTER = "def pay(amount):\n    return int(missing)\n"


def main() -> int:
    from jsonschema.validators import validator_for

    schema = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "a <b> ü.py"
        place.write_text(BEFORE)
        for command in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
        ):
            subprocess.run(["git", *command], cwd=folder, check=True)
        place.write_text(AFTER)
        bottega = str(Path(sys.executable).parent / "bottega")
        command = [bottega, "review", "--no-model", "--format", "sarif", "--allow-unsafe-sandbox", "--repo", folder]
        printed = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout
    log = json.loads(printed)
    faults = [error.message for error in validator_for(schema)(schema).iter_errors(log)]
    print(f"{len(log['runs'][0]['results'])} results, {len(faults)} faults", *faults, sep="\n")
    return 1 if faults or not log["runs"][0]["results"] else 0


if __name__ == "__main__":
    sys.exit(main())
