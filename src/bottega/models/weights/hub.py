"""The model's official home, over HTTPS, going on where an earlier pull stopped."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

from bottega.models.weights.job import Job, SourceFailed
from bottega.models.weights.partial import Partial

if TYPE_CHECKING:
    import httpx

_ATTEMPTS = 5
_REDIRECTS = 5
_CONNECT_SECONDS = 5  # a machine without internet is to reach the next source quickly
_SILENCE_SECONDS = 30


def fetch(job: Job) -> None:
    """Bring the file; a cut connection is taken up again as long as each attempt brings something."""
    with _client() as client, Partial(job) as partial:
        partial.take_up()
        for _ in range(_ATTEMPTS):
            if partial.done == job.weights.size or _attempt(client, job, partial):
                partial.finish()
                return
        raise SourceFailed(f"the connection was cut {_ATTEMPTS} times; what came is kept")


def _client() -> httpx.Client:
    import httpx

    timeout = httpx.Timeout(_SILENCE_SECONDS, connect=_CONNECT_SECONDS)
    headers = {"User-Agent": "bottega", "Accept-Encoding": "identity"}
    try:
        return httpx.Client(timeout=timeout, headers=headers)
    except (OSError, ImportError, ValueError) as error:  # certificates and proxies, from the environment
        raise SourceFailed(f"no connection can be set up: {error}") from error


def _attempt(client: httpx.Client, job: Job, partial: Partial) -> bool:
    """Whether the answer came to its end; False when it was cut after bringing something."""
    import httpx

    before = partial.done
    try:
        with closing(_answer(client, job.weights.hub, partial.done)) as response:
            _check(response, job, partial)
            for chunk in response.iter_raw():
                partial.write(chunk, "download")
    except httpx.HTTPError as error:
        if partial.done == before:
            raise SourceFailed(_reason(error, httpx.URL(job.weights.hub).host)) from error
        return False
    return True


def _answer(client: httpx.Client, url: str, offset: int) -> httpx.Response:
    request = client.build_request("GET", url, headers={"Range": f"bytes={offset}-"} if offset else {})
    for _ in range(_REDIRECTS):
        response = client.send(request, stream=True)
        if response.next_request is None:
            return response
        response.close()
        request = response.next_request
        if request.url.scheme != "https":
            raise SourceFailed(f"it redirects to {request.url.scheme}://{request.url.host}, which is not https")
    raise SourceFailed(f"it redirects more than {_REDIRECTS} times")


def _check(response: httpx.Response, job: Job, partial: Partial) -> None:
    """Refuse what cannot be the file before a byte of it is written; start anew where ranges are unknown."""
    if response.status_code not in (200, 206):
        raise SourceFailed(f"{response.url.host} answered {response.status_code} {response.reason_phrase}")
    start = _first_byte(response)
    length = response.headers.get("Content-Length")
    if length is not None and start + int(length) != job.weights.size:
        raise SourceFailed(f"it offers {start + int(length):,} bytes where {job.weights.size:,} are expected")
    if start == 0 and partial.done:
        partial.restart()
    elif start != partial.done:
        raise SourceFailed(f"asked to go on from byte {partial.done}, it went on from {start}")


def _first_byte(response: httpx.Response) -> int:
    if response.status_code == 200:
        return 0
    stated = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    if stated is None:
        raise SourceFailed("it sent a range without saying which")
    return int(stated[1])


def _reason(error: httpx.HTTPError, host: str) -> str:
    import httpx

    what = "could not be reached" if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) else "broke off"
    return f"{host} {what}: {str(error) or type(error).__name__}"
