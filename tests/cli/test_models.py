"""`bottega models recommend` looks at this machine and names what fits; it writes and downloads nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bottega.cli.models import ROLES
from bottega.settings import ROLES as SETTINGS_ROLES
from bottega.testing import ScriptedServer, ServedModel
from tests.cli.bottega import run, script
from tests.cli.weights import place_weights

GPU = "#!/bin/sh\necho 'NVIDIA \x1b[31mRTX 4090, {memory}'\n"


def recommend(cwd: Path, *arguments: str, **env: str) -> dict[str, Any]:
    ended = run("models", "recommend", *arguments, "--json", cwd=cwd, env=env)
    assert ended.code == 0, ended.err
    result: dict[str, Any] = json.loads(ended.out)
    return result


def with_gpu(folder: Path, memory: str) -> str:
    """A search path on which `nvidia-smi` tells of this memory."""
    import os

    program = folder / "nvidia" / "nvidia-smi"
    program.parent.mkdir()
    program.write_text(GPU.format(memory=memory))
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


def test_the_roles_are_those_of_the_settings() -> None:
    assert ROLES == SETTINGS_ROLES


def test_every_role_is_given_models_that_fit(tmp_path: Path) -> None:
    result = recommend(tmp_path)
    assert [entry["role"] for entry in result["roles"]] == list(SETTINGS_ROLES)
    facts = {entry["model"]: entry for entry in result["models"]}
    for entry in result["roles"]:
        assert all(entry["role"] in facts[model]["roles"] for model in entry["models"])
        assert all(facts[model]["fit"] != "does not fit" for model in entry["models"])
    assert all(entry["source"] and entry["checked"] for entry in result["models"])


def test_nothing_is_written(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    run("models", "recommend", cwd=project, env={"HOME": str(tmp_path / "home")})
    assert not list(project.iterdir())
    assert not (tmp_path / "home").exists()


def test_one_role_is_told_alone(tmp_path: Path) -> None:
    shown = run("models", "recommend", "--role", "translator", cwd=tmp_path).out
    assert "ollama/gemma3" in shown
    assert "codestral" not in shown


def test_a_gpu_decides_what_fits(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    result = recommend(tmp_path / "repo", PATH=with_gpu(tmp_path, "98304"))
    assert result["machine"]["gpu_memory_bytes"] == 98304 << 20
    facts = {entry["model"]: entry for entry in result["models"]}
    assert (facts["ollama/gpt-oss:120b"]["fit"], facts["ollama/gpt-oss:120b"]["runs_on"]) == ("fits", "GPU")


@pytest.mark.parametrize("told", ["[N/A]", "", "-4", "9" * 5000])
def test_a_gpu_that_tells_nonsense_is_no_gpu(tmp_path: Path, told: str) -> None:
    (tmp_path / "repo").mkdir()
    ended = run("models", "recommend", "--json", cwd=tmp_path / "repo", env={"PATH": with_gpu(tmp_path, told)})
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["machine"]["gpus"] == []


def test_names_of_programs_and_servers_cannot_steer_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    ended = run("models", "recommend", cwd=tmp_path / "repo", env={"PATH": with_gpu(tmp_path, "24576")})
    assert "\x1b" not in ended.out
    assert "RTX 4090" in ended.out


def test_a_program_inside_the_repository_is_not_run(tmp_path: Path) -> None:
    assert recommend(tmp_path, PATH=with_gpu(tmp_path, "98304"))["machine"]["gpus"] == []


def test_models_of_a_server_here_need_no_command(tmp_path: Path) -> None:
    with ScriptedServer([], models=[ServedModel("qwen2.5-coder:7b"), ServedModel("house:1b")]) as server:
        result = recommend(tmp_path, OLLAMA_HOST=server.url)
        shown = run("models", "recommend", cwd=tmp_path, env={"OLLAMA_HOST": server.url}).out
    facts = {entry["model"]: entry for entry in result["models"]}
    assert facts["ollama/qwen2.5-coder:7b"]["is_here"]
    assert not facts["ollama/qwen2.5-coder:14b"]["is_here"]
    assert "here already: --model ollama/qwen2.5-coder:7b" in shown
    assert "2 models; without facts here: house:1b" in shown


def test_the_embedded_model_is_described_by_our_own_figures(tmp_path: Path) -> None:
    place_weights(tmp_path / "cache")
    shown = run("models", "recommend", cwd=tmp_path, env={"XDG_CACHE_HOME": str(tmp_path / "cache")}).out
    assert "HumanEval pass@1 67.1 % with ///raw, 77.4 % with write-tested" in shown
    assert "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf" in shown


def test_the_figures_of_the_embedded_model_are_those_of_the_benchmarks(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text()
    told = next(entry for entry in recommend(tmp_path)["models"] if entry["model"] == "embedded/qwen2.5-coder-1.5b")
    for figure, pipeline in (("67.1", "`///raw`"), ("77.4", "`write-tested`"), ("72.0", "`write-best-of`")):
        assert figure in told["measured"]
        row = next(line for line in page.splitlines() if line.startswith(f"| {pipeline} |"))
        assert figure in row


def test_a_mistake_in_own_rows_is_refused_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "home" / ".config" / "bottega"
    folder.mkdir(parents=True)
    (folder / "models.toml").write_text('["ollama/x"]\nsize = 3\n')
    ended = run("models", "recommend", cwd=tmp_path)
    assert ended.code == 2
    assert "models.toml:2: ollama/x.size: no such key" in ended.err
    assert "Did you mean size_gb?" in ended.err


def test_models_alone_is_the_list(tmp_path: Path) -> None:
    model = script(tmp_path, ["x"])
    env = {"BOTTEGA_MODELS_DEFAULT": model}
    assert run("models", cwd=tmp_path, env=env).out == run("models", "list", cwd=tmp_path, env=env).out


def test_the_list_points_at_larger_models_where_an_embedded_one_works(tmp_path: Path) -> None:
    place_weights(tmp_path / "cache")
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "BOTTEGA_MODELS_DEFAULT": "embedded/qwen2.5-coder-1.5b"}
    assert "`bottega models recommend`" in run("models", cwd=tmp_path, env=env).out
    env["BOTTEGA_MODELS_DEFAULT"] = script(tmp_path, ["x"])
    assert "recommend" not in run("models", cwd=tmp_path, env=env).out
