"""The HTTP client of all providers: it limits the size and time of responses and translates errors."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import httpx2

from bottega.cancellation import current_cancellation
from bottega.errors import ModelFault, ModelTimeout, ModelUnreachable, ReplyCut, ReplyTooLarge
from bottega.models.http.budget import HeadersTooLarge, OutOfTime, call_budget, current_budget
from bottega.models.http.fields import JsonObject, WrongReply, object_field, parse_object
from bottega.models.http.limits import (
    DOCUMENT_BYTES,
    ERROR_BYTES,
    ERROR_SECONDS,
    EVENT_BYTES,
    HEADER_BYTES,
    REPLY_BYTES,
)
from bottega.models.http.lines import EventTooLarge
from bottega.models.http.network import open_client
from bottega.models.http.server_text import clean_server_text

_CONNECT_SECONDS = 10.0


class UnsendableRequest(Exception):
    """A URL or a header that cannot be encoded for HTTP."""


class StatusError(Exception):
    """The server answered with an error; `detail` is its own message, cleaned and shortened."""

    def __init__(self, status: int, detail: str, kind: str = "", retry_after: str = "") -> None:
        super().__init__(f"{status} {detail}")
        self.status = status
        self.detail = detail
        self.kind = kind
        self.retry_after = retry_after


class HttpClient:
    """Speaks to one server for one model.

    Raises `ModelError`s, and `StatusError` for the provider to explain. Every call has `seconds` in total, from the
    name look-up to the last byte. Replies are asked for uncompressed, and a compressed one is refused unread.
    """

    def __init__(self, model: str, base_url: str, *, seconds: float, headers: Mapping[str, str], protocol: str) -> None:
        self._model = model
        self._base_url = base_url.rstrip("/")
        self._seconds = seconds
        self._headers = {"User-Agent": "bottega", "Accept-Encoding": "identity", **headers}
        self._protocol = protocol
        self._opened: httpx2.Client | None = None
        self._lock = threading.Lock()

    @contextmanager
    def stream(self, path: str, body: JsonObject) -> Iterator[Iterator[bytes]]:
        """POST, and yield the chunks of the response as they arrive. What the block raises is translated as well."""
        with self.translated_errors(), call_budget(self._seconds), self._response("POST", path, body) as response:
            yield self._chunks(response, REPLY_BYTES, "a reply")

    def post(self, path: str, body: JsonObject) -> JsonObject:
        return self._document("POST", path, body)

    def get(self, path: str) -> JsonObject:
        return self._document("GET", path, None)

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _document(self, method: str, path: str, body: JsonObject | None) -> JsonObject:
        with self.translated_errors(), call_budget(self._seconds), self._response(method, path, body) as response:
            return parse_object(b"".join(self._chunks(response, DOCUMENT_BYTES, "an answer")))

    @contextmanager
    def _response(self, method: str, path: str, body: JsonObject | None) -> Iterator[httpx2.Response]:
        client = self._client()
        request = self._request(client, method, path, body)
        budget = current_budget()
        assert budget is not None
        with budget.awaiting_headers():
            response = client.send(request, stream=True)
        try:
            self._check_headers(response)
            if not response.is_success:
                raise _status_error(response)
            yield response
        finally:
            response.close()

    def _request(self, client: httpx2.Client, method: str, path: str, body: JsonObject | None) -> httpx2.Request:
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        timeout = httpx2.Timeout(self._seconds, connect=min(_CONNECT_SECONDS, self._seconds))
        headers = self._headers | ({} if body is None else {"Content-Type": "application/json"})
        try:
            url = f"{self._base_url}{path}"
            return client.build_request(method, url, content=content, headers=headers, timeout=timeout)
        except (UnicodeError, httpx2.InvalidURL) as error:
            raise UnsendableRequest from error

    def _client(self) -> httpx2.Client:
        """Opened by the first call: loading certificates takes time, and proxy variables may be invalid."""
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
            return self._opened

    def _open(self) -> httpx2.Client:
        try:
            return open_client(self._base_url)
        except (OSError, ImportError, ValueError) as error:
            detail = f"no connection can be set up: {clean_server_text(str(error))}"
            hint = "Check the variables for proxies and certificates."
            raise ModelFault(self._model, detail, hint=hint, passing=False) from error

    def _check_headers(self, response: httpx2.Response) -> None:
        if sum(len(name) + len(value) for name, value in response.headers.raw) > HEADER_BYTES:
            raise HeadersTooLarge
        if response.is_success and not _is_plain(response):
            raise WrongReply("it compresses a reply that was asked for uncompressed")

    def _chunks(self, response: httpx2.Response, limit: int, what: str) -> Iterator[bytes]:
        budget = current_budget()
        assert budget is not None
        size = 0
        for chunk in response.iter_raw():
            budget.remaining()
            size += len(chunk)
            if size > limit:
                raise ReplyTooLarge(self._model, what, limit)
            yield chunk

    @contextmanager
    def translated_errors(self) -> Iterator[None]:
        """Turn what goes wrong inside the block into a `ModelError`, or into `Cancelled` once the run is cancelled.

        `WrongReply` of fields that are read inside the block is translated as well.
        """
        try:
            with current_cancellation().interrupting(_leave_to_sockets):
                yield
        except (httpx2.TimeoutException, OutOfTime) as error:
            raise ModelTimeout(self._model, self._seconds) from error
        except (httpx2.RemoteProtocolError, httpx2.ReadError) as error:
            raise ReplyCut(self._model) from error
        except (httpx2.LocalProtocolError, UnsendableRequest) as error:
            raise ModelFault(self._model, "its address or key cannot be sent over HTTP", passing=False) from error
        except httpx2.HTTPError as error:
            raise ModelUnreachable(self._model, self._base_url) from error
        except HeadersTooLarge as error:
            raise ReplyTooLarge(self._model, "headers", HEADER_BYTES) from error
        except EventTooLarge as error:
            raise ReplyTooLarge(self._model, "one event", EVENT_BYTES) from error
        except WrongReply as error:
            raise ModelFault(self._model, f"it does not speak {self._protocol}: {error}") from error


def _leave_to_sockets() -> None:
    """Nothing to interrupt here: each blocking operation of a connection ends by itself when the run is cancelled."""


def _is_plain(response: httpx2.Response) -> bool:
    return response.headers.get("content-encoding", "identity").strip().lower() in {"", "identity"}


def _status_error(response: httpx2.Response) -> StatusError:
    """The error of a status; its body is read within limits of its own, and ignored if it exceeds them."""
    body = bytearray()
    with suppress(httpx2.HTTPError, OutOfTime), call_budget(ERROR_SECONDS):
        for chunk in response.iter_raw() if _is_plain(response) else ():
            body += chunk[: ERROR_BYTES - len(body)]
            if len(body) >= ERROR_BYTES:
                break
    detail, kind = _error_message(bytes(body))
    header = response.headers.get("retry-after", "")
    return StatusError(response.status_code, detail or clean_server_text(response.reason_phrase), kind, header)


def _error_message(body: bytes) -> tuple[str, str]:
    """Message and kind of an error body, in any of the shapes that servers use."""
    try:
        content: JsonObject = parse_object(body)
    except WrongReply:
        return clean_server_text(body.decode("utf-8", "replace")), ""
    return error_detail(content)


def error_detail(content: Mapping[str, Any]) -> tuple[str, str]:
    """Message and kind from `{"error": {"message": …, "type": …}}`, `{"error": …}` or `{"message": …}`."""
    inner = content.get("error", content)
    if isinstance(inner, str):
        return clean_server_text(inner), ""
    with suppress(WrongReply):
        table = object_field({"error": inner}, "error")
        message, kind = table.get("message"), table.get("type")
        return clean_server_text(message if isinstance(message, str) else ""), kind if isinstance(kind, str) else ""
    return "", ""
