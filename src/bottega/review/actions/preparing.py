"""The first step: what changed, what of it is reviewed, and whether it touches the review's own rules."""

from __future__ import annotations

from bottega.amounts import plural
from bottega.pipeline import action
from bottega.review.actions.subject import get_settings, open_rules, record_check
from bottega.review.before import find_touched_rules
from bottega.review.reading import choose_files, parse_cached
from bottega.review.state import ReviewState, SkippedFile
from bottega.review.tools import ReviewRun
from bottega.source.gitignore import parse_pattern_lines


@action("change", "nothing")
def read_change(state: ReviewState, run: ReviewRun) -> str:
    """Read the change, and leave out what nobody wrote by hand; secrets count in any file."""
    patterns = parse_pattern_lines(state.scope) if state.scope else None

    def is_in_scope(path: str) -> bool:
        return patterns is None or patterns.match_with_parents(path) is True

    chosen, skipped = choose_files(parse_cached(state.diff), is_in_scope)
    state.paths = tuple(file.path for file in chosen)
    state.findings = tuple(
        finding.model_copy(update={"id": f"f{number:03}"})
        for number, finding in enumerate(state.secrets, 1)
        if is_in_scope(finding.span.path)
    )
    record_check(state, "secrets", "ran", state.secret_note)
    record_check(state, "settings and rules", "ran", _describe_touched_rules(state, run))
    state.left_out = tuple(SkippedFile(path=path, reason=reason) for path, reason in skipped)
    run.decide("files", len(chosen), f"{len(skipped)} left out")
    run.say(f"{plural(len(chosen), 'file')} to review, {len(skipped)} left out")
    return "change" if chosen else "nothing"


def _describe_touched_rules(state: ReviewState, run: ReviewRun) -> str:
    """Which of the settings and rules that steer a review the change touches."""
    touched = find_touched_rules(
        run.tools.root,
        state.diff,
        state.side,
        open_rules(state, run),
        touched=state.touched,
        personas=get_settings(run).personas,
        folders=run.tools.pipeline_folders,
    )
    if not touched:
        return "the change touches none of them"
    return f"the change touches {', '.join(touched)}: the version before it is in force"
