"""What reviewers invent is removed or lowered, and what is true is left alone."""

from __future__ import annotations

from typing import Any

import pytest

from bottega.review.filtering import FilterResult, filter_inventions
from bottega.review.findings import Finding
from bottega.source import Span, parse_diff

DIFF = parse_diff(
    """diff --git a/app/[slug]/page.tsx b/app/[slug]/page.tsx
--- a/app/[slug]/page.tsx
+++ b/app/[slug]/page.tsx
@@ -100,4 +100,5 @@ function Page()
 const shown = props.items;
-if (!user.isAdmin) return null;
+const first = shown[0].name;
+log(first);
 return render(first);
 }
@@ -300,3 +301,2 @@ function Foot()
 const a = 1;
-verifySignature(request);
 const b = 2;
diff --git a/Dockerfile b/Dockerfile
new file mode 100644
--- /dev/null
+++ b/Dockerfile
@@ -0,0 +1,3 @@
+FROM debian
+USER root
+RUN true
"""
)
PAGE = "app/[slug]/page.tsx"
USER = Span("Dockerfile", 2, 2)


def one(**changes: Any) -> Finding:
    given: dict[str, Any] = {
        "id": "",
        "title": "the first item may be missing",
        "span": Span(PAGE, 101, 101),
        "severity": "CRITICAL",
        "problem": "`shown[0].name` fails when there are no items",
        "confidence": 80,
        "quotes": ("const first = shown[0].name;",),
        **changes,
    }
    return Finding(**given)


def stages(result: FilterResult) -> list[str]:
    return [step.stage for finding in result.kept for step in finding.trace]


def kept(**changes: Any) -> bool:
    """Untouched by the four checks."""
    result = filter_inventions([one(**changes)], DIFF)
    return not result.dropped and not {"quotes", "direction"} & set(stages(result))


def test_a_true_finding_is_left_alone() -> None:
    assert kept()
    assert kept(span=USER, quotes=("USER root",), problem="runs as root", title="root")


@pytest.mark.parametrize("path", ["app/page.tsx", "unknown", "page.tsx", "/etc/passwd", "app/[slug]/other.tsx"])
def test_a_file_that_is_not_in_the_change(path: str) -> None:
    result = filter_inventions([one(span=Span(path, 101, 101))], DIFF)
    assert not result.kept
    assert result.dropped[0].reason == f"{path} is not in the diff"


@pytest.mark.parametrize(
    ("first", "last", "fits"),
    [
        (90, 90, True),
        (89, 89, False),
        (114, 114, True),
        (115, 115, False),
        (200, 210, False),
        (95, 400, True),
        (1, 2, False),
    ],
)
def test_lines_more_than_ten_away_from_every_change(first: int, last: int, fits: bool) -> None:
    result = filter_inventions([one(span=Span(PAGE, first, last))], DIFF)
    assert bool(result.kept) == fits
    assert fits or "outside of every change" in result.dropped[0].reason


def test_more_than_half_of_the_quotes_invented_halves() -> None:
    real, made_up = "const first = shown[0].name;", "db.execute(user_input)"
    assert kept(quotes=(real, made_up))
    result = filter_inventions([one(quotes=(made_up,))], DIFF)
    assert stages(result) == ["quotes", "evidence"]
    assert result.kept[0].trace[0].confidence == 40
    assert not kept(quotes=(real, made_up, "eval(code)"))
    assert not kept(quotes=(), problem="here `os.system(command)` is called")


def test_quotes_may_carry_the_prompts_numbers_and_signs() -> None:
    for quote in (
        "  101 + const first = shown[0].name;",
        "+const first = shown[0].name;",
        "const first   =  shown[0].name;",
        "+const first = shown[0].name;\n+log(first);",
        "-if (!user.isAdmin) return null;",
    ):
        assert kept(quotes=(quote,)), quote


def test_a_finding_near_its_quote_is_moved_to_it() -> None:
    [moved] = filter_inventions([one(span=Span(PAGE, 104, 104))], DIFF).kept
    assert (moved.span, moved.trace[0].stage) == (Span(PAGE, 101, 101), "place")
    [stays] = filter_inventions([one(span=Span(PAGE, 104, 104), quotes=("const",))], DIFF).kept
    assert stays.span.first == 104


def test_what_reviewers_were_shown_beside_the_change_is_no_invention() -> None:
    finding = one(quotes=("leave() calls it",))
    assert stages(filter_inventions([finding], DIFF, "impact: leave() calls it")) == ["evidence"]


class TestDirection:
    def test_added_where_lines_are_only_removed(self) -> None:
        said = {"span": Span(PAGE, 302, 302), "quotes": ("verifySignature(request);",)}
        assert not kept(title="adds a check", problem="`verifySignature(request)` is added without need", **said)
        assert kept(title="the check is gone", problem="`verifySignature(request)` was removed", **said)

    def test_removed_where_lines_are_only_added(self) -> None:
        said = {"span": USER, "quotes": ("USER root",)}
        assert not kept(title="the user is removed", problem="the line that sets the user was deleted", **said)

    def test_missing_is_not_removed(self) -> None:
        said = {"span": USER, "quotes": ("USER root",)}
        assert kept(title="missing limit", problem="a limit is missing here, no check is made", **said)

    def test_in_a_hunk_with_both_the_quoted_line_decides(self) -> None:
        assert kept(
            title="removes the guard", problem="the check is dropped", quotes=("if (!user.isAdmin) return null;",)
        )
        assert not kept(title="removes the log", problem="`log(first)` was removed", quotes=("log(first);",))
        assert not kept(
            title="introduces a guard", problem="newly returns null", quotes=("if (!user.isAdmin) return null;",)
        )

    def test_a_sentence_about_both_claims_neither(self) -> None:
        assert kept(title="replaced", problem="the guard was removed and `log(first)` added", quotes=("log(first);",))

    def test_another_hunk_of_the_file_does_not_speak_for_this_one(self) -> None:
        assert not kept(
            title="a new variable",
            problem="adds a needless call",
            span=Span(PAGE, 302, 302),
            quotes=("verifySignature(request);",),
        )


def test_what_tools_say_is_theirs() -> None:
    finding = one(span=Span("elsewhere.py", 101, 101), source="tool")
    assert filter_inventions([finding], DIFF).kept == (finding,)


def test_a_well_argued_finding_keeps_more() -> None:
    poor = filter_inventions([one(problem="bad", quotes=())], DIFF).kept[0]
    rich = filter_inventions(
        [
            one(
                problem="In page.tsx line 101 `shown[0].name` is read although `props.items` may be empty, so render()"
                " throws for every visitor without items. " + "It happens for each new user. " * 8,
                quotes=("const first = shown[0].name;", "const shown = props.items;", "return render(first);"),
            )
        ],
        DIFF,
    ).kept[0]
    assert poor.confidence == 56
    assert rich.confidence == 80
