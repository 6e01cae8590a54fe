"""Stage 4: teachers, then all students at once; on a machine with a GPU, which needs nothing but PyTorch and NumPy.

    python -m bench.train_embedder.train teach --data DIR --out DIR --seconds 280 --seed 0
    python -m bench.train_embedder.train learn --data DIR --out DIR --seconds 540 --students three,two,two-slim,table

`teach` fine-tunes MiniLM-L6 on questions and texts. `learn` trains students on the vectors of every teacher found in
`--out` and on the pairs themselves. What is finished is not done again; `log.txt` says what was measured on the way.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import lzma
import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from bench.train_embedder.layout import FIELDS, KINDS
from bench.train_embedder.models import DIMENSIONS, SHAPES, Encoder, from_exported, from_minilm, student
from torch import Tensor, nn
from torch.nn import functional

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
FUNCTION, PIECE, SECTION, TEST, CHANGE = range(len(KINDS))
QUESTION, TEXT = 2, 3
LONGEST_QUESTION, LONGEST_TEXT = 64, 128
_TOGETHER = {
    "JavaScript": "web",
    "TypeScript": "web",
    "TSX": "web",
    "C": "c",
    "C++": "c",
    "Java": "jvm",
    "Kotlin": "jvm",
    "Scala": "jvm",
    "Python": "python",
    "Go": "go",
    "Rust": "rust",
    "Ruby": "ruby",
    "PHP": "php",
}
_CHUNK = 64
_LEAST_POOL, _POOL = 200, 2000
_TEMPER = 0.8
_OLDER_SCALE = 30.0


class Data:
    """All records, on the device, padded."""

    def __init__(self, folder: Path) -> None:
        packed = b"".join(part.read_bytes() for part in sorted(folder.glob("records-*.xz")))
        with np.load(io.BytesIO(lzma.decompress(packed))) as stored:
            arrays = {name: stored[name] for name in stored.files}
        self.languages = [str(name) for name in arrays["languages"]]
        self.language, self.kind = arrays["language"], arrays["kind"]
        self.package, self.held = arrays["package"], arrays["held"]
        self.fields = {name: _padded(arrays[name], arrays[f"{name}_length"], width) for name, width in FIELDS.items()}
        self.asked, self.answers = (
            _padded(arrays[n], arrays[f"{n}_length"], FIELDS["b"]) for n in ("asked", "held_texts")
        )
        self.has_doc = (arrays["d_length"] > 0) & (self.kind == FUNCTION)
        self.kinds = torch.from_numpy(self.kind.astype(np.int64)).to(DEVICE)
        self.documented = torch.from_numpy(self.has_doc).to(DEVICE)
        self.group = np.array([_TOGETHER.get(name, "rest") for name in self.languages])[self.language]
        self.training = np.flatnonzero(~self.held)
        self.views: Tensor | None = None

    def batch(
        self, places: Tensor, random: torch.Generator, *, dropout: float
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Questions and texts, whole for the teacher and with words dropped for who learns."""
        kind, rows = self.kinds[places], len(places)
        dice = torch.rand(rows, 4, generator=random, device=DEVICE)
        says_more = dice[:, 0] < torch.where(kind == PIECE, 0.4, 0.25)
        asks_name = (kind == SECTION) | ((kind == FUNCTION) & (~self.documented[places] | (dice[:, 0] > 0.7)))
        first, more, name = (self.fields[field][places] for field in "dDn")
        asked = [(first, ~asks_name), (more, says_more & ~asks_name), (name, asks_name)]
        question = torch.cat([torch.where(chosen[:, None], ids, 0) for ids, chosen in asked], 1)
        share = torch.tensor([0.3, 0.0, 0.3, 0.7, 0.5], device=DEVICE)[kind]
        share = torch.where(asks_name & (kind == FUNCTION), 1.0, share)
        text = self.text(places, dice[:, 1] < 0.5, dice[:, 2] < share)
        question = _led(QUESTION, question)[:, :LONGEST_QUESTION]
        clean = question, text[:, :LONGEST_TEXT]
        if not dropout:
            return *clean, *clean
        return *clean, _dropped(question, dropout / 2, random), _dropped(clean[1], dropout, random)

    def text(self, places: Tensor, with_path: Tensor, without_name: Tensor) -> Tensor:
        path, body, name = (self.fields[field][places] for field in "pbn")
        is_name = (body[:, :, None] == name[:, None, :]).any(2) & without_name[:, None]
        return _led(TEXT, torch.cat([torch.where(with_path[:, None], path, 0), torch.where(is_name, 0, body)], 1))

    def batches(self, size: int, seed: int) -> Iterator[np.ndarray]:
        """Forever: batches of one group of languages, made of small runs from one package each."""
        random = np.random.default_rng(seed)
        groups = sorted(set(self.group))
        counts = np.array([(self.group[self.training] == group).sum() for group in groups], float)
        share = counts**_TEMPER / (counts**_TEMPER).sum()
        runs = {group: self._runs(group, size, random) for group in groups}
        while True:
            yield next(runs[groups[random.choice(len(groups), p=share)]])

    def _runs(self, group: str, size: int, random: np.random.Generator) -> Iterator[np.ndarray]:
        """Of one package; or, every other time once there are `views`, of questions that the teacher finds alike."""
        places = self.training[self.group[self.training] == group]
        count = max(1, size // _CHUNK)
        for turn in itertools.count():
            label = self.package[places] if self.views is None or turn % 2 else self._alike(places, random)
            order = places[np.lexsort((random.random(len(places)), label))]
            order = np.roll(order, int(random.integers(_CHUNK)))
            chunks = order[: len(order) // _CHUNK * _CHUNK].reshape(-1, _CHUNK)
            chunks = chunks[random.permutation(len(chunks))]
            for at in range(0, max(1, len(chunks) - count + 1), count):
                yield chunks[at : at + count].ravel()

    def _alike(self, places: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """On which sides of some planes, drawn anew, a question lies."""
        assert self.views is not None
        sides = max(4, int(math.log2(len(places) / _CHUNK)))
        planes = torch.from_numpy(random.standard_normal((self.views.shape[1], sides)).astype(np.float32)).to(DEVICE)
        bits = (self.views[torch.from_numpy(places).to(DEVICE)].float() @ planes > 0).long()
        number: np.ndarray = (bits << torch.arange(sides, device=DEVICE)).sum(1).cpu().numpy()
        return number

    def pools(self) -> dict[str, np.ndarray]:
        """Held-out questions by language: documentation, or names where it is rare; and pieces as search sees them."""
        random = np.random.default_rng(0)
        found = {}
        for number, name in enumerate(self.languages):
            ours = self.held & (self.kind == FUNCTION) & (self.language == number)
            for label, places in ((name, np.flatnonzero(ours & self.has_doc)), (f"{name} names", np.flatnonzero(ours))):
                if len(places) >= _LEAST_POOL:
                    found[label] = random.permutation(places)[:_POOL]
                    break
        found["pieces"] = random.permutation(np.flatnonzero(self.held & (self.kind == PIECE)))[:_POOL]
        return found


def _padded(flat: np.ndarray, lengths: np.ndarray, width: int) -> Tensor:
    count = torch.from_numpy(lengths.astype(np.int64)).to(DEVICE)
    rows = torch.repeat_interleave(torch.arange(len(count), device=DEVICE), count)
    starts = torch.repeat_interleave(torch.cumsum(count, 0) - count, count)
    padded = torch.zeros(len(count), width, dtype=torch.int16, device=DEVICE)
    ids = torch.from_numpy(flat.astype(np.int16)).to(DEVICE)
    padded[rows, torch.arange(len(ids), device=DEVICE) - starts] = ids
    return padded


def _led(mark: int, ids: Tensor) -> Tensor:
    """The mark, then what is not empty, moved together."""
    order = torch.sort((ids == 0).to(torch.uint8), dim=1, stable=True).indices
    lead = torch.full((len(ids), 1), mark, dtype=ids.dtype, device=ids.device)
    return torch.cat([lead, ids.gather(1, order)], 1)


def _dropped(ids: Tensor, share: float, random: torch.Generator) -> Tensor:
    gone = torch.rand(ids.shape, generator=random, device=ids.device) < share
    gone[:, 0] = False
    return _led(int(ids[0, 0]), torch.where(gone, 0, ids)[:, 1:])


def encode(model: nn.Module, ids: Tensor, parts: int = 4) -> Tensor:
    """In a few parts of like length, so that little is spent on padding."""
    length = (ids != 0).sum(1)
    order = torch.argsort(length)
    longest = length[order].cpu()
    found = []
    for part in torch.arange(len(ids)).tensor_split(parts):
        if len(part):
            width = min(ids.shape[1], -(-int(longest[part[-1]]) // 8) * 8)
            with torch.autocast(DEVICE, torch.bfloat16):
                found.append(model(ids[order[part[0] : part[-1] + 1], :width].long()).float())
    back = torch.empty_like(order)
    back[order] = torch.arange(len(order), device=order.device)
    return torch.cat(found)[back]


def contrast(one: Tensor, two: Tensor, scale: Tensor, same: Tensor, aims: Tensor | None) -> Tensor:
    """How badly each finds its counterpart in the batch, both ways; with `aims`, how far from the teacher's view.

    What the teacher likes better than both own counterparts is no proof against a pair.
    """
    with torch.autocast(DEVICE, torch.bfloat16):
        seen = one @ two.T
    seen = (seen.float() * scale).masked_fill(same, -1e4)
    target = torch.arange(len(one), device=one.device)
    apart = seen
    if aims is not None:
        own = aims.diagonal()
        apart = seen.masked_fill((aims > own[:, None]) & (aims > own[None, :]), -1e4)
    loss = (functional.cross_entropy(apart, target) + functional.cross_entropy(apart.T, target)) / 2
    if aims is not None:
        for mine, theirs in ((seen, aims), (seen.T, aims.T)):
            loss = loss + functional.kl_div(
                functional.log_softmax(mine, 1),
                functional.log_softmax(theirs, 1),
                log_target=True,
                reduction="batchmean",
            )
    return loss


def _same(question: Tensor, text: Tensor) -> Tensor:
    """Pairs that ask or hold the same words and are no proof against each other."""
    same = None
    for ids in (question, text):
        code = torch.arange(1, ids.shape[1] + 1, device=ids.device, dtype=torch.int64) * 0x9E3779B97F4A7C1
        number = (ids.long() * code).sum(1)
        equal = number[:, None] == number[None, :]
        same = equal if same is None else same | equal
    assert same is not None
    return same.fill_diagonal_(False)


@torch.no_grad()
def measured(data: Data, embed: Callable[[Tensor], Tensor], *, length: int = LONGEST_TEXT) -> dict[str, float]:
    """MRR@10 in every pool, their mean, and of the test on Python's library."""
    found = {}
    answer = functional.normalize(embed(_led(TEXT, data.answers)[:, :length]), dim=1)
    likeness = functional.normalize(embed(_led(QUESTION, data.asked)[:, :LONGEST_QUESTION]), dim=1) @ answer.T
    library = _mrr(likeness)
    for name, pool in data.pools().items():
        places = torch.from_numpy(pool).to(DEVICE)
        always = torch.ones(len(places), dtype=torch.bool, device=DEVICE)
        by_name = name.endswith("names")
        question = _led(QUESTION, data.fields["n" if by_name else "d"][places])
        text = data.text(places, always if name == "pieces" else ~always, always if by_name else ~always)[:, :length]
        likeness = functional.normalize(embed(question), dim=1) @ functional.normalize(embed(text), dim=1).T
        found[name] = _mrr(likeness)
    return {**found, "mean": round(float(np.mean(list(found.values()))), 4), "library": library}


def _mrr(likeness: Tensor) -> float:
    rank = (likeness > likeness.diagonal()[:, None]).sum(1)
    return round(float(((1 / (rank + 1)) * (rank < 10)).float().mean()), 3)


class Log:
    def __init__(self, path: Path) -> None:
        self._path, self._start = path, time.time()

    def __call__(self, *said: object) -> None:
        line = f"[{time.time() - self._start:6.1f}] {' '.join(map(str, said))}"
        print(line, flush=True)
        with self._path.open("a") as out:
            out.write(line + "\n")


def _optimiser(models: list[nn.Module], rates: list[float]) -> tuple[torch.optim.AdamW, list[nn.Parameter]]:
    scales = [nn.Parameter(torch.tensor(math.log(20.0), device=DEVICE)) for _ in models]
    groups: list[dict[str, Any]] = []
    for model, scale, rate in zip(models, scales, rates, strict=True):
        groups += [{"params": list(model.parameters()), "lr": rate, "weight_decay": 0.01}]
        groups += [{"params": [scale], "lr": 1e-3, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=DEVICE == "cuda"), scales


def _pace(optimiser: torch.optim.AdamW, base: list[float], share: float) -> None:
    for group, rate in zip(optimiser.param_groups, base, strict=True):
        group["lr"] = rate * min(1.0, share / 0.04 + 0.01) * max(0.01, 0.5 * (1 + math.cos(math.pi * min(share, 1.0))))


def teach(options: argparse.Namespace, data: Data, log: Log) -> None:
    target = options.out / f"teacher-{options.seed}.pt"
    if target.exists():
        return
    torch.manual_seed(options.seed)
    with np.load(options.data / "start.npz") as start:
        model = from_minilm(dict(start)).to(DEVICE)
    log("before", json.dumps(measured(data, partial(encode, model))))
    optimiser, scales = _optimiser([model], [options.rate or 2e-4])
    base = [group["lr"] for group in optimiser.param_groups]
    random = torch.Generator(DEVICE).manual_seed(options.seed)
    batches, begun, step, seen, told = data.batches(options.batch, options.seed), time.time(), 0, 0, 0.34
    while (share := (time.time() - begun) / options.seconds) < 1:
        _pace(optimiser, base, share)
        places = torch.from_numpy(next(batches)).to(DEVICE)
        _, _, question, text = data.batch(places, random, dropout=0.1)
        one, two = encode(model, question), encode(model, text)
        same, scale = _same(question, text), scales[0].exp().clamp(max=100)
        loss = (
            sum(
                contrast(
                    functional.normalize(one[:, :size], dim=1),
                    functional.normalize(two[:, :size], dim=1),
                    scale,
                    same,
                    None,
                )
                for size in (384, DIMENSIONS)
            )
            / 2
        )
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step, seen = step + 1, seen + len(places)
        if share > told:
            told += 0.33
            log(
                "teacher",
                options.seed,
                f"{share:.2f} {seen} pairs, loss {loss.item():.3f}",
                json.dumps(measured(data, partial(encode, model))),
            )
    log(
        "teacher",
        options.seed,
        f"{step} steps, {seen} pairs, {seen / len(data.training):.1f} epochs, {seen / options.seconds:.0f} pairs/s",
    )
    log(
        "teacher",
        options.seed,
        json.dumps(measured(data, partial(encode, model))),
    )
    torch.save({"state": model.state_dict(), "scale": scales[0].exp().item()}, target)


class Teachers:
    """Several teachers as one: their vectors side by side, turned so that the first directions tell the most.

    An exported model may be the only teacher; its vectors are as they should be.
    """

    def __init__(self, folder: Path, older: Path | None, data: Data, vocabulary: int, sample: int) -> None:
        self.models, self.scale = [], 0.0
        if older is not None:
            self.models, self.scale = [from_exported(older, _shape(older.name)).to(DEVICE).eval()], _OLDER_SCALE
            self.turn = torch.eye(DIMENSIONS, device=DEVICE)
            return
        for file in sorted(folder.glob("teacher-*.pt")):
            stored = torch.load(file, map_location=DEVICE)
            model = Encoder(SHAPES["teacher"], vocabulary).to(DEVICE).eval()
            model.load_state_dict(stored["state"])
            self.models.append(model)
            self.scale = max(self.scale, stored["scale"])
        places = torch.from_numpy(np.random.default_rng(0).permutation(data.training)[:sample]).to(DEVICE)
        random = torch.Generator(DEVICE).manual_seed(0)
        question, text, *_ = data.batch(places, random, dropout=0)
        both = torch.cat([self._beside(question), self._beside(text)])
        _, vectors = torch.linalg.eigh(both.T @ both)
        self.turn = vectors[:, -DIMENSIONS:].flip(1)

    @torch.no_grad()
    def _beside(self, ids: Tensor) -> Tensor:
        found = [
            torch.cat([functional.normalize(encode(model, part), dim=1) for part in ids.split(8192)])
            for model in self.models
        ]
        return torch.cat(found, 1) / math.sqrt(len(found))

    def __call__(self, ids: Tensor) -> Tensor:
        return functional.normalize(self._beside(ids) @ self.turn, dim=1)


def _shape(name: str) -> str:
    return name.partition("@")[0]


def learn(options: argparse.Namespace, data: Data, log: Log) -> None:
    names = [name for name in options.students.split(",") if not (options.out / f"{name}.pt").exists()]
    with np.load(options.data / "start.npz") as start:
        vocabulary = len(start["words"])
    teachers = Teachers(options.out, options.older, data, vocabulary, 16 * options.batch)
    everything = torch.arange(len(data.kind), device=DEVICE)
    asked = (
        data.batch(some, torch.Generator(DEVICE).manual_seed(1), dropout=0)[0] for some in everything.split(32_768)
    )
    data.views = torch.cat([teachers(question).half() for question in asked])
    log("teachers", len(teachers.models), json.dumps(measured(data, teachers)))
    torch.manual_seed(options.seed)
    first = teachers.models[0].cpu()
    words = torch.arange(vocabulary, device=DEVICE)[:, None].to(torch.int16)
    teachers.models[0].to(DEVICE)
    vectors = teachers(torch.cat([torch.full_like(words, TEXT), words], 1)).cpu()
    first.cpu()
    models = []
    for name in names:
        given, half = options.out / f"{name}.from", options.out / f"{name}.half.pt"
        if half.exists():
            model: nn.Module = Encoder(SHAPES[_shape(name)], vocabulary)
            model.load_state_dict(torch.load(half, map_location="cpu")["state"])
        elif given.is_dir():
            model = from_exported(given, _shape(name))
        else:
            model = student(_shape(name), first, teachers.turn[:384].cpu() * math.sqrt(len(teachers.models)), vectors)
        models.append(model.to(DEVICE))
    first.to(DEVICE)
    rates = [
        (options.rate or 5e-4) * (4 if name.startswith("table") else 1.6 if "narrow" in name else 1) for name in names
    ]
    optimiser, scales = _optimiser(models, rates)
    base = [group["lr"] for group in optimiser.param_groups]
    random = torch.Generator(DEVICE).manual_seed(options.seed)
    batches, begun, step, seen, told = data.batches(options.batch, options.seed + 100), time.time(), 0, 0, 0.25
    whole = options.whole or options.before + options.seconds
    while (share := (time.time() - begun) / options.seconds) < 1:
        _pace(optimiser, base, (options.before + time.time() - begun) / whole)
        places = torch.from_numpy(next(batches)).to(DEVICE)
        clean_question, clean_text, question, text = data.batch(places, random, dropout=options.dropout)
        length = (64, 96, 128)[step % 3]
        text = text[:, :length]
        aim_one, aim_two = teachers(clean_question), teachers(clean_text)
        same = _same(clean_question, clean_text)
        with torch.autocast(DEVICE, torch.bfloat16):
            aims = aim_one @ aim_two.T
        aims = (aims.float() * teachers.scale).masked_fill(same, -1e4)
        optimiser.zero_grad(set_to_none=True)
        for model, scale in zip(models, scales, strict=True):
            one, two = (
                functional.normalize(encode(model, question), dim=1),
                functional.normalize(encode(model, text), dim=1),
            )
            loss = contrast(one, two, scale.exp().clamp(max=100), same, aims)
            loss = loss + 2 * (2 - (one * aim_one).sum(1).mean() - (two * aim_two).sum(1).mean())
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step, seen = step + 1, seen + len(places)
        if share > told:
            told += 0.25
            log(f"{share:.2f} {seen} pairs, loss of the last {loss.item():.3f}")
            for name, model in zip(names, models, strict=True):
                log(
                    name,
                    json.dumps(measured(data, partial(encode, model), length=64)),
                )
    log(f"{step} steps, {seen} pairs, {seen / len(data.training):.1f} epochs, {seen / options.seconds:.0f} pairs/s")
    for name, model in zip(names, models, strict=True):
        for length in (64, 128):
            log(
                name,
                length,
                json.dumps(measured(data, partial(encode, model), length=length)),
            )
        ending = "pt" if options.before + options.seconds >= whole else "half.pt"
        stored = {"state": model.state_dict(), "shape": SHAPES[_shape(name)].__dict__}
        torch.save(stored, options.out / f"{name}.{ending}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage", choices=("teach", "learn"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=0.0)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--before", type=float, default=0.0, help="seconds of this training that were done earlier")
    parser.add_argument(
        "--whole", type=float, default=0.0, help="seconds of this training in all, of which these are a part"
    )
    parser.add_argument("--older", type=Path, help="an exported model that teaches alone, named after its shape")
    parser.add_argument("--students", default="three,two,two-slim,one,three-narrow,two-narrow,table")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.backends.cuda.matmul.allow_tf32 = True
    log = Log(options.out / "log.txt")
    data = Data(options.data)
    log(f"{len(data.kind)} records, {len(data.training)} to learn from, on {DEVICE}")
    {"teach": teach, "learn": learn}[options.stage](options, data, log)


if __name__ == "__main__":
    main()
