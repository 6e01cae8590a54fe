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
