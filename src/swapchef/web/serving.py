"""The processes of `swapchef serve`: one socket, one or several workers, and a shutdown that loses no request.

A worker that is busy leaves new connections to the others; one that dies is replaced. On shutdown a worker accepts no
new connection, finishes the requests under way, and answers one more request on each open connection with
`Connection: close`; only then are idle connections closed, so that a client that was about to send gets its answer.
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

_HEADERS_TIMEOUT = 15.0  # seconds for the headers of a request to come
_ACCEPT_DELAY = 0.002  # seconds that a busy worker leaves a new connection to the others
_LAST_REQUEST_TIMEOUT = 1.0  # seconds that an idle connection has for one more request on shutdown
_RETRY_ACCEPT = 1.0  # seconds until connections are accepted again after there were too many open files
_KEEP_ALIVE_TIMEOUT = 75  # seconds; longer than load balancers keep theirs, so that they close first
_BACKLOG = 512  # connections that wait to be accepted
_SWITCH_INTERVAL = 0.0005  # seconds that a computing thread may run before the event loop gets a turn
_CANNOT_START = 3  # the exit code of a worker that would fail the same way again
_MIN_LIFETIME = 5.0  # seconds; a worker that dies sooner is replaced after a pause
_RESTART_PAUSE = 1.0  # seconds
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
    """Serve until SIGTERM or Ctrl+C."""
    if settings.feedback:
        store = Store(settings.feedback)
        store.create()  # once, before there are workers; refuses an address that does not answer
        store.close()
    listener = _listen(host, port)
    url_host = f"[{host}]" if ":" in host else host
    url = f"http://{url_host}:{listener.getsockname()[1]}"
    print(f"swapchef is at {url} (Ctrl+C stops it)", file=sys.stderr, flush=True)
    if workers > 1:
        _WorkerPool(workers, settings, listener, log).run()
        return
    for number in (signal.SIGINT, signal.SIGTERM):  # uvicorn raises them again when all is done
        signal.signal(number, lambda *_: None)
    _run_server(_load_app(settings), settings, listener, log)


def server_names(host: str, more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the Host names to accept, all if empty; a loopback address has only its own, against DNS rebinding."""
    if _is_loopback(host):
        return (host, "localhost", "127.0.0.1", "::1", *more)
    return (host, *more) if more else ()


class _WorkerPool:
    """Worker processes that share a socket."""

    def __init__(self, count: int, settings: Settings, listener: socket.socket, log: bool) -> None:
        self._count, self._worker_arguments, self._listener = count, (settings, listener, log), listener
        self._workers: dict[SpawnProcess, float] = {}  # and when each was started
        self._is_stopping = False

    def run(self) -> None:
        """Replace workers that die until a signal to stop, then wait for all to finish."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._stop())
        for _ in range(self._count):
            self._start_worker()
        failed = False
        while self._workers:
            wait([worker.sentinel for worker in self._workers])
            for worker in [worker for worker in self._workers if not worker.is_alive()]:
                started = self._workers.pop(worker)
                if worker.exitcode == _CANNOT_START:
                    failed = True
                    if not self._is_stopping:
                        self._stop()
                elif not self._is_stopping:
                    if time.monotonic() < started + _MIN_LIFETIME:
                        time.sleep(_RESTART_PAUSE)
                    self._start_worker()
        if failed:
            raise SwapchefError("The workers could not start; see above for the reason.")

    def _start_worker(self) -> None:
        worker = multiprocessing.get_context("spawn").Process(target=_run_worker, args=self._worker_arguments)
        worker.start()
        self._workers[worker] = time.monotonic()
        if self._is_stopping:  # the signal came in between
            worker.terminate()

    def _stop(self) -> None:
        """Let the workers finish; kill them the second time."""
        for worker in self._workers:
            if self._is_stopping:
                worker.kill()
            else:
                worker.terminate()
        self._is_stopping = True
        self._listener.close()  # else connections would wait in its backlog for ever


def _run_worker(settings: Settings, listener: socket.socket, log: bool) -> None:
    """Load the model and answer requests, in a worker process."""
    try:
        app = _load_app(settings)
    except SwapchefError as error:
        print(f"swapchef: {error}", file=sys.stderr, flush=True)
        sys.exit(_CANNOT_START)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    _run_server(app, settings, listener, log)


def _load_app(settings: Settings) -> FastAPI:
    """Load the application and set the interpreter up for even response times."""
    app = create_app(settings)
    gc.collect()
    gc.freeze()  # the model stays loaded: the garbage collector need not look through it again
    sys.setswitchinterval(_SWITCH_INTERVAL)
    return app


def _run_server(app: FastAPI, settings: Settings, listener: socket.socket, log: bool) -> None:
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http=_Connection,
        ws="none",
        log_config=_LOG_CONFIG if log else {**_LOG_CONFIG, "loggers": {}},
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE_TIMEOUT,
        timeout_graceful_shutdown=round(settings.limits.timeout) + 5,
    )
    _Server(config).run(sockets=[listener])


class _Server(uvicorn.Server):
    """A worker's server: accepts connections with `_Acceptor`, and ends with the process that started it."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lifespan.startup()
        self.servers = [_Acceptor(listener, self) for listener in sockets or []]  # type: ignore[misc]
        self.started = True
        if parent := multiprocessing.parent_process():
            asyncio.get_running_loop().add_reader(parent.sentinel, self._stop)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig == signal.SIGINT and multiprocessing.parent_process():
            return  # Ctrl+C reaches all processes at once; the parent stops its workers itself
        super().handle_exit(sig, frame)

    def connection(self) -> asyncio.Protocol:
        """Make the protocol of a new connection."""
        return _Connection(self.config, self.server_state, self.lifespan.state)

    def _stop(self) -> None:
        self.should_exit = True


class _Acceptor:
    """Accepts connections, with a short delay while requests are under way, so that idle workers take them first."""

    def __init__(self, listener: socket.socket, server: _Server) -> None:
        listener.setblocking(False)
        self._listener, self._server = listener, server
        self._loop = asyncio.get_running_loop()
        self._resume_timer: asyncio.TimerHandle | None = None
        self._accepted: set[asyncio.Task[object]] = set()
        self._resume()

    def close(self) -> None:
        """Accept the connections that wait already, and then no more."""
        _Connection.is_shutting_down = True
        while self._accept():
            pass
        self._loop.remove_reader(self._listener)
        if self._resume_timer:
            self._resume_timer.cancel()

    async def wait_closed(self) -> None:
        """Return at once: nothing is left to wait for."""

    def _resume(self) -> None:
        self._loop.add_reader(self._listener, self._on_connection)

    def _on_connection(self) -> None:
        if len(self._server.server_state.tasks) > 1:
            self._pause(_ACCEPT_DELAY, self._accept_all)
        else:
            self._accept()

    def _pause(self, seconds: float, then: Callable[[], None]) -> None:
        self._loop.remove_reader(self._listener)
        self._resume_timer = self._loop.call_later(seconds, then)

    def _accept_all(self) -> None:
        self._resume()
        while self._accept():
            pass

    def _accept(self) -> bool:
        try:
            client, _ = self._listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return False
        except OSError:  # too many files are open
            self._pause(_RETRY_ACCEPT, self._resume)
            return False
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # small packets go at once
        task = self._loop.create_task(self._loop.connect_accepted_socket(self._server.connection, client))
        self._accepted.add(task)
        task.add_done_callback(self._accepted.discard)
        return True


class _Connection(HttpToolsProtocol):
    """A connection with a time limit for headers, and for one last request on shutdown."""

    is_shutting_down = False  # of the whole process
    _headers_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_headers_timer(_LAST_REQUEST_TIMEOUT if self.is_shutting_down else _HEADERS_TIMEOUT)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_idle() and self.timeout_keep_alive_task is None and not self.transport.is_closing():
            self._start_headers_timer(_HEADERS_TIMEOUT)  # a request has begun whose headers are yet to come

    def on_headers_complete(self) -> None:
        if self._headers_timer:
            self._headers_timer.cancel()
            self._headers_timer = None
        super().on_headers_complete()
        if self.is_shutting_down:
            self.cycle.keep_alive = False

    def shutdown(self) -> None:
        if self._is_idle():
            self.loop.call_later(_LAST_REQUEST_TIMEOUT, self._close_if_idle)
        else:
            super().shutdown()

    def _start_headers_timer(self, seconds: float) -> None:
        if self._headers_timer is None:
            self._headers_timer = self.loop.call_later(seconds, self._close_if_idle)

    def _close_if_idle(self) -> None:
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
