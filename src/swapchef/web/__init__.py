"""`swapchef serve`: the HTTP API and the page, thin edges around `Substituter`; needs the `web` extra.

`app` is the API, `schema` what goes in and out of it, `answers` what it says, `guards` what every request passes, `fetching` and `reading` recipes from
elsewhere, `feedback` the store of what cooks chose, `serving` the processes. Requests share no state, so any number of workers and machines may answer them.
"""
