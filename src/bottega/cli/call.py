"""`bottega call`."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from bottega.cli.calling import call as call_verb
from bottega.cli.calling import print_result
from bottega.cli.options import model_options, open_workshop
from bottega.cli.output import Output
from bottega.cli.terminal import render_json
from bottega.errors import InputError


@click.command("call", short_help="Call any verb with a JSON request, and print its JSON result.")
@click.argument("verb", required=False)
@click.argument("request", required=False)
@click.option("--schema", is_flag=True, help="Print the JSON schemas of the verb's request and result instead.")
@model_options
def call(verb: str | None, request: str | None, schema: bool, **shared: Any) -> int:
    """Call VERB with REQUEST, a JSON object (default {}; - reads it from standard input).

    Without VERB, list every verb. Results are those of `--format json`; --schema prints the schemas of both. Verbs of
    installed packages can be called the same way.
    """
    from bottega.workshop import find_verb, verb_names

    if verb is None:
        sys.stdout.write("".join(f"{name}\n" for name in verb_names()))
        return 0
    target = find_verb(verb)
    if schema:
        sys.stdout.write(render_json({"request": target.request_schema(), "result": target.result_schema()}, indent=2))
        return 0
    parsed = target.read_request(_parse_json(sys.stdin.read() if request == "-" else request or "{}"))
    with open_workshop(**shared) as workshop:
        return print_result(call_verb(workshop, parsed), Output("json"))


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the request is not JSON: {error}", hint='For example: \'{"query": "parse"}\'') from None
