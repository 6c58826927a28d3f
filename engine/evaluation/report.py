"""The figures as a Markdown report: how they were made, a table over all questions, one for each type."""

import math
from collections.abc import Sequence

from engine.evaluation.metrics import BUDGETS, TOP
from engine.evaluation.scores import ALL, Tables

_ANSWERS = ("f1", "choice", "not found", "false not found", "citation precision", "citation recall")
_COST = ("searches", "model calls", "prompt tokens", "evaluated tokens", "generated tokens", "seconds")


def report(tables: Tables, *, title: str, about: Sequence[str], budgets: Sequence[int] = BUDGETS) -> str:
    """A Markdown document. Shares are in per cent, with 95 % bootstrap intervals in the first table."""
    words = [f"{b:,} words" for b in budgets]
    places = [f"@{k}" for k in TOP]
    parts = [f"# {title}", "", *about, "", "Shares in per cent; brackets are 95 % bootstrap intervals.", ""]
    parts += _table("Evidence found within a number of words", tables, ALL, words, interval=True)
    parts += _table("Evidence found in the first turns", tables, ALL, [*places, "all@5", "any@5", "ndcg@10"])
    sessions = ["sessions@5", "all sessions@5", "any session@5"]
    parts += _table("Sessions of the evidence among the first five sessions", tables, ALL, sessions)
    parts += _table("Answers", tables, ALL, _ANSWERS, interval=True)
    parts += _table("Cost a question", tables, ALL, _COST, percent=False)
    kinds = sorted({kind for table in tables.values() for kind in table if kind not in (ALL, "")})
    for kind in kinds:
        parts += _table(f"Type {kind}", tables, kind, [*words, *places, *_ANSWERS])
    return "\n".join(parts).rstrip() + "\n"


def _table(
    title: str,
    tables: Tables,
    kind: str,
    metrics: Sequence[str],
    *,
    interval: bool = False,
    percent: bool = True,
) -> list[str]:
    """One table; columns and rows without any figure are left out."""
    rows = {name: table[kind] for name, table in tables.items() if kind in table}
    columns = [m for m in metrics if any(m in row.values for row in rows.values())]
    shown = {name: row for name, row in rows.items() if any(m in row.values for m in columns)}
    if not columns:
        return []
    lines = [f"## {title}", "", f"| method | n | {' | '.join(columns)} |", "|---|---|" + "---|" * len(columns)]
    for name, row in shown.items():
        summary = row.summary()
        cells = [_cell(summary.get(m), interval=interval, percent=percent) for m in columns]
        n = max(int(summary[m]["n"]) for m in columns if m in summary)
        lines.append(f"| {name} | {n:,} | {' | '.join(cells)} |")
    return [*lines, ""]


def _cell(values: "dict[str, float | int] | None", *, interval: bool, percent: bool) -> str:
    if values is None or math.isnan(values["mean"]):
        return "–"
    if not percent:
        return f"{values['mean']:,.3f}" if values["mean"] < 1 else f"{values['mean']:,.1f}"
    text = f"{100 * values['mean']:.1f}"
    if interval and not math.isnan(values["low"]):
        text += f" [{100 * values['low']:.1f}, {100 * values['high']:.1f}]"
    return text
