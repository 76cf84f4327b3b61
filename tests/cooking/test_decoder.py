"""One piece at a time says what the whole text says, the network learns, and writing keeps to its rules."""

import numpy as np
import pytest
import torch

from swapchef.cooking.decoder_training import DecoderSettings, DecoderTask, batches_of, lessons, perplexity
from swapchef.cooking.recipe_decoder import RecipeDecoder, Remember, Step
from swapchef.cooking.text import END, PAD, STEP, TITLE, RecipeText
from swapchef.cooking.writing import Floats, Ids, Kept, Manner, Wanted, memory_inputs, write, write_drafts
from swapchef.errors import SwapchefError
from swapchef.training import TrainingSettings, train
from tests.cooking.kitchen import NAMES, RECIPES, small_decoder, small_text

TEXT = small_text()


class TorchNetwork:
    """The decoder in torch, as writing wants it."""

    def __init__(self, decoder: RecipeDecoder) -> None:
        shape = decoder.shape
        self.longest, self.layers, self.heads = shape.longest, shape.layers, shape.heads
        self.width = shape.width // shape.heads
        self._remember, self._step = Remember(decoder), Step(decoder)

    def remember(self, names: Ids, places: Ids, parts: Floats, has_photo: np.ndarray) -> tuple[Kept, np.ndarray]:
        with torch.no_grad():
            keys, values, mask = self._remember(*map(torch.from_numpy, (names, places, parts, has_photo)))
        return (keys.numpy(), values.numpy()), mask.numpy()

    def step(self, piece: Ids, past: Kept, memory: Kept, mask: np.ndarray) -> tuple[Floats, Kept]:
        with torch.no_grad():
            scores, keys, values = self._step(*map(torch.from_numpy, (piece, *past, *memory, mask)))
        return scores.numpy(), (keys.numpy(), values.numpy())


def test_step_by_step_equals_the_whole_text() -> None:
    decoder = small_decoder(TEXT)
    network = TorchNetwork(decoder)
    photo = np.random.default_rng(0).standard_normal((9, 3)).astype(np.float32)
    inputs = memory_inputs(TEXT, [Wanted(("tomato", "olive oil"), photo), Wanted(("basil",))], 3)
    pieces = torch.randint(5, len(TEXT), (2, 12))
    with torch.no_grad():
        whole = decoder(pieces, *map(torch.from_numpy, inputs)).numpy()
    memory, mask = network.remember(*inputs)
    past: Kept = (np.zeros((2, 2, 2, 0, 16), np.float32),) * 2
    for position in range(12):
        scores, new = network.step(pieces[:, position].numpy(), past, memory, mask)
        past = np.concatenate([past[0], new[0]], axis=3), np.concatenate([past[1], new[1]], axis=3)
        np.testing.assert_allclose(scores, whole[:, position], atol=1e-5)


def test_a_recipe_without_photo_or_ingredients_is_still_numbers() -> None:
    decoder = small_decoder(TEXT)
    inputs = memory_inputs(TEXT, [Wanted(())], 3)
    with torch.no_grad():
        assert torch.isfinite(decoder(torch.tensor([[TITLE, 7]]), *map(torch.from_numpy, inputs))).all()


def test_order_of_ingredients_and_padding_change_nothing() -> None:
    decoder = small_decoder(TEXT)
    pieces = torch.randint(5, len(TEXT), (1, 6))

    def scores(wanted: list[Wanted]) -> np.ndarray:
        inputs = memory_inputs(TEXT, wanted, 3)
        with torch.no_grad():
            return decoder(pieces.expand(len(wanted), -1), *map(torch.from_numpy, inputs)).numpy()[0]

    one = scores([Wanted(("tomato", "basil"))])
    np.testing.assert_allclose(scores([Wanted(("basil", "tomato"))]), one, atol=1e-5)
    np.testing.assert_allclose(scores([Wanted(("tomato", "basil")), Wanted(tuple(NAMES))]), one, atol=1e-5)


@pytest.fixture(scope="module")
def cook() -> RecipeDecoder:
    """Return a decoder that has learned the three recipes by heart, pesto and soup with their photos."""
    decoder = small_decoder(TEXT, width=48, inner=96)
    photos = np.zeros((2, 2, 9, 3), np.float16)
    photos[0, ..., 0], photos[1, ..., 1] = 1.0, 1.0
    made = lessons(RECIPES, TEXT, NAMES, 60, [0, 1, -1])
    settings = DecoderSettings(epochs=150, parts=1, pieces=200, learning_rate=5e-3, photo_kept=0.5)
    how = TrainingSettings(settings.epochs, 1, settings.learning_rate, 0.0, 0.05, 150, 0)
    train(DecoderTask(settings, decoder, made, made, photos), how)
    assert perplexity(decoder, made, photos) < 1.3
    return decoder.eval()


@pytest.mark.parametrize("kind", ["greedy", "beam", "sample"])
def test_it_writes_what_it_learned(cook: RecipeDecoder, kind: str) -> None:
    wanted = [Wanted(("tomato", "garlic", "salt")), Wanted(("basil", "garlic", "olive oil", "salt"))]
    soup, pesto = write(TorchNetwork(cook), TEXT, wanted, 3, Manner(kind, temperature=0.3))
    assert soup.title == "Tomato Soup"
    assert soup.steps == RECIPES[0].steps
    assert pesto.steps[1] == "Stir in olive oil until smooth."


def test_a_title_can_be_given(cook: RecipeDecoder) -> None:
    for kind in ("greedy", "beam"):
        (written,) = write(TorchNetwork(cook), TEXT, [Wanted(("basil",), title="My pesto")], 3, Manner(kind))
        assert written.title == "My Pesto"
        assert written.steps


def test_sampling_is_seeded(cook: RecipeDecoder) -> None:
    def written(seed: int) -> list[str]:
        manner = Manner("sample", temperature=2.0, top_p=1.0, seed=seed)
        return list(write(TorchNetwork(cook), TEXT, [Wanted(("salt",))], 3, manner)[0].steps)

    assert written(1) == written(1)
    assert len({tuple(written(seed)) for seed in range(4)}) > 1


def test_drafts_begin_with_the_likeliest_and_do_not_depend_on_what_else_is_written(cook: RecipeDecoder) -> None:
    network, salt, soup = TorchNetwork(cook), Wanted(("salt",)), Wanted(("tomato", "garlic", "salt"))
    (alone,) = write_drafts(network, TEXT, [salt], 3, [5])
    one_soup, beside = write_drafts(network, TEXT, [soup, salt], 3, [1, 5])
    assert [alone[0]] == write(network, TEXT, [salt], 3)
    assert alone == beside
    assert one_soup == write(network, TEXT, [soup], 3)
    assert write_drafts(network, TEXT, [], 3, []) == []


class Stuck:
    """Always wants the same piece."""

    longest, layers, heads, width = 40, 1, 1, 2

    def __init__(self, wish: list[int], pieces: int) -> None:
        self.wish, self.pieces = wish, pieces

    def remember(self, names: Ids, *_: object) -> tuple[Kept, np.ndarray]:
        empty = np.zeros((1, len(names), 1, 1, 2), np.float32)
        return (empty, empty), np.ones((len(names), 1, 1, 1), bool)

    def step(self, piece: Ids, past: Kept, *_: object) -> tuple[Floats, Kept]:
        scores = np.zeros((len(piece), self.pieces), np.float32)
        for place, wish in enumerate(self.wish):
            scores[:, wish] = 9.0 - place
        new = np.zeros((1, len(piece), 1, 1, 2), np.float32)
        return scores, (new, new)


def test_drafts_have_one_title_and_steps_of_their_own() -> None:
    unsure = Stuck([STEP, 9, 10, 11, END], len(TEXT))  # any of these, the first the likeliest
    (drafts,) = write_drafts(unsure, TEXT, [Wanted(("salt",))], 3, [4])
    assert len({draft.title for draft in drafts}) == 1
    assert len({draft.steps for draft in drafts}) == 4


def test_a_network_that_repeats_itself_is_kept_from_it() -> None:
    (written,) = write(Stuck([9], len(TEXT)), TEXT, [Wanted(("salt",))], 3, Manner(repeat=3))
    assert (written.title + "".join(written.steps)).lower().count(TEXT.tokenizer.decode([9]).strip()) <= 6


def test_an_end_before_the_first_step_is_not_taken() -> None:
    (written,) = write(Stuck([END, PAD, TITLE, STEP, 9], len(TEXT)), TEXT, [Wanted(("salt",))], 3)
    assert written.steps


def test_a_photo_of_another_encoder_is_refused() -> None:
    with pytest.raises(SwapchefError, match="another network"):
        memory_inputs(TEXT, [Wanted(("salt",), np.zeros((9, 4), np.float32))], 3)


def test_batches_hold_every_lesson_once_and_like_lengths() -> None:
    made = lessons(RECIPES * 40, TEXT, NAMES, 60)
    batches = batches_of(made, 150, seed=0)
    assert sorted(np.concatenate(batches).tolist()) == list(range(120))
    spread = [len(made[rows[0]].pieces) - len(made[rows[-1]].pieces) for rows in batches]
    assert np.mean(np.abs(spread)) < 4


def test_perplexity_of_an_untrained_network_is_that_of_chance() -> None:
    made = lessons(RECIPES, TEXT, NAMES, 60)
    assert 0.7 * len(TEXT) < perplexity(small_decoder(TEXT), made) < 1.4 * len(TEXT)


def test_a_learned_recipe_text_is_restored(cook: RecipeDecoder) -> None:
    again = RecipeText.restore(TEXT.stored())
    assert write(TorchNetwork(cook), again, [Wanted(("basil",))], 3) == write(
        TorchNetwork(cook), TEXT, [Wanted(("basil",))], 3
    )
