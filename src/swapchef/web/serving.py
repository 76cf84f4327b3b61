"""The processes of `swapchef serve`: one socket, one or several workers, and an end that loses nothing.

A worker that is busy leaves new connections to the others; one that dies is replaced. Told to stop, a worker takes no new connection,
finishes what is under way, and lets each open connection have one more request, whose answer tells the client to go elsewhere; only then are idle ones
closed, and a client that was about to ask does not find the door slammed.
"""

import asyncio
import gc
import ipaddress
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from swapchef.errors import SwapchefError
from swapchef.web.app import Settings, create_app
from swapchef.web.feedback import Store

_PATIENCE = 15.0  # seconds for the headers of a request to come
_HESITATION = 0.002  # seconds
_FAREWELL = 1.0  # seconds that an idle connection has for one more request
_KEEP_ALIVE = 75  # seconds; longer than load balancers keep theirs, so that they close first
_BACKLOG = 512  # connections that wait to be accepted
_SWITCH = 0.0005  # seconds after which a thread that computes lets the one that answers have a turn
_CANNOT_START = 3  # the exit code of a worker that would fail the same way again
_YOUNG = 5.0  # seconds; a worker that dies sooner is not replaced at once
_LOG_CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "swapchef.web.guards.JsonLines"}},
    "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
    "loggers": {
        "uvicorn": {"handlers": ["lines"], "level": "WARNING", "propagate": False},
        "swapchef.web": {"handlers": ["lines"], "level": "INFO", "propagate": False},
    },
}


def serve(host: str, port: int, workers: int, settings: Settings, log: bool = True) -> None:
    """Serve until told to stop by SIGTERM or Ctrl+C."""
    if settings.feedback:
        store = Store(settings.feedback)
        store.create()  # once, and with a clear word now if it does not answer
        store.close()
    listener = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    print(f"swapchef is at http://{shown}:{listener.getsockname()[1]} (Ctrl+C stops it)", file=sys.stderr, flush=True)
    if workers > 1:
        _Workforce(workers, settings, listener, log).run()
        return
    for number in (signal.SIGINT, signal.SIGTERM):  # uvicorn raises them again when all is done
        signal.signal(number, lambda *_: None)
    _answer(_app(settings), settings, listener, log)


def names_of(host: str, more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names to answer to: on this machine's own address only its own, lest a page elsewhere rebinds a name to it."""
    if _is_loopback(host):
        return (host, "localhost", "127.0.0.1", "::1", *more)
    return (host, *more) if more else ()


class _Workforce:
    """Worker processes that share a socket."""

    def __init__(self, count: int, settings: Settings, listener: socket.socket, log: bool) -> None:
        self._count, self._given, self._listener = count, (settings, listener, log), listener
        self._workers: dict[SpawnProcess, float] = {}  # and when each was started
        self._is_ending = False

    def run(self) -> None:
        """Keep the workers alive until told to stop, then wait for them to finish."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._end())
        for _ in range(self._count):
            self._hire()
        failed = False
        while self._workers:
            wait([worker.sentinel for worker in self._workers])
            for worker in [worker for worker in self._workers if not worker.is_alive()]:
                started = self._workers.pop(worker)
                if worker.exitcode == _CANNOT_START:
                    failed = True
                    if not self._is_ending:
                        self._end()
                elif not self._is_ending:
                    if time.monotonic() < started + _YOUNG:
                        time.sleep(1.0)
                    self._hire()
        if failed:
            raise SwapchefError("The workers could not start; see above for the reason.")

    def _hire(self) -> None:
        worker = multiprocessing.get_context("spawn").Process(target=_work, args=self._given)
        worker.start()
        self._workers[worker] = time.monotonic()
        if self._is_ending:  # the signal came in between
            worker.terminate()

    def _end(self) -> None:
        """Tell the workers to finish; told twice, end them."""
        for worker in self._workers:
            if self._is_ending:
                worker.kill()
            else:
                worker.terminate()
        self._is_ending = True
        self._listener.close()  # else connections would queue up here that nobody answers


def _work(settings: Settings, listener: socket.socket, log: bool) -> None:
    """Be a worker."""
    try:
        app = _app(settings)
    except SwapchefError as error:
        print(f"swapchef: {error}", file=sys.stderr, flush=True)
        sys.exit(_CANNOT_START)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    _answer(app, settings, listener, log)


def _app(settings: Settings) -> FastAPI:
    """Load the application and set the interpreter up to answer evenly."""
    app = create_app(settings)
    gc.collect()
    gc.freeze()  # the model stays: looking through it for garbage again and again would hold up answers
    sys.setswitchinterval(_SWITCH)
    return app


def _answer(app: FastAPI, settings: Settings, listener: socket.socket, log: bool) -> None:
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http=_Polite,
        ws="none",
        log_config=_LOG_CONFIG if log else {**_LOG_CONFIG, "loggers": {}},
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=round(settings.limits.seconds) + 5,
    )
    _Server(config).run(sockets=[listener])


class _Server(uvicorn.Server):
    """A worker's server: accepts as `_Door` does, and ends when the process that started it is gone."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lifespan.startup()
        self.servers = [_Door(listener, self) for listener in sockets or []]  # type: ignore[misc]
        self.started = True
        if parent := multiprocessing.parent_process():
            asyncio.get_running_loop().add_reader(parent.sentinel, self._end)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig == signal.SIGINT and multiprocessing.parent_process():
            return  # Ctrl+C reaches all processes at once; the first of them tells the others what to do
        super().handle_exit(sig, frame)

    def connection(self) -> asyncio.Protocol:
        """Make what handles a new connection."""
        return _Polite(self.config, self.server_state, self.lifespan.state)

    def _end(self) -> None:
        self.should_exit = True


class _Door:
    """Lets connections in; while requests are under way it hesitates, so that a worker with nothing to do is quicker."""

    def __init__(self, listener: socket.socket, server: _Server) -> None:
        listener.setblocking(False)
        self._listener, self._server = listener, server
        self._loop = asyncio.get_running_loop()
        self._opening: asyncio.TimerHandle | None = None
        self._greeted: set[asyncio.Task[object]] = set()
        self._open()

    def close(self) -> None:
        """Let in who knocked already, and then nobody any more."""
        _Polite.is_leaving = True
        while self._let_in():
            pass
        self._loop.remove_reader(self._listener)
        if self._opening:
            self._opening.cancel()

    async def wait_closed(self) -> None:
        """Nothing is left to wait for."""

    def _open(self) -> None:
        self._loop.add_reader(self._listener, self._on_knock)

    def _on_knock(self) -> None:
        if len(self._server.server_state.tasks) > 1:
            self._wait(_HESITATION, self._let_all_in)
        else:
            self._let_in()

    def _wait(self, seconds: float, then: Callable[[], None]) -> None:
        self._loop.remove_reader(self._listener)
        self._opening = self._loop.call_later(seconds, then)

    def _let_all_in(self) -> None:
        self._open()
        while self._let_in():
            pass

    def _let_in(self) -> bool:
        try:
            client, _ = self._listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return False
        except OSError:  # too many files are open
            self._wait(1.0, self._open)
            return False
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # small packets go at once
        task = self._loop.create_task(self._loop.connect_accepted_socket(self._server.connection, client))
        self._greeted.add(task)
        task.add_done_callback(self._greeted.discard)
        return True


class _Polite(HttpToolsProtocol):
    """A connection that waits for a request only so long, and that says goodbye before it is closed at the end."""

    is_leaving = False  # of the whole process
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._be_patient(_FAREWELL if self.is_leaving else _PATIENCE)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_idle() and self.timeout_keep_alive_task is None and not self.transport.is_closing():
            self._be_patient(_PATIENCE)  # a request has begun whose headers are yet to come

    def on_headers_complete(self) -> None:
        if self._patience:
            self._patience.cancel()
            self._patience = None
        super().on_headers_complete()
        if self.is_leaving:
            self.cycle.keep_alive = False

    def shutdown(self) -> None:
        if self._is_idle():
            self.loop.call_later(_FAREWELL, self._leave)
        else:
            super().shutdown()

    def _be_patient(self, seconds: float) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(seconds, self._leave)

    def _leave(self) -> None:
        if self._is_idle() and not self.transport.is_closing():
            self.transport.close()

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete


def _listen(host: str, port: int) -> socket.socket:
    """Take the port, and let clients wait there while workers load."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address, family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:
        known = isinstance(error, OSError) and not isinstance(error, socket.gaierror) and error.errno
        reason = os.strerror(known) if known else "no such address"
        raise SwapchefError(
            f"Cannot listen on {host}:{port} ({reason.lower()}); choose another --port or --host."
        ) from None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
