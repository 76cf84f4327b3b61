"""All trainings of inverse cooking in their order, on a kitchen that fits in a second, and back from disk."""

from functools import partial
from pathlib import Path

import pytest
import torch
from PIL import Image

from swapchef.cooking import learning
from swapchef.cooking.decoder_training import DecoderSettings, perplexity
from swapchef.cooking.ingredients import HeadSettings
from swapchef.cooking.learning import School
from swapchef.cooking.metrics import set_scores
from swapchef.cooking.recipe_decoder import DecoderShape
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
def school(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> School:
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
    monkeypatch.setattr(learning, "PIECES", 330)
    monkeypatch.setattr(learning, "HEADS", 2)
    monkeypatch.setattr(learning, "DecoderShape", partial(DecoderShape, width=32, layers=1, heads=2, inner=48))
    monkeypatch.setattr(learning, "PRETRAINING", DecoderSettings(epochs=12, parts=1, pieces=300, learning_rate=8e-3))
    monkeypatch.setattr(learning, "FINE_TUNING", DecoderSettings(epochs=4, parts=1, pieces=300, learning_rate=3e-3))
    small = HeadSettings(width=16, rank=8, dropout=0.0, epochs=30, batch=8, learning_rate=2e-2, patience=30)
    monkeypatch.setattr(learning, "HEAD_SETTINGS", {"feed-forward": small})
    return School(tmp_path / "run")


def test_everything_is_learned_in_order_and_read_back(school: School, monkeypatch: pytest.MonkeyPatch) -> None:
    decoder = school.fine_tuned("colours")
    features = school.features("colours")
    assert (school.folder / "pretrained" / "log.csv").is_file()
    assert perplexity(decoder, school.lessons("test"), features.parts) < 20 < len(school.text)
    predictor = school.predictor("colours")
    rows = school.pairs.rows("test")
    true = [school.pairs.recipes[row].ingredients for row in rows]
    assert set_scores(predictor.sets(features.summary[rows]), true).micro_f1 > 80  # of two dishes by colour alone

    monkeypatch.setattr(learning, "train", pytest.fail)  # the second time nothing is trained
    again = School(school.folder).fine_tuned("colours")
    for name, tensor in decoder.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name])


def test_other_ingredients_can_take_the_place_of_a_recipes_own(school: School) -> None:
    rows = school.pairs.rows("test")
    butter = school.vocabulary.require("butter").id
    changed = school.lessons("test", dict.fromkeys(rows, (butter,)))
    own = school.lessons("test")
    assert all(len(lesson.names) == 1 for lesson in changed)
    assert all((a.pieces == b.pieces).all() for a, b in zip(changed, own, strict=True))
