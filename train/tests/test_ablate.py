"""Cases of comparisons, with a program that plays nothing."""

import hashlib
import json
from dataclasses import replace

import pytest

from conftest import write
from generations import ablate, program
from generations.ablate import Case, Path
from generations.journal import Journal
from generations.settings import Settings
from test_loop import Fake

SETTINGS = Settings("chess", match_games=10)


@pytest.mark.parametrize("text, case", [
    ("base", Case("base", [], Path("d"))),
    ("no outcome: --outcome=0 --seed=2", Case("no outcome", ["--outcome=0", "--seed=2"], Path("d"))),
    ("all rows @x/y: --epochs=2", Case("all rows", ["--epochs=2"], Path("x/y"))),
])  # fmt: skip
def test_cases(text, case):
    assert Case.parse(text, Path("d")) == case


@pytest.mark.parametrize("text, data, message", [("base", None, "no data"), (": --seed=2", Path("d"), "want NAME")])
def test_bad_cases_are_refused(text, data, message):
    with pytest.raises(ValueError, match=message):
        Case.parse(text, data)


def test_cases_play_at_equal_nodes_and_at_equal_time(tmp_path, monkeypatch):
    calls = []

    monkeypatch.setattr(program, "fit", lambda flags: calls.append(flags) or trained(flags))
    cases, fake = [Case("one", [], Path("d")), Case("two", ["--outcome=0"], Path("d"))], Fake()
    text = ablate.compare(Journal(tmp_path, SETTINGS, "ablate.json"), fake, SETTINGS, cases)
    line = "| two | 0.500000 | +50 (+30 to +70), 10 games, time 0.50 | +50 (+30 to +70), 10 games, time 1.00 | 500 |\n"
    assert text.splitlines(True)[3] == line and "--outcome=0" in calls[1]
    openings = [flags["--seed"] for _, flags in fake.calls]
    assert openings == openings[:2] * 2 and len(set(openings)) == 2, "all cases have the same openings"
    again = Fake()
    assert ablate.compare(Journal(tmp_path, SETTINGS, "ablate.json"), again, SETTINGS, cases) == text
    assert not again.calls and len(calls) == 2
    other = [cases[0], Case("two", ["--outcome=1"], Path("d"))]
    with pytest.raises(ValueError, match="case 2 has other values of flags; give another --out"):
        ablate.compare(Journal(tmp_path, SETTINGS, "ablate.json"), again, SETTINGS, other)
    longer = replace(SETTINGS, fit="--epochs=9")
    with pytest.raises(ValueError, match="case 1 has other values of fit; give another --out"):
        ablate.compare(Journal(tmp_path, longer, "ablate.json"), again, longer, cases)


def trained(flags):
    """Stands for the trainer."""
    out = Path(flags[flags.index("--out") + 1])
    out.write_text(" ".join(flags))
    out.with_suffix(".json").write_text('{"epochs": [{"number": 1, "validation": 0.5}], "best": 1}')
    return f"{hashlib.sha256(out.read_bytes()).hexdigest()} {out}\n"


def test_a_dataset_that_changed_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(program, "fit", trained)
    data = tmp_path / "data"
    data.mkdir()
    manifest, cases = data / "manifest.json", [Case("one", [], data)]

    def compare():
        return ablate.compare(Journal(tmp_path, SETTINGS, "ablate.json", "case"), Fake(), SETTINGS, cases)

    manifest.write_text("100 games")
    text = compare()
    assert compare() == text
    manifest.write_text("200 games")
    with pytest.raises(ValueError, match="case 1 has other values of manifest; give another --out"):
        compare()
    manifest.unlink()
    with pytest.raises(ValueError, match="case 1 has other values of manifest"):
        compare()
    data.rmdir()
    assert compare() == text, "a case that is complete needs no dataset"


def test_records_without_a_manifest_stay_readable(tmp_path, monkeypatch):
    monkeypatch.setattr(program, "fit", trained)
    data = tmp_path / "data"
    data.mkdir()
    (data / "manifest.json").write_text("100 games")
    cases, path = [Case("one", [], data)], tmp_path / "ablate.json"
    text = ablate.compare(Journal(tmp_path, SETTINGS, "ablate.json"), Fake(), SETTINGS, cases)
    document = json.loads(path.read_text())
    del document["steps"][0]["result"]["manifest"]
    path.write_text(json.dumps(document))
    again = Fake()
    assert ablate.compare(Journal(tmp_path, SETTINGS, "ablate.json"), again, SETTINGS, cases) == text
    assert not again.calls


def test_the_command_trains_and_plays_with_its_base(tmp_path, monkeypatch, capsys):
    fake = Fake()
    monkeypatch.setattr(ablate, "Program", lambda path: fake)
    data, out = write(tmp_path / "data", "chess"), tmp_path / "out"
    flags = ["--game", "chess", "--program", "/bin/true", "--out", str(out), "--data", str(data), "--match-games", "10"]
    fit = "--hidden=16 --epochs=1 --margin=-9"
    assert ablate.main([*flags, f"--fit={fit}", "--case", "plain", "--case", "half: --outcome=0.5"]) == 0
    assert capsys.readouterr().out.count("\n") == 4
    for case in (1, 2):
        assert '"base": "static"' in (out / f"case-{case}.json").read_text()
    assert {f["--a"] for _, f in fake.calls if "--a" in f} > {f"ab:nodes=1000,hash=1,net={out}/case-2.safetensors"}


@pytest.mark.parametrize("flags, message", [
    (["--program", "/no/selfplay"], "open --program /no/selfplay: no such file"),
    (["--program", "/bin/true", "--blend", "100"], "--blend 100: want 0 to 99"),
    (["--program", "/bin/true", "--match-player", "ab:depth=3"], "player ab:depth=3: want one with nodes=N"),
    (["--program", "/bin/false", "--match-player", "ab:nodes=9,hsh=1"], "check --match-player, with a network"),
])  # fmt: skip
def test_bad_flags_are_refused(tmp_path, capsys, flags, message):
    out = tmp_path / "out"
    assert ablate.main(["--game", "chess", "--out", str(out), "--case", "plain @d", *flags]) == 2
    assert message in capsys.readouterr().err and not out.exists()
