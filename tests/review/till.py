"""A small shop whose till is changed, and the means to have the change reviewed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bottega.home import make_private_directory
from bottega.models import Request
from bottega.models.providers.scripted import Line
from bottega.review import ChangeSelection, ReviewReport, ReviewRequest
from bottega.testing import scripted_workshop
from bottega.testing.shop import Script
from bottega.workshop import Workshop

BEFORE = {
    "till/cash.py": '''"""Money in the till."""


def total(prices: list[int], discount: int = 0) -> int:
    """What a customer pays, in cents."""
    if discount < 0:
        raise ValueError("a discount cannot be negative")
    return sum(prices) - discount


def change(paid: int, due: int) -> int:
    """What the customer gets back."""
    return paid - due


def receipt(prices: list[int]) -> str:
    """The lines of a receipt."""
    return "\\n".join(str(price) for price in prices)
''',
    "till/door.py": '''"""The door of the shop."""

from till.cash import total


def leave(prices: list[int]) -> str:
    return f"thank you, {total(prices)}"
''',
    "README.md": "# Till\n",
}
AFTER = {
    "till/cash.py": BEFORE["till/cash.py"]
    .replace(
        """    if discount < 0:
        raise ValueError("a discount cannot be negative")
    return sum(prices) - discount
""",
        """    due = sum(prices) - discount
    return due
""",
    )
    .replace("    return paid - due\n", "    rest = eval(str(paid)) - due\n    return rest\n"),
}
EVAL_LINE = 12
NOTHING = '{"findings": []}'


def git(root: Path, *arguments: str) -> str:
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(root),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{role}_NAME": "Ada" for role in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{role}_EMAIL": "ada@example.org" for role in ("AUTHOR", "COMMITTER")},
    }
    done = subprocess.run(["git", *arguments], cwd=root, env=environ, check=True, capture_output=True, text=True)
    return done.stdout


def build(root: Path, before: dict[str, str] | None = None, after: dict[str, str] | None = None) -> Path:
    """A repository with one commit, and a change in its working tree."""
    root.mkdir(parents=True, exist_ok=True)
    write(root, before or BEFORE)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Open the shop")
    write(root, AFTER if after is None else after)
    return root


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def finding(**changes: Any) -> dict[str, Any]:
    """A true finding about the change."""
    return {
        "title": "eval on what the customer paid",
        "path": "till/cash.py",
        "line": EVAL_LINE,
        "last_line": EVAL_LINE,
        "severity": "CRITICAL",
        "confidence": 90,
        "problem": "`eval(str(paid))` runs whatever text arrives as the amount, so a caller of `change()` in cash.py"
        " can run any code in the till.",
        "evidence": ["rest = eval(str(paid)) - due"],
        "suggestion": "Use int(paid).",
        **changes,
    }


def findings(*entries: dict[str, Any]) -> str:
    return json.dumps({"findings": list(entries)})


def stance(stance: str, argument: str = "line 12 says so") -> str:
    return json.dumps({"argument": argument, "stance": stance})


def ruling(decision: str) -> str:
    return json.dumps({"reason": "the lines tell", "decision": decision})


def panel(
    reviewers: dict[str, Line] | Line = NOTHING, stances: Sequence[str] | str = "agree", moderator: Line = "uphold"
) -> Callable[[Request], Line]:
    """A model that speaks for everyone: by the reviewer's name, by the participant's letter, as moderator."""

    def speak(request: Request) -> Line:
        text = request.messages[0].text
        if request.stage == "review.reviewer":
            name = text.split("You are the reviewer ", 1)[1].split(".", 1)[0]
            return reviewers.get(name, NOTHING) if isinstance(reviewers, dict) else reviewers
        if request.stage == "review.participant":
            letter = text.split("You are participant ", 1)[1][0]
            chosen = stances if isinstance(stances, str) else stances[ord(letter) - ord("A")]
            return stance(chosen, f"{letter} says: line 12")
        assert request.stage == "review.moderator"
        return ruling(moderator) if isinstance(moderator, str) else moderator

    return speak


SEVERAL = 'review.models=["scripted/qwen", "scripted/llama", "scripted/gemma"]'
"""A panel of three families; all are the one scripted model, as every id is."""
ONE = 'review.models=["scripted/model"]'
RELATIVES = 'review.models=["scripted/qwen2.5-coder", "scripted/qwen3", "scripted/other-qwen"]'


def shop(root: Path, script: Script, *settings: str, window: int = 32_000) -> Workshop:
    return scripted_workshop(
        root, script, settings=[f"budget.context_window={window}", SEVERAL, *settings], unsafe=True
    )


def reviewed(
    workshop: Workshop,
    wanted: ChangeSelection | None = None,
    *,
    pipeline: str = "review",
    seed: int = 1,
    scope: Sequence[str] = (),
) -> ReviewReport:
    change = wanted or ChangeSelection()
    request = ReviewRequest(
        diff=change.diff,
        commit=change.commit,
        start=change.start,
        end=change.end,
        staged=change.is_staged,
        message=change.message,
        pipeline=pipeline,
        seed=seed,
        paths=tuple(scope),
    )
    report = workshop.call(request).report
    assert isinstance(report, ReviewReport)
    return report


def judged(root: Path, script: Script, *settings: str, pipeline: str = "review", **more: Any) -> ReviewReport:
    """A review of the working tree, and the workshop closed again."""
    workshop = shop(root, script, *settings)
    try:
        return reviewed(workshop, pipeline=pipeline, **more)
    finally:
        workshop.close()


def own_pipeline(root: Path, name: str, **settings: Any) -> str:
    """A pipeline of the repository's own that sets something."""
    make_private_directory(root / ".bottega" / "pipelines")
    folder = root / ".bottega" / "pipelines"
    lines = "".join(f"    {key}: {json.dumps(value)}\n" for key, value in settings.items())
    text = f"pipeline:\n  name: {name}\n  kind: review\n  description: a test\n  extends: review\n  settings:\n{lines}"
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return name
