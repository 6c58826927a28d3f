"""What the commands share on the terminal."""

import signal

import pytest

from app.cli_console import cancelled_by_ctrl_c
from engine.errors import Cancelled
from engine.job import Job


def test_ctrl_c_cancels_the_job_and_is_itself_again_afterwards() -> None:
    job = Job()
    before = signal.getsignal(signal.SIGINT)
    with cancelled_by_ctrl_c(job):
        job.check()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(Cancelled):
            job.check()
    assert signal.getsignal(signal.SIGINT) == before
