"""The verbs about trust: what a repository's settings ask for, and records that came from elsewhere."""

from __future__ import annotations

import difflib
from typing import ClassVar, Literal

from pydantic import Field

from bottega.errors import InputError
from bottega.home import list_aside_folders, take_back
from bottega.settings import WORDS, TrustedFiles, TrustStore
from bottega.source import escape_breaks
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult
from bottega.workshop.invocation import Invocation

_MOST_NAMES = 20


class TrustRequest(VerbRequest):
    """What the settings of a repository ask for beyond what any repository may; `accept` lets them be in force."""

    verb: ClassVar[str] = "trust"
    uses_models: ClassVar[bool] = False
    reads_settings: ClassVar[bool] = False

    action: Literal["show", "accept", "revoke"] = "show"
    digest: str = Field("", description="with accept: the digest that `show` gave; another one is refused")


class SetAsideSetting(FrozenValue):
    key: str
    where: str
    allowed: str
    text: str


class TrustResult(VerbResult):
    """`digest` covers exactly what is shown; `difference` is what changed since something was trusted."""

    trusted: bool
    digest: str | None
    files: tuple[str, ...]
    set_aside: tuple[SetAsideSetting, ...]
    difference: str = ""
    revoked: bool | None = None

    def render(self, form: str = "text") -> str:
        del form
        if self.revoked is not None:
            return "no longer trusted\n" if self.revoked else "it was not trusted\n"
        if self.trusted:
            return "trusted, as it is\n"
        asked = "".join(f"{escape_breaks(f'asks for: {entry.text}')}\n" for entry in self.set_aside)
        return self.difference + asked


class TakeBackRequest(VerbRequest):
    """Records under .bottega/ that were set aside: list them, or take them back."""

    verb: ClassVar[str] = "trust.records"
    uses_models: ClassVar[bool] = False
    reads_settings: ClassVar[bool] = False

    accept: bool = Field(False, description="put them in the place of the present records")


class TakeBackResult(VerbResult):
    names: tuple[str, ...]
    is_taken_back: bool

    def render(self, form: str = "text") -> str:
        del form
        if self.is_taken_back:
            return ""
        shown = "".join(f"{escape_breaks(name)}\n" for name in self.names[:_MOST_NAMES])
        more = len(self.names) - _MOST_NAMES
        return shown + (f"… and {more} more\n" if more > 0 else "")


def trust(request: TrustRequest, house: Invocation) -> TrustResult:
    loaded, store = house.read_settings(), TrustStore(house.environ)
    if request.action == "revoke":
        return TrustResult(trusted=False, digest=None, files=(), set_aside=(), revoked=store.forget(house.root))
    covered = loaded.covered
    if covered is None:
        raise InputError("this repository has no settings to trust", hint="`bottega init` writes some.")
    if request.action == "accept":
        if request.digest and request.digest != covered.digest:
            raise InputError("the settings have changed since they were shown", hint="Look again with `bottega trust`.")
        store.pin(house.root, covered)
    aside = tuple(
        SetAsideSetting(key=entry.key, where=entry.place, allowed=WORDS[entry.policy], text=str(entry))
        for entry in loaded.set_aside
    )
    return TrustResult(
        trusted=loaded.is_trusted,
        digest=covered.digest,
        files=tuple(sorted(covered.texts)),
        set_aside=aside,
        difference="" if loaded.is_trusted else _difference(store.pinned(house.root), covered),
    )


def take_back_records(request: TakeBackRequest, house: Invocation) -> TakeBackResult:
    found = list_aside_folders(house.home)
    if not found:
        raise InputError("no records are set aside here")
    newest = found[-1]
    names = sorted(path.relative_to(newest).as_posix() for path in newest.rglob("*") if path.is_file())
    if request.accept:
        take_back(house.home, newest)
    return TakeBackResult(names=tuple(names), is_taken_back=request.accept)


def _difference(before: TrustedFiles | None, now: TrustedFiles) -> str:
    """What is to be trusted; where something was trusted before, what has changed since."""
    old = before.texts if before else {}
    parts: list[str] = []
    for name in sorted({*old, *now.texts}):
        lines = difflib.unified_diff(
            old.get(name, "").splitlines(), now.texts.get(name, "").splitlines(), f"trusted/{name}", name, lineterm=""
        )
        parts += [f"{line}\n" for line in lines]
    return "".join(parts)


TRUST = Verb(TrustRequest, TrustResult, trust)
TRUST_RECORDS = Verb(TakeBackRequest, TakeBackResult, take_back_records)
