"""Starts the processes that answer."""

from functools import partial

import uvicorn

from swapchef.web.app import Settings, create_app


def serve(host: str, port: int, workers: int, settings: Settings) -> None:
    """Serve until told to stop."""
    config = uvicorn.Config(partial(create_app, settings), host=host, port=port, workers=workers, factory=True)
    uvicorn.Server(config).run()
