"""Everything bottega raises on purpose.

    BottegaError                 exit 3
    ├── GateFailed               exit 1   the work is done and the answer is no
    ├── UsageError               exit 2   the person can mend it: words, input, settings, pipelines
    │   ├── InputError
    │   ├── SettingsError
    │   └── PipelineError
    ├── ModelError               exit 3   a model did not do its part
    │   ├── ModelUnreachable     ├── ModelBusy          ├── ModelTimeout
    │   ├── ModelRefused         ├── ModelMissing       ├── ModelFault
    │   ├── ReplyCut             ├── ReplyTooLarge      ├── ReplyRejected
    │   ├── PromptTooLong        ├── PromptTruncated    ├── BreakerOpen
    │   └── CeilingReached
    ├── StorageError             exit 3   the disk, or what lies on it
    ├── SandboxError             exit 3   nothing safe to run a command in
    └── Incomplete               exit 4   part of the work is done, and it says which

A message says what happened, the hint says what the reader can do about it. Doors print both.
"""

from __future__ import annotations


class BottegaError(Exception):
    """A failure that a person can understand and act on."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class GateFailed(BottegaError):
    """The work is done, and the answer is no."""

    exit_code = 1


class Incomplete(BottegaError):
    """Part of the work is done, and the message says which."""

    exit_code = 4


class UsageError(BottegaError):
    """Something the person can mend: words, input, settings, pipelines."""

    exit_code = 2


class InputError(UsageError):
    """The request itself cannot be worked on."""


class SettingsError(UsageError):
    """A settings file, variable or flag says something that cannot be."""


class PipelineError(UsageError):
    """A pipeline file is refused."""


class StorageError(BottegaError):
    """Reading or writing `.bottega/` or the user's cache failed."""


class SandboxError(BottegaError):
    """A command cannot be run safely here."""


class ModelError(BottegaError):
    """A model did not do its part; `model` names it."""

    def __init__(self, model: str, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.model = model


class ModelUnreachable(ModelError):
    """Nothing answers at the address."""

    def __init__(self, model: str, url: str) -> None:
        super().__init__(model, f"{model} did not answer at {url}")
        self.hint = "Start the server, or pick another model with --model."


class ModelTimeout(ModelError):
    """The whole reply took longer than the call may take."""

    def __init__(self, model: str, seconds: float) -> None:
        super().__init__(model, f"{model} gave no answer within {seconds:g} s")
        self.hint = "Raise --timeout, or pick a smaller model with --model."


class ModelBusy(ModelError):
    """The server asks for patience (429); `retry_after` is its own figure in seconds, if it gave one."""

    def __init__(self, model: str, *, retry_after: float | None = None) -> None:
        super().__init__(model, f"{model} is over its rate limit")
        self.hint = "Wait a little, or pick another model with --model."
        self.retry_after = retry_after


class ModelRefused(ModelError):
    """Authentication or permission: trying again cannot help."""

    def __init__(self, model: str, detail: str, *, key: str = "") -> None:
        super().__init__(model, f"{model} refused the request: {detail}")
        self.hint = f"Check the key in {key}." if key else "Check the key or the permissions of this account."


class ModelMissing(ModelError):
    """The server is there and does not know the model, or the weights are not on this machine."""


class ModelFault(ModelError):
    """The server broke (5xx) or answered something that is not its own protocol."""

    def __init__(self, model: str, detail: str, *, hint: str = "", passing: bool = True) -> None:
        super().__init__(model, f"{model} failed: {detail}", hint=hint or "See the server's own log.")
        self.passing = passing


class ReplyCut(ModelError):
    """The connection ended in the middle of a reply."""

    def __init__(self, model: str) -> None:
        super().__init__(model, f"{model} stopped in the middle of its reply")
        self.hint = "`bottega resume last` goes on from here."


class ReplyTooLarge(ModelError):
    """The server sent more than any reply needs: its headers, one event, or the whole of it."""

    def __init__(self, model: str, what: str, limit: int) -> None:
        size = f"{limit // 2**20} MiB" if limit >= 2**20 else f"{limit // 2**10} KiB"
        super().__init__(model, f"{model} sent {what} of more than {size}; the rest was not read")
        self.hint = "Check that base_url is the address of a model server, or pick another model with --model."


class PromptTooLong(ModelError):
    """The account of tokens does not close before anything is sent."""

    exit_code = 2


class PromptTruncated(ModelError):
    """The server read less than was sent: what it answers is an answer to something else."""

    def __init__(self, model: str, sent: int, read: int) -> None:
        super().__init__(model, f"{model} read {read} tokens of a prompt of about {sent}: the server cut it silently")
        self.hint = "Give the server a larger window, or lower context_window for this model."


class ReplyRejected(ModelError):
    """Two replies in a row broke the contract; `reason` is what was wrong with the last, `text` is it."""

    def __init__(self, model: str, reason: str, text: str) -> None:
        super().__init__(model, f"{model} did not keep to the form asked for: {reason}")
        self.hint = "A larger model usually helps; `bottega runs show last --calls` prints both replies."
        self.reason = reason
        self.text = text


class BreakerOpen(ModelError):
    """The model failed too often in a row; it is left alone for a while."""

    def __init__(self, model: str, seconds: float) -> None:
        super().__init__(model, f"{model} failed repeatedly and is left alone for {seconds:.0f} s")
        self.hint = "Try later, or pick another model with --model."


class CeilingReached(ModelError):
    """The run has used up what it was allowed."""

    def __init__(self, model: str, what: str) -> None:
        super().__init__(model, f"the run reached its ceiling: {what}")
        self.hint = "Raise it under [limits], then `bottega resume last`."
