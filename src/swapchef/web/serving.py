"""The processes of `swapchef serve`: one socket, one or several workers, and an end that loses nothing.

Told to stop, a worker takes no new connection, finishes what is under way, and lets each open connection have one more request, whose answer tells
the client to go elsewhere; only then are idle ones closed. A client that was about to ask never finds the door slammed.
"""

import ipaddress
import os
import signal
import socket
import sys
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors import Multiprocess

from swapchef.errors import SwapchefError
from swapchef.web.app import Settings, create_app
from swapchef.web.feedback import Store

_FAREWELL = 1.0  # seconds that an idle connection has for one more request
_BACKLOG = 512  # connections that wait to be accepted
_SWITCH = 0.001  # seconds after which a thread that computes lets the one that answers have a turn
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
    config = _config(settings, workers, log)
    if workers == 1:
        config.app = create_app(settings)  # here, so that what is wrong is one sentence
        config.factory = False
        sys.setswitchinterval(_SWITCH)
        for number in (signal.SIGINT, signal.SIGTERM):  # uvicorn raises them again when all is done
            signal.signal(number, lambda *_: None)
        uvicorn.Server(config).run(sockets=[listener])
    else:
        workforce = _Workforce(config, [listener])
        workforce.run()
        if any(process.exitcode == STARTUP_FAILURE for process in workforce.processes):
            raise SwapchefError("The workers could not start; see above for the reason.")


def names_of(host: str, more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names to answer to: on this machine's own address only its own, lest a page elsewhere rebinds a name to it."""
    if _is_loopback(host):
        return (host, "localhost", "127.0.0.1", "::1", *more)
    return (host, *more) if more else ()


class _Workforce(Multiprocess):
    """Workers that share a socket; one that dies is replaced."""

    def terminate_all(self) -> None:
        for sock in self.sockets:  # else connections would queue up here that nobody answers
            sock.close()
        super().terminate_all()


class _Polite(HttpToolsProtocol):
    """A connection that, at the end, says goodbye before it is closed."""

    is_leaving = False  # of the whole process

    def shutdown(self) -> None:
        _Polite.is_leaving = True
        if self._is_idle():
            self.loop.call_later(_FAREWELL, self._leave)
        else:
            super().shutdown()

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        if self.is_leaving:
            self.cycle.keep_alive = False

    def _leave(self) -> None:
        if self._is_idle() and not self.transport.is_closing():
            self.transport.close()

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete


def _config(settings: Settings, workers: int, log: bool) -> uvicorn.Config:
    return uvicorn.Config(
        partial(_app_of_worker, settings),
        factory=True,
        workers=workers,
        http=_Polite,
        ws="none",
        log_config=_LOG_CONFIG if log else {**_LOG_CONFIG, "loggers": {}},
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=round(settings.limits.seconds) + 5,
    )


def _app_of_worker(settings: Settings) -> FastAPI:
    sys.setswitchinterval(_SWITCH)
    try:
        return create_app(settings)
    except SwapchefError as error:
        print(f"swapchef: {error}", file=sys.stderr, flush=True)
        sys.exit(STARTUP_FAILURE)


def _listen(host: str, port: int) -> socket.socket:
    """Take the port, and let clients wait there while workers load."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server(address, family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:
        known = isinstance(error, OSError) and not isinstance(error, socket.gaierror) and error.errno
        reason = os.strerror(known) if known else "no such address"
        raise SwapchefError(
            f"Cannot listen on {host}:{port} ({reason.lower()}); choose another --port or --host."
        ) from None
    listener.set_inheritable(True)
    return listener


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
