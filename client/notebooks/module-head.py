import json
import os
import ssl
import stat
import urllib.error
import urllib.parse
import urllib.request


class Error(Exception):
    """A refusal of the server: its code, its HTTP status and its message."""

    def __init__(self, message, code=None, status=None):
        super().__init__(message)
        self.code = code
        self.status = status


class Table:
    """The rows of a query. Each row is a dict by column name; `types` has the types of ClickHouse."""

    def __init__(self, columns, types, rows):
        self.columns = columns
        self.types = types
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, index):
        return self.rows[index]

    def __repr__(self):
        lines = ["\t".join("" if row[name] is None else str(row[name]) for name in self.columns) for row in self.rows[:20]]
        more = [] if len(self.rows) <= 20 else ["... %d rows in all" % len(self.rows)]
        return "\n".join(["\t".join(self.columns)] + lines + more)

    def to_pandas(self):
        """The rows as a pandas DataFrame, in which instants and days are timestamps. Needs pandas."""
        import pandas

        frame = pandas.DataFrame([[row[name] for name in self.columns] for row in self.rows], columns=self.columns)
        for name in self.columns:
            plain = _plain_type(self.types.get(name, ""))
            if plain.startswith("DateTime"):
                frame[name] = pandas.to_datetime(frame[name], utc=True)
            elif plain in ("Date", "Date32"):
                frame[name] = pandas.to_datetime(frame[name])
        return frame


def _plain_type(name):
    for wrapper in ("Nullable(", "LowCardinality("):
        if name.startswith(wrapper):
            return _plain_type(name[len(wrapper) : -1])
    return name


def _value(name, value):
    """Undoes what JSON cannot say: NaN, infinities and integers beyond 53 bits are text there."""
    if isinstance(value, str):
        plain = _plain_type(name)
        if plain.startswith("Float") or plain == "BFloat16":
            return float(value)
        if plain.startswith(("Int", "UInt")):
            return int(value)
    return value


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is refused, because the key would go wherever it leads."""

    def redirect_request(self, request, file, code, message, headers, address):
        raise Error("%s redirects to %s. Use that address if you trust it" % (request.host, address))


def _profile():
    """The server and the key of `assay login`."""
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    path = os.path.join(os.environ.get("ASSAY_CONFIG_DIR") or os.path.join(config, "assay"), "profiles.json")
    try:
        with open(path, encoding="utf-8") as file:
            if os.name != "nt" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise Error("Other people can read %s, which has API keys. Run: chmod 600 %s" % (path, path))
            stored = json.load(file)
        return stored["profiles"][os.environ.get("ASSAY_PROFILE") or stored["current"]]
    except (OSError, ValueError, KeyError, TypeError):
        raise Error("Not logged in. Run: assay login, or set ASSAY_URL and ASSAY_API_KEY") from None


class Client:
    """One server with one key: those given, or of ASSAY_URL and ASSAY_API_KEY, or of `assay login`."""

    def __init__(self, url=None, key=None, org=None, ca_file=None, timeout=120):
        env = os.environ
        if not key and env.get("ASSAY_API_KEY"):
            key, url = env["ASSAY_API_KEY"], env.get("ASSAY_URL") or url
        if not key:
            stored = _profile()
            url, key = stored["url"], stored["key"]
            org, ca_file = org or stored.get("org"), ca_file or stored.get("caFile")
        if not url:
            raise Error("The address of the server is missing. Set ASSAY_URL")
        self.url = url.rstrip("/")
        self._headers = {"Authorization": "Bearer " + key}
        self._timeout = timeout
        handlers = [_NoRedirects()]
        if urllib.parse.urlsplit(self.url).hostname in ("localhost", "127.0.0.1", "::1"):
            handlers.append(urllib.request.ProxyHandler({}))
        ca_file = ca_file or env.get("ASSAY_CA_FILE")
        if ca_file:
            context = ssl.create_default_context()
            context.load_verify_locations(ca_file)
            handlers.append(urllib.request.HTTPSHandler(context=context))
        self._opener = urllib.request.build_opener(*handlers)
        self._org_id = None
        org = org or env.get("ASSAY_ORG")
        if org:
            found = [one["id"] for one in self.whoami()["organizations"] if org in (one["id"], one["slug"])]
            if not found:
                raise Error("This key has no access to the organization %s" % org)
            self._org_id = found[0]

    def __repr__(self):
        return "<assay.Client of %s>" % self.url

    def whoami(self):
        """The holder of the key, and the organizations that it can use."""
        return self.identity_whoami()

    def sql(self, statement, experiment=None, limit=None):
        """The rows of a SELECT over the organization's runs, or those of one experiment, as a Table.

        A result of more than 10,000 rows is refused, unless `limit` says that only its first rows are wanted.
        """
        body = {"sql": statement, "limit": 10000 if limit is None else limit}
        if experiment is None:
            result = self.queries_organization(body)
        else:
            result = self.queries_experiment(experiment, body)
        if result["truncated"] and limit is None:
            raise Error("The result has more than 10,000 rows. Select fewer, or pass limit to get only the first")
        columns = [column["name"] for column in result["columns"]]
        types = {column["name"]: column["type"] for column in result["columns"]}
        rows = [{name: _value(types[name], value) for name, value in zip(columns, row)} for row in result["rows"]]
        return Table(columns, types, rows)

    def runs(self, **filters):
        """Every run that matches, as a Table. The filters are those of runs_export, such as experiment_id="word-count"."""
        lines = self.runs_export(format="ndjson", **filters).decode("utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        columns = list(rows[0]) if rows else []
        types = {name: "DateTime64(6)" for name in columns if name.endswith("_at")}
        return Table(columns, types, rows)

    def _call(self, method, path, query, body=None, kind="json"):
        pairs = [(name, one) for name, value in query.items() for one in _texts(value)]
        if self._org_id and query.get("org_id", "") is None:
            pairs.append(("org_id", self._org_id))
        address = self.url + path + ("?" + urllib.parse.urlencode(pairs) if pairs else "")
        headers = dict(self._headers)
        data = None
        if body is not None:
            data = json.dumps(body).encode("utf-8")
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(address, data=data, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                content = answer.read()
        except urllib.error.HTTPError as refused:
            raise _refusal(refused) from None
        except urllib.error.URLError as cause:
            raise Error("%s could not be reached: %s" % (self.url, cause.reason)) from None
        if kind == "bytes":
            return content
        if kind == "text":
            return content.decode("utf-8")
        return json.loads(content) if content else None

{{METHODS}}

def _texts(value):
    if value is None:
        return []
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, (list, tuple)):
        return [text for one in value for text in _texts(one)]
    return [str(value)]


def _segment(value):
    text = str(value)
    # Clients and servers resolve dots even if they are encoded once.
    return text.replace(".", "%252E") if text in (".", "..") else urllib.parse.quote(text, safe="")


def _refusal(refused):
    try:
        answer = json.loads(refused.read())
        return Error(answer["message"], answer["error"], refused.code)
    except (ValueError, KeyError, TypeError):
        return Error("The server answered %d" % refused.code, None, refused.code)


_default = None


def connect(url=None, key=None, org=None, ca_file=None):
    """Chooses the server and the key of the module's functions, and returns the Client."""
    global _default
    _default = Client(url, key, org, ca_file)
    return _default


def __getattr__(name):
    """Every method of Client is a function of the module, such as assay.sql."""
    if name.startswith("_") or not hasattr(Client, name):
        raise AttributeError("module 'assay' has no attribute %r" % name)
    return getattr(_default or connect(), name)


def __dir__():
    return sorted([name for name in list(globals()) + dir(Client) if not name.startswith("_")])
