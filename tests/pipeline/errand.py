"""A small kind of pipeline for these tests: errands, which ask for words, pay and go home."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from bottega.errors import InputError, ReplyRejected
from bottega.models import LineContract, Request
from bottega.pipeline import DONE, Kind, KindSettings, Params, Run, State, action, fan_out


@dataclass(frozen=True, slots=True)
class Bag:
    """What an errand carries: a folder to leave things in, and how many words to ask for at once."""

    folder: Path
    parallel: int = 3

    @property
    def is_ready(self) -> bool:
        return (self.folder / "ready").exists()

    def paid(self) -> list[str]:
        book = self.folder / "paid.txt"
        return book.read_text().splitlines() if book.exists() else []


Errand = Run[Bag]


class Basket(State):
    way: str = "left"
    count: int = 0
    words: tuple[str, ...] = ()
    trail: tuple[str, ...] = ()
    receipt: str = ""


class Hours(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    opens: int = 9
    closes: int = 17


class ErrandSettings(KindSettings):
    greeting: str = "hello"
    hours: dict[str, Hours] = Field(default_factory=dict)


class CountParams(Params):
    by: int = Field(1, ge=1)


class AboutParams(Params):
    about: tuple[str, ...] = Field(min_length=1)


@action(DONE, params=CountParams)
def count(state: Basket, run: Errand) -> str:
    """Count."""
    state.count += run.params_as(CountParams).by
    state.trail = (*state.trail, run.step)
    run.say(f"{run.settings_as(ErrandSettings).greeting}, {state.count}")
    return DONE


@action("left", "right")
def turn(state: Basket, run: Errand) -> str:
    """Go the way that the state says."""
    state.trail = (*state.trail, run.step)
    return state.way


@action(DONE, params=AboutParams)
def ask(state: Basket, run: Errand) -> str:
    """Ask for words, one after the other."""
    for about in run.params_as(AboutParams).about:
        state.words = (*state.words, word(state, run, about))
    return DONE


@action(DONE, params=AboutParams)
def ask_at_once(state: Basket, run: Errand) -> str:
    """Ask for words, all at once; a word that is not to be had is noted."""
    landed = fan_out(run.params_as(AboutParams).about, lambda about: word(state, run, about), limit=run.tools.parallel)
    for entry in landed:
        if entry.error is not None and not isinstance(entry.error, ReplyRejected):
            raise entry.error
        run.validate(entry.item, "passed" if entry.ok else "failed", str(entry.error or ""))
    state.words = (*state.words, *(entry.value() for entry in landed if entry.ok))
    return DONE


@action(DONE, params=AboutParams)
def ask_when_ready(state: Basket, run: Errand) -> str:
    """Ask, then insist on something that may be missing."""
    ask.run(state, run)
    return need.run(state, run)


@action(DONE)
def need(state: Basket, run: Errand) -> str:
    """Insist on something that may be missing."""
    if not run.tools.is_ready:
        raise InputError("the shop is closed", hint="Come back later.")
    return DONE


@action(DONE)
def pay(state: Basket, run: Errand) -> str:
    """Touch the outside world."""

    def hand_over() -> dict[str, object]:
        with (run.tools.folder / "paid.txt").open("a") as book:
            book.write(f"{len(state.words)} words\n")
        return {"words": len(state.words), "coins": [1, 2, 5]}

    answer = run.effect("pay", hand_over)
    state.receipt = f"{answer['words']} words for {sum(answer['coins'])}"
    run.decide("pay", answer, "the shop wants coins")
    run.outcome("receipt", "kept", state.receipt)
    return DONE


@action(DONE)
def pay_when_ready(state: Basket, run: Errand) -> str:
    """Pay, then insist on something that may be missing."""
    pay.run(state, run)
    return need.run(state, run)


@action(DONE)
def dawdle(state: Basket, run: Errand) -> str:
    """Let time pass."""
    run.effect("dawdle", lambda: time.sleep(0.1))
    return DONE


@action(DONE)
def lie(state: Basket, run: Errand) -> str:
    """Return what was never declared."""
    return "sideways"


@action(DONE)
def trip(state: Basket, run: Errand) -> str:
    """Have a bug."""
    return state.words[99]


@action(DONE)
def is_called_away(state: Basket, run: Errand) -> str:
    """Be stopped with Ctrl-C, unless it is ready."""
    if not run.tools.is_ready:
        raise KeyboardInterrupt
    return DONE


@action()
def go_home(state: Basket, run: Errand) -> str:
    """End."""
    state.trail = (*state.trail, run.step)
    run.outcome("home", "yes")
    return ""


def word(state: Basket, run: Errand, about: str) -> str:
    said = " ".join(state.words) or "nothing"
    request = Request.of(f"Say a word about {about}. So far: {said}.", system="You say words.", stage="errand.word")
    return run.ask(request, LineContract(["[WORD:]"]), role="reasoning").value.text


ACTIONS = {
    entry.name: entry
    for entry in (
        *(count, turn, ask, ask_at_once, ask_when_ready, need, pay, pay_when_ready, dawdle),
        *(lie, trip, is_called_away, go_home),
    )
}
KIND = Kind("errand", Basket, ACTIONS, ErrandSettings)
KINDS = {"errand": KIND}
