"""Pipelines of a person's own: found, checked, run, and never in place of what ships."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.cli.bottega import GOOD, SURE, run, script, sealed

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "write-careful.yaml"
REVIEWED = "def double(n):\n    return n + n\n"


def _model(folder: Path) -> str:
    return script(folder, {"write.coder": [GOOD], "write.reviewer": [REVIEWED], "write.judge": [SURE]})


def test_a_pipeline_in_the_repository_s_own_folder_is_run(tmp_path: Path) -> None:
    sealed(tmp_path / ".bottega" / "pipelines")
    shutil.copy(EXAMPLE, tmp_path / ".bottega" / "pipelines")
    assert "write-careful" in run("pipelines", "list", cwd=tmp_path).out
    ended = run("write", "double", "--pipeline", "write-careful", "--model", _model(tmp_path), cwd=tmp_path)
    assert (ended.code, ended.out) == (0, REVIEWED)


def test_a_pipeline_in_a_folder_of_the_settings_is_run(tmp_path: Path) -> None:
    (tmp_path / "flows").mkdir()
    shutil.copy(EXAMPLE, tmp_path / "flows")
    (tmp_path / "bottega.toml").write_text('[pipelines]\npaths = ["flows"]\n\n[write]\npipeline = "write-careful"\n')
    ended = run("write", "double", "--model", _model(tmp_path), cwd=tmp_path)
    assert ended.out != REVIEWED
    assert "bottega.toml: not in force: pipelines.paths, write.pipeline" in ended.err
    assert run("trust", "--yes", cwd=tmp_path).code == 0
    assert run("write", "double", "--model", _model(tmp_path), cwd=tmp_path).out == REVIEWED


def test_a_pipeline_is_run_by_the_path_of_its_file(tmp_path: Path) -> None:
    ended = run("write", "double", "--pipeline", str(EXAMPLE), "--model", _model(tmp_path), cwd=tmp_path)
    assert ended.out == REVIEWED


def test_nothing_takes_the_name_of_what_ships(tmp_path: Path) -> None:
    sealed(tmp_path / ".bottega" / "pipelines")
    text = EXAMPLE.read_text().replace("name: write-careful", "name: write").replace("extends: write", "kind: write")
    (tmp_path / ".bottega" / "pipelines" / "mine.yaml").write_text(text)
    ended = run("write", "double", "--model", _model(tmp_path), cwd=tmp_path)
    assert ended.code == 2
    assert "the name write is taken by bottega.write/write.yaml" in ended.err


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "bottega.toml").write_text('[pipelines]\npaths = ["nowhere"]\n')
    assert run("trust", "--yes", cwd=tmp_path).code == 0
    ended = run("pipelines", "list", cwd=tmp_path)
    assert ended.code == 2
    assert "nowhere is not a directory" in ended.err


def test_a_pipeline_that_is_refused_is_told_with_file_and_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text(EXAMPLE.read_text().replace("on_pass: review", "on_pass: reviw"))
    ended = run("pipelines", "check", "broken.yaml", cwd=tmp_path)
    assert ended.code == 2
    assert "broken.yaml:7: step try: on_pass leads to reviw, which is not a step" in ended.err
    assert "Did you mean review?" in ended.err
