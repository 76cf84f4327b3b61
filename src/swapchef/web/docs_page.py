"""The documentation at /docs: the OpenAPI schema as one page without a script, as the content security policy asks.

Types are shown the way a person writes JSON down, with what is optional marked; /openapi.json has the schema itself.
"""

import html
import json
from collections.abc import Mapping
from typing import Any

PROBLEMS = {
    "recipe": "The recipe could not be read.",
    "name": "A name stands for nothing we know; the sentence has the closest that do.",
    "request": "The request does not fit the schema, or asks for what cannot be done.",
    "import": "The page at an address could not be fetched, or must not be.",
    "feedback": "This server keeps no feedback.",
    "photo": "The photo could not be read, or this server cannot read any.",
    "http": "There is nothing at this address, or it takes another method or content type.",
    "host": "The server was asked by a name that is not its own.",
    "too-large": "The body is larger than any recipe, or than a photo may be.",
    "busy": "Too many requests at once; the Retry-After header says when to come back.",
    "slow": "The request took too long.",
    "data": "The server's model or feedback store does not answer.",
    "bug": "Our mistake.",
}
_MAX_DEPTH = 6  # of nested types that are written out


def render(schema: Mapping[str, Any]) -> str:
    """Write the page."""
    title = html.escape(f"{schema['info']['title']} {schema['info']['version']}: HTTP API")
    operations = "\n".join(
        _operation(method, path, operation, schema)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    )
    problems = "\n".join(
        f'<dt id="problem-{kind}"><code>{kind}</code></dt><dd>{html.escape(meaning)}</dd>'
        for kind, meaning in PROBLEMS.items()
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="stylesheet" href="/docs.css">\n'
        f"</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        "<p>Recipes go in and out as schema.org JSON-LD. "
        'The schema for programs: <a href="/openapi.json">/openapi.json</a>. <a href="/">The page</a>.</p>\n'
        f"{operations}\n<h2>Problems</h2>\n<p>Errors are <code>application/problem+json</code> with <code>type</code>,"
        " <code>title</code>, <code>status</code> and <code>detail</code>, one sentence for people. The types:</p>\n"
        f"<dl>\n{problems}\n</dl>\n</main>\n</body>\n</html>\n"
    )


def _operation(method: str, path: str, operation: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    parts = [f"<section>\n<h2><code>{method.upper()} {html.escape(path)}</code></h2>"]
    parts.append(f"<p>{html.escape(operation.get('description', ''))}</p>")
    for parameter in operation.get("parameters", ()):
        shape = _shape(parameter["schema"], schema)
        parts.append(f"<p><code>?{html.escape(parameter['name'])}=</code> {html.escape(shape)}</p>")
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        parts.append(f"<h3>{html.escape(kind)}</h3>\n<pre>{html.escape(_shape(body['schema'], schema))}</pre>")
    for status, answer in operation["responses"].items():
        for body in answer.get("content", {}).values() if status == "200" else ():
            parts.append(f"<h3>Answer</h3>\n<pre>{html.escape(_shape(body['schema'], schema))}</pre>")
    return "\n".join([*parts, "</section>"])


def _shape(part: Mapping[str, Any], schema: Mapping[str, Any], depth: int = 0) -> str:
    """Write a type down as JSON with words in the place of values."""
    while "$ref" in part:
        part = schema["components"]["schemas"][part["$ref"].rsplit("/", 1)[-1]]
    if "anyOf" in part:
        return " or ".join(_shape(each, schema, depth) for each in part["anyOf"])
    if "const" in part or "enum" in part:
        return " or ".join(json.dumps(value) for value in part.get("enum", [part.get("const")]))
    if part.get("type") == "array" and depth < _MAX_DEPTH:
        return f"[{_shape(part.get('items', {}), schema, depth + 1)}, ...]"
    if part.get("properties") and depth < _MAX_DEPTH:
        indent = "  " * (depth + 1)
        fields = [
            f"{indent}{json.dumps(name)}: {_shape(inner, schema, depth + 1)}{_default(name, inner, part)}"
            for name, inner in part["properties"].items()
        ]
        return "{\n" + ",\n".join(fields) + "\n" + "  " * depth + "}"
    return str(part.get("type", "anything"))


def _default(name: str, inner: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    if name in part.get("required", ()):
        return ""
    value = inner.get("default")
    return " (optional)" if value in (None, "", [], {}) else f" (otherwise {json.dumps(value)})"
