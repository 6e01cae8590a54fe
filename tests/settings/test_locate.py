from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bottega.settings.locate import key_lines, line_of

TEXT = '''\
# a comment = 1
top = 1
dotted.key.path = 2
"quoted key" = 3
'single.quoted' . "more" = 4

[table]   # [not.this]
key = 5
inline = { first = 1, second = 2 }
array = [
  "key = 6",
  "x",
]

[ spaced . "table.with/dots" ]
key = 7
text = """
top = 8
[table]
key = 9
"""
literal = \'\'\'
[spaced]
other = 10\'\'\'
one_line = """top = 11"""
after = 12

[[list]]
name = 13
[[list]]
name = 14
[list.inner]
name = 15
'''


def test_every_key_and_table_has_its_line() -> None:
    assert key_lines(TEXT) == {
        ("top",): 2,
        ("dotted",): 3,
        ("dotted", "key"): 3,
        ("dotted", "key", "path"): 3,
        ("quoted key",): 4,
        ("single.quoted",): 5,
        ("single.quoted", "more"): 5,
        ("table",): 7,
        ("table", "key"): 8,
        ("table", "inline"): 9,
        ("table", "array"): 10,
        ("spaced",): 15,
        ("spaced", "table.with/dots"): 15,
        ("spaced", "table.with/dots", "key"): 16,
        ("spaced", "table.with/dots", "text"): 17,
        ("spaced", "table.with/dots", "literal"): 22,
        ("spaced", "table.with/dots", "one_line"): 25,
        ("spaced", "table.with/dots", "after"): 26,
        ("list",): 28,
        ("list", "name"): 29,
        ("list", "inner"): 32,
        ("list", "inner", "name"): 33,
    }


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("table", "key"), 8),
        (("table", "inline", "second"), 9),
        (("table", "absent"), 7),
        (("absent",), None),
        ((), None),
    ],
)
def test_a_path_without_a_line_of_its_own_is_where_its_table_is(path: tuple[str, ...], line: int | None) -> None:
    assert line_of(key_lines(TEXT), path) == line


def test_unicodes_own_line_separators_do_not_shift_lines() -> None:
    assert key_lines("# a\u2028b\u2029c\x85d\x0ce\nkey = 1\n") == {("key",): 2}


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("ab=.[]{}\"' \n#\\\u2028"), max_size=80))
def test_any_text_is_read_and_lines_lie_within_it(text: str) -> None:
    assert all(1 <= line <= text.count("\n") + 1 for line in key_lines(text).values())
