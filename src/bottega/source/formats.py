"""Check the syntax of data formats with the parsers of their own libraries."""

from __future__ import annotations

import json
import re
import tomllib

from bottega.source.fault import Parses, Syntax, Unchecked, locate_fault

_TOO_DEEP = Unchecked("it is nested too deeply for the parser")
# libyaml slows down with the square of the depth; nothing written by hand comes near this.
_YAML_DEPTH = 1000
_TOML_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")


def check_json(text: str) -> Syntax:
    try:
        # Numbers stay text: their size does not matter for syntax, and `int` refuses very long ones.
        json.loads(text, parse_int=str, parse_float=str, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        return locate_fault(text, error.lineno, error.colno, error.msg)
    except _Constant as error:
        return _constant_fault(text, str(error))
    except RecursionError:
        return _TOO_DEEP
    return Parses()


class _Constant(ValueError):
    """`NaN` or `Infinity`, which Python's parser accepts and JSON does not have."""


def _refuse_constant(name: str) -> None:
    raise _Constant(name)


def _constant_fault(text: str, name: str) -> Syntax:
    at = max(text.find(name), 0)
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return locate_fault(text, line, column, f"{name} is not JSON")


def check_toml(text: str) -> Syntax:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _TOML_PLACE.search(message)
        line, column = (int(place[1]), int(place[2])) if place else (len(text.split("\n")), 1)
        return locate_fault(text, line, column, _TOML_PLACE.sub("", message))
    except ValueError as error:  # a number too long for `int`, which is not a syntax fault
        return Unchecked(str(error))
    except RecursionError:
        return _TOO_DEEP
    return Parses()


def check_yaml(text: str) -> Syntax:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    depth = 0
    try:
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _YAML_DEPTH:
                return _TOO_DEEP
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return locate_fault(text, line, column, error.problem or "not YAML")
    except yaml.YAMLError as error:  # the reader's own error knows no line
        return locate_fault(text, 1, 1, str(error).split("\n")[0])
    return Parses()


def check_xml(text: str) -> Syntax:
    from xml.parsers import expat

    parser = expat.ParserCreate("utf-8")
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        return locate_fault(text, error.lineno, error.offset + 1, expat.ErrorString(error.code) or "not XML")
    return Parses()
