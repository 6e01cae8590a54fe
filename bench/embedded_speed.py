"""How fast an embedded model reads and writes: tokens per second of prompt and of reply, the machine's load beside it.

    python bench/embedded_speed.py [--model qwen2.5-coder-1.5b] [--rounds 3]

Prompts differ in every round, so that none of them is found in the cache of prefixes. Reading is measured with a reply
of one token, writing with a short prompt.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics

from bottega.models import Model, ModelConfig, Request, close_model, open_model

WORDS = ("index", "search", "parse", "token", "graph", "model", "review", "symbol", "file", "line")
TASK = "Write a long Python program about this list."
PROMPT_WORDS, REPLY_TOKENS = 700, 120


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="qwen2.5-coder-1.5b")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    model = open_model(ModelConfig(chosen.model, "embedded", kind="embedded"), os.environ)
    try:
        measure(model, 5, 4, seed=0)  # loads the weights
        read, written = zip(*(measure_round(model, number) for number in range(1, chosen.rounds + 1)), strict=True)
    finally:
        close_model(model)
    load = os.getloadavg()[0]
    print(
        f"{chosen.model}: reads {statistics.median(read):.0f}, writes {statistics.median(written):.0f} tokens/s"
        f" (median of {chosen.rounds}; load {load:.1f} on {os.cpu_count()} cores)"
    )


def measure_round(model: Model, number: int) -> tuple[float, float]:
    prompt_tokens, _, reading = measure(model, PROMPT_WORDS, 1, seed=number)
    _, reply_tokens, writing = measure(model, 3, REPLY_TOKENS, seed=-number)
    return prompt_tokens / reading, reply_tokens / writing


def measure(model: Model, words: int, reply_tokens: int, *, seed: int) -> tuple[int, int, float]:
    """Tokens of prompt and reply, and the seconds that the call took."""
    chance = random.Random(seed)
    text = " ".join(chance.choice(WORDS) for _ in range(words))
    reply = model.complete(Request.of(f"{text}\n{TASK}", max_tokens=reply_tokens, temperature=0.0))
    return reply.usage.prompt_tokens or 0, reply.usage.completion_tokens or 0, reply.latency_ms / 1000


if __name__ == "__main__":
    main()
