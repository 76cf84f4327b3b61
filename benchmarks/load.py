"""How much the server bears: `python benchmarks/load.py` (loopback only, about two minutes; `--seconds 5` for a quick look).

Starts `swapchef serve --workers 2` and asks it for suggestions in 4,000 made-up recipes, at a steady rate that does not wait for answers, so that a slow
answer delays no later question and every delay is counted. Four rounds: steady, four times as much, steady again, and a SIGTERM in the middle of work.
"""

import argparse
import asyncio
import contextlib
import csv
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from swapchef.benchmark import current_commit
from swapchef.foods.matching import Vocabulary

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "load.csv"
WORKERS, RATE, SEED = 2, 152, 0
CONNECTIONS = 32  # open from the start; more are made when all are waiting for an answer
MOST_CONNECTIONS = 512
FOODS = (
    "butter;buttermilk;milk;egg;sugar;brown sugar;honey;all purpose flour;baking powder;baking soda;salt;vanilla extract;cinnamon;olive oil;"
    "onion;garlic;carrot;celery;potato;tomato;chicken breast;ground beef;bacon;parmesan cheese;cheddar cheese;sour cream;heavy cream;"
    "lemon juice;white wine;soy sauce;ginger;rice;spaghetti;black pepper;parsley;basil;oregano;cumin;paprika;chicken broth"
).split(";")
UNITS = ("cups", "tablespoons", "teaspoons", "ounces", "grams", "pounds")
NOTES = ("", ", divided", ", at room temperature", " (organic)", ", plus more to taste")
STEPS = (
    "Chop the {}.",
    "Mix the {} with the {}.",
    "Add the {} and stir.",
    "Cook the {} for 10 minutes.",
    "Serve with {}.",
)


def questions(count: int = 4000) -> list[bytes]:
    """Write requests for suggestions in made-up recipes of 6 to 12 foods; hardly two have a line in common."""
    known = Vocabulary.load()
    assert all(known.match(food) for food in FOODS)
    chance = random.Random(SEED)
    return [question(chance, number) for number in range(count)]


def question(chance: random.Random, number: int) -> bytes:
    foods = chance.sample(FOODS, chance.randint(6, 12))
    steps = [chance.choice(STEPS).format(*chance.sample(foods, 2)) for _ in range(chance.randint(3, 7))]
    amounts = [
        f"{chance.randint(1, 60)}{chance.choice(['', ' 1/2', ' 1/4', '.5'])} {chance.choice(UNITS)}" for _ in foods
    ]
    recipe = {
        "@type": "Recipe",
        "name": f"Dish {number}",
        "recipeIngredient": [f"{a} {food}{chance.choice(NOTES)}" for a, food in zip(amounts, foods, strict=True)],
        "recipeInstructions": [{"@type": "HowToStep", "text": step} for step in steps],
    }
    wishes = {"diet": ["vegetarian"]} if number % 4 == 0 else {}
    body = json.dumps({"recipe": recipe, "ingredients": [foods[0]], "wishes": wishes}).encode()
    head = f"POST /api/v1/suggest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@dataclass
class Round:
    """What happened in one round."""

    name: str
    rate: int
    seconds: float
    times: dict[int, list[float]] = field(default_factory=dict)  # by status: seconds from when the question was due
    refused: int = 0  # nobody listened
    closed: int = 0  # the connection ended before an answer; the server may never have read the question
    lost: int = 0  # the server answered (its log has a line for each) and the client never heard of it

    def row(self) -> dict[str, object]:
        """Return the figures of the round."""
        good, busy = (np.array(self.times.get(status, [0.0])) * 1000 for status in (200, 503))
        statuses = {status: len(times) for status, times in sorted(self.times.items())}
        return {
            "round": self.name,
            "asked_per_s": self.rate,
            "seconds": self.seconds,
            "answered_per_s": round(statuses.get(200, 0) / self.seconds, 1),
            "p50_ms": round(float(np.quantile(good, 0.5)), 1),
            "p99_ms": round(float(np.quantile(good, 0.99)), 1),
            "max_ms": round(float(good.max()), 1),
            "busy_503": statuses.get(503, 0),
            "busy_p99_ms": round(float(np.quantile(busy, 0.99)), 1),
            "other": sum(count for status, count in statuses.items() if status not in {200, 503}),
            "refused": self.refused,
            "closed": self.closed,
            "lost": self.lost,
        }


class Asker(asyncio.Protocol):
    """One connection: asks a question at a time and reads its answer."""

    def __init__(self, load: "Load") -> None:
        self.load, self.buffer, self.due = load, b"", 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.load.opened += 1

    def ask(self, question: bytes, due: float) -> None:
        """Ask a question that was due at a time."""
        self.due = due
        self.transport.write(question)

    def data_received(self, data: bytes) -> None:
        """Read on, until the answer is whole."""
        self.buffer += data
        head, found, body = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = re.search(rb"(?i)content-length: (\d+)", head)
        if length and len(body) >= int(length[1]):
            self.buffer = b""
            status, due, self.due = int(head[9:12]), self.due, 0.0
            self.load.answered(status, due)
            if b"connection: close" in head.lower():
                self.transport.close()
            else:
                self.load.idle.append(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a question that will have no answer."""
        self.load.opened -= 1
        with contextlib.suppress(ValueError):
            self.load.idle.remove(self)
        if self.due:
            self.load.waiting -= 1
            self.load.round.closed += 1
            self.due = 0.0


class Load:
    """Asks at a steady rate over a pool of connections."""

    def __init__(self, port: int, asked: list[bytes], log: Path) -> None:
        self.port, self.asked, self.log = port, asked, log
        self.idle: deque[Asker] = deque()
        self.opened = self.waiting = 0
        self.round = Round("", 0, 0)

    async def open(self) -> Asker | None:
        """Open a connection, unless nobody listens."""
        try:
            loop = asyncio.get_running_loop()
            return (await loop.create_connection(lambda: Asker(self), "127.0.0.1", self.port))[1]
        except OSError:
            return None

    def answered(self, status: int, due: float) -> None:
        """Count an answer."""
        self.waiting -= 1
        self.round.times.setdefault(status, []).append(time.perf_counter() - due)

    async def run(self, name: str, rate: int, seconds: float, stop: asyncio.Event | None = None) -> Round:
        """Ask `rate` questions a second, each when it is due, whether or not earlier ones were answered."""
        self.round, logged = Round(name, rate, seconds), self.logged()
        self.hang_up(but=CONNECTIONS)
        while len(self.idle) < CONNECTIONS and (asker := await self.open()):
            self.idle.append(asker)
        chance, start = random.Random(SEED), time.perf_counter()
        for number in range(round(rate * seconds)):
            due = start + number / rate
            if (early := due - time.perf_counter()) > 0:
                await asyncio.sleep(early)
            if stop and stop.is_set():
                break
            question = chance.choice(self.asked)
            self.waiting += 1
            if self.idle:
                self.idle.popleft().ask(question, due)
            else:
                asyncio.get_running_loop().create_task(self._ask_anew(question, due))
        give_up = time.perf_counter() + 20
        while self.waiting and time.perf_counter() < give_up:
            await asyncio.sleep(0.01)
        self.round.closed += self.waiting
        self.round.lost = self.logged() - logged - sum(map(len, self.round.times.values()))
        return self.round

    def hang_up(self, but: int = 0) -> None:
        """Close connections that wait for nothing, all but some."""
        while len(self.idle) > but:
            self.idle.popleft().transport.close()

    def logged(self) -> int:
        """Return how many questions the server says it has answered."""
        return self.log.read_bytes().count(b'"event": "request"')

    async def _ask_anew(self, question: bytes, due: float) -> None:
        asker = await self.open() if self.opened < MOST_CONNECTIONS else None
        if asker:
            asker.ask(question, due)
        else:
            self.waiting -= 1
            self.round.refused += 1


@contextlib.contextmanager
def server(log: Path, *options: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run the server on a free port until the block ends."""
    command = [sys.executable, "-c", "from swapchef.cli import main; main()", "serve", "--port", "0", *options]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stderr=file, stdin=subprocess.DEVNULL)
    try:
        while not (found := re.search(rb"http://127.0.0.1:(\d+)", log.read_bytes())):
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        yield int(found[1]), process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(30)


def memory(process: subprocess.Popen[bytes]) -> float:
    """Return the megabytes that the server and its workers hold."""
    total = 0.0
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            text = status.read_text()
            if f"\nPPid:\t{process.pid}\n" in text or f"\nPid:\t{process.pid}\n" in text:
                found = re.search(r"VmRSS:\s+(\d+) kB", text)
                total += int(found[1]) / 1024 if found else 0
    return round(total, 1)


async def until_warm(load: Load) -> None:
    """Ask until every worker answers and knows the words for foods, as they do after their first minute."""
    for _ in range(60):
        await load.run("start", RATE // 2, 1)
        load.hang_up()  # who answered first has all connections
        if len(set(re.findall(rb'"process": (\d+)', load.log.read_bytes()))) == WORKERS:
            break
    await load.run("warm-up", RATE // 2, 8)


async def measure(seconds: float, log: Path) -> list[dict[str, object]]:
    asked, rows = questions(), []
    with server(log, "--workers", str(WORKERS)) as (port, process):
        load = Load(port, asked, log)
        await until_warm(load)
        for name, rate, length in (
            ("steady", RATE, seconds),
            ("overload", 4 * RATE, seconds / 4),
            ("after", RATE, seconds / 4),
        ):
            before = memory(process)
            done = await load.run(name, rate, length)
            rows.append({**done.row(), "mb_before": before, "mb_after": memory(process)})
            print(json.dumps(rows[-1]), flush=True)
        done = await terminated(load, process)
        rows.append(done.row())
        print(json.dumps(rows[-1]), flush=True)
    return rows


async def terminated(load: Load, process: subprocess.Popen[bytes]) -> Round:
    """End the server while it works, and go on asking until it is gone."""
    gone = asyncio.Event()

    async def end() -> None:
        await asyncio.sleep(2)
        process.send_signal(signal.SIGTERM)
        while process.poll() is None:
            await asyncio.sleep(0.05)
        gone.set()

    ending = asyncio.create_task(end())
    done = await load.run("sigterm", RATE, 20, stop=gone)
    await ending
    assert process.returncode == 0, "the server did not end in peace"
    return done


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60, help="of the steady round")
    options.add_argument("--save", action="store_true", help=f"append to {RESULTS.relative_to(ROOT)}")
    given = options.parse_args()
    memory_disk = Path("/dev/shm")  # a log on a busy disk would be measured as well
    with tempfile.TemporaryDirectory(dir=memory_disk if memory_disk.is_dir() else None) as folder:
        rows = asyncio.run(measure(given.seconds, Path(folder) / "log"))
    if given.save:
        columns = [*rows[0], "seed", "commit"]
        new = not RESULTS.exists()
        with RESULTS.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerows({**row, "seed": SEED, "commit": current_commit()} for row in rows)


if __name__ == "__main__":
    main()
