"""Only the database itself: apsw's shell, tracing and test modules are left out."""

excludedimports = ["apsw.shell", "apsw.tests", "apsw.trace", "apsw.speedtest", "apsw.sphinx"]
