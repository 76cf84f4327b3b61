"""All trainings of inverse cooking in their order, on a kitchen that fits in a second, and back from disk."""

from functools import partial
from pathlib import Path

import pytest
import torch
from PIL import Image

from swapchef.cooking import training_runs
from swapchef.cooking.decoder_training import DecoderSettings, perplexity
from swapchef.cooking.ingredients import HeadSettings
from swapchef.cooking.metrics import set_scores
from swapchef.cooking.recipe_decoder import DecoderShape
from swapchef.cooking.training_runs import TrainingRuns
from tests.cooking.kitchen import GREEN, RED, colour_encoder, coloured, data_folder

DISHES = {
    "soup": (RED, ["tomato", "garlic", "salt"], ["Chop the tomato and garlic.", "Simmer with salt."]),
    "pesto": (
        GREEN,
        ["basil", "garlic", "olive oil", "salt"],
        ["Pound the basil, garlic and salt.", "Stir in olive oil."],
    ),
}


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TrainingRuns:
    records, texts, photos = [], [], []
    for number in range(36):
        name, (colour, ingredients, steps) = list(DISHES.items())[number % 2]
        split = "train" if number < 24 else "val" if number < 30 else "test"
        record = {"title": f"{name} {number}", "ingredients": ingredients, "directions": [*steps, f"Serve {number}."]}
        records.append({**record, "image": f"{number}.png", "split": split})
        texts.append(
            {**record, "title": f"our {name} {number}", "directions": [*steps, f"Eat {number} times."], "url": ""}
        )
        photos.append(coloured([max(0, part - number) for part in colour]))
    images = data_folder(tmp_path, monkeypatch, records, texts)
    for number, photo in enumerate(photos):
        Image.fromarray(photo).save(images / f"{number}.png")
    monkeypatch.setattr("swapchef.cooking.encoders.load_encoder", lambda _: colour_encoder())
    monkeypatch.setattr(training_runs, "VOCABULARY_SIZE", 330)
    monkeypatch.setattr(training_runs, "HEADS", 2)
    monkeypatch.setattr(
        training_runs, "DecoderShape", partial(DecoderShape, width=32, layers=1, heads=2, feed_forward_width=48)
    )
    monkeypatch.setattr(
        training_runs, "PRETRAINING", DecoderSettings(epochs=12, shards=1, batch_tokens=300, learning_rate=8e-3)
    )
    monkeypatch.setattr(
        training_runs, "FINE_TUNING", DecoderSettings(epochs=4, shards=1, batch_tokens=300, learning_rate=3e-3)
    )
    small = HeadSettings(width=16, rank=8, dropout=0.0, epochs=30, batch=8, learning_rate=2e-2, patience=30)
    monkeypatch.setattr(training_runs, "HEAD_SETTINGS", {"feed-forward": small})
    return TrainingRuns(tmp_path / "run")


def test_everything_is_learned_in_order_and_read_back(runs: TrainingRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    decoder = runs.fine_tuned("colours")
    features = runs.features("colours")
    assert (runs.folder / "pretrained" / "log.csv").is_file()
    assert perplexity(decoder, runs.examples("test"), features.parts) < 20 < len(runs.tokenizer)
    predictor = runs.predictor("colours")
    rows = runs.pairs.rows("test")
    true = [runs.pairs.recipes[row].ingredients for row in rows]
    assert set_scores(predictor.sets(features.summary[rows]), true).micro_f1 > 80  # of two dishes by colour alone

    monkeypatch.setattr(training_runs, "train", pytest.fail)  # the second time nothing is trained
    again = TrainingRuns(runs.folder).fine_tuned("colours")
    for name, tensor in decoder.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name])


def test_other_ingredients_can_take_the_place_of_a_recipes_own(runs: TrainingRuns) -> None:
    rows = runs.pairs.rows("test")
    butter = runs.vocabulary.require("butter").id
    changed = runs.examples("test", dict.fromkeys(rows, (butter,)))
    unchanged = runs.examples("test")
    assert all(len(example.names) == 1 for example in changed)
    assert all((a.tokens == b.tokens).all() for a, b in zip(changed, unchanged, strict=True))
