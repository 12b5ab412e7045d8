"""Measuring presets, with a program that plays nothing."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generations import presets
from generations.journal import Journal
from generations.presets import Path, Preset, PresetSettings

FLAGS = "--player ab:nodes=80,hash=1,hard=2000 --opening-plies 4-10 --explore-moves 4 --where !limit"


@pytest.mark.parametrize("a, b, want", [
    ([1, 2, 3], [10, 20, 30], 1.0),
    ([1, 2, 3], [30, 20, 10], -1.0),
    ([0, 0, 1, 1], [0, 1, 0, 1], 0.0),
    ([-30000, 5, 5, 9], [-400, 1, 1, 2], 1.0),
])  # fmt: skip
def test_rank_correlation(a, b, want):
    assert presets.rank_correlation(np.array(a), np.array(b)) == pytest.approx(want)


def test_bits_are_those_of_policies_with_moves_to_choose_from(tmp_path):
    pq.write_table(pa.table({"policy_weight": [[1, 1], [4], [], [1, 1, 1, 1]]}), tmp_path / "positions")
    assert presets.policy_bits(tmp_path) == pytest.approx(1.5)
    pq.write_table(pa.table({"policy_weight": pa.array([[], [4]], pa.list_(pa.uint16()))}), tmp_path / "positions")
    assert presets.policy_bits(tmp_path) is None


MODELS = """func chessModels() []Model {
\treturn []Model{
\t\t{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 1, B: 2, DrawnAt0: 3},
\t\t{Games: SearchedGames{Nodes: 80, Network: chessNet, Explored: true}, Version: 1, A: 1, B: 2, DrawnAt0: 3},
\t}
}
"""


class Fake:
    """Stands for selfplay: answers by the first words of the command."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def json(self, *args):
        self.calls.append(list(args))
        player = args[args.index("--b") + 1]
        pace = 2.0 if "nodes=80" in player else 4.0
        elo = {"elo": 191, "elo_low": 10, "elo_high": 400}
        return {"wins": 3, "losses": 1, "draws": 0, "cpu_a": 8.0, "cpu_b": pace} | elo


def preset(home: Path, name: str, flags: str, fake=None) -> Preset:
    return Preset("chess", name, flags, home, PresetSettings(match_games=4), fake)


def test_a_model_replaces_the_line_of_its_preset(tmp_path):
    journal = Journal(tmp_path, PresetSettings(), "presets.json", "preset")
    journal.add("chess bulk", "play", {"a": 105.4, "b": 263.6, "drawn_at_0": 0.651}, None, 0)
    text = presets.replace_models(MODELS, [preset(tmp_path, "bulk", FLAGS)], journal)
    fitted = "Explored: true}, Version: 1, A: 105, B: 264, DrawnAt0: 65"
    assert text == MODELS.replace("Explored: true}, Version: 1, A: 1, B: 2, DrawnAt0: 3", fitted)
    with pytest.raises(ValueError, match="0 lines have its nodes"):
        presets.replace_models(MODELS.replace("80", "90"), [preset(tmp_path, "bulk", FLAGS)], journal)


def test_presets_play_as_they_are_at_equal_nodes_and_at_equal_time(tmp_path):
    fake = Fake()
    bulk, balanced = preset(tmp_path, "bulk", FLAGS), preset(tmp_path, "balanced", FLAGS.replace("80", "500"), fake)
    found, file = balanced.against(bulk)
    assert [found[k]["nodes"] for k in ("as_is", "nodes", "time")] == [80, 500, 320] and file is None
    opponents = [c[c.index("--b") + 1].removeprefix("ab:nodes=") for c in fake.calls]
    assert opponents == ["80,hash=1,hard=2000", "500,hash=1,hard=12500", "320,hash=1,hard=8000"]
    assert len({c[c.index("--seed") + 1] for c in fake.calls}) == 3, "each match has openings of its own"


@pytest.mark.parametrize("change", [{"games": 0}, {"match_games": 3}, {"teach": -1}])
def test_bad_settings_are_refused(change):
    with pytest.raises(ValueError, match="want"):
        PresetSettings(**change)
