from __future__ import annotations

import os
from pathlib import Path

import pytest

from bottega.errors import SettingsError

from .places import Places


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[limits\n",
            "bottega.toml: not valid TOML: Expected ']' at the end of a table declaration (at line 1, column 8)",
        ),
        ("a = b\n", "bottega.toml: not valid TOML: Invalid value (at line 1, column 5)"),
        ("[a]\n[a]\n", "bottega.toml: not valid TOML: Cannot declare ('a',) twice (at line 2, column 3)"),
        ("a = 1\na = 2\n", "bottega.toml: not valid TOML: Cannot overwrite a value (at line 2, column 6)"),
    ],
)
def test_a_slip_in_the_toml_is_shown_with_its_place(places: Places, text: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        places.repository(text).load()
    assert str(caught.value) == message
    assert caught.value.hint == "Quote strings and close every bracket."


def test_a_slip_in_our_part_of_pyproject_is_shown(places: Places) -> None:
    with pytest.raises(SettingsError, match=r"^pyproject\.toml: not valid TOML: "):
        places.repository("[tool.bottega]\nx = \n", name="pyproject.toml").load()


def test_our_part_of_pyproject_is_a_table(places: Places) -> None:
    with pytest.raises(SettingsError) as caught:
        places.repository("[tool]\nbottega = 3\n", name="pyproject.toml").load()
    assert str(caught.value) == "pyproject.toml: tool.bottega should be a table"
    assert caught.value.hint == "Write it as [tool.bottega]."


def test_a_slip_in_the_persons_file_names_that_file(places: Places) -> None:
    with pytest.raises(SettingsError) as caught:
        places.person("x = \n").load()
    assert str(caught.value).startswith(f"{places.person_file}: not valid TOML: ")


@pytest.mark.parametrize("content", [b"\xff\xfe[\x00l\x00", b'[write]\nlanguage = "\xe9"\n', b"\x80"])
def test_a_file_that_is_not_utf_8_is_refused(places: Places, content: bytes) -> None:
    (places.root / "bottega.toml").write_bytes(content)
    with pytest.raises(SettingsError, match=r"^bottega\.toml cannot be read: ") as caught:
        places.load()
    assert caught.value.hint == "Check its permissions and encoding."


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf[write]\nlanguage = 'rust'\n",
        b"[write]\r\nlanguage = 'rust'\r\n",
        b"\xef\xbb\xbf[write]\r\nlanguage = 'rust'",
    ],
    ids=["BOM", "CRLF", "both, and no last line end"],
)
def test_files_of_editors_on_windows_are_read(places: Places, content: bytes) -> None:
    (places.root / "bottega.toml").write_bytes(content)
    loaded = places.load()
    assert loaded.settings.write.language == "rust"
    assert loaded.origins[("write", "language")] == "bottega.toml:2"


def test_a_directory_in_the_place_of_a_file_is_refused(places: Places) -> None:
    (places.root / "bottega.toml").mkdir()
    with pytest.raises(SettingsError, match=r"^bottega\.toml is not a file"):
        places.load()


def test_a_file_without_permission_is_refused(places: Places) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    places.repository("")
    (places.root / "bottega.toml").chmod(0)
    with pytest.raises(SettingsError, match=r"^bottega\.toml cannot be read: ") as caught:
        places.load()
    assert caught.value.hint == "Check its permissions and encoding."


def test_a_home_that_is_no_directory_holds_no_settings(places: Places, tmp_path: Path) -> None:
    no_home = tmp_path / "file"
    no_home.write_text("")
    assert places.load({"HOME": str(no_home)}).files == ()
    assert places.load({"HOME": str(tmp_path / "nowhere")}).files == ()


HUGE = {
    "brackets": "a = " + "[" * 50_000,
    "tables in tables": "a = " + '{"a" = ' * 20_000,
    "a deep key": ".".join(["a"] * 20_000) + " = 1",
    "a deep header": "[" + ".".join(["a"] * 20_000) + "]",
    "a long number": "[limits]\ntokens = " + "9" * 5_000,
    "a long key": "[limits]\n" + "k" * 500_000 + " = 1",
    "too many bytes": "#" + "x" * 2_000_000,
}


@pytest.mark.timeout(30)
@pytest.mark.parametrize("kind", HUGE)
@pytest.mark.parametrize("name", ["bottega.toml", "pyproject.toml"])
def test_a_file_that_is_too_deep_or_too_large_is_refused_at_once(places: Places, kind: str, name: str) -> None:
    text = HUGE[kind]
    if name == "pyproject.toml":
        text = "[tool.bottega]\n" + text.replace("[limits]", "[tool.bottega.limits]")
    places.repository(text, name=name)
    with pytest.raises(SettingsError):
        places.load()


@pytest.mark.timeout(30)
def test_many_lines_take_no_longer_than_they_must(places: Places) -> None:
    lines = "".join(f'[prices."a/m{number}"]\ninput = 1.0\noutput = 2.0\n' for number in range(8_000))
    assert len(places.repository(lines).trust().load().settings.prices) == 8_000


@pytest.mark.parametrize("name", ["bottega.toml", "pyproject.toml"])
def test_a_pipe_or_a_link_in_the_place_of_settings_is_refused(places: Places, name: str) -> None:
    os.mkfifo(places.root / name)
    with pytest.raises(SettingsError, match=f"{name} is not a file: it is a FIFO"):
        places.load()
    (places.root / name).unlink()
    (places.root / name).symlink_to("/dev/zero")
    with pytest.raises(SettingsError, match=f"{name} is not a file: it is a symbolic link"):
        places.load()
