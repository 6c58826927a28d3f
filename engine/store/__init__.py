"""The archive: one encrypted SQLite file with messages, turns, ledger and the index arrays."""
