"""A keyring gets lost: the recovery key opens the archive, and the keyring holds the key again."""

import json
from pathlib import Path

from keyring_in_a_file import with_keyring
from lives import Engine, answer_of, program, write_chat


def test_a_life_in_which_the_keyring_is_lost(tmp_path: Path) -> None:
    home, ring = tmp_path / "home", tmp_path / "ring.json"
    engine = Engine(home, env=with_keyring(ring))
    engine.ask("import", paths=[str(write_chat(tmp_path, 60))])
    status = engine.ask("status")
    assert (status["protection"], status["recovery_key"]) == ("keyring", False)
    recovery = engine.ask("recovery_key")["key"]
    engine.close()
    ((name, key),) = json.loads(ring.read_text()).items()
    assert not [path for path in home.iterdir() if key.encode() in path.read_bytes()]

    ring.write_text("{}")
    engine = Engine(home, env=with_keyring(ring))
    engine.send("status")
    error = engine.end()["error"]
    assert error["type"] == "ArchiveLocked"
    assert error["sentence"] == "This computer's keyring no longer holds the archive's key."
    assert error["advice"].startswith("Enter the recovery key")
    engine.send("unlock", passphrase="ABCD-EFGH")
    assert engine.end()["error"]["type"] == "ArchiveLocked"
    assert engine.ask("unlock", passphrase=recovery.lower().replace("-", " ")) is True
    status = engine.ask("status")
    assert (status["messages"], status["protection"], status["recovery_key"]) == (60, "keyring", True)
    assert engine.ask("verify")["ok"]
    engine.close()
    ((new_name, new_key),) = json.loads(ring.read_text()).items()
    assert new_key == key
    assert new_name != name

    engine = Engine(home, env=with_keyring(ring))
    assert engine.ask("status")["messages"] == 60, "it does not open by itself again"
    engine.close()


def test_a_keyring_that_was_only_locked_opens_with_an_empty_field(tmp_path: Path) -> None:
    home, ring = tmp_path / "home", tmp_path / "ring.json"
    engine = Engine(home, env=with_keyring(ring))
    engine.ask("recovery_key")
    engine.close()
    ring.rename(tmp_path / "locked.json")
    engine = Engine(home, env=with_keyring(ring))
    engine.send("status")
    assert "only locked" in engine.end()["error"]["advice"]
    (tmp_path / "locked.json").rename(ring)
    assert engine.ask("unlock", passphrase="") is True
    engine.close()


def test_without_a_recovery_key_the_loss_is_said_and_a_new_beginning_is_possible(tmp_path: Path) -> None:
    home, ring, chat = tmp_path / "home", tmp_path / "ring.json", write_chat(tmp_path, 60)
    engine = Engine(home, env=with_keyring(ring))
    engine.ask("import", paths=[str(chat)])
    engine.close()
    ring.write_text("{}")
    engine = Engine(home, env=with_keyring(ring))
    engine.send("status")
    error = engine.end()["error"]
    assert error["type"] == "KeyLost"
    assert "no recovery key was made" in error["sentence"]
    assert "import your exports again" in error["advice"]
    engine.ask("erase", all=True)
    assert engine.ask("status")["messages"] == 0
    assert engine.ask("import", paths=[str(chat)])["messages"] == 60
    engine.close()


def test_the_commands_offer_a_recovery_key_once_and_open_with_it(tmp_path: Path) -> None:
    home, env = tmp_path / "home", with_keyring(tmp_path / "ring.json")
    first = program(home, ["import", str(write_chat(tmp_path, 60)), "--json"], env=env)
    assert answer_of(first)["messages"] == 60
    (line,) = first.stderr.splitlines()
    assert "“backscroll recovery-key”" in line
    assert program(home, ["import", str(write_chat(tmp_path, 90)), "--json"], env=env).stderr == ""
    recovery = answer_of(program(home, ["recovery-key", "--json"], env=env))["recovery_key"]
    (tmp_path / "ring.json").write_text("{}")
    refused = program(home, ["stats"], env=env)
    assert refused.returncode == 1
    assert "no longer holds the archive's key. Put it into BACKSCROLL_PASSPHRASE." in refused.stderr
    opened = program(home, ["stats", "--json"], env={**env, "BACKSCROLL_PASSPHRASE": recovery})
    assert answer_of(opened)["messages"] == 90
    assert answer_of(program(home, ["stats", "--json"], env=env))["messages"] == 90


def test_beside_a_key_file_no_recovery_key_is_offered(tmp_path: Path) -> None:
    """Its lock would lie in the same file as the key: whoever loses one loses both."""
    assert program(tmp_path / "home", ["import", str(write_chat(tmp_path, 60))]).stderr == ""
