"""Speed figures with a model: tokens that a question reads, an action against JSON under a grammar, threads.

usage: PYTHONPATH=. python tests/benchmarks/model_speed.py [--model ID] [--threads 1] [--limit 8] [--rows NAME …]
           [--turns 3] [--json]

The questions are those about the sample archive. With one thread seconds are processor time, with more they are
of the clock on the wall, so the machine must be quiet then. The row of the threads puts its own load on one
processor. With the default model and one thread this takes about ten minutes.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from archive_questions import SETS
from figures import TURNS, Figure, add_options, chosen, shown

from engine.agent.actions import State, grammar_for
from engine.agent.prompts import refind_question, refind_system
from engine.asking import ask
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.modelling import ModelDesk
from engine.types import Cost
from models import cores
from models.base import ChatMessage
from models.chat import LlamaChat
from models.llama import BATCH
from models.loading import load_chat

QUICK_TOKENS = 550
LONGEST_REPLY = 200
DECODED = 24  # tokens written one by one to learn the rate
ASKED = "What did Grandma say about the key of the allotment shed last spring?"
GBNF = r"""
root ::= "{\"thought\": " text ", \"action\": " ("\"finish_search\", \"input\": {}" | search) "}"
search ::= "\"search_chatrecord\", \"input\": {\"keywords\": [" text (", " text)* "]" from? to? "}"
from ::= ", \"date_from\": \"" date "\""
to ::= ", \"date_to\": \"" date "\""
date ::= [0-9] [0-9] [0-9] [0-9] "-" [0-1] [0-9] "-" [0-3] [0-9]
text ::= "\"" [^"\\\x00-\x1f]+ "\""
"""
"""The same action as JSON, as a JSON schema would have it."""
BUSY = "while True: pass"


class Bench:
    """A loaded model and the sample archive."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.folder = folder
        self.turns: int = options.turns
        self.limit: int = options.limit
        self.threads: int = options.threads
        desk = ModelDesk(Home.default())
        self.path = desk.store.resolve(options.model or desk._preferred())
        self.chat = load_chat(self.path, n_threads=self.threads)
        self.clock = time.process_time if self.threads == 1 else time.perf_counter

    @cached_property
    def library(self) -> Library:
        """The sample archive."""
        return SETS["sample"].library(self.folder / "home")

    def costs(self, mode: Any) -> list[tuple[Cost, float, float]]:
        """Cost, seconds, and seconds to the first piece of the answer (0 without one), of each question."""
        done = []
        for question in SETS["sample"].load()[: self.limit]:
            pieces: list[float] = []

            def on_event(name: str, _: object, pieces: list[float] = pieces) -> None:
                if name == "text":
                    pieces.append(self.clock())

            began = self.clock()
            answer = ask(
                self.library, Job(on_event), question.question, model=self.chat, mode=mode, now=question.now
            )
            done.append((answer.cost, self.clock() - began, pieces[0] - began if pieces else 0.0))
        return done

    @cached_property
    def rates(self) -> tuple[float, float]:
        """Seconds of a token that is read, and of one that is written, behind 512 others."""
        llama = self.chat._llama
        tokens = (llama.tokens("The rain came early and we moved the chairs inside. ") * 200)[: 5 * BATCH]
        reading, writing = [], []
        for _ in range(self.turns):
            forget(self.chat)
            for done in range(0, 4 * BATCH, BATCH):
                began = self.clock()
                llama.read(tokens[done : done + BATCH], done)
                reading.append((self.clock() - began) / BATCH)
            for place in range(DECODED):
                began = self.clock()
                llama.read([tokens[place]], 4 * BATCH + place)
                writing.append(self.clock() - began)
        forget(self.chat)
        return statistics.median(reading), statistics.median(writing)


def forget(chat: LlamaChat) -> None:
    """Empty the cache."""
    chat._llama.rewind(0)
    chat._held.clear()


def quick_figures(bench: Bench) -> Iterator[Figure]:
    """Tokens that a person waits for in `quick`; without the first question, which reads what all begin with."""
    bench.chat.reply([ChatMessage("user", "Hello")], max_tokens=1)
    done = bench.costs("quick")[1:]
    tokens = float(statistics.median(cost.evaluated_tokens for cost, _, _ in done))
    yield Figure("quick: evaluated tokens, median", "550", (tokens,), (QUICK_TOKENS,), 1.0, "")
    read, _ = bench.rates
    waited = [(first, cost.evaluated_tokens * read) for cost, _, first in done if first]
    if waited:
        ours, summed = (tuple(column) for column in zip(*waited, strict=True))
        yield Figure(
            "quick: seconds to the first piece of the answer", "evaluated ÷ prefill", ours, summed, 1 / 1.1
        )


def thorough_figures(bench: Bench) -> Iterator[Figure]:
    """What `thorough` evaluates of its prompts, and its time against the sum of its tokens."""
    done = bench.costs("thorough")[1:]
    shares = tuple(cost.evaluated_tokens / cost.prompt_tokens for cost, _, _ in done if cost.prompt_tokens)
    yield Figure("thorough: evaluated tokens of the prompts'", "0.4", shares, (0.4,), 1.0, "")
    read, write = bench.rates
    times = [
        (spent, cost.evaluated_tokens * read + cost.generated_tokens * write)
        for cost, spent, _ in done
        if cost.llm_calls
    ]
    ours, summed = (tuple(column) for column in zip(*times, strict=True))
    yield Figure("thorough: seconds a question", "evaluated ÷ prefill + sampled ÷ decode", ours, summed, 1 / 1.1)


def action_figures(bench: Bench) -> Iterator[Figure]:
    """An action of the search loop, against the same as JSON with each token under llama.cpp's grammar."""
    now = date(2024, 6, 1)
    asked = [
        ChatMessage("system", refind_system(searches=4, time=True, seen=True)),
        ChatMessage("user", refind_question(ASKED, now)),
    ]
    grammar = grammar_for(State(searches_left=4))
    ours, theirs = [], []
    tokens = ""
    for _ in range(bench.turns):
        bench.chat.reply(asked, start="Thought: ", grammar=grammar, max_tokens=1)  # the prompt is read
        began: list[float] = []

        def prompt_read(done: int, total: int, began: list[float] = began) -> None:
            began.append(bench.clock())

        reply = bench.chat.reply(
            asked, start="Thought: ", grammar=grammar, max_tokens=LONGEST_REPLY, on_progress=prompt_read
        )
        ours.append(bench.clock() - began[-1])
        action = as_json("Thought: " + reply.text)
        theirs.append(sampled_under_grammar(bench, action))
        count = len(bench.chat._llama.tokens(action))
        tokens = (
            f"{reply.generated_tokens} tokens sampled and {reply.evaluated_tokens} read, against {count} sampled"
        )
    yield Figure("an action", "JSON under a GBNF grammar", tuple(ours), tuple(theirs), 2.5, "s", tokens)


def as_json(reply: str) -> str:
    """A reply of the search loop as one JSON object."""
    thought, action, given = (line.partition(": ")[2] for line in reply.split("\n"))
    return json.dumps({"thought": thought, "action": action, "input": json.loads(given)}, ensure_ascii=False)


def sampled_under_grammar(bench: Bench, text: str) -> float:
    """Seconds to write a text token by token, each chosen under the grammar from the whole vocabulary.

    The grammar filters all tokens each time, as llama-cpp-python has it; then the text's own token is taken, so
    that both write the same action. It goes on from where the cache stands.
    """
    llama = bench.chat._llama
    c, tokens, held = llama._c, llama.tokens(text), len(bench.chat._held)
    sampler = c.llama_sampler_init_grammar(llama._vocabulary, GBNF.encode(), b"root")
    assert sampler, "the grammar is broken"
    entries = np.zeros(llama.n_vocab, [("id", np.int32), ("logit", np.float32), ("p", np.float32)])
    array = c.llama_token_data_array()
    array.data = entries.ctypes.data_as(type(array.data))
    began = bench.clock()
    for place, token in enumerate(tokens):
        entries["id"], entries["logit"] = np.arange(llama.n_vocab), llama.logits()
        array.size, array.selected, array.sorted = llama.n_vocab, -1, False
        c.llama_sampler_apply(sampler, array)
        assert np.isfinite(entries["logit"][token]), f"the grammar refuses {llama.piece(token)!r}"
        int(entries["logit"].argmax())
        c.llama_sampler_accept(sampler, token)
        llama.read([token], held + place)
    spent = bench.clock() - began
    c.llama_sampler_free(sampler)
    forget(bench.chat)
    return spent


def threads_figures(bench: Bench) -> Iterator[Figure]:
    """Writing with the threads that the program chooses, against one, while a neighbour keeps a core busy."""
    neighbour = subprocess.Popen([sys.executable, "-c", BUSY])
    forget(bench.chat)  # what the sections before this one have read
    load = cores.Load()
    time.sleep(2 * cores.EVERY)
    count = load.threads()
    speeds: tuple[tuple[int, list[float]], ...] = ((count, []), (1, []))
    try:
        bench.chat._llama.read(bench.chat._llama.tokens("Once upon a time"), 0)
        for _ in range(bench.turns):
            for threads, measured in speeds:
                measured.append(decode_seconds(bench.chat, threads))
    finally:
        neighbour.kill()
        neighbour.wait()
        bench.chat._llama.use_threads(bench.threads)
        forget(bench.chat)
    adapted, alone = (tuple(measured) for _, measured in speeds)
    what = f"threads beside a busy neighbour: {count} of {cores.threads()} chosen, a token"
    yield Figure(what, "one thread", adapted, alone, 0.95, "s", "wall time")


def decode_seconds(chat: LlamaChat, threads: int) -> float:
    """Wall time of a token that is written with so many threads."""
    llama = chat._llama
    llama.use_threads(threads)
    token = llama.tokens(" and")[0]
    llama.rewind(4)
    began = time.perf_counter()
    for place in range(DECODED):
        llama.read([token], 4 + place)
    return (time.perf_counter() - began) / DECODED


SECTIONS: dict[str, Callable[[Bench], Iterator[Figure]]] = {
    "quick": quick_figures,
    "thorough": thorough_figures,
    "action": action_figures,
    "threads": threads_figures,
}


def main() -> int:
    """Print the figures as they come."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", help="an installed model, or a path; the preferred one without")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=int, default=8, help="questions asked in each mode")
    parser.add_argument("--turns", type=int, default=TURNS)
    add_options(parser, SECTIONS)
    options = parser.parse_args()
    os.environ["BACKSCROLL_NO_KEYRING"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options)
        figures = (figure for name in chosen(options, list(SECTIONS)) for figure in SECTIONS[name](bench))
        return shown(figures, options, {}, f"{bench.path.name}, {bench.threads} thread(s)")


if __name__ == "__main__":
    sys.exit(main())
