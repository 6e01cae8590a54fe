"""`bottega trust`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import TEXT, Output, output_options
from bottega.cli.terminal import write_error
from bottega.errors import InputError

if TYPE_CHECKING:
    from bottega.workshop import Workshop


@click.command(short_help="Show a repository's own settings, and trust them.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--show", "only_show", is_flag=True, help="Show what would be trusted, and change nothing.")
@click.option("--revoke", is_flag=True, help="Revoke the trust: only values that narrow are applied again.")
@click.option("--records", is_flag=True, help="Restore records under .bottega/ that were set aside.")
@output_options()
@settings_options
def trust(yes: bool, only_show: bool, revoke: bool, records: bool, output: Output, **shared: Any) -> int:
    """Show what the settings of this repository ask for beyond what any repository may, and accept it.

    Trust covers exactly what is shown: the settings, their pipelines and the files those name. When any of it
    changes, the settings are ignored again, and `bottega trust` shows the difference. Exit code 1 when you decline.
    """
    from bottega.workshop.trusting import TrustRequest

    with open_workshop(**shared) as workshop:
        if records:
            return _restore_records(workshop, yes=yes, only_show=only_show)
        if revoke:
            return print_result(call(workshop, TrustRequest(action="revoke")), TEXT)
        shown = call(workshop, TrustRequest())
        print_result(shown, output)
        if shown.trusted or only_show:
            return 0
        if not _confirm("Let these settings be in force?", yes=yes):
            write_error("bottega: not trusted; nothing has changed\n")
            return 1
        workshop.call(TrustRequest(action="accept", digest=shown.digest or ""))
    write_error("bottega: trusted as shown; `bottega trust --revoke` takes it back\n")
    return 0


def _confirm(question: str, *, yes: bool) -> bool:
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InputError("the question needs a terminal", hint="Check with `bottega trust --show`, then pass --yes.")
    return click.confirm(question, default=False, err=True)


def _restore_records(workshop: Workshop, *, yes: bool, only_show: bool) -> int:
    from bottega.workshop.trusting import TakeBackRequest

    print_result(call(workshop, TakeBackRequest()), TEXT)
    if only_show:
        return 0
    if not _confirm("Did these records come from you?", yes=yes):
        return 1
    workshop.call(TakeBackRequest(accept=True))
    write_error("bottega: the records are back; what was here instead is set aside\n")
    return 0
