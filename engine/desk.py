"""What the window can ask of the engine: each method of the protocol, on its lane.

Reads go through a connection of their own, so that they never wait for an import or an answer.
"""

import threading
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from engine import followup, history, overview, people, shapes, transcript
from engine.activity import activity
from engine.answer.answerer import prefix
from engine.asking import ask
from engine.completion import completed
from engine.connections import Connections
from engine.directory import Directory
from engine.erasing import erase_files
from engine.errors import NoModel, NothingThere
from engine.home import Home
from engine.importing import ImportDesk
from engine.job import Job
from engine.library import Library
from engine.modelling import ModelDesk
from engine.months import hits_by_month, query_words
from engine.sample import Sample
from engine.searcher import ArchiveSearcher
from engine.store.archive import Archive
from engine.store.keys import KeyStore
from engine.types import Filters, Hit, Mode
from importers.registry import IMPORTERS
from models.base import ChatModel

Json = dict[str, Any]
Handler = Callable[[Job, Json], Any]


class Desk:
    """The open archive and the loaded model, behind methods that take and give JSON."""

    def __init__(
        self,
        home: Home,
        *,
        sample: Sample | None = None,
        safe: bool = False,
        network_lock: bool = False,
        connections: Connections | None = None,
    ) -> None:
        self._home = home
        self._connections = connections or Connections()
        self._network_lock = network_lock
        self._sample = sample
        self._models = ModelDesk(home, safe=safe)
        self._library: Library | None = None
        self._opening = threading.Lock()
        # of the library, of the read lane, and the state of the archive when that one read the names
        self._reader: tuple[ArchiveSearcher, ArchiveSearcher, int] | None = None
        self._imports = ImportDesk(self.library, lambda: self._read().archive, sample)
        self._methods: dict[str, tuple[str, Handler]] = {
            "status": ("read", self._status),
            "formats": ("read", lambda _job, _params: [shapes.importer(i) for i in IMPORTERS]),
            "chats": ("read", lambda _job, _params: overview.chats(self._read().archive)),
            "people": ("read", lambda _job, _params: overview.people(self._read().archive)),
            "activity": ("read", lambda _job, params: activity(self._read().archive, params.get("chat_id"))),
            "connections": ("read", lambda _job, _params: self._connections.as_json()),
            "transcript": ("read", self._transcript),
            "search": ("read", self._search),
            "models": ("read", lambda _job, _params: self._models.listed()),
            "unlock": ("work", self._unlock),
            "passphrase": ("work", lambda _job, params: self.library().lock_with(params.get("passphrase"))),
            "recovery_key": ("work", lambda _job, _params: {"key": self.library().new_recovery_key()}),
            "ask": ("work", self._ask),
            "history": (
                "read",
                lambda _job, p: history.listed(self._read().archive, p.get("query") or "", p.get("limit") or 50),
            ),
            "people_suggestions": (
                "read",
                lambda _job, _params: [shapes.suggestion(s) for s in people.suggestions(self._read().archive)],
            ),
            "people_merge": (
                "work",
                self._people(lambda archive, p: people.merge(archive, p["names"], p["into"])),
            ),
            "people_split": ("work", self._people(lambda archive, p: people.split(archive, p["name"]))),
            "set_me": (
                "work",
                self._people(lambda archive, p: people.set_owner(archive, p["platform"], p["name"])),
            ),
            "owners": ("read", lambda _job, _params: people.owners(self._read().archive)),
            "history_forget": (
                "work",
                lambda _job, params: history.forget(self.library().archive, params.get("id")),
            ),
            "model_load": ("work", lambda _job, params: self._models.use(params.get("id"))),
            "models_add": ("work", lambda job, params: self._models.add(job, Path(params["path"]))),
            "models_remove": ("work", lambda _job, params: self._models.remove(params["id"])),
            "models_check": ("work", lambda job, params: self._models.check(job, params["id"])),
            "models_try": ("work", self._try_model),
            "model_warm": ("work", self._warm_model),
            "running": ("read", lambda _job, _params: self._models.running()),
            "verify": ("work", lambda job, _params: shapes.verification(self.library().verify(job))),
            "erase": ("work", self._erase),
            **self._imports.methods(),
        }

    def method(self, name: str) -> tuple[str, Handler] | None:
        """Lane and handler of a method."""
        return self._methods.get(name)

    # the archive

    def library(self) -> Library:
        """The archive, opened when it is first needed, by whichever lane needs it first."""
        with self._opening:
            if self._library is None:
                self._library = Library(self._home)
            return self._library

    def _read(self) -> "ArchiveSearcher":
        """The searcher of the read lane: its own connection, the newest index, the names as they are now."""
        library = self.library()
        newest = library.searcher
        if self._reader is None or self._reader[0] is not newest:
            archive = library.second_connection()
        else:
            _, reader, version = self._reader
            archive = reader.archive
            if archive.data_version() == version:
                return reader
        # Something was written, perhaps by another process, whose chats this one's snapshot does not know.
        version = archive.data_version()
        reader = ArchiveSearcher(archive, newest.index, Directory(archive))
        self._reader = (newest, reader, version)
        return reader

    def _unlock(self, _job: Job, params: Json) -> bool:
        self._library = Library(self._home, passphrase=str(params["passphrase"]))
        return True

    def _status(self, _job: Job, _params: Json) -> Json:
        # By the reader's own connection: the other one may be in the middle of an import.
        reader = self._read()
        protection = self.library().protection()
        return {
            **overview.stats(reader.archive),
            **overview.counts(reader.archive),
            "turns": reader.index.n_docs,
            "encrypted": True,
            "protection": protection.kind,
            "protection_sentence": protection.sentence,
            "recovery_key": self.library().keys.has_recovery_key(),
            "network_lock": self._network_lock,
            "home": str(self._home.path),
            "models_folder": str(self._home.models),
            "model": self._models.current(),
            "sample": self._sample is not None,
            "owners": sorted(reader.directory.owners),
        }

    # models

    def _try_model(self, job: Job, params: Json) -> Json:
        """The self-check of a model; its result is kept."""
        name = str(params["id"])
        return self._models.keep_check(name, self._imports.sample().check(job, lambda: self._models.load(name)))

    def _warm_model(self, job: Job, params: Json) -> bool:
        """Load the model and let it read what every question begins with, while the person still types.

        What it has read when it is stopped is kept, so a question never waits longer for it.
        """
        self._models.load(params.get("id")).reply(prefix(), max_tokens=0, should_stop=job.stopped)
        return True

    # reading and searching

    def _transcript(self, _job: Job, params: Json) -> Json:
        reader = self._read()
        chat = reader.directory.chats.get(int(params["chat_id"]))
        if chat is None:
            raise NothingThere("That chat is no longer in the archive.")
        page = transcript.page(reader.archive, chat.id, params)
        return {**shapes.page(page), "chat": {"id": chat.id, "title": chat.title, "platform": chat.platform}}

    @staticmethod
    def _filters(params: Json) -> Filters:
        first, last = params.get("from"), params.get("to")
        return Filters(
            date.fromisoformat(first) if first else None,
            date.fromisoformat(last) if last else None,
            tuple(params.get("senders") or ()),
            tuple(params.get("chats") or ()),
            tuple(params.get("sources") or ()),
        )

    def _search(self, _job: Job, params: Json) -> Json:
        reader, typed = self._read(), str(params["query"])
        query = completed(typed, reader.index) if params.get("complete") else typed
        filters = self._filters(params)
        result = reader.search(
            query,
            filters=filters,
            k=int(params.get("k") or 20),
            context=int(params.get("context") or 0),
        )
        found = shapes.search_result(result)
        if params.get("months"):
            found["months"] = hits_by_month(reader, query_words(typed, query), filters)
        return found

    def _ask(self, job: Job, params: Json) -> Json:
        mode: Mode = params.get("mode") or "auto"
        now = date.fromisoformat(params["now"]) if params.get("now") else None
        model: ChatModel | None
        try:
            model = self._models.waiting(params.get("model"))
        except NoModel:
            if params.get("model"):
                raise
            model = None
        self.library().refresh()  # another process may have imported something
        asked = str(params["question"])
        question = followup.standalone(asked, [str(each["question"]) for each in params.get("previous") or ()])
        if question != asked:
            job.emit("understood", question=question)
        answer = ask(
            self.library(),
            job,
            question,
            model=model,
            mode=mode,
            filters=self._filters(params),
            now=now,
        )
        shown = self._placed(shapes.answer(answer))
        number = history.remember(
            self.library().archive, asked, shown, datetime.now().isoformat(timespec="seconds")
        )
        return {**shown, "history": number}

    def _people(self, change: Callable[[Archive, Json], Any]) -> Handler:
        """A change of who is who, which is seen at once."""

        def changed(_job: Job, params: Json) -> Any:
            library = self.library()
            result = change(library.archive, params)
            library.adopt()
            return result

        return changed

    def _placed(self, answer: Json) -> Json:
        """The answer with where each citation stands: its chat, app and messages."""
        turns = self.library().searcher.turns({each["turn"] for each in answer["citations"]})
        for each in answer["citations"]:
            if turn := turns.get(each["turn"]):
                each |= {"chat_id": turn.chat_id, "platform": turn.platform, "messages": list(turn.messages)}
        return answer

    # care

    def _erase(self, _job: Job, params: Json) -> Json:
        if params.get("all"):
            if self._library:
                self._library.close()
            self._library, self._reader = None, None
            erase_files(self._home, KeyStore(self._home.keys))  # also where nobody can open it any more
            return {"messages": None}
        return {"messages": self.library().erase_chat(str(params["chat"]))}


def json_event(data: Json) -> Json:
    """An event's data as JSON: hits become their shape."""
    hits = data.get("hits")
    if hits and isinstance(hits[0], Hit):
        return {**data, "hits": [shapes.hit(h) for h in hits]}
    return data
