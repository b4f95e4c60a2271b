#!/usr/bin/env python3
"""Makes a Python package of Heddle's REST interface from the description that a controller serves.

    curl -s http://127.0.0.1:8480/v1/openapi.json | python3 generate.py - -o build
    python3 -m pip install build/heddle_client-1.0.0-py3-none-any.whl

Every operation of /v1 becomes a method of heddle_client.Client, every schema a TypedDict of
heddle_client.models. The package needs Python 3.9 and nothing else; so does this program.
"""

import argparse
import base64
import hashlib
import json
import keyword
import pathlib
import re
import sys
import zipfile

VERSION = "1.0.0"
NAME = "heddle_client"
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def snake(name):
    """A name of the description as Python has them: dry_run, list_tenants, if_match."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name.replace("-", "_")).lower()
    return words + "_" if keyword.iskeyword(words) else words


class Models:
    """TypedDicts of the schemas, and the names of types."""

    def __init__(self, schemas):
        self.schemas = schemas

    def type(self, schema):
        """The type of a schema, as Python code."""
        if "$ref" in schema:
            return '"' + schema["$ref"].rsplit("/", 1)[1] + '"'
        for several in ("oneOf", "anyOf"):
            if several in schema:
                return self.union([self.type(s) for s in schema[several]])
        if "enum" in schema and all(isinstance(v, str) for v in schema["enum"]):
            return "Literal[" + ", ".join(json.dumps(v) for v in schema["enum"]) + "]"
        kind = schema.get("type")
        if isinstance(kind, list):
            return self.union([self.type({**schema, "type": k}) for k in kind])
        if kind == "array":
            return "List[" + self.type(schema.get("items", {})) + "]"
        if kind == "object":
            more = schema.get("additionalProperties")
            return "Dict[str, " + (self.type(more) if isinstance(more, dict) else "Any") + "]"
        return TYPES.get(kind, "Any")

    @staticmethod
    def union(types):
        once = list(dict.fromkeys(types))
        return once[0] if len(once) == 1 else "Union[" + ", ".join(once) + "]"

    def text(self):
        out = [
            '"""What requests and answers of Heddle\'s REST interface are made of."""',
            "",
            "from typing import Any, Dict, List, Literal, TypedDict, Union",
            "",
        ]
        for name, schema in self.schemas.items():
            properties = schema.get("properties", {})
            required = [p for p in properties if p in schema.get("required", [])]
            rest = [p for p in properties if p not in required]
            about = doc(schema.get("description", "%s of the interface" % name))
            base = "TypedDict"
            if required and rest:
                out += self.made("_" + name, base, True, properties, required, about)
                base = "_" + name
            out += self.made(name, base, not rest, properties, rest or required, about)
        return "\n".join(out)

    def made(self, name, base, total, properties, names, about):
        """A TypedDict; by a call if a key cannot be the name of a field, as "from"."""
        fields = [(n, self.type(properties[n])) for n in names]
        more = "" if total else ", total=False"
        if all(n.isidentifier() and not keyword.iskeyword(n) for n in names):
            lines = ["class %s(%s%s):" % (name, base, more), "    " + about, ""]
            lines += ["    %s: %s" % field for field in fields]
        elif base == "TypedDict":
            lines = ["%s = TypedDict(" % name, "    %s," % json.dumps(name), "    {"]
            lines += ["        %s: %s," % (json.dumps(n), kind) for n, kind in fields]
            lines += ["    },"] + (["    total=False,"] if more else []) + [")"]
        else:
            sys.exit("generate.py: an optional property cannot be a field of a class: " + name)
        return [""] + lines + [""]


def doc(text):
    return '"""' + text.replace("\\", "\\\\").replace('"""', "'''").rstrip(".") + '."""'


def good(operation):
    """The schema of the good answer with a body; None if there is none."""
    for status in ("200", "201", "202"):
        content = operation["responses"].get(status, {}).get("content", {})
        if "application/json" in content:
            return content["application/json"].get("schema", {})
    return None


def method(models, path, verb, operation):
    """The method of an operation, as lines."""
    arguments, pieces, query, headers = ["self"], [], [], []
    optional = []
    for p in operation.get("parameters", []):
        name = snake(p["name"])
        if p["in"] == "path":
            arguments.append(name + ": str")
            pieces.append((p["name"], name))
        else:
            kind = models.type(p.get("schema", {})).replace('"', "'")
            optional.append("%s: Optional[%s] = None" % (name, kind))
            (query if p["in"] == "query" else headers).append((p["name"], name))
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body is not None:
        kind = models.type(body.get("schema", {})).strip('"')
        arguments.append("body: %s" % ("models." + kind if kind in models.schemas else kind))
    if optional:
        arguments += ["*"] + optional
    answer = good(operation)
    returns = "None" if answer is None else returned(models, answer)
    target = json.dumps(path)
    for placeholder, name in pieces:
        target = target.replace("{%s}" % placeholder, '" + quoted(%s) + "' % name)
    lines = ["    def %s(" % snake(operation["operationId"])]
    lines += ["        %s," % a for a in arguments]
    lines += ["    ) -> %s:" % returns, "        " + doc(operation.get("summary", ""))]
    lines += ["        return self._call("]
    lines += ["            %s," % json.dumps(verb.upper()), "            %s," % target]
    lines += ["            {%s}," % ", ".join("%s: %s" % (json.dumps(n), v) for n, v in query)]
    lines += ["            {%s}," % ", ".join("%s: %s" % (json.dumps(n), v) for n, v in headers)]
    lines += ["            %s," % ("body" if body is not None else "None"), "        )", ""]
    return lines


def returned(models, schema):
    kind = models.type(schema)
    return re.sub(r'"(\w+)"', lambda m: '"models.%s"' % m.group(1) if m.group(1) in models.schemas else m.group(0), kind)


CLIENT = '''"""A client of one controller: every operation of /v1 is a method."""

import json
import ssl
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable, Dict, Iterator, List, Literal, Optional, Union

from . import models


class Refused(Exception):
    """A refusal: what kind it is, why, and what would help.

    Attributes: status (HTTP), kind (as "conflict"), detail (a sentence), hints (sentences).
    """

    def __init__(self, status: int, problem: Dict[str, Any]) -> None:
        self.status = status
        self.kind = problem.get("title", "")
        self.detail = problem.get("detail", "")
        self.hints = problem.get("hints", [])
        super().__init__("; ".join([self.detail or "HTTP %d" % status] + self.hints))


def quoted(text: str) -> str:
    """A text as a segment of a path."""
    return urllib.parse.quote(text, safe="")


class Client:
    """Calls a controller.

    server: its address, as http://127.0.0.1:8480
    token: as `heddle serve` puts it into heddle-data/heddle.token; empty for none
    timeout: seconds that a call may take
    context: for TLS with a certificate of your own
    """

    def __init__(
        self,
        server: str,
        token: str = "",
        timeout: float = 60,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._server = server.rstrip("/")
        if self._server.endswith("/v1"):
            self._server = self._server[: -len("/v1")]
        self._token = token
        self._timeout = timeout
        self._context = context

    def _call(
        self, method: str, path: str, query: Dict[str, Any], headers: Dict[str, Any], body: Any
    ) -> Any:
        said = {
            k: ("true" if v else "false") if isinstance(v, bool) else v
            for k, v in query.items()
            if v is not None
        }
        url = self._server + path + ("?" + urllib.parse.urlencode(said) if said else "")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, method=method)
        for name, value in headers.items():
            if value is not None:
                request.add_header(name, str(value))
        request.add_header("Accept", "application/json")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self._token:
            request.add_header("Authorization", "Bearer " + self._token)
        try:
            with urllib.request.urlopen(
                request, timeout=self._timeout, context=self._context
            ) as answer:
                text = answer.read()
        except urllib.error.HTTPError as e:
            try:
                problem = json.loads(e.read())
            except ValueError:
                problem = {}
            raise Refused(e.code, problem if isinstance(problem, dict) else {}) from None
        return json.loads(text) if text else None

    def items(self, page: Callable[..., Dict[str, Any]], **query: Any) -> Iterator[Any]:
        """All items of a list, page by page: client.items(client.list_tenants)."""
        after = None
        while True:
            answer = page(**query, after=after)
            yield from answer["items"]
            after = answer.get("next")
            if after is None:
                return

'''


def package(description):
    """The files of the package."""
    models = Models(description["components"]["schemas"])
    client = [CLIENT]
    count = 0
    for path, operations in description["paths"].items():
        if not path.startswith("/v1/"):
            continue  # UFM's and LaaS's interfaces are for programs that there are already
        for verb, operation in operations.items():
            if verb in ("get", "put", "post", "delete"):
                client.append("\n".join(method(models, path, verb, operation)))
                count += 1
    init = (
        '"""Heddle\'s REST interface."""\n\n'
        "from .client import Client, Refused\n\n"
        '__all__ = ["Client", "Refused"]\n__version__ = "%s"\n' % VERSION
    )
    return count, {
        NAME + "/__init__.py": init,
        NAME + "/client.py": "\n".join(client),
        NAME + "/models.py": models.text(),
        NAME + "/py.typed": "",
    }


def wheel(files, path):
    """Writes the package as a wheel: the same bytes for the same description."""
    info = "%s-%s.dist-info" % (NAME, VERSION)
    files = dict(files)
    files[info + "/METADATA"] = (
        "Metadata-Version: 2.1\nName: heddle-client\nVersion: %s\n"
        "Summary: Client of the Heddle controller\nLicense: Apache-2.0\n"
        "Requires-Python: >=3.9\n" % VERSION
    )
    files[info + "/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: heddle\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in files.items():
            data = text.encode()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append("%s,sha256=%s,%d" % (name, digest, len(data)))
            out.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
        record.append(info + "/RECORD,,")
        entry = zipfile.ZipInfo(info + "/RECORD", (1980, 1, 1, 0, 0, 0))
        out.writestr(entry, "\n".join(record) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("description", help="the description (openapi.json), - for standard input")
    parser.add_argument("-o", "--output", default="build", help="directory for package and wheel")
    options = parser.parse_args()
    if options.description == "-":
        description = json.load(sys.stdin)
    else:
        description = json.loads(pathlib.Path(options.description).read_text())
    count, files = package(description)
    directory = pathlib.Path(options.output)
    for name, text in files.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    path = directory / ("%s-%s-py3-none-any.whl" % (NAME, VERSION))
    wheel(files, path)
    print("%s: %d operations" % (path, count))


if __name__ == "__main__":
    main()
