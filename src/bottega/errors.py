"""The errors that bottega raises on purpose.

    BottegaError                 exit 3
    ├── NothingToDo              exit 0   there is nothing to work on
    ├── GateFailed               exit 1   the work is done and the gate failed
    ├── UsageError               exit 2   the user can fix it: arguments, input, settings, pipelines
    │   ├── InputError
    │   ├── SettingsError
    │   └── PipelineError
    ├── ModelError               exit 3   a model call failed
    │   ├── ModelUnreachable     ├── ModelBusy          ├── ModelTimeout
    │   ├── ModelRefused         ├── ModelMissing       ├── ModelFault
    │   ├── ReplyCut             ├── ReplyTooLarge      ├── ReplyRejected
    │   ├── PromptTooLong        ├── PromptTruncated    ├── BreakerOpen
    │   └── CeilingReached
    ├── StorageError             exit 3   reading or writing files failed
    ├── SandboxError             exit 3   no safe sandbox is available
    └── Incomplete               exit 4   part of the work is done

    Cancelled                    exit 130 not a BottegaError: no error handler may catch it

The message says what happened, the hint what the user can do about it; the CLI and the other interfaces print both.
"""

from __future__ import annotations


class BottegaError(Exception):
    """An error that a user can understand and act on."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class Cancelled(BaseException):
    """The run was cancelled, by Ctrl-C or by a request from elsewhere.

    Derives from `BaseException`, as `KeyboardInterrupt` does: code that records the failure of one model or one file
    and goes on with the next must not go on after a cancel.
    """

    exit_code = 130


def describe_end(problem: BaseException) -> tuple[str, str]:
    """The status of a run that ended with an exception, and the error to record.

    `failed` for errors and bugs, `cancelled` for a cancel, `interrupted` when the process ends.
    """
    if isinstance(problem, Cancelled | KeyboardInterrupt):
        return "cancelled", "cancelled"
    if not isinstance(problem, Exception):
        return "interrupted", "interrupted"
    return "failed", f"{type(problem).__name__}: {problem}"


class NothingToDo(BottegaError):
    """The request is valid and there is nothing to work on; no run was begun."""

    exit_code = 0


class GateFailed(BottegaError):
    """The work is done, and its gate failed."""

    exit_code = 1


class Incomplete(BottegaError):
    """Part of the work is done, and the message says which."""

    exit_code = 4


class UsageError(BottegaError):
    """An error that the user can fix: in the arguments, the input, the settings or a pipeline."""

    exit_code = 2


class InputError(UsageError):
    """The request is invalid."""


class SettingsError(UsageError):
    """A settings file, variable or flag has an invalid value."""


class PipelineError(UsageError):
    """A pipeline file is invalid."""


class StorageError(BottegaError):
    """Reading or writing `.bottega/` or the user's cache failed."""


class SandboxError(BottegaError):
    """A command cannot be run safely here."""


class ModelError(BottegaError):
    """A call of `model` failed."""

    def __init__(self, model: str, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.model = model


class ModelUnreachable(ModelError):
    """The server does not answer at its address."""

    def __init__(self, model: str, url: str) -> None:
        super().__init__(model, f"{model} did not answer at {url}")
        self.hint = "Start the server, or pick another model with --model."


class ModelTimeout(ModelError):
    """The whole reply took longer than the call may take."""

    def __init__(self, model: str, seconds: float) -> None:
        super().__init__(model, f"{model} gave no answer within {seconds:g} s")
        self.hint = "Raise --timeout, or pick a smaller model with --model."


class ModelBusy(ModelError):
    """The server is over its rate limit (429); `retry_after` is the wait in seconds it asked for, if any."""

    def __init__(self, model: str, *, retry_after: float | None = None) -> None:
        super().__init__(model, f"{model} is over its rate limit")
        self.hint = "Wait a little, or pick another model with --model."
        self.retry_after = retry_after


class ModelRefused(ModelError):
    """Authentication or permission failed; a retry cannot help."""

    def __init__(self, model: str, detail: str, *, key: str = "") -> None:
        super().__init__(model, f"{model} refused the request: {detail}")
        self.hint = f"Check the key in {key}." if key else "Check the key or the permissions of this account."


class ModelMissing(ModelError):
    """The server does not have the model, or the weights are not on this machine."""


class ModelFault(ModelError):
    """The server failed (5xx) or its answer does not follow the protocol; `passing` says that a retry may help."""

    def __init__(self, model: str, detail: str, *, hint: str = "", passing: bool = True) -> None:
        super().__init__(model, f"{model} failed: {detail}", hint=hint or "See the server's own log.")
        self.passing = passing


class ReplyCut(ModelError):
    """The connection ended in the middle of a reply."""

    def __init__(self, model: str) -> None:
        super().__init__(model, f"{model} stopped in the middle of its reply")
        self.hint = "`bottega resume last` goes on from here."


class ReplyTooLarge(ModelError):
    """Headers, one event or the whole reply exceed the size limit."""

    def __init__(self, model: str, what: str, limit: int) -> None:
        size = f"{limit // 2**20} MiB" if limit >= 2**20 else f"{limit // 2**10} KiB"
        super().__init__(model, f"{model} sent {what} of more than {size}; the rest was not read")
        self.hint = "Check that base_url is the address of a model server, or pick another model with --model."


class PromptTooLong(ModelError):
    """The prompt and the reserved reply exceed the model's context window; nothing was sent."""

    exit_code = 2


class PromptTruncated(ModelError):
    """The server read less of the prompt than was sent, so that its reply answers another prompt."""

    def __init__(self, model: str, sent: int, read: int) -> None:
        super().__init__(model, f"{model} read {read} tokens of a prompt of about {sent}: the server cut it silently")
        self.hint = "Give the server a larger window, or lower context_window for this model."


class ReplyRejected(ModelError):
    """Two replies in a row broke the contract; `text` is the last reply and `reason` what is wrong with it."""

    def __init__(self, model: str, reason: str, text: str) -> None:
        super().__init__(model, f"{model} did not keep to the form asked for: {reason}")
        self.hint = "A larger model usually helps; `bottega runs show last --calls` prints both replies."
        self.reason = reason
        self.text = text


class BreakerOpen(ModelError):
    """The circuit breaker is open: the model failed too often in a row and is not called for a while."""

    def __init__(self, model: str, seconds: float) -> None:
        super().__init__(model, f"{model} failed repeatedly and is left alone for {seconds:.0f} s")
        self.hint = "Try later, or pick another model with --model."


class CeilingReached(ModelError):
    """The run reached a ceiling of tokens, cost or time."""

    def __init__(self, model: str, what: str) -> None:
        super().__init__(model, f"the run reached its ceiling: {what}")
        self.hint = "Raise it under [limits], then `bottega resume last`."
