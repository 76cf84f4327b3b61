"""The data group in a fresh process, on a copy of the real data."""

import json
import pickle
from pathlib import Path

import pytest

from tests.cli.command import copy_of_the_data, run


@pytest.mark.real_data
def test_data_verify_tells_good_from_altered(tmp_path: Path) -> None:
    folder = copy_of_the_data(tmp_path)
    env = {"SWAPCHEF_DATA": str(folder)}
    assert run("data", "verify", env=env).returncode == 0
    victim = folder / "recipe1msubs" / "val_comments_subs.pkl"
    victim.unlink()
    victim.write_bytes(pickle.dumps([]))
    done = run("data", "verify", "--json", env=env)
    assert done.returncode == 1
    assert json.loads(done.stdout)["files"]["recipe1msubs/val_comments_subs.pkl"] == "altered"
    assert run("data", "where", env=env).stdout.strip() == str(folder)
