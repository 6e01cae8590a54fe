"""Whether an expression consists of literals alone, or of values known only at run time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter

_MOST_NODES = 2000
_LONGEST_TEXT = 4000

_STRINGS = frozenset(
    """string template_string encapsed_string interpolated_string_expression string_literal heredoc_body
    interpreted_string_literal raw_string_literal concatenated_string chained_string verbatim_string_literal
    raw_string nowdoc heredoc""".split()
)
_INTERPOLATIONS = frozenset({"interpolation", "template_substitution"})
_CONCATENATIONS = frozenset({"binary_operator", "binary_expression", "binary"})
_CHOICES = frozenset({"ternary_expression", "conditional_expression", "conditional"})
_TRANSPARENT = frozenset(
    """parenthesized_expression argument reference_expression keyword_argument as_expression non_null_expression
    await_expression await parenthesized_statements""".split()
)
_CALLS = frozenset(
    """call call_expression method_invocation invocation_expression function_call_expression macro_invocation
    scoped_call_expression member_call_expression""".split()
)
_LITERALS = frozenset(
    """integer float number true false none null nil undefined boolean boolean_literal integer_literal
    decimal_integer_literal decimal_floating_point_literal int_literal float_literal real_literal number_literal
    char_literal rune_literal null_literal string_content string_start string_end string_fragment escape_sequence
    interpolation_start interpolation_brace string_literal_content interpreted_string_literal_content
    raw_string_literal_content format_specifier type_conversion comment line_comment block_comment regex symbol
    simple_symbol constant name escape_interpolation character_literal string_literal_encoding primitive_type
    line_continuation hash_key_symbol regex_pattern interpolation_format_clause
    interpolation_alignment_clause""".split()
)
_CONSTANT_NAME = re.compile(r"(?:[\w.:]*[.:])?_{0,2}[A-Z][A-Z0-9_]+")
_FORMAT_CALL = re.compile(r"(?:^|[.:])(?:format|Format|Sprintf|sprintf|formatted|concat|Concat)!?$")


def get_text(node: tree_sitter.Node) -> str:
    return (node.text or b"")[:_LONGEST_TEXT].decode(errors="replace")


def is_dynamic(node: tree_sitter.Node) -> bool:
    """Whether the value is decided at run time: something in it is neither a literal nor a CONSTANT.

    Operands are looked for in strings, concatenations, brackets and calls that format, not in other calls. An
    expression with more of them than are looked at counts as dynamic.
    """
    pending, seen = [node], 0
    while pending:
        part = pending.pop()
        seen += 1
        if seen > _MOST_NODES:
            return True
        if part.type in _CHOICES:
            pending += _list_branches(part)
        elif _is_container(part):
            pending += part.named_children
        elif _is_format(part) and _list_arguments(part) is not part:
            pending.append(_list_arguments(part))
        elif _is_variable(part):
            return True
    return False


def _list_branches(choice: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The operands of a conditional expression, without its condition."""
    named = [choice.child_by_field_name(field) for field in ("consequence", "body", "alternative")]
    found = [branch for branch in named if branch is not None]
    return found if len(found) > 1 else [choice.named_children[0], *choice.named_children[2:]]


def _is_container(node: tree_sitter.Node) -> bool:
    kinds = (_STRINGS, _INTERPOLATIONS, _CONCATENATIONS, _TRANSPARENT)
    if any(node.type in kind for kind in kinds):
        return bool(node.named_children)
    return node.type in {"arguments", "argument_list", "token_tree", "array", "list", "tuple", "concatenation"}


def _is_variable(node: tree_sitter.Node) -> bool:
    if node.type in _LITERALS or node.type in _STRINGS or not node.is_named:
        return False
    return _CONSTANT_NAME.fullmatch(get_text(node)) is None


def _list_arguments(node: tree_sitter.Node) -> tree_sitter.Node:
    found = node.child_by_field_name("arguments")
    return found or next((child for child in node.children if child.type == "token_tree"), node)


def _is_format(node: tree_sitter.Node) -> bool:
    """`"…".format(…)`, `fmt.Sprintf(…)`, `String.format(…)`, `sprintf(…)`, `format!(…)`."""
    if node.type not in _CALLS:
        return False
    if node.type == "macro_invocation":
        return get_text(node).startswith(("format!", "concat!", "std::format!"))
    arguments = _list_arguments(node)
    head = get_text(node)[: max(0, arguments.start_byte - node.start_byte)]
    return _FORMAT_CALL.search(head.strip()) is not None


def is_built(node: tree_sitter.Node) -> bool:
    """Whether a text is put together at run time: interpolation, concatenation, or a call that formats."""
    node = _unwrap(node)
    if node.type in _STRINGS:
        return is_dynamic(node)
    if node.type in _CONCATENATIONS:
        return any(part.type in _STRINGS | {"string_content", "string_fragment"} for part in _list_operands(node)) and (
            is_dynamic(node)
        )
    if _is_format(node):
        return _has_text_before(node) and is_dynamic(_list_arguments(node))
    return False


def _has_text_before(node: tree_sitter.Node) -> bool:
    """The format itself is a literal: the receiver, or one of the arguments."""
    return any(mark in get_text(node) for mark in ('"', "'", "`"))


def _unwrap(node: tree_sitter.Node) -> tree_sitter.Node:
    while node.type in _TRANSPARENT and node.named_children:
        node = node.named_children[-1]
    return node


def _list_operands(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    pending, seen = [node], 0
    while pending and seen < _MOST_NODES:
        part = pending.pop()
        seen += 1
        if part.type in _CONCATENATIONS or part.type in _TRANSPARENT:
            pending += part.named_children
        else:
            yield part


def is_interpolated(node: tree_sitter.Node) -> bool:
    return _unwrap(node).type in _STRINGS and is_built(node)
