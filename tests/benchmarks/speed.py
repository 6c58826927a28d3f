"""Speed figures as ratios, measured side by side in one run. `make bench`; `make bench-quick` is the short form.

usage: python tests/benchmarks/speed.py [--messages 1000000] [--questions 300] [--text FILE] [--json]

Each row names what is compared with what; seconds are of this machine, ratios carry over.
"""

import argparse
import gc
import json
import os
import platform
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import apsw
import bm25s
import corpus
import numpy as np
import Stemmer

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

# Three quarters of what was measured at 100,000 messages; ratios of one run, so a slower machine does not matter.
FLOORS = {
    ("index from stored text", "bm25s tokenise + index"): 3.0,
    ("append 1,000 messages until searchable", "bm25s built anew"): 60.0,
    ("cold start to the first hit, encrypted", "bm25s from text"): 15.0,
    ("search with all controls, p95", "bm25s scores + whole arrays"): 1.2,
}
PER_SESSION = 45  # messages a session, about what chats have


@dataclass(frozen=True)
class Row:
    """One figure: ours, what it is held against, and the ratio (above 1: ours is that many times faster)."""

    what: str
    ours: float
    against: str
    theirs: float
    unit: str = "s"

    @property
    def ratio(self) -> float:
        """Theirs over ours."""
        return self.theirs / self.ours if self.ours else float("inf")


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    gc.collect()
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


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


def index_rows(texts: list[str]) -> Iterator[Row]:
    """Building an index from texts in memory."""
    index, parts = Index(), columns(len(texts))
    ours = seconds(lambda: append(index, texts, parts, 0))
    stock = seconds(lambda: stock_index(texts))
    yield Row("index from stored text", ours, "bm25s tokenise + index", stock)
    yield Row("index from stored text", ours, "SQLite FTS5 porter", seconds(lambda: fts5(texts)))
    if (tantivy := tantivy_seconds(texts)) is not None:
        yield Row("index from stored text", ours, "tantivy, one thread", tantivy)


def fts5(texts: list[str]) -> None:
    """A contentless FTS5 index in memory."""
    db = apsw.Connection(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='porter unicode61')")
    with db:
        db.executemany("INSERT INTO t(rowid, text) VALUES (?, ?)", enumerate(texts, 1))
    db.close()


def tantivy_seconds(texts: list[str]) -> float | None:
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

    return seconds(build)


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


def search_rows(library: Library, texts: list[str], count: int) -> Iterator[Row]:
    """Searching with dates, a person, seen sessions, fusion and ±2, through the encrypted archive."""
    searcher = library.searcher
    index = searcher.index
    reference = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    tokens = [[] for _ in range(len(index))]
    for segment in index.segments:
        for term in range(len(segment.indptr) - 1):
            for document, times in zip(*segment.slice(term), strict=True):
                tokens[document].extend([term] * int(times))
    reference.index((tokens, {str(i): i for i in range(len(index.vocabulary))}), show_progress=False)
    del tokens
    asked = corpus.questions(texts, count)
    first, last = "2016-01-01", "2030-01-01"
    filters = Filters(np.datetime64(first).item(), np.datetime64(last).item(), ("Ana", "Ben Okri", "Cleo Park"))
    seen = frozenset(range(0, index.session_count, 97))
    ours, theirs, typed = [], [], []
    for question in asked:
        ours.append(seconds_quick(lambda q=question: searcher.search(q, filters=filters, k=5, seen_sessions=seen)))
        typed.append(
            seconds_quick(lambda q=question: searcher.search(" ".join(q.split()[:2]), filters=Filters(), k=20))
        )
    low = int(np.datetime64(first, "s").astype(np.int64))
    for question in asked:
        terms = searcher.index.vocabulary.query_terms(question)

        def naive(terms: list[int] = terms) -> None:
            scores = reference.get_scores_from_ids(terms)
            mask = (index.columns.time >= low) & np.isin(index.columns.sender, (1, 2, 3))
            mask &= ~np.isin(index.columns.session, list(seen))
            naive_search(scores, mask, index.columns.session, 5)

        theirs.append(seconds_quick(naive))
    for name, share in (("p50", 50), ("p95", 95)):
        mine, stock = np.percentile(ours, share) * 1000, np.percentile(theirs, share) * 1000
        yield Row(f"search with all controls, {name}", mine, "bm25s scores + whole arrays", stock, "ms")
    yield Row(
        "search as you type, p95", float(np.percentile(typed, 95) * 1000), "30 ms to painted results", 30, "ms"
    )


def seconds_quick(work: Callable[[], object]) -> float:
    """Wall time without collecting garbage first."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def append_rows(index: Index, texts: list[str], stock: float) -> Iterator[Row]:
    """1,000 more messages until they can be searched."""
    parts = columns(len(index) + 3000)
    times = []
    for turn in range(3):
        copy = index.clone()
        new = [f"{text} addition {turn}" for text in texts[:1000]]

        def work(copy: Index = copy, new: list[str] = new) -> None:
            append(copy, new, parts, len(copy))
            copy.scores(copy.vocabulary.query_terms("addition"))

        times.append(seconds(work))
    yield Row("append 1,000 messages until searchable", statistics.median(times), "bm25s built anew", stock)


def archive_rows(folder: Path, texts: list[str], count: int) -> Iterator[Row]:
    """Import, cold start and search of a WhatsApp export through the encrypted archive."""
    export = folder / "WhatsApp Chat with Crew.txt"
    corpus.whatsapp_file(export, texts)
    parsing = seconds(lambda: sum(1 for _ in WHATSAPP.read(open_source(export), Options())))
    library = Library(Home(folder / "home"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    importing = seconds(lambda: library.import_paths(Job(), [export], ImportOptions()))
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    yield Row("WhatsApp parsed, messages a second", 1.0, "300,000", len(texts) / parsing / 300_000, "×")
    yield Row(
        "WhatsApp imported and searchable, messages a second", 1.0, "60,000", len(texts) / importing / 60_000, "×"
    )
    yield Row("import: memory beyond the start", peak, "300 MB", 300, "MB")
    library.close()

    def cold() -> None:
        again = Library(Home(folder / "home"))
        again.searcher.search(corpus.questions(texts, 1)[0], filters=Filters(), k=5)
        again.close()

    starting = statistics.median(seconds(cold) for _ in range(3))
    yield Row(
        "cold start to the first hit, encrypted", starting, "bm25s from text", seconds(lambda: stock_index(texts))
    )
    library = Library(Home(folder / "home"))
    yield from search_rows(library, texts, count)
    library.close()


def main() -> int:
    """Print the rows as they come."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--text", type=Path, help="a corpus, one message a line, in place of invented ones")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--floors", action="store_true", help="fail where a ratio is below its floor")
    options = parser.parse_args()
    os.environ["BACKSCROLL_NO_KEYRING"] = "1"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, {options.messages:,} messages", file=sys.stderr if options.json else sys.stdout)
    texts = corpus.messages(options.messages, text=options.text)
    rows = list(_shown(_all(texts, options.questions), as_json=options.json))
    low = [r for r in rows if options.floors and r.ratio < FLOORS.get((r.what, r.against), 0)]
    for row in low:
        print(f"below its floor of {FLOORS[row.what, row.against]}: {row.what}, {row.ratio:.2f}", file=sys.stderr)
    return 1 if low else 0


def _all(texts: list[str], count: int) -> Iterator[Row]:
    built = list(index_rows(texts))
    yield from built
    index = Index()
    append(index, texts, columns(len(texts)), 0)
    yield from append_rows(index, texts, built[0].theirs)
    del index
    with tempfile.TemporaryDirectory() as folder:
        yield from archive_rows(Path(folder), texts, count)


def _shown(rows: Iterator[Row], *, as_json: bool) -> Iterator[Row]:
    for row in rows:
        if as_json:
            print(json.dumps({**asdict(row), "ratio": round(row.ratio, 3)}), flush=True)
        else:
            print(f"{row.what:52} {row.ours:9.3f} {row.unit:3} {row.ratio:9.2f} ×  {row.against}", flush=True)
        yield row


if __name__ == "__main__":
    sys.exit(main())
