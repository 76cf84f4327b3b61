"""R-FoodBERT reads marked sentences, learns which way a swap goes, and never sees reviews of val or test."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from swapchef.benchmark import Benchmark
from swapchef.errors import DataError
from swapchef.mining.spotting import Spotter
from swapchef.rankers import make_ranker
from swapchef.rankers.bert import load_bert
from swapchef.rankers.relation import RFoodBERTConfig
from swapchef.rankers.relation_training import (
    Writer,
    average_precision,
    gather_evidence,
    split_examples,
    write_examples,
)
from swapchef.rankers.review_text import collected_reviews, read_labels, review_sentences
from tests.conftest import KITCHEN
from tests.rankers.kitchen import given, kitchen_reviews, nearest, tiny_bert, trained
from tests.rankers.test_embeddings import StopError, stop_after


def spotter(kitchen: Benchmark) -> Spotter:
    return Spotter(kitchen.vocabulary)


def test_sentences_name_two_to_four_foods(tiny_kitchen: Benchmark) -> None:
    text = "I used eggs and butter. Great with milk. Butter, egg, milk, flour and sugar! Egg, egg; milk"
    found = list(review_sentences([text], spotter(tiny_kitchen)))
    assert [{KITCHEN[spot.id] for spot in sentence.spots} for sentence in found] == [{"egg", "butter"}, {"egg", "milk"}]
    assert [spot.start for spot in found[1].spots] == [0, 4]  # the first of each food, in order


def test_source_and_target_are_marked_and_found_again(tiny_kitchen: Benchmark) -> None:
    _, tokenizer = load_bert(tiny_bert(), masked=False)
    tokenizer.add_tokens(["olive_oil"])
    (sentence,) = review_sentences(["so i used olive oil and butter"], spotter(tiny_kitchen))
    writer = Writer(tokenizer, tiny_kitchen.vocabulary.names, 64)
    oil, butter = sentence.spots
    example = writer.example(sentence, butter, oil)
    assert example is not None
    words = tokenizer.convert_ids_to_tokens(example.pieces)
    assert words[: words.index("and")] == ["[CLS]", "so", "i", "used", "#", "olive_oil", "#"]
    assert words[slice(*example.target_at)] == ["olive_oil"]
    assert "".join(words[slice(*example.source_at)]).replace("##", "") == "butter"
    assert words[example.source_at[0] - 1] == words[example.source_at[1]] == "$"
    assert words[-1] == "[SEP]"
    assert Writer(tokenizer, tiny_kitchen.vocabulary.names, 12).example(sentence, butter, oil) is None


def test_a_labelled_pair_is_learned_from_or_checked_by_never_both() -> None:
    _, tokenizer = load_bert(tiny_bert(), masked=False)
    reviews = kitchen_reviews()
    examples = write_examples(reviews, Writer(tokenizer, reviews.names, 64))
    learn, check = split_examples(examples, reviews, RFoodBERTConfig(sentences_per_pair=3))
    pairs = [{frozenset((example.source, example.target)) for example in part} for part in (learn, check)]
    assert pairs[0].isdisjoint(pairs[1])
    assert {reviews.labels[example.source, example.target] for example in check} == {True, False}
    counts = np.unique([example.source * 100 + example.target for example in learn], return_counts=True)[1]
    assert counts.tolist() == [3] * len(counts)


@pytest.mark.parametrize(("together", "value"), [("sum", 0.9), ("mean", 0.45), ("max", 0.7)])
def test_the_sentences_of_a_pair_become_one_score(together: str, value: float) -> None:
    pairs = np.array([[1, 2], [1, 2], [2, 1]])
    evidence = gather_evidence(np.array([0.2, 0.7, 0.1]), pairs, 3, together).toarray()
    np.testing.assert_allclose(evidence, [[0, 0, 0], [0, 0, value], [0, 0.1, 0]], rtol=1e-6, atol=0)
    evidence[1, 2] = evidence[2, 1] = 0
    assert not evidence.any()


def test_average_precision_by_hand() -> None:
    assert average_precision(np.array([3, 2, 1], np.float32), np.array([True, False, True])) == pytest.approx(5 / 6)
    assert average_precision(np.array([1.0], np.float32), np.array([False])) == 0


def test_it_learns_that_one_food_stands_in_for_another_and_which_way(tiny_kitchen: Benchmark) -> None:
    settings = {"epochs": 25, "patience": 25, "learning_rate": 0.01, "dropout": 0.0, "together": "mean"}
    ranker = trained("r-foodbert", tiny_kitchen, **settings)
    assert nearest(ranker, tiny_kitchen, "buttermilk")[0] == "yogurt"  # which no label says
    assert set(nearest(ranker, tiny_kitchen, "butter")[:2]) == {"margarine", "olive_oil"}
    evidence: Any = ranker.evidence_
    buttermilk, yogurt = KITCHEN.index("buttermilk"), KITCHEN.index("yogurt")
    assert evidence[buttermilk, yogurt] > evidence[yogurt, buttermilk]


def test_an_interrupted_training_ends_like_one_that_was_not(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    settings = {"start": tiny_bert(), "epochs": 3, "batch": 8, "seed": 2}
    splits = tiny_kitchen.train, tiny_kitchen.val
    whole = trained("r-foodbert", tiny_kitchen, **settings)
    cut: Any = make_ranker("r-foodbert", **settings)
    with pytest.raises(StopError):
        cut.fit(*splits, run=tmp_path, progress=stop_after(1), **given("r-foodbert"))
    resumed: Any = make_ranker("r-foodbert", **settings)
    resumed.fit(*splits, run=tmp_path, **given("r-foodbert"))
    assert len(resumed.history_) == 3
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(resumed.arrays()[name], array, err_msg=name)


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def test_reviews_of_recipes_in_val_and_test_are_not_read(
    tiny_kitchen: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWAPCHEF_DATA", str(tmp_path))
    said = [{"review": "butter and honey"}]
    rows = [
        {"recipe1m_id": "t1", "reviews": said},
        {"recipe1m_id": "v2", "reviews": said},
        {"foodcom_id": "77", "reviews": said},
        {"foodcom_id": "78", "reviews": [{"review": "egg and milk"}]},
        {"recipe1m_id": "r1", "reviews": [{"review": "flour and sugar"}]},
    ]
    write_lines(tmp_path / "reviews/foodcom_reviews.jsonl.gz", rows)
    write_lines(tmp_path / "recipe1msubs/titles_part.jsonl.gz", [{"recipe1m_id": "t2", "foodcom_id": "77"}])
    (tmp_path / "relation").mkdir()
    (tmp_path / "relation/labeled_pairs.json").write_text('{"egg__milk": [1, 0]}')
    reviews = collected_reviews(tiny_kitchen)
    assert [" ".join(sentence.words) for sentence in reviews.sentences] == ["egg and milk", "flour and sugar"]
    egg, milk = KITCHEN.index("egg"), KITCHEN.index("milk")
    assert reviews.labels == {(milk, egg): True, (egg, milk): False}


def test_labels_leave_out_what_is_no_ingredient_and_noise_is_refused(tiny_kitchen: Benchmark, tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text('{"egg__gravel": [1, 0], "olive_oil__butter": [0, 1]}')
    butter, oil = KITCHEN.index("butter"), KITCHEN.index("olive_oil")
    assert read_labels(path, tiny_kitchen.vocabulary) == {(butter, oil): False, (oil, butter): True}
    path.write_text("[1, 2]")
    with pytest.raises(DataError, match="labelled pairs"):
        read_labels(path, tiny_kitchen.vocabulary)


def test_what_is_missing_is_said_in_a_sentence(tiny_kitchen: Benchmark) -> None:
    splits = tiny_kitchen.train, tiny_kitchen.val
    with pytest.raises(DataError, match="hand it some"):
        make_ranker("r-foodbert").fit(*splits)
