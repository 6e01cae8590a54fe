"""Descriptions of files and directories by models."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from bottega.errors import InputError
from bottega.index.knowledge.records import Adapter, Metadata
from bottega.index.knowledge.rows import RowReader
from bottega.index.metadata import directory_keys


class DescriptionQueries(RowReader):
    def search_files_by_metadata(
        self, *, domain: str | None = None, module: str | None = None, concepts: Sequence[str] = ()
    ) -> list[Metadata]:
        """Files whose description by a model matches; none before `bottega enrich --promote`."""
        if domain is None and module is None and not concepts:
            raise InputError("name a domain, a module or concepts", hint="At least one of them is needed.")
        wanted = {concept.lower() for concept in concepts}
        return [
            metadata
            for metadata in self.get_metadata()
            if (domain is None or metadata.domain.lower() == domain.lower())
            and (module is None or metadata.module.lower() == module.lower())
            and (not wanted or wanted & {concept.lower() for concept in metadata.concepts})
        ]

    def get_metadata(self, paths: Iterable[str] | None = None) -> list[Metadata]:
        """Descriptions of the current content of files; those of older content are left out."""
        rows = self._connection.execute(
            "SELECT m.path, m.purpose, m.module, m.domain, m.concepts, m.public_api_surface, m.complexity_notes"
            " FROM file_metadata m JOIN files f ON f.path = m.path AND f.hash = m.hash ORDER BY m.path"
        )
        wanted = None if paths is None else set(paths)
        return [
            Metadata(row[0], row[1], row[2], row[3], tuple(json.loads(row[4])), tuple(json.loads(row[5])), row[6])
            for row in rows
            if wanted is None or row[0] in wanted
        ]

    def get_directory_summaries(self) -> dict[str, str]:
        """Descriptions of directories whose files are unchanged since, by path with a closing slash."""
        rows = self._connection.execute(
            "SELECT path, hash, purpose FROM file_metadata WHERE path LIKE '%/' ORDER BY path"
        ).fetchall()
        if not rows:
            return {}
        present = directory_keys(self._connection)
        return {path: purpose for path, key, purpose in rows if present(path) == key}

    def get_adapter_for_stage(self, stage_name: str) -> Adapter | None:
        return self._fetch_one(
            Adapter,
            "SELECT stage_name, base_model, model_tag, version, performance_notes, deployed_at FROM adapter_metadata"
            " WHERE stage_name = ? AND active = 1 ORDER BY version DESC, id DESC LIMIT 1",
            stage_name,
        )
