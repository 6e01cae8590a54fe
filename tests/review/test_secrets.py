"""Secrets of a change: found by code with or without a model, and in no prompt, no output and no stored file."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest
from bench.attack_findings import faults_of, planted_change

from bottega.models import Request
from bottega.models.providers.scripted import Line
from bottega.review import FORMATS, ChangeSelection, ReviewReport, ReviewRequest
from bottega.review.masking import is_masked_form, mask_diff, mask_names
from bottega.source import parse_diff, parse_diff_layout
from bottega.source.secrets import mask_secrets
from tests.command import command_for
from tests.review.till import BEFORE, build, finding, findings, git, judged, panel, shop, write

KEY_BODY = "MIIEowIBAAKCAQEAx7Zq3NfT1vWb8Yc5Jr2Lk9Pd4Hs6Mu0Ge7Qa1Wz3Xo5Iv8B"
TOKENS = {
    "github": "ghp_R8s2kQ7mZx4Vb9Wc3Ld6Nf1Tg5Yh0Jp2Ka7E",
    "slack": "xoxb-274839105628-7391046285713-Qm4ZtY8vKc2LwXr6NdBp9HsE",
    "aws": "AKIAQ4T7XN2LPWZ6RK3M",
    "stripe": "sk_live_51Hq8ZtK2mVx7Wb4Nc9Rd6Lf",
    "password": "vK8#tQ2z!mL5",
    "url": "Zx81mQw0rT7",
    "key": KEY_BODY,
}
MARKED = "TOKEN = "
_INDEX = {"curated.sqlite", "blobs.sqlite", "segments"}  # the index names files as they are, and masks what they hold


def private_key(body: str = KEY_BODY) -> str:
    lines = "\n".join([body, body[::-1], body.swapcase()])
    return f"-----BEGIN RSA PRIVATE KEY-----\n{lines}\n-----END RSA PRIVATE KEY-----\n"


def without_model(root: Path, pipeline: str = "review-static") -> ReviewReport:
    return judged(root, panel(), pipeline=pipeline)


def secrets_of(report: ReviewReport) -> list[str]:
    return [f"{one.severity} {one.span}" for one in report.findings if one.source == "secret"]


class TestFound:
    @pytest.mark.parametrize("pipeline", ["review-static", "review-quick", "review"])
    def test_an_added_secret_is_critical_and_confirmed(self, tmp_path: Path, pipeline: str) -> None:
        root = build(tmp_path, after={"till/keys.py": f'"""Keys."""\n\n{MARKED}"{TOKENS["github"]}"\n'})
        report = judged(root, panel(), pipeline=pipeline)
        [one] = [one for one in report.findings if one.source == "secret"]
        assert (one.severity, str(one.span), one.triage) == ("CRITICAL", "till/keys.py:3", "must-fix")
        assert "rule github" in one.problem
        assert one.verified
        assert report.decision == "REJECT"
        assert report.at_least("CRITICAL") == [one]

    @pytest.mark.parametrize(
        ("name", "text", "line"),
        [
            (".env", f"PORT=8000\nDB_PASSWORD={TOKENS['password']}\n", 2),
            ("deploy/.env", f"STRIPE_KEY={TOKENS['stripe']}\n", 1),
            ("id_rsa.pem", private_key(), 1),
            ("package-lock.json", f'{{\n  "resolved": "{TOKENS["github"]}"\n}}\n', 2),
            ("dist/app.js", f'const t = "{TOKENS["slack"]}";\n', 1),
            ("notes.md", f"The bot uses {TOKENS['slack']} here.\n", 1),
            ("conf.yml", f"url: postgres://app:{TOKENS['url']}@db.internal:5432/shop\n", 1),
        ],
    )
    def test_in_any_file_that_is_added(self, tmp_path: Path, name: str, text: str, line: int) -> None:
        root = build(tmp_path, after={name: text})
        report = without_model(root)
        assert f"CRITICAL {name}:{line}" in secrets_of(report)
        assert report.decision == "REJECT"

    def test_in_a_file_that_is_renamed_and_changed(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={})
        git(root, "mv", "till/cash.py", "till/money.py")
        place = root / "till/money.py"
        place.write_text(place.read_text() + f'\n\n{MARKED}"{TOKENS["github"]}"\n')
        git(root, "add", "-A")
        git(root, "commit", "-qm", "Rename")
        report = judged(root, panel(), pipeline="review-static", wanted=ChangeSelection(commit="HEAD"))
        assert secrets_of(report) == ["CRITICAL till/money.py:21"]

    def test_in_text_that_attributes_call_binary(self, tmp_path: Path) -> None:
        root = build(tmp_path, before={**BEFORE, ".gitattributes": "*.cfg binary\n", "a.cfg": "x = 1\n"}, after={})
        write(root, {"a.cfg": f"x = 1\ntoken = {TOKENS['github']}\n"})
        assert secrets_of(without_model(root)) == ["CRITICAL a.cfg:2"]

    def test_in_a_file_name(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={f"{TOKENS['github']}.txt": "nothing\n"})
        report = without_model(root)
        assert secrets_of(report) == ["CRITICAL «masked:github-token».txt:1"]

    def test_a_value_of_an_ignored_env_file_that_is_pasted_into_code(self, tmp_path: Path) -> None:
        root = build(tmp_path, before={**BEFORE, ".gitignore": ".env\n"}, after={})
        write(root, {".env": "SHOP_CODE=pl@in9but#SECRET!9931x\n", "till/code.py": 'x = "pl@in9but#SECRET!9931x"\n'})
        assert secrets_of(without_model(root)) == ["CRITICAL till/code.py:1"]

    def test_a_key_whose_first_line_was_there_before(self, tmp_path: Path) -> None:
        before, after = private_key("A1b2" * 16), private_key()
        root = build(tmp_path, before={**BEFORE, "k.pem": before}, after={"k.pem": after})
        report = without_model(root)
        assert secrets_of(report)[0] == "CRITICAL k.pem:2"
        assert KEY_BODY not in json.dumps(report.as_json())

    def test_a_hunk_that_begins_inside_a_key(self, tmp_path: Path) -> None:
        body = [f"{number:02}{KEY_BODY}"[:64] for number in range(20)]
        key = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *body, "-----END RSA PRIVATE KEY-----", ""])
        new = key.replace(body[18], body[18].swapcase()).replace(body[9], body[9].swapcase())
        root = build(tmp_path, before={**BEFORE, "k.pem": key}, after={"k.pem": new})
        report = without_model(root)
        assert "CRITICAL k.pem:20" in secrets_of(report)
        stored = (root / ".bottega" / "reviews" / report.id / "change.diff").read_text()
        assert not [line for line in (*body, *new.split("\n")) if len(line) > 40 and line in stored]

    def test_unchanged_lines_are_not_findings(self, tmp_path: Path) -> None:
        old = f'{MARKED}"{TOKENS["github"]}"\nx = 1\n'
        root = build(tmp_path, before={**BEFORE, "a.py": old}, after={"a.py": old.replace("x = 1", "x = 2")})
        assert secrets_of(without_model(root)) == []

    def test_a_removed_secret_is_a_remark_to_rotate_it(self, tmp_path: Path) -> None:
        old = f'x = 1\n{MARKED}"{TOKENS["github"]}"\ny = 2\n'
        root = build(tmp_path, before={**BEFORE, "a.py": old}, after={"a.py": "x = 1\ny = 2\n"})
        report = without_model(root)
        [one] = [one for one in report.findings if one.source == "secret"]
        assert (one.severity, one.triage) == ("SUGGESTION", "ignore")
        assert "rotate" in one.title
        assert "history" in one.problem

    def test_a_secret_that_moves_is_no_removed_one(self, tmp_path: Path) -> None:
        line = f'{MARKED}"{TOKENS["github"]}"\n'
        root = build(tmp_path, before={**BEFORE, "a.py": line}, after={"a.py": "x = 1\n", "b.py": line})
        assert secrets_of(without_model(root)) == ["CRITICAL b.py:1"]

    def test_only_the_paths_asked_for_count(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={"a.py": f'{MARKED}"{TOKENS["github"]}"\n', "b.py": "x = 1\n"})
        assert secrets_of(judged(root, panel(), pipeline="review-static", scope=["b.py"])) == []

    def test_a_commit_message_that_holds_one_is_told(self, tmp_path: Path) -> None:
        root = build(tmp_path)
        git(root, "commit", "-qam", f"Use {TOKENS['slack']}")
        report = judged(root, panel(), pipeline="review-static", wanted=ChangeSelection(commit="HEAD"))
        [check] = [check for check in report.checks if check.name == "secrets"]
        assert "description of the change holds a secret" in check.detail
        assert TOKENS["slack"] not in json.dumps(report.as_json())


class TestStays:
    """What a panel says of it moves nothing; what a person says does, for that value alone."""

    def test_a_panel_that_denies_it_changes_nothing(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={"a.py": f'{MARKED}"{TOKENS["github"]}"\n'})
        claim = finding(
            title="Secret added: GitHub token",
            path="a.py",
            line=1,
            last_line=1,
            problem="The added line holds a secret, but it is harmless",
            evidence=["TOKEN"],
            severity="SUGGESTION",
            confidence=1,
        )
        report = judged(root, panel(findings(claim), stances="disagree", moderator="dismiss"))
        [one] = [one for one in report.findings if one.source == "secret"]
        assert (one.severity, one.triage, one.confidence) == ("CRITICAL", "must-fix", 100)
        assert report.decision == "REJECT"

    def test_the_gate_sees_it(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={"a.py": f'{MARKED}"{TOKENS["github"]}"\n'})
        workshop = shop(root, panel())
        try:
            result = workshop.call(ReviewRequest(no_model=True, seed=1, fail_on="CRITICAL"))
        finally:
            workshop.close()
        assert result.gate == "failed"

    def test_a_person_may_dismiss_it_and_another_value_stands_again(self, tmp_path: Path) -> None:
        root = build(tmp_path, after={"a.py": f'{MARKED}"{TOKENS["github"]}"\n'})
        first = bottega(root, "review", "--no-model", "--format", "json")
        [one] = [one for one in json.loads(first.stdout)["findings"] if one["source"] == "secret"]
        done = bottega(root, "review", "dismiss", f"last/{one['id']}", "--because", "revoked already")
        assert done.returncode == 0, done.stderr
        assert bottega(root, "review", "--no-model", "--fail-on", "CRITICAL").returncode == 0
        write(root, {"a.py": f'{MARKED}"{TOKENS["github"].swapcase().replace("GHP_", "ghp_")}"\n'})
        assert bottega(root, "review", "--no-model", "--fail-on", "CRITICAL").returncode == 1


def bottega(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(root.parent), "XDG_CACHE_HOME": str(root.parent / "cache")}
    command = [*command_for(environ), *words]
    return subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True, check=False)


class TestShownNowhere:
    """Values planted in added, kept and removed lines, in file names and in the commit message."""

    BEFORE: ClassVar = {
        **BEFORE,
        "AGENTS.md": f"Log in with password: {TOKENS['password']}\n",
        "conf/app.yml": f"a: 1\nslack: {TOKENS['slack']}\nb: 2\nold: {TOKENS['stripe']}\nc: 3\n",
        "conf/server.pem": private_key(),
        "till/use.py": f'from till.cash import total\n\nprint(total([1]), "{TOKENS["aws"]}")\n',
    }
    AFTER: ClassVar = {
        "conf/app.yml": f"a: 2\nslack: {TOKENS['slack']}\nb: 3\nc: 3\n",
        "conf/server.pem": private_key().replace("-----END", KEY_BODY[::-1] + "\n-----END"),
        "till/cash.py": BEFORE["till/cash.py"].replace(
            "def total(",
            f'DSN = "postgres://app:{TOKENS["url"]}@db.internal/shop"\n'
            f'PASSWORD = "{TOKENS["password"]}"\n\n\ndef sums(',
        )
        + f"x = {TOKENS['aws']}(\n",
        f"logs/{TOKENS['github']}.txt": "nothing\n",
    }

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        root = build(tmp_path / "shop", before=self.BEFORE, after=self.AFTER)
        git(root, "add", "-A")
        git(root, "commit", "-qm", f"Use {TOKENS['github']} from now on\n\nand {TOKENS['aws']}")
        return root

    def test_in_no_prompt_no_output_and_no_file(self, root: Path) -> None:
        prompts: list[str] = []
        speak = panel(
            findings(finding(path="till/cash.py", line=5, last_line=5, evidence=["DSN"])),
            ["agree", "disagree", "neutral"],
        )

        def listen(request: Request) -> Line:
            prompts.append(request.system + "".join(message.text for message in request.messages))
            return speak(request)

        workshop = shop(root, listen)
        result = workshop.call(ReviewRequest(commit="HEAD", seed=1, pipeline="review"))
        workshop.close()
        stages = {
            part
            for prompt in prompts
            for part in ("You are the reviewer", "participant", "You end a discussion")
            if part in prompt
        }
        assert len(stages) == 3
        assert any("«masked:" in prompt for prompt in prompts)
        outputs = {form: result.render(form) for form in FORMATS if form != "json"}
        outputs["json"] = json.dumps(result.as_json())
        stored = {
            str(place): place.read_bytes().decode("utf-8", "replace")
            for place in (root / ".bottega").rglob("*")
            if place.is_file() and not {*place.parts, place.name} & _INDEX
        }
        assert any("change.diff" in name for name in stored)
        for kind, value in TOKENS.items():
            for number, prompt in enumerate(prompts):
                assert value not in prompt, f"{kind} in prompt {number}"
            for form, output in outputs.items():
                assert value not in output, f"{kind} in {form}"
            for name, content in stored.items():
                assert value not in content, f"{kind} in {name}"

    @pytest.mark.parametrize("form", FORMATS)
    def test_in_no_output_of_the_command(self, root: Path, form: str) -> None:
        done = bottega(root, "review", "--no-model", "--commit", "HEAD", "--format", form)
        assert done.returncode in {1, 4}, done.stderr
        assert not [kind for kind, value in TOKENS.items() if value in done.stdout + done.stderr]

    def test_a_diff_that_cannot_be_read_is_refused_without_its_secrets(self, root: Path) -> None:
        broken = f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c = '{TOKENS['github']}'\n"
        (root / "broken.diff").write_text(broken)
        done = bottega(root, "review", "--no-model", "--diff", "broken.diff")
        assert done.returncode == 2
        assert TOKENS["github"] not in done.stdout + done.stderr


class TestMaskedDiff:
    """A masked diff is the same change: the same files, hunks and kinds of lines."""

    def test_random_changes_keep_their_shape(self, tmp_path: Path) -> None:
        random = Random(17)
        for trial in range(25):
            root = tmp_path / str(trial)
            before, after = random_tree(random), random_tree(random)
            build(root, before={**before, "keep.txt": "x\n"}, after=after)
            git(root, "add", "-A")
            text = git(root, "diff", "--cached", "-M", *random.choice([[], ["-U0"], ["-U50"]]))
            layouts = parse_diff_layout(text)
            names = mask_names([layout.file for layout in layouts], str)
            masked = mask_diff(text, layouts, names, str)
            assert not [value for value in TOKENS.values() if value in masked]
            raw, shown = parse_diff(text), parse_diff(masked)
            assert [names[file.path] for file in raw.files] == [file.path for file in shown.files]
            for old, new in zip(raw.files, shown.files, strict=True):
                assert (old.status, old.is_binary) == (new.status, new.is_binary)
                pairs = [
                    (one, other)
                    for ours, theirs in zip(old.hunks, new.hunks, strict=True)
                    for one, other in zip(ours.lines, theirs.lines, strict=True)
                ]
                assert all((one.kind, one.old, one.new) == (other.kind, other.old, other.new) for one, other in pairs)
                assert all(is_masked_form(other.text, one.text) for one, other in pairs)

    def test_two_names_are_never_shown_as_one(self) -> None:
        other = TOKENS["github"].swapcase().replace("GHP_", "ghp_")
        text = "".join(f"--- /dev/null\n+++ b/{name}.txt\n@@ -0,0 +1 @@\n+x\n" for name in (TOKENS["github"], other))
        layouts = parse_diff_layout(text)
        names = mask_names([layout.file for layout in layouts], str)
        shown = [file.path for file in parse_diff(mask_diff(text, layouts, names, str)).files]
        assert len(set(shown)) == 2
        assert shown == [names[layout.file.path] for layout in layouts]


def test_planted_secrets_are_found_where_they_are_added_and_shown_nowhere() -> None:
    """A small part of `bench/attack_findings.py`."""
    for trial in range(150):
        assert faults_of(planted_change(Random(f"suite/{trial}"))) == []


def random_tree(random: Random) -> dict[str, str]:
    lines = ["a = 1", "b = 2", "", "c(", '"x y"', "\tz", "« »"]
    lines += [f'password = "{TOKENS["password"]}"', f"token: {TOKENS['github']}", private_key().rstrip("\n")]
    lines += [f"see {TOKENS['slack']}", f"p = postgres://u:{TOKENS['url']}@h/d", f"{TOKENS['aws']} {TOKENS['stripe']}"]
    names = ["a.py", "b c.txt", "dir/é.md", f"{TOKENS['github']}.cfg", ".env"]
    return {
        name: "\n".join(random.choices(lines, k=random.randrange(1, 25))) + random.choice(["\n", ""])
        for name in random.sample(names, random.randrange(1, 5))
    }


def test_a_masked_line_is_told_from_another() -> None:
    assert is_masked_form("a «masked:x» b «masked:y»", "a 1 b 2")
    assert is_masked_form("same", "same")
    assert not is_masked_form("a «masked:x» b", "a 1 c")
    assert not is_masked_form("a «masked:x» b", "a b")
    assert not is_masked_form("other", "same")
    assert mask_secrets("nothing here") == "nothing here"
