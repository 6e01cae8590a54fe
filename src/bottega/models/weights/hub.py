"""Downloads weights from the model's home page over HTTPS, and resumes an interrupted download."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

from bottega.models.weights.job import Job, SourceFailed
from bottega.models.weights.partial import PartialFile

if TYPE_CHECKING:
    import httpx2

    from bottega.models.http import CallBudget

_ATTEMPTS = 5
_REDIRECTS = 5
_CONNECT_SECONDS = 5  # short, so that a machine without internet reaches the next source quickly
_RESPONSE_SECONDS = 30  # until the headers of each response, redirects included
_MIN_PROGRESS_BYTES = 256 * 1024  # that must arrive in every `Job.stall_seconds`


def fetch(job: Job) -> None:
    """Download the file. A cut connection is resumed, as long as each attempt delivers something."""
    with _open_client(job.weights.hub) as client, PartialFile(job) as partial:
        partial.resume()
        for _ in range(_ATTEMPTS):
            if partial.done == job.weights.size or _attempt(client, job, partial):
                partial.finish()
                return
        raise SourceFailed(f"the connection was cut {_ATTEMPTS} times; the partial file is kept")


def _open_client(url: str) -> httpx2.Client:
    from bottega.models.http import open_client

    try:
        return open_client(url, trust_env=True)
    except (OSError, ImportError, ValueError) as error:  # bad certificates or proxies in the environment
        raise SourceFailed(f"no connection can be set up: {error}") from error


def _attempt(client: httpx2.Client, job: Job, partial: PartialFile) -> bool:
    """Whether the response was complete; False if it was cut after delivering something."""
    import httpx2

    from bottega.models.http import HeadersTooLarge, call_budget

    before = partial.done
    seconds = min(_RESPONSE_SECONDS, job.stall_seconds)
    try:
        with (
            call_budget(seconds) as budget,
            closing(_request(client, job.weights.hub, partial.done, budget)) as response,
        ):
            _check_response(response, job, partial)
            _write(response, partial, budget, job.stall_seconds)
    except HeadersTooLarge as error:
        raise SourceFailed("its headers are too large") from error
    except httpx2.HTTPError as error:
        if partial.done == before:
            raise SourceFailed(_describe_error(error, httpx2.URL(job.weights.hub).host)) from error
        return False
    return True


def _write(response: httpx2.Response, partial: PartialFile, budget: CallBudget, stall_seconds: float) -> None:
    """Write what arrives. Every `_MIN_PROGRESS_BYTES` have a deadline, so a trickle of bytes cannot go on forever."""
    budget.extend(stall_seconds)
    reached = partial.done
    for chunk in response.iter_raw():
        partial.write(chunk, "download")
        if partial.done - reached >= _MIN_PROGRESS_BYTES:
            budget.extend(stall_seconds)
            reached = partial.done


def _request(client: httpx2.Client, url: str, offset: int, budget: CallBudget) -> httpx2.Response:
    import httpx2

    headers = {"User-Agent": "bottega", "Accept-Encoding": "identity"}
    timeout = httpx2.Timeout(_RESPONSE_SECONDS, connect=_CONNECT_SECONDS)
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


def _check_response(response: httpx2.Response, job: Job, partial: PartialFile) -> None:
    """Raise `SourceFailed` for what cannot be the file; start over where the server does not know ranges."""
    if response.status_code not in (200, 206):
        raise SourceFailed(f"{response.url.host} answered {response.status_code} {response.reason_phrase}")
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise SourceFailed("it compresses the file, although it was asked not to")
    start = _read_offset(response)
    length = response.headers.get("Content-Length")
    if length is not None and start + _parse_number(length) != job.weights.size:
        raise SourceFailed(f"it offers {start + _parse_number(length):,} bytes where {job.weights.size:,} are expected")
    if start == 0 and partial.done:
        partial.restart()
    elif start != partial.done:
        raise SourceFailed(f"asked to resume at byte {partial.done}, it resumed at {start}")


def _read_offset(response: httpx2.Response) -> int:
    if response.status_code == 200:
        return 0
    stated = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    if stated is None:
        raise SourceFailed("it sent a range without a Content-Range header")
    return _parse_number(stated[1])


def _parse_number(digits: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", digits):
        raise SourceFailed("it states a length that is not a number of bytes")
    return int(digits)


def _describe_error(error: httpx2.HTTPError, host: str) -> str:
    import httpx2

    what = "could not be reached" if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout) else "broke off"
    return f"{host} {what}: {str(error) or type(error).__name__}"
