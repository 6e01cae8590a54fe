"""What reranking by a model may cost and gain: judges that guess, follow the order, know the answer, or half of it.

    python bench/rerank.py --data DIR --snapshots DIR [--every 3] [--seeds 5]

DIR of the data holds `swebench_lite_dev.jsonl`. The judges are scripted: they order the first 20 files of the search in
the three shuffled orders that `retrieve --rerank` shows, and their votes are fused as it fuses them. Printed is the
share of issues whose changed file is first.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.retrieval import swebench_cases

from bottega.index import open_knowledge
from bottega.judge import Ballot, fuse_votes, shuffle_candidates
from bottega.retrieve import embed_all, get_searcher
from bottega.retrieve.context.candidates import add_votes
from bottega.retrieve.search import SearchQuery
from bottega.retrieve.search.rank import select_files

_CANDIDATES, _NAMED = 20, 5
Judge = Callable[[Sequence[int], Sequence[int], random.Random], Ballot]
"""The shown order, the places of the right files, and dice: an order of places, the best first."""


def guess(shown: Sequence[int], gold: Sequence[int], dice: random.Random) -> Ballot:
    del gold
    return Ballot(tuple(dice.sample(list(shown), min(_NAMED, len(shown)))))


def follow(shown: Sequence[int], gold: Sequence[int], dice: random.Random) -> Ballot:
    del gold, dice
    return Ballot(tuple(shown[:_NAMED]))


def know(shown: Sequence[int], gold: Sequence[int], dice: random.Random) -> Ballot:
    rest = [at for at in shown if at not in gold]
    return Ballot(tuple([*gold, *dice.sample(rest, len(rest))][:_NAMED]))


def know_half(shown: Sequence[int], gold: Sequence[int], dice: random.Random) -> Ballot:
    return know(shown, gold, dice) if dice.random() < 0.5 else guess(shown, gold, dice)


def guess_probably(shown: Sequence[int], gold: Sequence[int], dice: random.Random) -> Ballot:
    """Probabilities that say nothing, as peaked as those of a model that is sure."""
    ballot = guess(shown, gold, dice)
    weights = {at: dice.random() ** 8 for at in shown}
    return Ballot(ballot.order, {at: weight / sum(weights.values()) for at, weight in weights.items()})


def know_probably(shown: Sequence[int], gold: Sequence[int], dice: random.Random) -> Ballot:
    """Two thirds of the probability on the right file, the rest at random."""
    ballot, noise = know(shown, gold, dice), guess_probably(shown, gold, dice).probabilities
    return Ballot(ballot.order, {at: (at in gold[:1]) * 2 / 3 + noise[at] / 3 for at in shown} if gold else noise)


JUDGES: dict[str, Judge] = {
    "guesses": guess,
    "follows the shown order": follow,
    "knows": know,
    "half": know_half,
    "guesses, with probabilities": guess_probably,
    "two thirds sure, with probabilities": know_probably,
}


def main() -> None:
    options = _parse_options()
    found: dict[str, list[float]] = defaultdict(list)
    for number, (name, root, tasks) in enumerate(swebench_cases(options), 1):
        knowledge = open_knowledge(root)
        with knowledge.reading():
            embed_all(knowledge)
        with knowledge.reading(refresh=False) as reader:
            searcher = get_searcher(reader)
            for task in tasks:
                parsed = SearchQuery(task.query).parse()
                scored, corpus = searcher.score_files(parsed), searcher.corpus
                files = select_files(scored, corpus, _CANDIDATES)
                wanted = {target["path"] for target in task.targets}
                gold = [at for at, file in enumerate(files) if corpus.paths[file] in wanted]
                found["without"].append(float(bool(files) and corpus.paths[files[0]] in wanted))
                for judge in JUDGES:
                    for seed in range(options.seeds):
                        votes = _vote(JUDGES[judge], len(files), gold, task.query, random.Random(f"{seed} {name}"))
                        by_path = {corpus.paths[files[at]]: vote for at, vote in votes.items()}
                        first = select_files(add_votes(scored, by_path, corpus), corpus, 1)
                        found[judge].append(float(bool(first) and corpus.paths[first[0]] in wanted))
        knowledge.close()
        sys.stderr.write(f"\r{number} {name}   ")
    for judge, hits in found.items():
        difference = statistics.mean(hits) - statistics.mean(found["without"])
        print(f"| {judge} | {statistics.mean(hits):.3f} | {difference:+.3f} |")


def _vote(judge: Judge, count: int, gold: Sequence[int], task: str, dice: random.Random) -> dict[int, float]:
    orders = shuffle_candidates(count, task)
    return fuse_votes([judge(order, gold, dice) for order in orders], count)


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--snapshots", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "bottega-rerank")
    parser.add_argument("--every", type=int, default=1, help="only every n-th issue")
    parser.add_argument("--seeds", type=int, default=5, help="how often each judge is asked")
    return parser.parse_args()


if __name__ == "__main__":
    main()
