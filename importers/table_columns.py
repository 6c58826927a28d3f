"""How a table is cut into columns, and which column is what by its name."""

import csv
import io
import re
from collections.abc import Iterable

from importers.source import Source
from importers.text import head_text

DELIMITERS = ",;\t|"

FIELDS = ("text", "sender", "time", "date", "chat", "conversation", "id", "reply_to", "attachment")
"""What a column may hold. `time` may be a whole time; `date` is for tables with the day in a column of its own."""

_SYNONYMS: dict[str, str] = {
    "text": "text message content body msg messagetext messagebody contents messagecontent comment utterance "
            "texto mensaje mensagem nachricht testo tekst texte messaggio bericht meddelande wiadomość mesaj "
            "сообщение текст повідомлення "
            "内容 消息 訊息 メッセージ 本文 메시지 내용",
    "sender": "sender from author user name sendername username fromname role speaker nick nickname displayname "
              "who participant contact screenname senderid userid authorid absender remitente expéditeur mittente "
              "verfasser autor auteur autore afzender avsändare nadawca gönderen отправитель автор відправник "
              "发送者 发送人 昵称 送信者 보낸사람 사용자",
    "time": "timestamp time datetime createdat sentat created sent ts createtime createdtime senttime messagetime "
            "timestampms timestamputc dateutc utc creationtime zeit uhrzeit hora heure ora tijd tid czas "
            "saat clock время час 时间 時間 日時 시간",
    "date": "date day datesent messagedate datum fecha data dato tarih дата 日期 日付 날짜",
    "chat": "chat channel conversationtitle chatname channelname room roomname group groupname title thread "
            "conversation",
    "conversation": "conversationid threadid sessionid session chatid channelid",
    "id": "id messageid msgid uuid guid",
    "reply_to": "replyto replytoid inreplyto parentid parentmessageid replytomessageid",
    "attachment": "attachment attachments file files media filename anhang adjunto anexo allegato вложение 附件",
}  # fmt: skip
_ORDER = {field: names.split() for field, names in _SYNONYMS.items()}


def guess(columns: Iterable[str]) -> dict[str, str]:
    """Our field to their column, for each field whose column can be told by its name."""
    plain = {re.sub(r"[\W_]+", "", c).lower(): c for c in reversed(list(columns))}
    found: dict[str, str] = {}
    for field in FIELDS:
        name = next((n for n in _ORDER[field] if n in plain and plain[n] not in found.values()), None)
        if name:
            found[field] = plain[name]
    return found


def is_chat(found: dict[str, str]) -> bool:
    """Whether these columns make messages: words, and who or when."""
    return "text" in found and bool({"sender", "time", "date"} & found.keys())


def delimiter(source: Source) -> str:
    """The delimiter that cuts the first rows into the same number of columns, and into the most."""
    text = head_text(source)
    complete = text if len(source.head) >= source.size else text[: text.rfind("\n") + 1] or text
    return max(DELIMITERS, key=lambda mark: _fit(complete, mark))


def _fit(text: str, mark: str) -> tuple[float, int]:
    """How many of the first rows have as many columns as the heading, and how many those are."""
    try:
        rows = [r for r in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if r][:50]
    except csv.Error:
        return (0.0, 0)
    if not rows or len(rows[0]) < 2:
        return (0.0, 0)
    return (sum(len(r) == len(rows[0]) for r in rows) / len(rows), len(rows[0]))
