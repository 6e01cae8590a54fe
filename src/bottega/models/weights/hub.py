"""The model's official home, over HTTPS, going on where an earlier pull stopped."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

from bottega.models.weights.job import Job, SourceFailed
from bottega.models.weights.partial import Partial

if TYPE_CHECKING:
    import httpx2

    from bottega.models.http import CallBudget

_ATTEMPTS = 5
_REDIRECTS = 5
_CONNECT_SECONDS = 5  # a machine without internet is to reach the next source quickly
_ANSWER_SECONDS = 30  # for each answer's headers, redirects included
_STALL_BYTES = 256 * 1024  # what each stretch of `Job.stall_seconds` has to bring


def fetch(job: Job) -> None:
    """Bring the file; a cut connection is taken up again as long as each attempt brings something."""
    with _client(job.weights.hub) as client, Partial(job) as partial:
        partial.take_up()
        for _ in range(_ATTEMPTS):
            if partial.done == job.weights.size or _attempt(client, job, partial):
                partial.finish()
                return
        raise SourceFailed(f"the connection was cut {_ATTEMPTS} times; what came is kept")


def _client(url: str) -> httpx2.Client:
    from bottega.models.http import open_client

    try:
        return open_client(url, trust_env=True)
    except (OSError, ImportError, ValueError) as error:  # certificates and proxies, from the environment
        raise SourceFailed(f"no connection can be set up: {error}") from error


def _attempt(client: httpx2.Client, job: Job, partial: Partial) -> bool:
    """Whether the answer came to its end; False when it was cut after bringing something."""
    import httpx2

    from bottega.models.http import HeadersTooLarge, call_budget

    before = partial.done
    seconds = min(_ANSWER_SECONDS, job.stall_seconds)
    try:
        with call_budget(seconds) as budget, closing(_answer(client, job.weights.hub, partial.done, budget)) as answer:
            _check(answer, job, partial)
            _write(answer, partial, budget, job.stall_seconds)
    except HeadersTooLarge as error:
        raise SourceFailed("it sends headers without end") from error
    except httpx2.HTTPError as error:
        if partial.done == before:
            raise SourceFailed(_reason(error, httpx2.URL(job.weights.hub).host)) from error
        return False
    return True


def _write(answer: httpx2.Response, partial: Partial, budget: CallBudget, stall_seconds: float) -> None:
    """Write what arrives; each stretch of the file has a deadline, so that no trickle lasts for ever."""
    budget.extend(stall_seconds)
    reached = partial.done
    for chunk in answer.iter_raw():
        partial.write(chunk, "download")
        if partial.done - reached >= _STALL_BYTES:
            budget.extend(stall_seconds)
            reached = partial.done


def _answer(client: httpx2.Client, url: str, offset: int, budget: CallBudget) -> httpx2.Response:
    import httpx2

    headers = {"User-Agent": "bottega", "Accept-Encoding": "identity"}
    timeout = httpx2.Timeout(_ANSWER_SECONDS, connect=_CONNECT_SECONDS)
    ranged = {"Range": f"bytes={offset}-"} if offset else {}
    request = client.build_request("GET", url, headers=headers | ranged, timeout=timeout)
    for _ in range(_REDIRECTS):
        with budget.awaiting_headers():
            response = client.send(request, stream=True)
        if response.next_request is None:
            return response
        response.close()
        request = response.next_request
        if request.url.scheme != "https":
            raise SourceFailed(f"it redirects to {request.url.scheme}://{request.url.host}, which is not https")
    raise SourceFailed(f"it redirects more than {_REDIRECTS} times")


def _check(response: httpx2.Response, job: Job, partial: Partial) -> None:
    """Refuse what cannot be the file before a byte of it is written; start anew where ranges are unknown."""
    if response.status_code not in (200, 206):
        raise SourceFailed(f"{response.url.host} answered {response.status_code} {response.reason_phrase}")
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise SourceFailed("it compresses a file that was asked for as it is")
    start = _first_byte(response)
    length = response.headers.get("Content-Length")
    if length is not None and start + _number(length) != job.weights.size:
        raise SourceFailed(f"it offers {start + _number(length):,} bytes where {job.weights.size:,} are expected")
    if start == 0 and partial.done:
        partial.restart()
    elif start != partial.done:
        raise SourceFailed(f"asked to go on from byte {partial.done}, it went on from {start}")


def _first_byte(response: httpx2.Response) -> int:
    if response.status_code == 200:
        return 0
    stated = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    if stated is None:
        raise SourceFailed("it sent a range without saying which")
    return _number(stated[1])


def _number(digits: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", digits):
        raise SourceFailed("it states a length that is no number of bytes")
    return int(digits)


def _reason(error: httpx2.HTTPError, host: str) -> str:
    import httpx2

    what = "could not be reached" if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout) else "broke off"
    return f"{host} {what}: {str(error) or type(error).__name__}"
