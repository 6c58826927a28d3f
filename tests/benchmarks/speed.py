"""Speed figures without a model, as ratios measured side by side: `make bench`, and in short `make bench-quick`.

usage: PYTHONPATH=. python tests/benchmarks/speed.py [--messages 1000000] [--questions 300] [--rows NAME …]
           [--text FILE] [--turns 3] [--json] [--floors]

`model_speed.py` has the figures with a model. At a million messages this takes about ten minutes and 3 GB.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import apsw
import bm25s
import corpus
import numpy as np
import Stemmer
from figures import TURNS, Figure, add_options, chosen, in_turns, memory_of, quick_seconds, seconds, shown

from engine.asking import ask
from engine.home import Home
from engine.index import Index, NewDocuments
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions
from engine.search.fusion import RRF_K
from engine.types import Filters
from importers.base import Options
from importers.source import open_source
from importers.whatsapp import WHATSAPP

# About three quarters of what was measured at 100,000 messages on a busy machine; see docs/performance.md.
FLOORS = {
    "index from stored text, bm25s tokenise + index": 6.5,
    "append 1,000 messages until searchable, bm25s built anew": 500.0,
    "cold start to the first hit, encrypted, bm25s from text": 35.0,
    "search with all controls, p95, bm25s scores + whole arrays": 1.7,
    "WhatsApp import, bm25s' index of its texts alone": 0.9,
}
PER_SESSION = 45  # messages a session, about what chats have
APP_MESSAGES = 300_000
SETTLING = 15  # seconds until a window that was opened has nothing left to do
FIRST, LAST = np.datetime64("2016-01-01"), np.datetime64("2030-01-01")
PEOPLE = ("Ana", "Ben Okri", "Cleo Park")


class Bench:
    """The texts of a run, and what is made of them once for several figures."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.folder = folder
        self.turns: int = options.turns
        self.count: int = options.messages
        self.texts = corpus.messages(options.messages, text=options.text)
        self.asked = corpus.questions(self.texts, options.questions)
        self.stock: tuple[float, ...] = ()  # seconds of bm25s from text

    @cached_property
    def index(self) -> Index:
        """All texts, each a document."""
        index = Index()
        append(index, self.texts, columns(self.count), 0)
        return index

    @cached_property
    def export(self) -> Path:
        """The texts as a WhatsApp export."""
        path = self.folder / "WhatsApp Chat with Crew.txt"
        corpus.whatsapp_file(path, self.texts)
        return path

    @cached_property
    def home(self) -> Path:
        """The export, imported."""
        return imported(self.folder / "home", self.export)

    def stock_seconds(self) -> tuple[float, ...]:
        """What stock bm25s takes for these texts."""
        self.stock = self.stock or (seconds(lambda: stock_index(self.texts)),)
        return self.stock


def imported(home: Path, export: Path) -> Path:
    """A home with an export in its archive."""
    library = Library(Home(home))
    library.import_paths(Job(), [export], ImportOptions())
    library.close()
    return home


def columns(count: int) -> dict[str, np.ndarray]:
    """Document columns of a synthetic archive in time order."""
    documents = np.arange(count)
    return {
        "session": (documents // PER_SESSION).astype(np.int32),
        "chat": (documents // (PER_SESSION * 40)).astype(np.int32),
        "sender": (documents % 4).astype(np.int32),
        "time": (1_420_000_000 + documents * 240).astype(np.int64),
        "words": np.full(count, 12, np.int32),
    }


def append(index: Index, texts: list[str], parts: dict[str, np.ndarray], start: int) -> None:
    """Append texts with their part of the columns."""
    run = slice(start, start + len(texts))
    index.append(NewDocuments(texts, ["english"] * len(texts), **{k: v[run] for k, v in parts.items()}))


def stock_index(texts: list[str]) -> bm25s.BM25:
    """bm25s as its documentation has it: its own tokeniser with the same stemmer, then index."""
    tokens = bm25s.tokenize(texts, stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)
    reference = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    reference.index(tokens, show_progress=False)
    return reference


def index_figures(bench: Bench) -> Iterator[Figure]:
    """Building an index from texts in memory."""
    texts, parts = bench.texts, columns(bench.count)
    others: dict[str, Callable[[], object]] = {
        "bm25s tokenise + index": lambda: stock_index(texts),
        "SQLite FTS5 porter": lambda: fts5(texts),
    }
    if (tantivy := tantivy_build(texts)) is not None:
        others["tantivy, one thread"] = tantivy
    ours, *theirs = in_turns(lambda: append(Index(), texts, parts, 0), *others.values(), turns=bench.turns)
    bench.stock = theirs[0]
    for (name, measured), goal in zip(zip(others, theirs, strict=True), (6.0, 1.0, 1.0), strict=False):
        yield Figure("index from stored text", name, ours, measured, goal)


def fts5(texts: list[str]) -> None:
    """A contentless FTS5 index in memory."""
    db = apsw.Connection(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='porter unicode61')")
    with db:
        db.executemany("INSERT INTO t(rowid, text) VALUES (?, ?)", enumerate(texts, 1))
    db.close()


def tantivy_build(texts: list[str]) -> Callable[[], object] | None:
    """tantivy, where somebody installed it beside; it is no dependency."""
    try:
        import tantivy
    except ImportError:
        return None
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="en_stem", index_option="freq")
    schema = builder.build()

    def build() -> None:
        index = tantivy.Index(schema)
        writer = index.writer(num_threads=1)
        for text in texts:
            writer.add_document(tantivy.Document(text=text))
        writer.commit()

    return build


def memory_figures(bench: Bench) -> Iterator[Figure]:
    """The most memory that building an index and a whole import hold, each in a process of its own (Linux)."""
    built = in_child("--build", str(bench.count))
    peak = built["peak"] * 2**20 / built["postings"]
    yield Figure("index: peak memory beyond the texts", "12 bytes a posting", (peak,), (12.0,), 1.0, "bytes")
    whole = in_child("--import-file", str(bench.export), str(bench.folder / "child"))["peak"]
    yield Figure(
        "import: peak memory of the process", "3 GB (the goal is for 5 M)", (whole,), (3_000.0,), 1.0, "MB"
    )


def in_child(*arguments: str) -> dict[str, float]:
    """What this program measures of itself when it is started for that alone."""
    run = subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(run.stdout)
    return found


def build_in_child(count: int) -> dict[str, float]:
    """Memory that an index takes beyond its texts while it is built; the kernel's mark is set back before."""
    texts, parts, index = corpus.messages(count), columns(count), Index()
    append(Index(), texts[:1], parts, 0)  # whatever is loaded at first use
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = memory_of("self")
    append(index, texts, parts, 0)
    peak = memory_of("self", "VmHWM") - before
    return {"peak": peak, "postings": sum(len(segment.docs) for segment in index.segments)}


def append_figures(bench: Bench) -> Iterator[Figure]:
    """1,000 more messages until they can be searched."""
    stock, index = bench.stock_seconds(), bench.index
    parts = columns(bench.count + 1000)
    times = []
    for turn in range(2 * bench.turns):
        copy = index.clone()
        new = [f"{text} addition {turn}" for text in bench.texts[:1000]]

        def work(copy: Index = copy, new: list[str] = new) -> None:
            append(copy, new, parts, bench.count)
            copy.scores(copy.vocabulary.query_terms("addition"))

        times.append(seconds(work))
    yield Figure("append 1,000 messages until searchable", "bm25s built anew", tuple(times), stock, 1_000)


def import_figures(bench: Bench) -> Iterator[Figure]:
    """A WhatsApp export: reading it, and reading, storing and indexing it."""
    homes = iter(range(bench.turns))

    def read() -> None:
        for _ in WHATSAPP.read(open_source(bench.export), Options()):
            pass

    parsing, whole = in_turns(
        read, lambda: imported(bench.folder / f"import{next(homes)}", bench.export), turns=bench.turns
    )
    count = bench.count / 1e6
    a_message = tuple(time / count for time in whole)
    yield Figure("WhatsApp import, a message", "60,000 a second", a_message, (1e6 / 60_000,), 1.0, "µs")
    # On an idle machine bm25s takes 32 µs a message for its index alone, so this is 60,000 a second in a ratio.
    yield Figure("WhatsApp import", "bm25s' index of its texts alone", whole, bench.stock_seconds(), 1.9)
    if (chatpack := chatpack_parse(bench.export)) is not None:
        ours, theirs = in_turns(read, chatpack, turns=bench.turns)
        yield Figure("WhatsApp parsing", "chatpack, with three fields read", ours, theirs, 1.5)
    else:
        yield Figure(
            "WhatsApp parsing, a message", "300,000 a second", tuple(t / count for t in parsing), (1e6 / 300_000,),
            1.0, "µs", "1.5 × what chatpack reached on an idle machine; it is not installed",
        )  # fmt: skip


def chatpack_parse(export: Path) -> Callable[[], object] | None:
    """chatpack, where somebody installed it beside; it is no dependency."""
    try:
        import chatpack
    except ImportError:
        return None
    return lambda: [(m.sender, m.timestamp, m.content) for m in chatpack.parse_whatsapp(str(export))]


def start_figures(bench: Bench) -> Iterator[Figure]:
    """From nothing to the first hit, with the archive encrypted."""

    def cold() -> None:
        library = Library(Home(bench.home))
        library.searcher.search(bench.asked[0], filters=Filters(), k=5)
        library.close()

    stock = bench.stock_seconds()
    cold()  # what Python loads at first use is no part of it
    times = tuple(seconds(cold) for _ in range(bench.turns))
    yield Figure("cold start to the first hit, encrypted", "bm25s from text", times, stock, 40)


def naive_search(scores: np.ndarray, mask: np.ndarray, session: np.ndarray, k: int) -> np.ndarray:
    """The paper's controls over whole arrays, as one would write them first."""
    scores = np.where(mask, scores, 0)
    own = np.empty(len(scores), np.int64)
    own[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    sums = np.bincount(session, scores)
    theirs = np.empty(len(sums), np.int64)
    theirs[np.argsort(-sums, kind="stable")] = np.arange(1, len(sums) + 1)
    fused = 1 / (RRF_K + own) + 1 / (RRF_K + theirs[session])
    fused[scores <= 0] = 0
    return np.argpartition(-fused, k)[:k]


def stock_of(index: Index) -> bm25s.BM25:
    """A stock bm25s index of the same tokens."""
    tokens: list[list[int]] = [[] for _ in range(len(index))]
    for segment in index.segments:
        terms = np.repeat(np.arange(len(segment.indptr) - 1), np.diff(segment.indptr))
        for document, term, times in zip(
            segment.docs.tolist(), terms.tolist(), segment.frequency.tolist(), strict=True
        ):
            tokens[document].extend([term] * times)
    reference = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    reference.index((tokens, {str(i): i for i in range(len(index.vocabulary))}), show_progress=False)
    return reference


def search_figures(bench: Bench) -> Iterator[Figure]:
    """Searching with dates, people, seen sessions, fusion and ±2, through the encrypted archive."""
    library = Library(Home(bench.home))
    searcher, index = library.searcher, library.searcher.index
    reference = stock_of(index)
    filters = Filters(FIRST.item(), LAST.item(), PEOPLE)
    seen = frozenset(range(0, index.session_count, 97))
    low = int(FIRST.astype("datetime64[s]").astype(np.int64))

    def ours(question: str) -> None:
        searcher.search(question, filters=filters, k=5, seen_sessions=seen)

    def naive(question: str) -> None:
        scores = reference.get_scores_from_ids(index.vocabulary.query_terms(question))
        mask = (index.columns.time >= low) & np.isin(index.columns.sender, (1, 2, 3))
        mask &= ~np.isin(index.columns.session, list(seen))
        naive_search(scores, mask, index.columns.session, 5)

    def typed(question: str) -> None:
        searcher.search(" ".join(question.split()[:2]), filters=Filters(), k=20)

    ours(bench.asked[0])
    rounds = [[quick_seconds(lambda w=w, q=q: w(q)) * 1000 for w in (ours, naive, typed)] for q in bench.asked]
    mine, stock, typing = np.array(rounds).T
    for name, share in (("p50", 50), ("p95", 95)):
        figures = (np.percentile(each, share) for each in (mine, stock))
        a, b = ((float(figure),) for figure in figures)
        yield Figure(f"search with all controls, {name}", "bm25s scores + whole arrays", a, b, 1 / 0.15, "ms")
    yield Figure("search with all controls, p95", "15 ms", (float(np.percentile(mine, 95)),), (15.0,), 1.0, "ms")
    yield Figure("search as you type, p95", "30 ms", (float(np.percentile(typing, 95)),), (30.0,), 1.0, "ms")
    library.close()


class Shown(Exception):
    """The evidence is on the screen: the model need not be asked."""


class NeverAsked:
    """Stands where a model would; whoever asks it finds that the evidence came too late."""

    model_id = "none"
    n_ctx = 4096

    def count(self, text: str) -> int:
        """About four characters a token."""
        return len(text) // 4

    def reply(self, *_: Any, **__: Any) -> Any:
        """Never comes to it."""
        raise AssertionError("the model was asked before anything was shown")

    score = reply

    def close(self) -> None:
        """Nothing to free."""


def evidence_figures(bench: Bench) -> Iterator[Figure]:
    """From a question to the evidence that is shown before the model has read anything."""
    library = Library(Home(bench.home))

    def on_event(name: str, _: object) -> None:
        if name == "evidence":
            raise Shown

    def until_shown(question: str) -> None:
        try:
            ask(library, Job(on_event), f"What did Ana say about {question}?", model=NeverAsked(), mode="quick")
        except Shown:
            return
        raise AssertionError("no evidence was shown")

    times = [quick_seconds(lambda q=q: until_shown(" ".join(q.split()[:5]))) for q in bench.asked[:100]]
    p95 = float(np.percentile(times, 95))
    yield Figure("first visible sign: evidence after Enter, p95", "0.3 s", (p95,), (0.3,), 1.0)
    library.close()


def app_figures(bench: Bench) -> Iterator[Figure]:
    """What window and engine hold together when nothing is going on and no model is loaded (Linux)."""
    home = bench.home
    if bench.count > APP_MESSAGES:
        export = bench.folder / "WhatsApp Chat with Friends.txt"
        corpus.whatsapp_file(export, bench.texts[:APP_MESSAGES])
        home = imported(bench.folder / "app", export)
    environment = {**os.environ, "BACKSCROLL_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    window = subprocess.Popen([sys.executable, "-m", "app"], env=environment, stderr=subprocess.DEVNULL)
    try:
        time.sleep(SETTLING)
        processes = [window.pid, *children(window.pid)]
        held = sum(map(memory_of, processes))
    finally:
        window.terminate()
        window.wait(20)
    note = f"{len(processes)} processes, {min(bench.count, APP_MESSAGES):,} messages, shared pages counted in each"
    yield Figure("memory of the app without a model", "250 MB", (held,), (250.0,), 1.0, "MB", note)


def children(pid: int) -> list[int]:
    """Processes that a process started."""
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


SECTIONS: dict[str, Callable[[Bench], Iterator[Figure]]] = {
    "index": index_figures,
    "memory": memory_figures,
    "append": append_figures,
    "import": import_figures,
    "start": start_figures,
    "search": search_figures,
    "evidence": evidence_figures,
    "app": app_figures,
}


def main() -> int:
    """Print the figures as they come."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--turns", type=int, default=TURNS, help="how often each thing is measured")
    parser.add_argument("--text", type=Path, help="a corpus, one message a line, in place of invented ones")
    parser.add_argument("--build", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--import-file", nargs=2, type=Path, help=argparse.SUPPRESS)
    add_options(parser, SECTIONS)
    options = parser.parse_args()
    os.environ["BACKSCROLL_NO_KEYRING"] = "1"
    if options.build:
        print(json.dumps(build_in_child(options.build)))
        return 0
    if options.import_file:
        imported(options.import_file[1], options.import_file[0])
        print(json.dumps({"peak": memory_of("self", "VmHWM")}))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options)
        figures = (figure for name in chosen(options, list(SECTIONS)) for figure in SECTIONS[name](bench))
        return shown(figures, options, FLOORS, f"{options.messages:,} messages, seconds of processor time")


if __name__ == "__main__":
    sys.exit(main())
