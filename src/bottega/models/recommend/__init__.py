"""What to run on this machine: a table of models, the machine's memory, and which models fit it."""

from bottega.models.recommend.choosing import rank_for_role
from bottega.models.recommend.fitting import FitVerdict, judge_fit
from bottega.models.recommend.machine import Gpu, Machine, inspect_machine
from bottega.models.recommend.table import (
    KnownModel,
    MeasuredSpeed,
    find_known_model,
    load_table,
    pull_command,
    user_table_file,
)

__all__ = [
    "FitVerdict",
    "Gpu",
    "KnownModel",
    "Machine",
    "MeasuredSpeed",
    "find_known_model",
    "inspect_machine",
    "judge_fit",
    "load_table",
    "pull_command",
    "rank_for_role",
    "user_table_file",
]
