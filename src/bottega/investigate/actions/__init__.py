"""The steps of an investigation."""

from __future__ import annotations

from bottega.investigate.actions.ending import finish
from bottega.investigate.actions.exploring import explore_directories
from bottega.investigate.actions.planning import plan_turns
from bottega.investigate.actions.scanning import scan_target
from bottega.investigate.actions.surveying import survey_target
from bottega.investigate.actions.synthesizing import synthesize

_ALL = (scan_target, survey_target, plan_turns, explore_directories, synthesize, finish)
ACTIONS = {action.name: action for action in _ALL}
