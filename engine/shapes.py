"""Engine data as plain JSON: the one place that knows the keys of the command line and of the engine process."""

from dataclasses import asdict
from typing import Any

from engine.ledger import FileReport
from engine.people import VCARD
from engine.reading import FilePreview
from engine.suggestions import Suggestion
from engine.transcript import Page, StoredMessage
from engine.types import Answer, Citation, Coverage, Hit, SearchResult, TraceStep, Turn
from engine.verifying import Verification
from importers.base import Importer, Message, Problem

Json = dict[str, Any]


def problem(item: Problem) -> Json:
    """A problem of an import."""
    return {"line": item.line, "reason": item.reason, "excerpt": item.excerpt}


def parsed_message(message: Message) -> Json:
    """A message as an importer gives it: one line of `backscroll parse --json`."""
    return {
        "chat": message.chat,
        "sender": message.sender,
        "timestamp": message.timestamp.isoformat() if message.timestamp else None,
        "text": message.text,
        "kind": message.kind,
        "attachments": [{"name": a.name, "kind": a.kind} for a in message.attachments],
        "from_me": message.from_me,
        "reply_to": message.reply_to,
        "edited": message.edited,
        "reactions": list(message.reactions),
    }


def importer(item: Importer) -> Json:
    """A format, as `backscroll formats --json` lists it."""
    return {
        "name": item.name,
        "title": item.title,
        "platform": item.platform,
        "patterns": list(item.patterns),
        "how_to_export": list(item.how_to_export),
    }


def file_report(report: FileReport) -> Json:
    """One entry of an import's `files`."""
    return {
        "path": report.path,
        "format": report.format,
        "status": report.status,
        "new": report.new,
        "duplicate": report.duplicate,
        "system": report.system,
        "skipped": report.skipped,
        "joined": report.joined,
        "shared": report.shared,
        "contacts": report.contacts,
        "named": report.named,
        "date_order": report.date_order,
        "date_order_reason": report.date_order_reason,
        "timezone": report.timezone,
        "problems": [problem(p) for p in report.problems],
    }


def preview(item: FilePreview) -> Json:
    """One file of a preview."""
    return {
        "path": item.path,
        "name": item.name,
        "format": item.importer.name if item.importer else VCARD if item.contacts else None,
        "title": item.importer.title if item.importer else "Contacts (vCard)" if item.contacts else None,
        "platform": item.importer.platform if item.importer else None,
        "status": "recognised" if item.importer or item.contacts else "unrecognised",
        "reason": item.reason,
        "chats": list(item.chats),
        "senders": sorted(item.senders, key=lambda name: -item.senders[name]),
        "date_order": item.facts.date_order,
        "date_order_reason": item.facts.date_order_reason,
        "date_order_is_guess": item.facts.date_order_is_guess,
        "other_orders": list(item.facts.other_orders),
        "naive_times": item.facts.naive_times,
        "first": item.first,
        "last": item.last,
        "messages": item.messages,
        "contacts": item.contacts,
        "columns": item.columns,
        "headers": list(item.headings),
        "more": item.more,
        "sample": [parsed_message(m) for m in item.sample],
        "problems": [problem(p) for p in item.problems],
    }


def suggestion(item: Suggestion) -> Json:
    """Names that may be one person, and why."""
    return {"names": list(item.names), "reason": item.reason, "sentence": item.sentence}


def stored_message(message: StoredMessage) -> Json:
    """A message of a transcript."""
    return asdict(message)


def page(item: Page) -> Json:
    """A page of a transcript."""
    return {
        "messages": [stored_message(m) for m in item.messages],
        "has_earlier": item.has_earlier,
        "has_later": item.has_later,
    }


def turn(item: Turn) -> Json:
    """A turn, as context or in a hit."""
    return {
        "turn": item.id,
        "chat": item.chat,
        "chat_id": item.chat_id,
        "platform": item.platform,
        "session": item.session,
        "sender": item.sender,
        "timestamp": item.timestamp,
        "text": item.text,
        "messages": list(item.messages),
    }


def hit(item: Hit) -> Json:
    """A found turn with the turns around it."""
    return {**turn(item.turn), "score": round(item.score, 6), "context": [turn(t) for t in item.context]}


def coverage(item: Coverage) -> Json:
    """What a search looked through."""
    return {"chats": item.chats, "turns": item.turns, "from": item.date_from, "to": item.date_to}


def search_result(result: SearchResult) -> Json:
    """`backscroll search --json`."""
    return {
        "hits": [hit(h) for h in result.hits],
        "searched": coverage(result.searched),
        "seconds": round(result.seconds, 4),
    }


def citation(item: Citation) -> Json:
    """A checked citation."""
    return asdict(item)


def trace_step(step: TraceStep) -> Json:
    """A step of the search trace."""
    return {"action": step.action, "input": step.input, "hits": list(step.hits), "thought": step.thought}


def answer(item: Answer) -> Json:
    """`backscroll ask --json`."""
    return {
        "answer": item.answer,
        "found": item.found,
        "citations": [citation(c) for c in item.citations],
        "unsupported": list(item.unsupported),
        "nearest": [hit(h) for h in item.nearest],
        "evidence": list(item.evidence),
        "searched": coverage(item.searched),
        "mode": item.mode,
        "trace": [trace_step(t) for t in item.trace],
        "cost": {**asdict(item.cost), "seconds": round(item.cost.seconds, 2)},
    }


def verification(result: Verification) -> Json:
    """What a check of the archive found."""
    return {
        "ok": result.ok,
        "messages": result.messages,
        "turns": result.turns,
        "files": result.files,
        "problems": result.problems + result.index_problems,
        "mended": result.mended,
    }
