"""An engine process that is scripted: the protocol of the real one, over invented chats.

Run as a program. The words of a question choose the behaviour: "slow", "fails", "crash", "nothing",
"flood", "unsure"; the argument --empty starts without an archive, --mute never gets ready, --dies ends at
once, --key-file says that there is no keyring, --lost that the key is lost, --large makes one chat of 500,000
messages.
"""

import json
import os
import sys
import threading
from datetime import datetime

from fake_chats import CHATS, MODELS, PEOPLE, START, Chat, stamp

BUSY = threading.Lock()
STATE = {
    "pairs": [{"names": ["Nour", "Nour Haddad"], "reason": "part of the name", "sentence": ""}],
    "also": ["+44 7700 900123"],
    "passphrase": None,
    "recovery": False,
    "unlocked": False,
    "cut": "--cut" in sys.argv,
    "sample": "--sample" in sys.argv,
    "empty": "--empty" in sys.argv,
    "model": True,
}


class Stopped(Exception):
    pass


class Failed(Exception):
    def __init__(self, kind: str, sentence: str, advice: str = "", details: str = "") -> None:
        super().__init__(sentence)
        self.error = {"type": kind, "sentence": sentence, "advice": advice, "details": details}


def put(message: dict) -> None:
    with BUSY:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


class Task:
    def __init__(self, number: int) -> None:
        self.number = number
        self.stop = threading.Event()

    def event(self, name: str, **data: object) -> None:
        if self.stop.is_set():
            raise Stopped
        put({"id": self.number, "event": name, "data": data})

    def wait(self, seconds: float) -> None:
        if self.stop.wait(seconds):
            raise Stopped


def chat_of(number: int) -> Chat:
    for chat in CHATS:
        if chat.id == number:
            return chat
    raise Failed("NothingThere", f"There is no chat {number}.", "Choose another.")


def status(task: Task, given: dict) -> dict:
    if "--lost" in sys.argv and not STATE["empty"]:
        raise Failed("KeyLost", "The keyring no longer holds the key, and there is no other.", "Erase it.")
    if "--locked" in sys.argv and not STATE["unlocked"]:
        raise Failed("ArchiveLocked", "The archive is locked by a passphrase.", "Enter it.")
    if STATE["empty"]:
        counts = {"chats": 0, "messages": 0, "turns": 0, "first": None, "last": None}
    else:
        total = sum(chat.count for chat in CHATS)
        counts = {
            "chats": len(CHATS),
            "messages": total,
            "turns": total,
            "first": stamp(0),
            "last": stamp(1199),
        }
    model = {"id": "tiny-1b", "name": "Tiny 1B", "loaded": True} if STATE["model"] else None
    more = {
        "encrypted": True,
        "protection": "passphrase"
        if STATE["passphrase"]
        else "key file"
        if "--key-file" in sys.argv
        else "keyring",
        "recovery_key": STATE["recovery"],
        "network_lock": True,
        "home": "/home/me/.local/share/backscroll",
        "sample": False,
        "owners": ["Robin Hale"] if STATE["sample"] else [],
    }
    return counts | more | {"model": model}


def formats(task: Task, given: dict) -> list:
    return [
        {
            "name": "whatsapp",
            "title": "WhatsApp chat export",
            "platform": "whatsapp",
            "patterns": ["*.txt", "*.zip"],
            "how_to_export": ["Open the chat.", "Choose Export chat.", "Save the file."],
        },
        {
            "name": "telegram",
            "title": "Telegram Desktop export",
            "platform": "telegram",
            "patterns": ["result.json"],
            "how_to_export": ["Open Settings.", "Choose Export Telegram data."],
        },
    ]


def preview(task: Task, given: dict) -> dict:
    order = given.get("date_order") or "auto"
    files = []
    for at, path in enumerate(given["paths"]):
        task.event("progress", done=at, total=len(given["paths"]), note=path, rate=1.0, seconds_left=1.0)
        name = path.rsplit("/", 1)[-1]
        if "table" in name:
            columns = given.get("columns_of", {}).get(path, {})
            files.append(
                {
                    "path": path,
                    "name": name,
                    "status": "recognised" if columns.get("text") else "unrecognised",
                    "title": "Table",
                    "messages": 12,
                    "headers": ["Tag", "Wer", "Gesagt"],
                    "columns": {"time": "Tag", **columns},
                }
            )
            continue
        if "contacts" in name:
            files.append({"path": path, "name": name, "title": "Contacts (vCard)", "contacts": 31})
            continue
        if "unknown" in name:
            files.append(
                {
                    "path": path,
                    "name": name,
                    "status": "unrecognised",
                    "reason": "It is not an export that Backscroll knows.",
                }
            )
            continue
        files.append(
            {
                "path": path,
                "name": name,
                "format": "whatsapp",
                "title": "WhatsApp chat export",
                "status": "recognised",
                "chats": ["Riverside neighbours"],
                "senders": list(PEOPLE),
                "date_order": "dmy" if order == "auto" else order,
                "date_order_reason": "No day is above 12, so the order is a guess from the phone's language.",
                "date_order_is_guess": True,
                "other_orders": ["mdy"],
                "naive_times": True,
                "first": stamp(0) if order != "mdy" else "2023-09-01T08:05:00",
                "last": stamp(1199),
                "messages": 1200,
                "sample": [CHATS[0].message(each) for each in range(5)],
                "problems": [{"line": 31, "reason": "A line without a date.", "excerpt": "lorem"}],
            }
        )
    return {"files": files}


def importing(task: Task, given: dict) -> dict:
    slow = any("slow" in path for path in given["paths"])
    for done in range(0, 1201, 100):
        task.event(
            "progress",
            done=done,
            total=1200,
            note=f"{done:,} messages read",
            rate=900.0,
            seconds_left=(1200 - done) / 900,
        )
        task.wait(0.5 if slow else 0.005)
        if any("crash" in path for path in given["paths"]) and done == 600:
            os._exit(3)
    if any("full" in path for path in given["paths"]):
        raise Failed("DiskFull", "The disk is full.", "Free some space and try again.", "ENOSPC")
    STATE["empty"] = False
    problems = [{"line": 31, "reason": "A line without a date.", "excerpt": "lorem ipsum"}]
    file = {
        "path": given["paths"][0],
        "format": "whatsapp",
        "status": "imported",
        "new": 1180,
        "duplicate": 19,
        "system": 4,
        "skipped": 1,
        "date_order": (given.get("date_orders") or {}).get(given["paths"][0], "dmy"),
        "date_order_reason": "chosen",
        "timezone": given.get("timezone") or "",
        "problems": problems,
    }
    return {"files": [file], "chats": 1, "messages": 1180}


def past_import(number: int, path: str, **more: object) -> dict:
    return {
        "id": number,
        "imported_at": stamp(880 + number),
        "path": path,
        "format": "whatsapp",
        "status": "imported",
        "new": 1180,
        "duplicate": 19,
        "system": 4,
        "skipped": 1,
        "date_order": "dmy",
        "date_order_reason": "A day is above 12.",
        "problems": [{"line": 31, "reason": "A line without a date.", "excerpt": "lorem ipsum"}],
        **more,
    }


PAST = [
    past_import(2, "/exports/Riverside.txt"),
    past_import(1, sys.argv[0]),  # a file that exists
]


def undo_import(task: Task, given: dict) -> dict:
    task.event("progress", done=0, total=2, note="Indexing", rate=0.0, seconds_left=None)
    task.wait(0.05)
    PAST[:] = [each for each in PAST if each["id"] != given["id"]]
    return {"messages": 1184}


def unfinished(task: Task, given: dict) -> dict | None:
    return {"paths": ["/exports/a.txt", "/exports/b.txt"], "done": ["/exports/a.txt"]} if STATE["cut"] else None


def resume_import(task: Task, given: dict) -> dict:
    STATE["cut"] = False
    return importing(task, {"paths": ["/exports/b.txt"]})


def leave_import(task: Task, given: dict) -> None:
    STATE["cut"] = False


def transcript(task: Task, given: dict) -> dict:
    chat = chat_of(given["chat_id"])
    limit = given.get("limit") or 50
    if given.get("earlier_than") is not None:
        end = given["earlier_than"] - chat.id * 1_000_000
        first, last = max(0, end - limit), end
    elif given.get("later_than") is not None:
        first = given["later_than"] - chat.id * 1_000_000 + 1
        last = min(chat.count, first + limit)
    else:
        middle = chat.count
        if given.get("around_message", given.get("around")) is not None:
            middle = given.get("around_message", given.get("around")) - chat.id * 1_000_000
        elif given.get("date"):
            days = datetime.fromisoformat(given["date"]) - START
            middle = int(days.total_seconds() // (37 * 60)) + 1
        middle = max(0, min(middle, chat.count))
        first = max(0, middle - given.get("before", 50))
        last = min(chat.count, middle + given.get("after", 50) + 1)
    return {
        "messages": [chat.message(at) for at in range(first, last)],
        "has_earlier": first > 0,
        "has_later": last < chat.count,
        "chat": chat.row(),
    }


def found(query: str, given: dict, limit: int) -> list:
    wanted = query.lower().split()
    hits = []
    for chat in CHATS:
        if given.get("chats") and chat.title not in given["chats"]:
            continue
        for at in range(min(chat.count, 300)):
            message = chat.message(at)
            if given.get("senders") and message["sender"] not in given["senders"]:
                continue
            if any(word in message["text"].lower() for word in wanted):
                hits.append(chat.hit(at))
                if len(hits) >= limit:
                    return hits
    return hits


def activity(task: Task, given: dict) -> dict:
    months = [{"month": f"2023-{month:02}", "messages": 40 * month % 370} for month in range(1, 13)]
    return {"months": months, "hours": [hour * 7 % 40 for hour in range(24)]}


def search(task: Task, given: dict) -> dict:
    if "fails" in given["query"]:
        raise Failed("ArchiveDamaged", "The index cannot be read.", "Run verify.", "page 7")
    hits = found(given["query"], given, given.get("k") or 20)
    searched = {"chats": len(CHATS), "turns": 1980, "from": stamp(0), "to": stamp(1199)}
    return {"hits": hits, "searched": searched, "seconds": 0.004}


def ask(task: Task, given: dict) -> dict:
    question = given["question"]
    task.event("step", text="Searching for dentist, Thursday")
    places = [CHATS[0].hit(7), CHATS[0].hit(17), CHATS[1].hit(4)]
    if "crash" in question:
        task.event("evidence", hits=places)
        os._exit(9)
    if "fails" in question:
        raise Failed("ModelMemoryError", "The model does not fit.", "Choose a smaller one.", "needs 4 GB")
    if "nothing" in question and given["mode"] != "thorough":
        searched = {"chats": 2, "turns": 900, "from": stamp(0), "to": stamp(1199)}
        return {
            "answer": "",
            "found": False,
            "citations": [],
            "unsupported": [],
            "trace": [],
            "cost": {"searches": 2, "seconds": 3.2},
            "nearest": places[:2],
            "searched": searched,
            "mode": "quick",
        }
    task.event("trace", action="search_chatrecord", input={"keywords": "dentist"}, hits=[1, 2, 3])
    task.event("evidence", hits=places)
    if "slow" in question:
        for done in range(0, 1000, 50):
            task.event("reading", done=done, total=1000)
            task.wait(0.2)
    if "flood" in question:
        for piece in range(20_000):
            task.event("text", piece=f"w{piece} ")
    answer = "The dentist is on Thursday the 14th, at half past four [1]. "
    second = "Nour was to be told as well [2]."
    for word in (answer + second).split(" "):
        task.event("text", piece=word + " ")
        task.wait(0.01)
    marks = []
    for n, place in enumerate(places[:2], 1):
        bare = {key: value for key, value in place.items() if key not in ("context", "score")}
        marks.append(bare | {"n": n, "verified": n == 1 or "unsure" not in question})
    return {
        "answer": answer + second,
        "found": True,
        "citations": marks,
        "unsupported": [second] if "unsure" in question else [],
        "trace": [
            {"action": "search_chatrecord", "input": {"keywords": "dentist"}, "hits": [1, 2, 3]},
            {"action": "take_note", "input": {"indices": [1, 2]}, "hits": [1, 2]},
            {"action": "finish_search", "input": {}, "hits": []},
        ],
        "cost": {"searches": 4, "seconds": 14.0},
        "nearest": [],
        "searched": {"chats": 3, "turns": 1900, "from": stamp(0), "to": stamp(1199)},
        "mode": given["mode"],
    }


HISTORY: list[dict] = []


def ask_and_remember(task: Task, given: dict) -> dict:
    question = given["question"]
    if given.get("previous") and question.startswith("and"):
        task.event("understood", question=given["previous"][-1]["question"] + " " + question)
    answer = ask(task, given)
    HISTORY.insert(0, {"id": len(HISTORY) + 1, "asked_at": stamp(900), "question": question, "answer": answer})
    return answer


def history(task: Task, given: dict) -> list:
    wanted = given["query"].lower()
    return [each for each in HISTORY if wanted in (each["question"] + each["answer"]["answer"]).lower()]


def history_forget(task: Task, given: dict) -> dict:
    HISTORY[:] = [each for each in HISTORY if given["id"] is not None and each["id"] != given["id"]]
    return {}


def models_get(task: Task, given: dict) -> dict:
    for done in range(0, 101, 20):
        task.event("progress", done=done * 4_000_000, total=400_000_000, note="", rate=4e7, seconds_left=2.0)
        task.wait(0.01)
    for model in MODELS:
        if model["id"] == given["id"]:
            model["installed"] = True
    return {}


def models_try(task: Task, given: dict) -> dict:
    for done, note in enumerate(("Opening the model", "Measuring its speed", "Asking a question: quick")):
        task.event("progress", done=done, total=60 if done else None, note=note, rate=1.0, seconds_left=None)
        task.wait(60 if "--patient" in sys.argv else 0.05)  # as long as it takes somebody to press Cancel
    check = {
        "advice": "quick",
        "reading": 120.0,
        "writing": 12.4,
        "quick": {"asked": 4, "right": 3, "seconds": 6.5},
        "thorough": {"asked": 2, "right": 1, "seconds": 17.0},
        "checked_at": stamp(900),
    }
    for model in MODELS:
        if model["id"] == given["id"]:
            model["check"] = check
    return check


def running(task: Task, given: dict) -> dict:
    return {
        "processor": "Invented Chip 9000",
        "cores": 4,
        "threads": 3,
        "features": ["AVX2", "FMA"],
        "module": "libggml-cpu-haswell.so",
        "safe": False,
        "model": {"id": "tiny-1b", "name": "Tiny 1B", "loaded": True},
        "context": 4096,
    }


def models_add(task: Task, given: dict) -> dict:
    if "broken" in given["path"]:
        raise Failed("ModelFileError", "The file is not a GGUF model.", "Choose another file.")
    MODELS.append(MODELS[0] | {"id": "own", "name": "Own model", "kind": "own", "default": False})
    return {"id": "own"}


def passphrase(task: Task, given: dict) -> None:
    STATE["passphrase"] = given["passphrase"]


def people_decided(task: Task, given: dict) -> None:
    STATE["pairs"] = []
    STATE["also"] = []
    STATE["decided"] = given


def recovery_key(task: Task, given: dict) -> dict:
    STATE["recovery"] = True
    return {"key": "ABCD-EFGH-JKLM"}


def unlock(task: Task, given: dict) -> bool:
    if given["passphrase"] != "sesame":
        raise Failed("ArchiveLocked", "That passphrase does not open the archive.", "Try again.")
    STATE["unlocked"] = True
    return True


def load_sample(task: Task, given: dict) -> dict:
    STATE["empty"] = False
    STATE["sample"] = True
    return {"files": [], "chats": 4, "messages": 1980}


def erase(task: Task, given: dict) -> dict:
    STATE["empty"] = bool(given.get("all")) or STATE["empty"]
    return {}


def nothing(task: Task, given: dict) -> dict:
    return {}


def unknown(task: Task, given: dict) -> dict:
    raise Failed("UnknownMethod", "There is no such method.")


METHODS = {
    "status": status,
    "formats": formats,
    "preview": preview,
    "import": importing,
    "chats": lambda task, given: [] if STATE["empty"] else [chat.row() for chat in CHATS],
    "people": lambda task, given: (
        []
        if STATE["empty"]
        else [
            {"name": name, "messages": 300, "platforms": ["whatsapp"], "also": STATE["also"] if at == 0 else []}
            for at, name in enumerate(PEOPLE)
        ]
    ),
    "activity": activity,
    "connections": lambda task, given: {"open": 0, "tried": 0, "since": stamp(900)},
    "transcript": transcript,
    "search": search,
    "ask": ask_and_remember,
    "history": history,
    "history_forget": history_forget,
    "models": lambda task, given: MODELS,
    "models_get": models_get,
    "models_add": models_add,
    "models_remove": nothing,
    "models_check": lambda task, given: {"ok": True},
    "model_load": nothing,
    "models_try": models_try,
    "running": running,
    "verify": lambda task, given: {"ok": True, "problems": []},
    "erase": erase,
    "load_sample": load_sample,
    "imports": lambda task, given: [] if STATE["empty"] else PAST,
    "undo_import": undo_import,
    "unfinished": unfinished,
    "resume_import": resume_import,
    "leave_import": leave_import,
    "passphrase": passphrase,
    "people_suggestions": lambda task, given: STATE["pairs"],
    "people_merge": people_decided,
    "people_split": people_decided,
    "set_me": people_decided,
    "recovery_key": recovery_key,
    "unlock": unlock,
}


def run(task: Task, method: str, given: dict) -> None:
    number = task.number
    try:
        put({"id": number, "result": METHODS.get(method, unknown)(task, given)})
    except Stopped:
        put({"id": number, "error": {"type": "Cancelled", "sentence": "", "advice": "", "details": ""}})
    except Failed as failure:
        put({"id": number, "error": failure.error})


def main() -> None:
    if "--dies" in sys.argv:
        sys.stderr.write("out of luck\n")
        sys.exit(7)
    if "--mute" not in sys.argv:
        put({"event": "ready", "data": {"version": "0", "pid": os.getpid()}})
    tasks: dict[int, Task] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["method"] == "cancel":
            task = tasks.get(asked["params"]["id"])
            if task:
                task.stop.set()
            continue
        task = tasks[asked["id"]] = Task(asked["id"])
        threading.Thread(target=run, args=(task, asked["method"], asked["params"]), daemon=True).start()
    os._exit(0)


if __name__ == "__main__":
    main()
