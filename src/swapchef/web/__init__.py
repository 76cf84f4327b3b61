"""`swapchef serve`: the HTTP API and the page, around `Substituter`; needs the `web` extra.

`app` puts the application together. A request passes `guards` (limits, headers, the log), then `routes`, which let
`workers` (threads) call `answers`; `schema` has the types of requests and answers. `fetching` gets pages from the web,
`reading` reads recipes from bytes, `photos` from photos, and `feedback` stores what cooks chose. `serving` starts the
processes. Requests share no state, so any number of workers and machines may answer them.
"""
