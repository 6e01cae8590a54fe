"""Every command: where its code is, its one-line help, and an example. Groups follow what a person wants to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Command(NamedTuple):
    """`place` is module:attribute, imported when the command is used."""

    place: str
    help: str
    example: str


GROUPS: Mapping[str, Mapping[str, Command]] = {
    "Find code": {
        "search": Command(
            "bottega.cli.search:search",
            "Search the code for a name, a question, or a whole issue.",
            'bottega search "where are redirects followed"',
        ),
        "show": Command(
            "bottega.cli.show:show",
            "Show a symbol or a span of lines, with what uses it and what it uses.",
            "bottega show Client.send",
        ),
        "open": Command(
            "bottega.cli.editor:open_",
            "Open a location, a symbol or a search hit in your editor.",
            "bottega open src/app.py:40",
        ),
        "graph": Command(
            "bottega.cli.graph:graph",
            "Walk the graph around a symbol or a file: text, JSON, Mermaid, SVG, HTML.",
            "bottega graph Client --depth 2 -o client.svg",
        ),
        "map": Command("bottega.cli.map:map_", "An overview of the repository within a token budget.", "bottega map"),
        "retrieve": Command(
            "bottega.cli.retrieve:retrieve",
            "Assemble the code that a model needs for a task, within a token budget.",
            'bottega retrieve "fix the retry of redirects" --format markdown',
        ),
        "similar": Command(
            "bottega.cli.similar:similar", "Find clones of code, and code like it.", "bottega similar src/app.py:40-60"
        ),
        "unused": Command(
            "bottega.cli.unused:unused", "List definitions that nothing uses, with how sure that is.", "bottega unused"
        ),
    },
    "Understand it": {
        "ask": Command(
            "bottega.cli.ask:ask",
            "Answer a question about the code, with checked citations.",
            'bottega ask "how are sessions expired?"',
        ),
        "chat": Command("bottega.cli.chat:chat", "Ask in a conversation.", "bottega chat"),
        "chats": Command("bottega.cli.chats:chats", "List, show and delete conversations.", "bottega chats"),
        "investigate": Command(
            "bottega.cli.investigate:investigate",
            "Explain an unknown directory and flag what should worry its owner.",
            "bottega investigate ../downloads/project -o report.html",
        ),
        "scan": Command("bottega.cli.scan:scan", "Scan a directory without a model.", "bottega scan ../downloads"),
    },
    "Change it": {
        "write": Command(
            "bottega.cli.write:write",
            "Write code, run the request's examples on it, and say what was checked.",
            "bottega write \"a function slug(title): slug('A b') == 'a-b'\"",
        ),
        "review": Command(
            "bottega.cli.review:review",
            "Review a change: a panel, a filter, a discussion, one verdict.",
            "bottega review HEAD~1",
        ),
    },
    "Knowledge base": {
        "index": Command("bottega.cli.index:index", "Index the repository, or refresh its index.", "bottega index"),
        "stats": Command(
            "bottega.cli.stats:stats", "Show the size and content of the knowledge base.", "bottega stats"
        ),
        "enrich": Command(
            "bottega.cli.enrich:enrich",
            "Have a model describe files: purpose, module, domain, concepts.",
            "bottega enrich --estimate",
        ),
    },
    "Set up": {
        "init": Command("bottega.cli.init:init", "Detect models and write a short bottega.toml.", "bottega init"),
        "doctor": Command(
            "bottega.cli.doctor:doctor", "Check what is installed here, and say what is missing.", "bottega doctor"
        ),
        "models": Command(
            "bottega.cli.models:models",
            "List, recommend, probe, pull and remove models.",
            "bottega models recommend",
        ),
        "config": Command("bottega.cli.config:config", "Show and check settings.", "bottega config"),
        "trust": Command(
            "bottega.cli.trust:trust", "Show a repository's own settings, and trust them.", "bottega trust"
        ),
        "completion": Command(
            "bottega.cli.completion:completion",
            "Install shell completion and manual pages.",
            "bottega completion install",
        ),
        "docs": Command("bottega.cli.docs:docs", "Show the pages of the documentation.", "bottega docs quickstart"),
    },
    "Runs and pipelines": {
        "runs": Command(
            "bottega.cli.runs:runs", "Show runs with steps, calls and cost; watch or cancel one.", "bottega runs"
        ),
        "resume": Command(
            "bottega.cli.resume:resume",
            "Continue a run that was cancelled, interrupted or failed.",
            "bottega resume last",
        ),
        "replay": Command(
            "bottega.cli.replay:replay", "Execute a finished run again from its records.", "bottega replay last"
        ),
        "pipelines": Command(
            "bottega.cli.pipelines:pipelines", "List, show, check and draw pipelines.", "bottega pipelines show write"
        ),
        "call": Command(
            "bottega.cli.call:call",
            "Call any verb with a JSON request, and print its JSON result.",
            'bottega call search \'{"query": "oven"}\'',
        ),
    },
}

COMMANDS: Mapping[str, Command] = {name: command for group in GROUPS.values() for name, command in group.items()}
