"""Processes that are killed without warning, all of them forks of one server that has imported torch already."""

import signal
from collections.abc import Callable
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext

LAST_WAIT = 120  # seconds after which a process that should have been killed long ago ends by itself


@cache
def fork_server() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload(["gensim.models", "pytest", "scipy.sparse", "swapchef.training"])
    return context


def kill_at(message: object, work: Callable[..., None], *arguments: object) -> None:
    """Start `work(connection, *arguments)` in a process of its own, and kill it as soon as it has sent the message."""
    receiver: Connection
    receiver, sender = fork_server().Pipe(duplex=False)
    with receiver:
        victim = fork_server().Process(target=work, args=(sender, *arguments))
        victim.start()
        sender.close()  # so that a victim that ends too soon ends the waiting too
        while receiver.recv() != message:
            pass
        victim.kill()
        victim.join()
    assert victim.exitcode == -signal.SIGKILL
