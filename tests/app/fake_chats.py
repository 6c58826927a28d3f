"""Invented chats and models for the scripted engine: long names, several scripts, markup that must stay text."""

import sys
from datetime import datetime, timedelta

START = datetime(2023, 1, 9, 8, 5)
PEOPLE = ("Nour", "Tomasz Wiśniewski-Featherstonehaugh of the Allotment Committee", "Me", "李梅")
TALK = (
    "did you see the heron by the weir this morning?",
    "yes! it stood there until the milk float came",
    "the ladder is back in the shed, thanks for lending it",
    "هل ستأتي إلى العشاء يوم الخميس؟",
    "نعم، سأحضر معي السلطة",
    "我们星期四晚上七点在老地方见面吧",
    "好的，我会带上照片",
    "I moved the dentist to Thursday the 14th at half past four, tell Nour",
    "<b>not bold</b> & <a href='http://example.com/x'>not a link</a> https://example.com/map?q=weir",
    "a very long message " + "that goes on about the hedge and the fence between the gardens " * 6,
)


def stamp(number: int) -> str:
    return (START + timedelta(minutes=37 * number)).isoformat()


class Chat:
    def __init__(self, number: int, title: str, platform: str, count: int, shift: int = 0) -> None:
        self.id, self.title, self.platform, self.count, self.shift = number, title, platform, count, shift

    def message(self, at: int) -> dict:
        words = TALK[(at + self.shift) % len(TALK)]
        sender = PEOPLE[(at * 7 + at // 3) % len(PEOPLE)]
        return {
            "id": self.id * 1_000_000 + at,
            "sender": sender,
            "timestamp": stamp(at),
            "text": words,
            "kind": "system" if at % 41 == 7 else "talk",
            "attachments": [{"name": "IMG-0042.jpg", "kind": "image"}] if at % 17 == 3 else [],
            "from_me": sender == "Me",
            "source_id": f"s{at}",
            "reply_to": f"s{at - 2}" if at % 13 == 5 else None,
            "edited": at % 29 == 4,
            "reactions": ["👍 Nour"] if at % 23 == 6 else [],
        }

    def row(self) -> dict:
        return {
            "id": self.id,
            "title": self.title,
            "platform": self.platform,
            "messages": self.count,
            "people": list(PEOPLE),
            "first": stamp(0),
            "last": stamp(self.count - 1),
        }

    def place(self, at: int) -> dict:
        message = self.message(at)
        return {
            "turn": message["id"],
            "score": 3.5,
            "chat": self.title,
            "chat_id": self.id,
            "platform": self.platform,
            "session": at // 20,
            "sender": message["sender"],
            "timestamp": message["timestamp"],
            "text": message["text"],
            "messages": [message["id"]],
        }

    def hit(self, at: int) -> dict:
        around = [self.place(each) for each in range(max(0, at - 2), min(self.count, at + 3))]
        return self.place(at) | {"context": around}


CHATS = [
    Chat(1, "Riverside neighbours", "whatsapp", 1200),
    Chat(2, "Nour", "telegram", 400, 3),
    Chat(3, "李梅", "wechat", 300, 5),
    Chat(4, "The extraordinarily long-winded planning group for the summer fête and tombola", "signal", 80),
]
for argument in sys.argv:
    if argument == "--large":
        CHATS[0].count = 500_000
    elif argument.startswith("--messages="):
        CHATS[0].count = int(argument.split("=")[1])
    elif argument == "--many":
        CHATS += [Chat(number, f"Small talk {number}", "whatsapp", 60, number) for number in range(5, 1500)]
MODELS = [
    {
        "id": "tiny-1b",
        "name": "Tiny 1B",
        "size": 1_117_320_768,
        "licence": "Apache-2.0",
        "installed": True,
        "path": "/models/tiny-1b.gguf",
        "fits": "fits",
        "needed": 1_900_000_000,
        "free": 8_000_000_000,
        "default": True,
        "languages": "English, Chinese",
        "kind": "chat",
        "check": None,
    },
    {
        "id": "huge-70b",
        "name": "Huge 70B with a name that is rather longer than one would like",
        "size": 42_000_000_000,
        "licence": "MIT",
        "installed": False,
        "path": "",
        "fits": "will not fit",
        "needed": 48_000_000_000,
        "free": 8_000_000_000,
        "default": False,
        "languages": "English",
        "kind": "chat",
    },
    {
        "id": "small-0.5b",
        "name": "Small 0.5B",
        "size": 491_400_064,
        "licence": "Apache-2.0",
        "installed": False,
        "path": "",
        "fits": "tight",
        "needed": 900_000_000,
        "free": 1_000_000_000,
        "default": False,
        "languages": "English",
        "kind": "chat",
    },
]
