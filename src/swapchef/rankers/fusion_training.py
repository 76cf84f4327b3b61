"""Training the fusion ranker: features with each example left out, the network that weighs them, and a temperature.

The loss is a softmax over the candidates and a sample of the other ingredients, weighted to stand for all of them. The
model that predicts a missing ingredient, one of the features, is trained here too, on recipes alone.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from scipy import sparse
from torch import Tensor, nn
from torch.nn import functional

from swapchef import graph as graphs
from swapchef.benchmark import Split, ids_of
from swapchef.foods.matching import Vocabulary
from swapchef.rankers.calibration import best_temperature
from swapchef.rankers.contexts import mean_rows, recipes_of
from swapchef.rankers.evidence import CANDIDATES, FEATURES, Evidence
from swapchef.rankers.fusion import FusionConfig
from swapchef.rankers.knowledge import Completion, Knowledge, build_knowledge
from swapchef.rankers.serial import Floats
from swapchef.text_encoder import encode_texts
from swapchef.training import Epoch, Progress, Rows, TrainingSettings, train


class FusionNetwork(nn.Module):
    """Weighs candidates' features by source and recipe; `Fusion.candidate_scores` is the same in NumPy."""

    known: Tensor  # [n, d] text and usage vectors
    mean: Tensor  # [features]
    deviation: Tensor  # [features]

    def __init__(self, config: FusionConfig, known: Floats, mean: Floats, deviation: Floats) -> None:
        super().__init__()
        self.config = config
        for name, array in (("known", known), ("mean", mean), ("deviation", deviation)):
            self.register_buffer(name, torch.from_numpy(array))
        n, width, count = len(known), config.width, len(FEATURES)
        self.own = nn.Parameter(torch.randn(n, width) * 0.05)
        self.project = nn.Linear(known.shape[1], width, bias=False)
        self.read = nn.Linear(3 * width + 1, config.hidden)
        self.weigh = nn.Linear(config.hidden, count)
        nn.init.zeros_(self.weigh.weight)
        nn.init.constant_(self.weigh.bias, 0.1)
        self.first = nn.Linear(count, config.mlp)
        self.first_read = nn.Linear(config.hidden, config.mlp, bias=False)
        self.second = nn.Linear(config.mlp, config.mlp)
        self.third = nn.Linear(config.mlp, 1, bias=False)
        nn.init.zeros_(self.third.weight)

    def vectors(self) -> Tensor:
        """Return ingredient vectors [n, width]: a learned part, often dropped in training, plus projected `known`."""
        learned: Tensor = self.own
        if self.training:
            learned = learned * (torch.rand(len(learned), 1) >= self.config.forget)
        vectors: Tensor = learned + self.project(self.known)
        return vectors

    def forward(self, sources: Tensor, contexts: Tensor, replaced: Tensor, features: Tensor) -> Tensor:
        """Score candidates: [B, K] from sources [B], mean rows over contexts [B, n] and features [B, K, F]."""
        vectors = self.vectors()
        source, context = vectors[sources], contexts @ vectors  # [B, width] each
        dropout = self.config.dropout if self.training else 0.0
        inputs = functional.dropout(torch.cat([source, context, source * context, replaced[:, None]], 1), dropout)
        query = functional.dropout(torch.relu(self.read(inputs)), dropout)  # [B, hidden]
        features = (features - self.mean) / self.deviation
        linear = torch.bmm(features, self.weigh(query)[:, :, None])[:, :, 0]  # [B, K]
        hidden = torch.relu(self.first(features) + self.first_read(query)[:, None])  # [B, K, mlp]
        hidden = torch.relu(self.second(functional.dropout(hidden, dropout / 3)))
        scores: Tensor = linear + self.third(hidden)[:, :, 0]
        return scores


class Examples:
    """The candidates and features of the examples of a split, computed once: [m, K] and [m, K, F]."""

    def __init__(self, split: Split, evidence: Evidence, rows: Rows, sampled: int, seed: int) -> None:
        leave_out = split.name == "train"
        reported_targets = reported(split) if leave_out else {}
        n = evidence.n
        self.ids = np.full((len(rows), CANDIDATES + sampled), -1, np.int32)
        self.features = np.zeros((len(rows), CANDIDATES + sampled, len(FEATURES)), np.float16)
        # Added to scores: the log of how many ingredients a drawn one stands for; -inf where there is no candidate.
        self.weight = np.full((len(rows), CANDIDATES + sampled), -np.inf, np.float32)
        self.source = split.source[rows].astype(np.int64)
        self.target = split.target[rows].astype(np.int64)
        self.contexts = mean_rows(split.context[rows])
        order = np.argsort(self.source, kind="stable")  # so that the cached features of a source are used
        for position in order:
            row = int(rows[position])
            source, target = int(split.source[row]), int(split.target[row])
            context = ids_of(split.context, row)
            others = reported_targets[str(split.recipe_id[row]), source] if leave_out else ()
            random = np.random.default_rng((seed, row))
            query = evidence.query(source, context, others, extra=_drawn(random, n, sampled, target, leave_out))
            size, chosen = len(query.ids), query.chosen
            self.ids[position, :size] = query.ids
            self.features[position, :size] = query.features
            self.weight[position, :chosen] = 0.0
            if size > chosen:  # each drawn ingredient stands for many that were not drawn
                self.weight[position, chosen:size] = np.log(max((n - chosen) / (size - chosen), 1.0))
            # Other targets reported for this recipe and source are no negatives.
            self.weight[position, :size][np.isin(query.ids, others)] = -np.inf
            self.weight[position, :size][query.ids == target] = 0.0

    def __len__(self) -> int:
        return len(self.source)


def _drawn(random: np.random.Generator, n: int, sampled: int, target: int, with_target: bool) -> npt.NDArray[np.int32]:
    """Draw negatives; in training the target is always among them."""
    drawn = random.choice(n, min(sampled, n), replace=False).astype(np.int32)
    if with_target and len(drawn) and target not in drawn:
        drawn[-1] = target
    return drawn


def reported(split: Split) -> dict[tuple[str, int], list[int]]:
    """Return the targets that each recipe reports for a source."""
    targets: dict[tuple[str, int], list[int]] = {}
    for recipe, source, target in zip(split.recipe_id, split.source, split.target, strict=True):
        targets.setdefault((str(recipe), int(source)), []).append(int(target))
    return targets


class FusionTask(nn.Module):
    """One batch's loss as a module's forward, which is what DistributedDataParallel wraps."""

    def __init__(self, network: FusionNetwork, evidence: Evidence, examples: Examples, val: Examples) -> None:
        super().__init__()
        self.model, self.examples, self.val = network, examples, val
        self.n_examples = len(examples)
        self.replaced = evidence.sources

    @property
    def network(self) -> nn.Module:
        """The loop trains this task, whose parameters are the network's."""
        return self

    def scores(self, examples: Examples, rows: Rows, counted: int) -> Tensor:
        """Score some examples' candidates: [B, K]; `counted` is 1 where the example itself is among the counts."""
        replaced = np.log1p(np.maximum(self.replaced[examples.source[rows]] - counted, 0.0))
        contexts = torch.from_numpy(examples.contexts[rows].toarray())
        features = torch.from_numpy(examples.features[rows].astype(np.float32))
        scores: Tensor = self.model(
            torch.from_numpy(examples.source[rows]), contexts, torch.from_numpy(replaced), features
        )
        return scores + torch.from_numpy(examples.weight[rows])

    def forward(self, rows: Rows, batch: Rows, seed: tuple[int, int, int]) -> Tensor:
        """Return the cross-entropy of the targets."""
        is_target = torch.from_numpy(self.examples.ids[rows] == self.examples.target[rows, None])
        log_p = torch.log_softmax(self.scores(self.examples, rows, counted=1), dim=1)
        return -log_p[is_target].mean()

    def val_scores(self) -> Floats:
        """Score val's candidates without drawn ones: [m, CANDIDATES]."""
        parts = [
            self.scores(self.val, np.arange(start, min(start + 512, len(self.val))), counted=0)[:, :CANDIDATES].numpy()
            for start in range(0, len(self.val), 512)
        ]
        return np.concatenate(parts)

    def validate(self) -> float:
        """Return the MRR in percent on val; a target that is no candidate counts zero."""
        scores, is_target = self.val_scores(), self.val.ids[:, :CANDIDATES] == self.val.target[:, None]
        best = np.where(is_target, scores, -np.inf).max(axis=1, keepdims=True)
        ranks = (scores >= best).sum(axis=1)
        return float(np.mean(np.where(is_target.any(axis=1), 100.0 / ranks, 0.0)))


def train_weights(
    config: FusionConfig,
    train_split: Split,
    val: Split,
    evidence: Evidence,
    run: Path | None,
    progress: Progress | None,
) -> tuple[dict[str, Floats], list[Epoch]]:
    """Train a network on the features and return its weights as NumPy arrays."""
    torch.manual_seed(config.seed)
    rows = np.arange(len(train_split))
    examples = Examples(train_split, evidence, rows, config.sampled, config.seed)
    val_examples = Examples(val, evidence, np.arange(len(val)), 0, config.seed)
    mean, deviation = _moments(examples)
    known = np.concatenate([evidence.knowledge.text, evidence.knowledge.usage], axis=1)
    network = FusionNetwork(config, known, mean, deviation)
    task = FusionTask(network, evidence, examples, val_examples)
    history = train(task, TrainingSettings.of(config, len(train_split)), run, progress)
    network.eval()
    with torch.no_grad():
        temperature = best_temperature(task.val_scores(), val_examples.ids[:, :CANDIDATES], val_examples.target)
        return _exported(network, temperature), history


def _moments(examples: Examples) -> tuple[Floats, Floats]:
    """Return mean and deviation of each feature over the candidates of the first examples: [features] each."""
    part = examples.features[:5000][examples.weight[:5000] > -np.inf].astype(np.float32)
    return part.mean(axis=0), part.std(axis=0) + 1e-3


def _exported(network: FusionNetwork, temperature: float) -> dict[str, Floats]:
    """Return the weights that scoring needs, matrices as [inputs, outputs]."""
    rounded = network.vectors().numpy().astype(np.float16)  # as it is saved
    arrays = {
        "vectors": rounded.astype(np.float32),
        "mean": network.mean.numpy().copy(),
        "deviation": network.deviation.numpy().copy(),
        "temperature": np.array([temperature], np.float32),
        "third.weight": network.third.weight[0].numpy().copy(),
    }
    for name, tensor in network.named_parameters():
        if name.split(".")[0] in {"read", "weigh", "first", "first_read", "second"}:
            arrays[name] = np.ascontiguousarray(tensor.numpy().T)
    return arrays


class _CompletionNetwork(nn.Module):
    def __init__(self, n: int, width: int, hidden: int) -> None:
        super().__init__()
        self.inputs = nn.Parameter(torch.randn(n, width) * 0.1)
        self.outputs = nn.Parameter(torch.randn(n, width) * 0.05)
        self.bias = nn.Parameter(torch.zeros(n))
        self.hidden, self.out = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, contexts: Tensor) -> Tensor:
        mean = contexts @ self.inputs
        query = self.out(functional.dropout(torch.relu(self.hidden(mean)), 0.2, self.training)) + mean
        scores: Tensor = query @ self.outputs.T + self.bias
        return scores


def learn_completion(
    recipes: sparse.csr_array, epochs: int = 6, batch: int = 512, width: int = 64, hidden: int = 256, seed: int = 0
) -> Completion:
    """Learn to predict a hidden ingredient from the rest of its recipe, for recipes of at least three ingredients."""
    recipes = recipes[np.diff(recipes.indptr) >= 3].tocsr()
    torch.manual_seed(seed)
    network = _CompletionNetwork(recipes.shape[1], width, hidden)
    optimizer = torch.optim.Adam(network.parameters(), 4e-3, weight_decay=1e-6)
    batches = recipes.shape[0] // batch
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=max(epochs * batches, 2), pct_start=0.1)
    random = np.random.default_rng(seed)
    for _ in range(epochs):
        for rows in random.permutation(recipes.shape[0])[: batches * batch].reshape(batches, batch):
            contexts, target, present = _with_one_hidden(recipes[rows], random)
            scores = network(torch.from_numpy(contexts)).masked_fill(torch.from_numpy(present), -1e4)
            optimizer.zero_grad(set_to_none=True)
            functional.cross_entropy(scores, torch.from_numpy(target)).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    weights = {name: tensor.detach().numpy().copy() for name, tensor in network.named_parameters()}
    return Completion(
        inputs=weights["inputs"],
        outputs=weights["outputs"],
        bias=weights["bias"],
        hidden_weight=weights["hidden.weight"].T.copy(),
        hidden_bias=weights["hidden.bias"],
        out_weight=weights["out.weight"].T.copy(),
        out_bias=weights["out.bias"],
    )


def _with_one_hidden(
    recipes: sparse.csr_array, random: np.random.Generator
) -> tuple[Floats, npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Hide one ingredient of each recipe.

    Returns mean rows over the rest with a few dropped [B, n], the hidden one [B], and a mask of the rest [B, n].
    """
    sizes = np.diff(recipes.indptr)
    hidden = recipes.indptr[:-1] + (random.random(len(sizes)) * sizes).astype(np.int64)
    target = recipes.indices[hidden].astype(np.int64)
    present = recipes.toarray() > 0
    contexts = (present & (random.random(present.shape, dtype=np.float32) >= 0.15)).astype(np.float32)
    rows = np.arange(len(sizes))
    contexts[rows, target], present[rows, target] = 0.0, False
    return contexts / np.maximum(contexts.sum(axis=1, keepdims=True), 1.0), target, present


def full_knowledge(vocabulary: Vocabulary, train_split: Split) -> Knowledge:
    """Make knowledge from all data at hand: the train split's recipes, the recipe collection, names and FlavorGraph."""
    recipes = sparse.vstack([recipes_of(train_split), graphs.collected_recipes(vocabulary)], format="csr")
    flavor = graphs.read_graph(graphs.flavorgraph_nodes(), graphs.flavorgraph_edge_files()).adjacency()
    n = len(vocabulary)
    return build_knowledge(
        vocabulary.names, recipes, flavor[:n, n:].tocsr(), encode_texts(vocabulary.names), learn_completion(recipes)
    )


def own_knowledge(train_split: Split) -> Knowledge:
    """Make knowledge from the train split's recipes alone: no names, no compounds."""
    n, recipes = train_split.context.shape[1], recipes_of(train_split)
    return build_knowledge(
        names=[str(id) for id in range(n)],
        recipes=recipes,
        compounds=sparse.csr_array((n, 1), dtype=np.float32),
        text=np.zeros((n, 1), np.float32),
        completion=learn_completion(recipes, batch=min(512, max(1, recipes.shape[0] // 2))),
    )
