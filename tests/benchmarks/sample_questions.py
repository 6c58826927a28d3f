"""Ask the 25 questions about the sample archive with an installed model and count the right answers.

usage: python tests/benchmarks/sample_questions.py [--mode auto] [--model ID] [--limit N] [--json]

The same as `archive_questions.py --set sample`.
"""

import sys

from archive_questions import main

if __name__ == "__main__":
    sys.exit(main(["--set", "sample", *sys.argv[1:]]))
