"""Embed in a background process."""

from __future__ import annotations

import subprocess
import threading
from typing import Protocol

from bottega.index import Knowledge, KnowledgeReader, VectorStore, open_embedder
from bottega.retrieve.embedding_process import identify_folder
from bottega.retrieve.shared import get_searcher
from bottega.settings import Settings
from bottega.source.processes import module_command


class EmbeddingHouse(Protocol):
    @property
    def settings(self) -> Settings: ...
    @property
    def knowledge(self) -> Knowledge: ...


def embed_in_background(house: EmbeddingHouse, reader: KnowledgeReader | None = None) -> bool:
    """Start a process that embeds chunks without a vector, unless the settings forbid it; return whether it started.

    Nothing waits for it: until it is done, search uses the vectors that exist.
    """
    if house.settings.index.vectors != "background":
        return False
    knowledge = house.knowledge
    if reader is not None:
        return get_searcher(reader).lacks_vectors() and start_embedding(knowledge)
    with knowledge.reading(refresh=False) as current:
        return get_searcher(current).lacks_vectors() and start_embedding(knowledge)


def start_embedding(knowledge: Knowledge) -> bool:
    """Start the process; False while another one is embedding."""
    embedder = open_embedder()
    lock = VectorStore(knowledge.folder, embedder.fingerprint, embedder.dimensions).claim()
    if lock is None:
        return False
    lock.release()
    arguments = (str(knowledge.root), str(knowledge.folder), identify_folder(knowledge.folder))
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(
        module_command("bottega.retrieve.embedding_process", *arguments),
        stdin=nowhere,
        stdout=nowhere,
        stderr=nowhere,
        cwd=knowledge.root,
        start_new_session=True,
    )
    threading.Thread(target=process.wait, daemon=True).start()  # no zombies
    return True
