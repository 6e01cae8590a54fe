"""Whether the changed files still parse."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.amounts import plural
from bottega.review.checks import CheckResult
from bottega.review.diagnostics import make_finding
from bottega.review.findings import Finding
from bottega.review.linter_output import Message
from bottega.review.masking import mask_text
from bottega.review.reading import restore_before
from bottega.review.tree import Tree
from bottega.source import FileChange, Language, SyntaxFault, Unchecked, check_syntax, language_of_path

NAME = "parse"


def check_parsing(files: Sequence[FileChange], tree: Tree) -> CheckResult:
    """Whether every changed file still parses; needs nothing but what comes with the package."""
    findings, read, unknown = [], 0, 0
    for file in files:
        text = tree.text(file.path) if file.status != "deleted" else None
        language = language_of_path(file.path)
        if text is None or language is None:
            continue
        result = check_syntax(text, language)
        if isinstance(result, Unchecked):
            unknown += 1
            continue
        read += 1
        if isinstance(result, SyntaxFault) and not _was_broken(text, file, language):
            findings.append(_report_fault(file.path, text, language, result, tree))
    if not read and not findings:
        return CheckResult(NAME, "not run", "no changed file is in a language that can be parsed here")
    detail = f"{plural(read, 'file')} parsed" + (f", {unknown} in languages without an exact parser" if unknown else "")
    return CheckResult(NAME, "ran", detail, tuple(findings))


def _report_fault(path: str, text: str, language: Language, fault: SyntaxFault, tree: Tree) -> Finding:
    """A finding at the line of the fault, as the diff counts lines: a parser may count more of them."""
    lines, masked = text.split("\n"), mask_text(text, path, tree.mask).split("\n")
    number = min(fault.line, max(1, len(lines) - (lines[-1] == "")))
    quote = masked[number - 1]
    # A parser quotes the place and cuts it, and a part of a secret cannot be recognised.
    what = fault.what if quote == lines[number - 1] else "(not quoted: it holds a secret)"
    message = Message(path, number, f"{language} does not parse: {what}", "CRITICAL")
    return make_finding(NAME, message, "the parser", quote.strip()).model_copy(update={"source": "parse"})


def _was_broken(text: str, file: FileChange, language: Language) -> bool:
    """Whether the file did not parse before the change either."""
    old = restore_before(text, file)
    return old is not None and file.status != "added" and isinstance(check_syntax(old, language), SyntaxFault)
