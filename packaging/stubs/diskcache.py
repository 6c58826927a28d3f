"""Takes the place of the package diskcache in the frozen program.

llama-cpp-python imports it for a cache on disk that Backscroll never makes. The real one keeps pickles, which run
code when they are read (CVE-2025-69872), and is left out.
"""


class Cache:
    """Says no."""

    def __init__(self, *_: object, **__: object) -> None:
        raise RuntimeError("Backscroll has no cache on disk.")
