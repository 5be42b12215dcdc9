"""What programs of other environments are told of ours."""

import pytest

from refute.arena import own_environment


def test_no_secret_and_none_of_our_packages_reach_another_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFUTE_SECRET_PASSWORD", "Zw8-kestrel-lantern")
    monkeypatch.setenv("PYTHONPATH", "/ours")
    monkeypatch.setenv("SNOW_INSTANCE_PWD", "for the package")
    handed = own_environment(MINIWOB_URL="http://127.0.0.1:1/")
    assert "Zw8-kestrel-lantern" not in handed.values()
    assert "PYTHONPATH" not in handed
    assert (handed["SNOW_INSTANCE_PWD"], handed["MINIWOB_URL"]) == ("for the package", "http://127.0.0.1:1/")
