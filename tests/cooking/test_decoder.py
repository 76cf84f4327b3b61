"""Token by token gives the logits of the whole text, the network learns, and generation keeps to its rules."""

import numpy as np
import pytest
import torch

from swapchef.cooking.decoder_training import DecoderSettings, DecoderTask, batches_of, decoder_examples, perplexity
from swapchef.cooking.generation import (
    Floats,
    GenerationSettings,
    Ids,
    KVCache,
    Prompt,
    generate,
    generate_drafts,
    prefill_inputs,
)
from swapchef.cooking.recipe_decoder import DecodeStep, Prefill, RecipeDecoder
from swapchef.cooking.tokenizer import END, PAD, STEP, TITLE, RecipeTokenizer
from swapchef.errors import SwapchefError
from swapchef.training import TrainingSettings, train
from tests.cooking.kitchen import NAMES, RECIPES, small_decoder, small_tokenizer

TOKENIZER = small_tokenizer()


class TorchNetwork:
    """The decoder in torch, as a `Network`."""

    def __init__(self, decoder: RecipeDecoder) -> None:
        shape = decoder.shape
        self.max_length, self.layers, self.heads = shape.max_length, shape.layers, shape.heads
        self.head_width = shape.width // shape.heads
        self._prefill, self._step = Prefill(decoder), DecodeStep(decoder)

    def prefill(
        self, names: Ids, name_positions: Ids, parts: Floats, has_photo: np.ndarray
    ) -> tuple[KVCache, np.ndarray]:
        with torch.no_grad():
            keys, values, mask = self._prefill(*map(torch.from_numpy, (names, name_positions, parts, has_photo)))
        return (keys.numpy(), values.numpy()), mask.numpy()

    def step(self, tokens: Ids, past: KVCache, memory: KVCache, mask: np.ndarray) -> tuple[Floats, KVCache]:
        with torch.no_grad():
            logits, keys, values = self._step(*map(torch.from_numpy, (tokens, *past, *memory, mask)))
        return logits.numpy(), (keys.numpy(), values.numpy())


def test_step_by_step_equals_the_whole_text() -> None:
    decoder = small_decoder(TOKENIZER)
    network = TorchNetwork(decoder)
    photo = np.random.default_rng(0).standard_normal((9, 3)).astype(np.float32)
    inputs = prefill_inputs(TOKENIZER, [Prompt(("tomato", "olive oil"), photo), Prompt(("basil",))], 3)
    tokens = torch.randint(5, len(TOKENIZER), (2, 12))
    with torch.no_grad():
        whole = decoder(tokens, *map(torch.from_numpy, inputs)).numpy()
    memory, mask = network.prefill(*inputs)
    past: KVCache = (np.zeros((2, 2, 2, 0, 16), np.float32),) * 2
    for position in range(12):
        logits, new = network.step(tokens[:, position].numpy(), past, memory, mask)
        past = np.concatenate([past[0], new[0]], axis=3), np.concatenate([past[1], new[1]], axis=3)
        np.testing.assert_allclose(logits, whole[:, position], atol=1e-5)


def test_a_recipe_without_photo_or_ingredients_is_still_numbers() -> None:
    decoder = small_decoder(TOKENIZER)
    inputs = prefill_inputs(TOKENIZER, [Prompt(())], 3)
    with torch.no_grad():
        assert torch.isfinite(decoder(torch.tensor([[TITLE, 7]]), *map(torch.from_numpy, inputs))).all()


def test_order_of_ingredients_and_padding_change_nothing() -> None:
    decoder = small_decoder(TOKENIZER)
    tokens = torch.randint(5, len(TOKENIZER), (1, 6))

    def logits(prompts: list[Prompt]) -> np.ndarray:
        inputs = prefill_inputs(TOKENIZER, prompts, 3)
        with torch.no_grad():
            return decoder(tokens.expand(len(prompts), -1), *map(torch.from_numpy, inputs)).numpy()[0]

    one = logits([Prompt(("tomato", "basil"))])
    np.testing.assert_allclose(logits([Prompt(("basil", "tomato"))]), one, atol=1e-5)
    np.testing.assert_allclose(logits([Prompt(("tomato", "basil")), Prompt(tuple(NAMES))]), one, atol=1e-5)


@pytest.fixture(scope="module")
def trained() -> RecipeDecoder:
    """Return a decoder that has learned the three recipes by heart, pesto and soup with their photos."""
    decoder = small_decoder(TOKENIZER, width=48, feed_forward_width=96)
    photos = np.zeros((2, 2, 9, 3), np.float16)
    photos[0, ..., 0], photos[1, ..., 1] = 1.0, 1.0
    examples = decoder_examples(RECIPES, TOKENIZER, NAMES, 60, [0, 1, -1])
    settings = DecoderSettings(epochs=150, shards=1, batch_tokens=200, learning_rate=5e-3, photo_share=0.5)
    loop_settings = TrainingSettings(settings.epochs, 1, settings.learning_rate, 0.0, 0.05, 150, 0)
    train(DecoderTask(settings, decoder, examples, examples, photos), loop_settings)
    assert perplexity(decoder, examples, photos) < 1.3
    return decoder.eval()


@pytest.mark.parametrize("strategy", ["greedy", "beam", "sample"])
def test_it_writes_what_it_learned(trained: RecipeDecoder, strategy: str) -> None:
    prompts = [Prompt(("tomato", "garlic", "salt")), Prompt(("basil", "garlic", "olive oil", "salt"))]
    soup, pesto = generate(TorchNetwork(trained), TOKENIZER, prompts, 3, GenerationSettings(strategy, temperature=0.3))
    assert soup.title == "Tomato Soup"
    assert soup.steps == RECIPES[0].steps
    assert pesto.steps[1] == "Stir in olive oil until smooth."


def test_a_title_can_be_given(trained: RecipeDecoder) -> None:
    for strategy in ("greedy", "beam"):
        (recipe,) = generate(
            TorchNetwork(trained), TOKENIZER, [Prompt(("basil",), title="My pesto")], 3, GenerationSettings(strategy)
        )
        assert recipe.title == "My Pesto"
        assert recipe.steps


def test_sampling_is_seeded(trained: RecipeDecoder) -> None:
    def steps(seed: int) -> list[str]:
        settings = GenerationSettings("sample", temperature=2.0, top_p=1.0, seed=seed)
        return list(generate(TorchNetwork(trained), TOKENIZER, [Prompt(("salt",))], 3, settings)[0].steps)

    assert steps(1) == steps(1)
    assert len({tuple(steps(seed)) for seed in range(4)}) > 1


def test_drafts_begin_with_the_likeliest_and_do_not_depend_on_what_else_is_written(trained: RecipeDecoder) -> None:
    network, salt, soup = TorchNetwork(trained), Prompt(("salt",)), Prompt(("tomato", "garlic", "salt"))
    (alone,) = generate_drafts(network, TOKENIZER, [salt], 3, [5])
    one_soup, beside = generate_drafts(network, TOKENIZER, [soup, salt], 3, [1, 5])
    assert [alone[0]] == generate(network, TOKENIZER, [salt], 3)
    assert alone == beside
    assert one_soup == generate(network, TOKENIZER, [soup], 3)
    assert generate_drafts(network, TOKENIZER, [], 3, []) == []


class Stuck:
    """Always has the same favourite tokens, the first the likeliest."""

    max_length, layers, heads, head_width = 40, 1, 1, 2

    def __init__(self, favourites: list[int], tokens: int) -> None:
        self.favourites, self.tokens = favourites, tokens

    def prefill(self, names: Ids, *_: object) -> tuple[KVCache, np.ndarray]:
        empty = np.zeros((1, len(names), 1, 1, 2), np.float32)
        return (empty, empty), np.ones((len(names), 1, 1, 1), bool)

    def step(self, tokens: Ids, past: KVCache, *_: object) -> tuple[Floats, KVCache]:
        logits = np.zeros((len(tokens), self.tokens), np.float32)
        for rank, favourites in enumerate(self.favourites):
            logits[:, favourites] = 9.0 - rank
        new = np.zeros((1, len(tokens), 1, 1, 2), np.float32)
        return logits, (new, new)


def test_drafts_have_one_title_and_steps_of_their_own() -> None:
    unsure = Stuck([STEP, 9, 10, 11, END], len(TOKENIZER))  # any of these, the first the likeliest
    (drafts,) = generate_drafts(unsure, TOKENIZER, [Prompt(("salt",))], 3, [4])
    assert len({draft.title for draft in drafts}) == 1
    assert len({draft.steps for draft in drafts}) == 4


def test_a_network_that_repeats_itself_is_kept_from_it() -> None:
    (recipe,) = generate(Stuck([9], len(TOKENIZER)), TOKENIZER, [Prompt(("salt",))], 3, GenerationSettings(no_repeat=3))
    assert (recipe.title + "".join(recipe.steps)).lower().count(TOKENIZER.tokenizer.decode([9]).strip()) <= 6


def test_an_end_before_the_first_step_is_not_taken() -> None:
    (recipe,) = generate(Stuck([END, PAD, TITLE, STEP, 9], len(TOKENIZER)), TOKENIZER, [Prompt(("salt",))], 3)
    assert recipe.steps


def test_a_photo_of_another_encoder_is_refused() -> None:
    with pytest.raises(SwapchefError, match="another network"):
        prefill_inputs(TOKENIZER, [Prompt(("salt",), np.zeros((9, 4), np.float32))], 3)


def test_batches_hold_every_example_once_and_like_lengths() -> None:
    examples = decoder_examples(RECIPES * 40, TOKENIZER, NAMES, 60)
    batches = batches_of(examples, 150, seed=0)
    assert sorted(np.concatenate(batches).tolist()) == list(range(120))
    spread = [len(examples[rows[0]].tokens) - len(examples[rows[-1]].tokens) for rows in batches]
    assert np.mean(np.abs(spread)) < 4


def test_perplexity_of_an_untrained_network_is_that_of_chance() -> None:
    examples = decoder_examples(RECIPES, TOKENIZER, NAMES, 60)
    assert 0.7 * len(TOKENIZER) < perplexity(small_decoder(TOKENIZER), examples) < 1.4 * len(TOKENIZER)


def test_a_learned_recipe_text_is_restored(trained: RecipeDecoder) -> None:
    again = RecipeTokenizer.from_dict(TOKENIZER.as_dict())
    assert generate(TorchNetwork(trained), again, [Prompt(("basil",))], 3) == generate(
        TorchNetwork(trained), TOKENIZER, [Prompt(("basil",))], 3
    )
