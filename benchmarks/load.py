"""Load test of the server: `python benchmarks/load.py` (loopback only, two minutes; `--seconds 5` for a quick look).

Starts `swapchef serve --workers 2` and requests suggestions for 4,000 made-up recipes at a steady rate that does not
wait for responses, so that a slow response delays no later request and every delay is counted. Four rounds: steady,
four times as much, steady again, and a SIGTERM in the middle of work.
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
    "butter;buttermilk;milk;egg;sugar;brown sugar;honey;all purpose flour;baking powder;baking soda;salt;"
    "vanilla extract;cinnamon;olive oil;onion;garlic;carrot;celery;potato;tomato;chicken breast;ground beef;bacon;"
    "parmesan cheese;cheddar cheese;sour cream;heavy cream;lemon juice;white wine;soy sauce;ginger;rice;spaghetti;"
    "black pepper;parsley;basil;oregano;cumin;paprika;chicken broth"
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


def requests(count: int = 4000) -> list[bytes]:
    """Write requests for suggestions in made-up recipes of 6 to 12 foods; hardly two have a line in common."""
    vocabulary = Vocabulary.load()
    assert all(vocabulary.match(food) for food in FOODS)
    generator = random.Random(SEED)
    return [request(generator, number) for number in range(count)]


def request(generator: random.Random, number: int) -> bytes:
    foods = generator.sample(FOODS, generator.randint(6, 12))
    steps = [generator.choice(STEPS).format(*generator.sample(foods, 2)) for _ in range(generator.randint(3, 7))]
    amounts = [
        f"{generator.randint(1, 60)}{generator.choice(['', ' 1/2', ' 1/4', '.5'])} {generator.choice(UNITS)}"
        for _ in foods
    ]
    recipe = {
        "@type": "Recipe",
        "name": f"Dish {number}",
        "recipeIngredient": [f"{a} {food}{generator.choice(NOTES)}" for a, food in zip(amounts, foods, strict=True)],
        "recipeInstructions": [{"@type": "HowToStep", "text": step} for step in steps],
    }
    wishes = {"diet": ["vegetarian"]} if number % 4 == 0 else {}
    body = json.dumps({"recipe": recipe, "ingredients": [foods[0]], "wishes": wishes}).encode()
    headers = f"Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return b"POST /api/v1/suggest HTTP/1.1\r\n" + headers.encode() + body


@dataclass
class Round:
    """What happened in one round."""

    name: str
    rate: int
    seconds: float
    times: dict[int, list[float]] = field(default_factory=dict)  # by status: seconds from when the request was due
    refused: int = 0  # no server listened
    closed: int = 0  # connections that ended before a response; the server may never have read the request
    lost: int = 0  # responses in the server's log that the client never received

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


class Client(asyncio.Protocol):
    """One connection: sends a request at a time and reads its response."""

    def __init__(self, load: "Load") -> None:
        self.load, self.buffer, self.due = load, b"", 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.load.opened += 1

    def send(self, request: bytes, due: float) -> None:
        """Send a request that was due at a time."""
        self.due = due
        self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Read until the response is complete."""
        self.buffer += data
        head, separator, body = self.buffer.partition(b"\r\n\r\n")
        if not separator:
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
        """Count a request that will have no response."""
        self.load.opened -= 1
        with contextlib.suppress(ValueError):
            self.load.idle.remove(self)
        if self.due:
            self.load.waiting -= 1
            self.load.round.closed += 1
            self.due = 0.0


class Load:
    """Sends requests at a steady rate over a pool of connections."""

    def __init__(self, port: int, requests: list[bytes], log: Path) -> None:
        self.port, self.requests, self.log = port, requests, log
        self.idle: deque[Client] = deque()
        self.opened = self.waiting = 0
        self.round = Round("", 0, 0)

    async def open(self) -> Client | None:
        """Open a connection; None where no server listens."""
        try:
            loop = asyncio.get_running_loop()
            return (await loop.create_connection(lambda: Client(self), "127.0.0.1", self.port))[1]
        except OSError:
            return None

    def answered(self, status: int, due: float) -> None:
        """Count an answer."""
        self.waiting -= 1
        self.round.times.setdefault(status, []).append(time.perf_counter() - due)

    async def run(self, name: str, rate: int, seconds: float, stop: asyncio.Event | None = None) -> Round:
        """Send `rate` requests a second, each when it is due, whether or not earlier ones were answered."""
        self.round, logged = Round(name, rate, seconds), self.logged()
        self.close_idle(but=CONNECTIONS)
        while len(self.idle) < CONNECTIONS and (client := await self.open()):
            self.idle.append(client)
        generator, start = random.Random(SEED), time.perf_counter()
        for number in range(round(rate * seconds)):
            due = start + number / rate
            if (early := due - time.perf_counter()) > 0:
                await asyncio.sleep(early)
            if stop and stop.is_set():
                break
            request = generator.choice(self.requests)
            self.waiting += 1
            if self.idle:
                self.idle.popleft().send(request, due)
            else:
                asyncio.get_running_loop().create_task(self._send_on_new_connection(request, due))
        deadline = time.perf_counter() + 20
        while self.waiting and time.perf_counter() < deadline:
            await asyncio.sleep(0.01)
        self.round.closed += self.waiting
        self.round.lost = self.logged() - logged - sum(map(len, self.round.times.values()))
        return self.round

    def close_idle(self, but: int = 0) -> None:
        """Close connections that wait for nothing, all but some."""
        while len(self.idle) > but:
            self.idle.popleft().transport.close()

    def logged(self) -> int:
        """Return how many responses are in the server's log."""
        return self.log.read_bytes().count(b'"event": "request"')

    async def _send_on_new_connection(self, request: bytes, due: float) -> None:
        client = await self.open() if self.opened < MOST_CONNECTIONS else None
        if client:
            client.send(request, due)
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
        while not (address := re.search(rb"http://127.0.0.1:(\d+)", log.read_bytes())):
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        yield int(address[1]), process
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
                resident = re.search(r"VmRSS:\s+(\d+) kB", text)
                total += int(resident[1]) / 1024 if resident else 0
    return round(total, 1)


async def warm_up(load: Load) -> None:
    """Send requests until every worker answers with warm caches, as after its first minute."""
    for _ in range(60):
        await load.run("start", RATE // 2, 1)
        load.close_idle()  # the worker that answered first has all connections
        if len(set(re.findall(rb'"process": (\d+)', load.log.read_bytes()))) == WORKERS:
            break
    await load.run("warm-up", RATE // 2, 8)


async def measure(seconds: float, log: Path) -> list[dict[str, object]]:
    bodies, rows = requests(), []
    with server(log, "--workers", str(WORKERS)) as (port, process):
        load = Load(port, bodies, log)
        await warm_up(load)
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
    """Terminate the server while it works, and send requests until it has ended."""
    ended = asyncio.Event()

    async def end() -> None:
        await asyncio.sleep(2)
        process.send_signal(signal.SIGTERM)
        while process.poll() is None:
            await asyncio.sleep(0.05)
        ended.set()

    ending = asyncio.create_task(end())
    done = await load.run("sigterm", RATE, 20, stop=ended)
    await ending
    assert process.returncode == 0, "the server did not exit cleanly"
    return done


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60, help="of the steady round")
    options.add_argument("--save", action="store_true", help=f"append to {RESULTS.relative_to(ROOT)}")
    arguments = options.parse_args()
    memory_disk = Path("/dev/shm")  # a log on a busy disk would be measured as well
    with tempfile.TemporaryDirectory(dir=memory_disk if memory_disk.is_dir() else None) as folder:
        rows = asyncio.run(measure(arguments.seconds, Path(folder) / "log"))
    if arguments.save:
        columns = [*rows[0], "seed", "commit"]
        new = not RESULTS.exists()
        with RESULTS.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerows({**row, "seed": SEED, "commit": current_commit()} for row in rows)


if __name__ == "__main__":
    main()
