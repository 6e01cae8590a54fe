"""Every line belongs to one unit: a function, a class without its methods, a large value, or the module level."""

from __future__ import annotations

from bottega.index.analyse.file import analyse
from bottega.index.analyse.values import NOBODY, UNIT_FIELDS
from bottega.source.words import terms_of

PYTHON = '''"""The harbour."""

LIMIT = 3
BERTHS = {
    "north": 1,
    "south": 2,
    "east": 3,
}


class Ship:
    """A ship that moors."""

    length = 3

    # Warps are checked before.
    def moor(self, berth):
        """Tie it up."""

        def knot(rope):
            return rope

        return knot(berth)


def sail():
    return Ship()
'''


def unit_names(text: str, language: str = "Python") -> list[str]:
    analysis = analyse(text, language)
    return [analysis.symbols[u.symbol].qualified if u.symbol != NOBODY else "" for u in analysis.units]


def words_of(text: str, unit: str, field: str, language: str = "Python") -> set[int]:
    analysis = analyse(text, language)
    bags, count = analysis.words.units, len(analysis.units)
    number = UNIT_FIELDS.index(field) * count + unit_names(text, language).index(unit)
    low, high = bags.at[number], bags.at[number + 1]
    return {int(analysis.words.terms[term]) for term in bags.term[low:high]}


def has(words: set[int], word: str) -> bool:
    return set(terms_of(word)) <= words


def test_functions_types_and_large_values_are_units_and_the_rest_is_the_module_level() -> None:
    assert unit_names(PYTHON) == ["BERTHS", "Ship", "Ship.moor", "sail", ""]


def test_what_is_nested_in_a_function_belongs_to_it_unless_the_function_is_a_module_in_disguise() -> None:
    assert has(words_of(PYTHON, "Ship.moor", "code"), "knot")
    inner = "".join(f"  function inner{n}() {{\n    return {n};\n  }}\n" for n in range(60))
    assert "inner7" in {
        name.rpartition(".")[2] for name in unit_names(f"function outer() {{\n{inner}}}\n", "JavaScript")
    }


def test_the_words_of_a_class_are_those_outside_of_its_methods() -> None:
    assert has(words_of(PYTHON, "Ship", "code"), "length")
    assert not has(words_of(PYTHON, "Ship", "code"), "berth")


def test_comments_and_docstrings_are_a_field_of_their_own_and_a_comment_above_belongs_to_the_function() -> None:
    comments = words_of(PYTHON, "Ship.moor", "comment")
    assert has(comments, "tie")
    assert has(comments, "warps")
    assert not has(words_of(PYTHON, "Ship.moor", "code"), "tie")


def test_names_and_owners_are_fields() -> None:
    assert has(words_of(PYTHON, "Ship.moor", "name"), "moor")
    assert has(words_of(PYTHON, "Ship.moor", "owner"), "ship")
    assert words_of(PYTHON, "", "name") == set()


def test_sections_of_a_page_are_units() -> None:
    assert unit_names("# Moor\n\nTie it up.\n\n## Sail\n\nGo.\n", "Markdown") == ["Moor", "Moor / Sail", ""]


def test_pairs_never_cross_the_border_of_a_unit() -> None:
    one = analyse("def moor():\n    tie()\n\n\ndef sail():\n    go()\n", "Python")
    both = len(set(one.grams.units.tolist()))
    assert both < len(one.grams.two) + 1
