"""The second stage of search: the function that is asked for, with its own name and lines."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.retrieve import SearchRequest, SearchResult
from bottega.testing import scripted_workshop

ROUTING = '''"""Routes."""


class Route:
    """A path that leads to an endpoint."""

    def matches(self, scope):
        if scope["type"] == "http":
            return self.pattern.match(scope["path"])

    def url_for(self, name):
        return self.pattern.format(name)


class WebSocketRoute:
    """A path for a web socket."""

    def matches(self, scope):
        if scope["type"] == "websocket":
            return self.pattern.match(scope["path"])

    def handle(self, scope):
        raise LookupError(scope)


def compile_path(path):
    """Turn a path template into a pattern."""
    return path.replace("{", "(").replace("}", ")")
'''
COOKIES = '''"""Cookies."""

SAME_SITE = "lax"


def sign(value, key):
    return f"{value}.{key}"


def expire(cookie):
    """Make a cookie end in the past."""
    cookie.max_age = 0
    return cookie
'''


SESSIONS = """from cookies import sign


def store(session):
    return sign(session.id, KEY)
"""
LEDGER = """def sign(cheque):
    return cheque.amount
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("web")
    (place / "routing.py").write_text(ROUTING)
    (place / "cookies.py").write_text(COOKIES)
    (place / "guide.md").write_text("# Routes\n\nPaths.\n\n## Sockets\n\nA websocket needs a route.\n")
    (place / "sessions.py").write_text(SESSIONS)
    (place / "ledger.py").write_text(LEDGER)
    subprocess.run(["git", "init", "-q"], cwd=place, check=True)
    return place


def search(root: Path, query: str, **more: object) -> SearchResult:
    with scripted_workshop(root, {}) as workshop:
        result = workshop.call(SearchRequest.model_validate({"query": query, **more}))
    assert isinstance(result, SearchResult)
    return result


def names(result: SearchResult) -> list[str]:
    return [hit.symbol for hit in result.hits]


def test_the_function_is_found_and_not_the_first_name_of_its_chunk(root: Path) -> None:
    assert names(search(root, "how is a websocket path matched", by="symbol"))[0] == "WebSocketRoute.matches"
    assert names(search(root, "end a cookie in the past", by="symbol"))[0] == "expire"


def test_a_hit_has_the_lines_of_its_symbol_and_shows_its_first_line(root: Path) -> None:
    hit = search(root, "expire a cookie").hits[0]
    lines = COOKIES.split("\n")
    assert (hit.symbol, hit.span.path) == ("expire", "cookies.py")
    assert lines[hit.span.first - 1] == "def expire(cookie):"
    assert hit.excerpt[0].text == "def expire(cookie):"


def test_files_keep_their_order_and_have_at_most_three_symbols_each(root: Path) -> None:
    result = search(root, "route path")
    paths = [hit.span.path for hit in result.hits]
    assert paths[0] == "routing.py"
    assert paths == sorted(paths, key=paths.index)
    assert max(map(paths.count, paths)) <= 3
    assert not {(a.symbol, b.symbol) for a in result.hits for b in result.hits if a.node != b.node and _overlap(a, b)}


def _overlap(a: object, b: object) -> bool:
    one, other = a.span, b.span  # type: ignore[attr-defined]  # both are hits
    return bool(one.path == other.path and one.first <= other.last and other.first <= one.last)


def test_a_qualified_name_leads_to_the_one_of_that_class(root: Path) -> None:
    assert names(search(root, "WebSocketRoute.matches"))[0] == "WebSocketRoute.matches"
    assert names(search(root, "Route.matches"))[0] == "Route.matches"


def test_a_frame_of_an_installed_package_leads_to_the_function_in_the_repository(root: Path) -> None:
    frame = 'File "/usr/lib/python3/site-packages/web/cookies.py", line 7, in sign\n    return value\nTypeError: str'
    hit = search(root, f"It fails\n\nTraceback (most recent call last):\n  {frame}\nand so on", by="symbol").hits[0]
    assert (hit.symbol, "frame" in hit.signals) == ("sign", True)


FRAMES = {
    "Python": '  File "/usr/lib/site-packages/web/sessions.py", line 5, in store\n    return sign(session.id, KEY)\n',
    "pytest": "web/sessions.py:5: in store\n    return sign(session.id, KEY)\n",
}


def find_frames(root: Path, *frames: str) -> dict[str, tuple[float, float]]:
    """What frames, and calls in them, gave to each symbol."""
    text = f"It fails\n\nTraceback (most recent call last):\n{''.join(frames)}TypeError: no key"
    hits = search(root, text, by="symbol").hits
    return {
        f"{hit.span.path} {hit.symbol}": (hit.signals.get("frame", 0.0), hit.signals.get("frame_call", 0.0))
        for hit in hits
    }


def test_frames_outside_of_the_repository_do_not_push_back_the_last_one_inside(root: Path) -> None:
    outside = '  File "/usr/lib/python3/hmac.py", line 40, in digest\n    return _digest(key)\n'
    assert find_frames(root, FRAMES["Python"], outside * 4) == find_frames(root, FRAMES["Python"])


@pytest.mark.parametrize("form", FRAMES)
def test_a_frame_and_what_its_failing_line_calls_are_found_and_no_namesake(root: Path, form: str) -> None:
    found = find_frames(root, FRAMES[form])
    assert found["sessions.py store"][0] > 0
    assert found["cookies.py sign"][1] > 0
    assert found["ledger.py sign"] == (0.0, 0.0)


def test_lines_outside_of_any_symbol_are_shown_as_lines_of_the_file(root: Path) -> None:
    hit = search(root, "SAME_SITE lax").hits[0]
    assert (hit.span.path, hit.symbol in {"", "SAME_SITE"}) == ("cookies.py", True)


def test_only_symbols_of_a_kind_are_found_when_one_is_asked_for(root: Path) -> None:
    assert set(names(search(root, "path", kind="class"))) == {"Route", "WebSocketRoute"}
    assert {hit.kind for hit in search(root, "route", kind="section").hits} == {"section"}


def test_full_prints_whole_symbols_and_context_the_lines_around(root: Path) -> None:
    whole = search(root, "expire a cookie", full=True).hits[0]
    assert [line.number for line in whole.excerpt] == list(range(whole.span.first, whole.span.last + 1))
    some, more = (search(root, "sign value", context=n).hits[0].excerpt for n in (0, 2))
    assert len(more) > len(some)


def test_the_signals_of_symbol_and_file_add_up_to_their_scores(root: Path) -> None:
    for hit in search(root, "compile a path template").hits:
        assert sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-3)
        assert sum(hit.file_signals.values()) == pytest.approx(hit.file_score, abs=1e-3)


def test_a_search_that_finds_nothing_fails_its_gate(root: Path) -> None:
    assert search(root, "xylophone", mode="bm25").gate == "failed"
    assert search(root, "cookie").gate == "passed"


def test_a_path_that_matches_no_file_is_an_error(root: Path) -> None:
    with pytest.raises(InputError, match="no indexed file is at 'middleware'"):
        search(root, "cookie", path="middleware")


def test_the_text_of_an_error_message_leads_to_the_lines_that_contain_it(tmp_path: Path) -> None:
    (tmp_path / "errors.go").write_text(
        'package tea\n\nimport "errors"\n\nvar ErrKilled = errors.New("program was killed")\n'
        'var ErrGone = errors.New("window is gone")\n\nfunc Kill(program string) error {\n\treturn nil\n}\n'
    )
    (tmp_path / "run.go").write_text("package tea\n\nfunc Run(program string) error {\n\treturn Kill(program)\n}\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    result = search(tmp_path, "program was killed")
    assert ("ErrKilled", 5) in [(hit.symbol, hit.span.first) for hit in result.hits]
    assert ["literal" in hit.signals for hit in result.hits if hit.symbol == "ErrKilled"] == [True]


def test_words_that_no_file_has_find_nothing(root: Path) -> None:
    result = search(root, "zzzqqq")
    assert (result.hits, result.gate) == ((), "failed")
    assert "--mode semantic" in result.notes[0]
    assert search(root, "zzzqqq route").hits


def test_tests_inside_the_file_of_the_code_come_after_it(tmp_path: Path) -> None:
    (tmp_path / "diff.rs").write_text(
        "pub fn changed_lines(file: &str) -> usize {\n    file.len()\n}\n\n#[cfg(test)]\nmod tests {\n"
        "    #[test]\n    fn changed_lines_of_a_file() {\n        assert_eq!(super::changed_lines(f), 2);\n    }\n}\n"
    )
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    hits = search(tmp_path, "which lines of a file changed", by="symbol").hits
    assert [(hit.symbol, "is_aside" in hit.signals) for hit in hits[:2]] == [
        ("changed_lines", False),
        ("tests.changed_lines_of_a_file", True),
    ]
    assert not any("is_aside" in hit.signals for hit in search(tmp_path, "test of changed lines", by="symbol").hits)


def test_joined_words_match_names_of_several_parts(root: Path) -> None:
    found = {hit.symbol: hit.signals for hit in search(root, "websocket route match", by="symbol").hits}
    owner, other = found["WebSocketRoute.matches"], found["Route.matches"]
    assert owner["owner_coverage"] == other["owner_coverage"] > 0


ISSUE = """`WebSocketRoute` ignores the cookie that sign made

A path for a web socket is matched although the signature of the cookie is wrong.
The value of `sign` should be compared.
"""


def find_signals(root: Path, query: str) -> dict[str, dict[str, float]]:
    return {hit.symbol: hit.signals for hit in search(root, query, by="symbol", limit=50).hits}


def test_members_of_a_named_class_and_callers_of_the_best_symbols_gain(root: Path) -> None:
    signals = find_signals(root, ISSUE)
    assert signals["WebSocketRoute.handle"]["named_class"] > 0
    assert "named_class" not in signals["Route.url_for"]
    assert signals["store"]["calls_best"] > 0
    assert "calls_best" not in signals["expire"]


def test_a_constant_that_the_query_writes_ranks_before_functions(root: Path) -> None:
    assert search(root, "SAME_SITE lax", by="symbol").hits[0].span.path == "cookies.py"
    assert names(search(root, "cookie lax", by="symbol"))[0] in {"expire", "sign"}
