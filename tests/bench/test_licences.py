"""What the embedder may learn from: permissive in the metadata and in every licence text, and nothing else."""

from __future__ import annotations

import pytest
from bench.train_embedder.collect import is_excluded
from bench.train_embedder.licences import copyleft_in_source, debian_licences, is_licence_file, judged

MIT = {"LICENSE": "Permission is hereby granted,\nfree of charge, to any person"}
GPL = "GNU GENERAL PUBLIC LICENSE\nVersion 3"


@pytest.mark.parametrize(
    "said",
    [
        *("MIT", "MIT License", "BSD-3-Clause", "BSD License", "Apache-2.0", "Apache Software License", "Apache 2.0"),
        *(
            "ISC",
            "(MIT OR Apache-2.0)",
            "MIT/X11",
            "Expat",
            "License :: OSI Approved :: MIT License",
            "Zlib",
            "BSL-1.0",
        ),
        *("BSD-2-clause and public-domain", "PSF-2.0", "Unlicense", "CC0-1.0", "0BSD", "Zlib", "BSL-1.0"),
    ],
)
def test_permissive_licences_are_let_in(said: str) -> None:
    verdict = judged([said], MIT)
    assert verdict.is_permissive, verdict.reason
    assert verdict.texts == ("MIT",)


@pytest.mark.parametrize(
    "said",
    [
        *(
            "GPL-3.0",
            "LGPL-2.1+",
            "AGPL-3.0",
            "MPL-2.0",
            "EPL-1.0",
            "CDDL-1.0",
            "EUPL-1.2",
            "Artistic or GPL-1+",
            "SSPL-1.0",
        ),
        *(
            "MIT AND GPL-2.0",
            "MIT OR LGPL-2.1",
            "CC-BY-SA-4.0",
            "CC-BY-NC-4.0",
            "proprietary",
            "UNLICENSED",
            "see file",
        ),
        *("License :: OSI Approved :: GNU General Public License v3 (GPLv3)", "Mozilla Public License 2.0"),
        *("SSPL-1.0", "see file", ""),
    ],
)
def test_anything_else_is_left_out(said: str) -> None:
    assert not judged([said], MIT).is_permissive


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "no licence text is among its files"),
        ({"LICENSE": "All rights reserved."}, "no licence text is among its files"),
        ({**MIT, "lib/COPYING": GPL}, "lib/COPYING holds 'gnu general public license'"),
        (
            {**MIT, "LICENSE.docs": "Creative Commons Attribution-ShareAlike 4.0"},
            "LICENSE.docs holds 'attribution-sharealike'",
        ),
    ],
)
def test_one_file_is_enough_to_be_left_out(files: dict[str, str], reason: str) -> None:
    assert judged(["MIT"], files).reason == reason


def test_a_debian_copyright_file_names_what_holds_for_the_software() -> None:
    text = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n"
        "Files: *\nCopyright: 2020 A\nLicense: MIT or Apache-2.0\n\n"
        "Files: debian/*\nCopyright: 2021 B\nLicense: GPL-2+\n\n"
        "License: MIT\n Permission is hereby granted, free of charge\n\n"
        "License: Apache-2.0\n See /usr/share/common-licenses/Apache-2.0\n\n"
        f"License: GPL-2+\n {GPL}\n"
    )
    names, texts = debian_licences(text)
    assert names == ["MIT or Apache-2.0"]
    verdict = judged(names, {"metadata": texts})
    assert (verdict.is_permissive, verdict.texts) == (True, ("Apache-2.0", "MIT"))
    names, texts = debian_licences(text.replace("debian/*", "src/other.c"))
    assert not judged(names, {"metadata": texts}).is_permissive


def test_the_head_of_a_source_file_is_read() -> None:
    assert copyleft_in_source("/* under the terms of the GNU Lesser\n General Public License */\nint x;")
    assert copyleft_in_source("// SPDX-License-Identifier: GPL-2.0-only\n")
    assert not copyleft_in_source("# SPDX-License-Identifier: MIT\n")


def test_licence_files_are_known_by_their_names() -> None:
    for path in (
        "LICENSE",
        "lib/LICENSE.txt",
        "COPYING",
        "a/LICENCE-MIT",
        "licenses/zlib.txt",
        "pkg-1.dist-info/licenses/X",
    ):
        assert is_licence_file(path), path
    for path in ("src/license.py", "licensing.md", "lib/copyright.rs"):
        assert not is_licence_file(path), path


def test_projects_that_figures_are_reported_on_are_left_out_by_name() -> None:
    for name in (
        "python3-django",
        "python3-requests",
        "librust-tokio-dev",
        "ruby-rack",
        "node-express",
        "php-illuminate-log",
    ):
        assert is_excluded(name), name
    for name in ("python3-attr", "librust-anyhow-dev", "node-expression-parser", "ruby-tracker"):
        assert not is_excluded(name), name
