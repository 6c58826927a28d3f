"""The archive's tables, as numbered migrations that are only ever appended to.

Version n is what the first n migrations make. An archive of an older version is migrated in one transaction,
and a copy of it is kept; one of a newer version is refused with a sentence.
"""

MIGRATIONS: tuple[str, ...] = (
    # 1: messages are verbatim and append-only; everything below `turn` can be made again from them.
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE file (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL, format TEXT NOT NULL, status TEXT NOT NULL,
        date_order TEXT, date_order_reason TEXT NOT NULL DEFAULT '', timezone TEXT NOT NULL DEFAULT '',
        new INTEGER NOT NULL DEFAULT 0, duplicate INTEGER NOT NULL DEFAULT 0, system INTEGER NOT NULL DEFAULT 0,
        skipped INTEGER NOT NULL DEFAULT 0, joined INTEGER NOT NULL DEFAULT 0, imported_at TEXT NOT NULL);
    CREATE TABLE problem (
        file INTEGER NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, excerpt TEXT NOT NULL,
        skipped INTEGER NOT NULL);
    CREATE INDEX problem_file ON problem (file);
    CREATE TABLE chat (
        id INTEGER PRIMARY KEY, platform TEXT NOT NULL, own_id TEXT NOT NULL, title TEXT NOT NULL,
        language TEXT NOT NULL, UNIQUE (platform, own_id));
    CREATE TABLE sender (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE owner (platform TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (platform, name)) WITHOUT ROWID;
    CREATE TABLE message (
        id INTEGER PRIMARY KEY, chat INTEGER NOT NULL, sender INTEGER NOT NULL,
        order_time INTEGER NOT NULL,  -- wall clock, seconds since 1970; the message before it where it has none
        timestamp TEXT,               -- ISO 8601 as the export gives it, with an offset where it gives an instant
        kind TEXT NOT NULL, text TEXT NOT NULL,
        key BLOB NOT NULL,            -- recognises the same message in another export
        conversation TEXT, from_me INTEGER NOT NULL DEFAULT 0, source_id TEXT, reply_to TEXT,
        extra TEXT,                   -- JSON: attachments, reactions, edited
        file INTEGER NOT NULL, line INTEGER NOT NULL);
    CREATE UNIQUE INDEX message_key ON message (chat, key);
    CREATE INDEX message_order ON message (chat, order_time, id);
    CREATE TABLE turn (
        id INTEGER PRIMARY KEY,       -- also the document number in the index
        session INTEGER NOT NULL, chat INTEGER NOT NULL, sender INTEGER NOT NULL,
        first INTEGER NOT NULL,       -- its first message
        messages BLOB NOT NULL);      -- ids of its messages, little-endian int64
    CREATE INDEX turn_session ON turn (session);
    CREATE TABLE session (
        id INTEGER PRIMARY KEY, chat INTEGER NOT NULL, conversation TEXT,
        start_time INTEGER NOT NULL, start_message INTEGER NOT NULL);
    CREATE INDEX session_chat ON session (chat, start_time, start_message);
    CREATE TABLE index_array (
        segment INTEGER NOT NULL, name TEXT NOT NULL, dtype TEXT NOT NULL, data BLOB NOT NULL,
        UNIQUE (segment, name));
    """,
    # 2: questions with their answers, as they were shown.
    """
    CREATE TABLE question (
        id INTEGER PRIMARY KEY AUTOINCREMENT, asked_at TEXT NOT NULL, question TEXT NOT NULL,
        answer TEXT NOT NULL);        -- JSON
    """,
    # 3: who is who. Messages keep the sender as written; `who` says under which name people see it.
    """
    CREATE TABLE person (
        sender INTEGER PRIMARY KEY, name TEXT NOT NULL,
        chosen INTEGER NOT NULL);     -- 1 by the person, 0 found in the contacts
    CREATE TABLE contact (            -- of imported contact lists
        address TEXT NOT NULL,        -- phone number as digits, "+" in front of a country code; or a mail address
        name TEXT NOT NULL, PRIMARY KEY (address, name)) WITHOUT ROWID;
    CREATE VIEW who AS
        SELECT s.id AS id, s.name AS written, coalesce(p.name, s.name) AS name
        FROM sender s LEFT JOIN person p ON p.sender = s.id;
    ALTER TABLE file ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE file ADD COLUMN contacts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE file ADD COLUMN named INTEGER NOT NULL DEFAULT 0;
    """,
)
VERSION = len(MIGRATIONS)
