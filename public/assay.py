"""Assay from Python, in one file without dependencies.

Save the file beside a notebook, log in with `assay login` or set ASSAY_URL and ASSAY_API_KEY, and:

    import assay
    assay.sql("SELECT agent, avg(solved) AS rate FROM runs GROUP BY agent").to_pandas()

Every operation of the API is a function, such as assay.runs_get(run_id). Generated from the OpenAPI document.
"""
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

    def identity_whoami(self):
        """Get the authenticated caller and the organizations its key has access to."""
        return self._call("GET", "/api/v1/whoami", {})

    def home_get(self, *, org_id=None, since=None):
        """What runs, what changed and what needs attention in the organization."""
        return self._call("GET", "/api/v1/home", {"org_id": org_id, "since": since})

    def experiments_list(self, *, org_id=None, search=None, owner=None, agent=None, model=None, product=None, environment=None, since=None, sort=None, limit=None, page_token=None, updated_since=None):
        """List experiments, newest first unless `sort` says otherwise."""
        return self._call("GET", "/api/v1/experiments", {"org_id": org_id, "search": search, "owner": owner, "agent": agent, "model": model, "product": product, "environment": environment, "since": since, "sort": sort, "limit": limit, "page_token": page_token, "updated_since": updated_since})

    def experiments_push(self, body=None, *, org_id=None):
        """Register YAML without running it; each push stores a content-addressed version."""
        return self._call("POST", "/api/v1/experiments", {"org_id": org_id}, {} if body is None else body)

    def package_files_find_missing(self, body=None, *, org_id=None):
        """Find which files of a package are not staged yet."""
        return self._call("POST", "/api/v1/package-files/missing", {"org_id": org_id}, {} if body is None else body)

    def package_files_stage(self, body=None, *, org_id=None):
        """Stage a file or folder of a package."""
        return self._call("POST", "/api/v1/package-files", {"org_id": org_id}, {} if body is None else body)

    def tasks_list(self, id, *, org_id=None, version=None, search=None):
        """List the tasks of a version."""
        return self._call("GET", "/api/v1/experiments/%s/tasks" % (_segment(id),), {"org_id": org_id, "version": version, "search": search})

    def tasks_get(self, id, task, *, org_id=None, version=None):
        """Get one task of a version."""
        return self._call("GET", "/api/v1/experiments/%s/tasks/%s" % (_segment(id), _segment(task),), {"org_id": org_id, "version": version})

    def experiments_get(self, id, *, org_id=None, version=None):
        """Get the metadata, resolved axes and links of an experiment."""
        return self._call("GET", "/api/v1/experiments/%s" % (_segment(id),), {"org_id": org_id, "version": version})

    def experiments_versions(self, id, *, org_id=None):
        """List stored versions, most recently pushed first."""
        return self._call("GET", "/api/v1/experiments/%s/versions" % (_segment(id),), {"org_id": org_id})

    def experiments_yaml(self, id, *, org_id=None, version=None):
        """Get the YAML as it was pushed, by default of the latest version."""
        return self._call("GET", "/api/v1/experiments/%s/yaml" % (_segment(id),), {"org_id": org_id, "version": version}, kind="text")

    def experiments_fork(self, id, body=None, *, org_id=None):
        """Copy the latest stored version and its package to a new experiment; creates no runs."""
        return self._call("POST", "/api/v1/experiments/%s/fork" % (_segment(id),), {"org_id": org_id}, {} if body is None else body)

    def resources_add(self, id, body=None, *, org_id=None):
        """Add one link ({title, url}) or several ({resources: […]}), not both."""
        return self._call("POST", "/api/v1/experiments/%s/resources" % (_segment(id),), {"org_id": org_id}, {} if body is None else body)

    def resources_update(self, id, resource_id, body=None, *, org_id=None):
        """Change the title or the URL of a link."""
        return self._call("PATCH", "/api/v1/experiments/%s/resources/%s" % (_segment(id), _segment(resource_id),), {"org_id": org_id}, {} if body is None else body)

    def resources_delete(self, id, resource_id, *, org_id=None):
        """Delete a link."""
        return self._call("DELETE", "/api/v1/experiments/%s/resources/%s" % (_segment(id), _segment(resource_id),), {"org_id": org_id})

    def runs_submit(self, id, body=None, *, org_id=None):
        """Submit runs of a stored version; runs fail asynchronously."""
        return self._call("POST", "/api/v1/experiments/%s/runs" % (_segment(id),), {"org_id": org_id}, {} if body is None else body)

    def runs_estimate(self, id, body=None, *, org_id=None):
        """Estimate the credit that a submission would hold."""
        return self._call("POST", "/api/v1/experiments/%s/runs/estimate" % (_segment(id),), {"org_id": org_id}, {} if body is None else body)

    def runs_requests_of_commits(self, id, *, org_id=None, branch=None, commit=None, limit=None):
        """List the requests that name a commit, newest first."""
        return self._call("GET", "/api/v1/experiments/%s/requests-of-commits" % (_segment(id),), {"org_id": org_id, "branch": branch, "commit": commit, "limit": limit})

    def runs_list(self, *, org_id=None, experiment_id=None, status=None, agent=None, model=None, product=None, environment=None, prompt=None, variant=None, triggered_by=None, since=None, version_scope=None, test_aware=None, timed_out=None, plan_limited=None, run_request_id=None, search=None, result=None, exit_code=None, infrastructure_cause=None, ending=None, agent_mode=None, without_test_aware=None, tag=None, disputed=None, ended_since=None, ended_before=None, metered=None, without_model=None, score=None, score_at_least=None, score_below=None, bulk_action=None, sort=None, changed_since=None, count_solved=None, limit=None, page_token=None, status_updated_since=None, experiment_version=None):
        """List runs, most recently submitted first unless `sort` says otherwise."""
        return self._call("GET", "/api/v1/runs", {"org_id": org_id, "experiment_id": experiment_id, "status": status, "agent": agent, "model": model, "product": product, "environment": environment, "prompt": prompt, "variant": variant, "triggered_by": triggered_by, "since": since, "version_scope": version_scope, "test_aware": test_aware, "timed_out": timed_out, "plan_limited": plan_limited, "run_request_id": run_request_id, "search": search, "result": result, "exit_code": exit_code, "infrastructure_cause": infrastructure_cause, "ending": ending, "agent_mode": agent_mode, "without_test_aware": without_test_aware, "tag": tag, "disputed": disputed, "ended_since": ended_since, "ended_before": ended_before, "metered": metered, "without_model": without_model, "score": score, "score_at_least": score_at_least, "score_below": score_below, "bulk_action": bulk_action, "sort": sort, "changed_since": changed_since, "count_solved": count_solved, "limit": limit, "page_token": page_token, "status_updated_since": status_updated_since, "experiment_version": experiment_version})

    def runs_model_calls(self, id, *, org_id=None, page_size=None, page_token=None):
        """List the calls of a run to its model."""
        return self._call("GET", "/api/v1/runs/%s/model-calls" % (_segment(id),), {"org_id": org_id, "page_size": page_size, "page_token": page_token})

    def runs_export(self, *, org_id=None, experiment_id=None, status=None, agent=None, model=None, product=None, environment=None, prompt=None, variant=None, triggered_by=None, since=None, version_scope=None, test_aware=None, timed_out=None, plan_limited=None, run_request_id=None, search=None, result=None, exit_code=None, infrastructure_cause=None, ending=None, agent_mode=None, without_test_aware=None, tag=None, disputed=None, ended_since=None, ended_before=None, metered=None, without_model=None, score=None, score_at_least=None, score_below=None, bulk_action=None, sort=None, format=None, status_updated_since=None, experiment_version=None):
        """Download every run that matches the filters, as CSV, NDJSON or Parquet."""
        return self._call("GET", "/api/v1/runs/export", {"org_id": org_id, "experiment_id": experiment_id, "status": status, "agent": agent, "model": model, "product": product, "environment": environment, "prompt": prompt, "variant": variant, "triggered_by": triggered_by, "since": since, "version_scope": version_scope, "test_aware": test_aware, "timed_out": timed_out, "plan_limited": plan_limited, "run_request_id": run_request_id, "search": search, "result": result, "exit_code": exit_code, "infrastructure_cause": infrastructure_cause, "ending": ending, "agent_mode": agent_mode, "without_test_aware": without_test_aware, "tag": tag, "disputed": disputed, "ended_since": ended_since, "ended_before": ended_before, "metered": metered, "without_model": without_model, "score": score, "score_at_least": score_at_least, "score_below": score_below, "bulk_action": bulk_action, "sort": sort, "format": format, "status_updated_since": status_updated_since, "experiment_version": experiment_version}, kind="bytes")

    def changes_list(self, id, *, org_id=None):
        """List the files that the agent of a run changed, and its artifacts."""
        return self._call("GET", "/api/v1/runs/%s/changes" % (_segment(id),), {"org_id": org_id})

    def changes_get(self, id, *, org_id=None, path=None):
        """Get a changed file of a run before and after the agent."""
        return self._call("GET", "/api/v1/runs/%s/changes/file" % (_segment(id),), {"org_id": org_id, "path": path})

    def changes_download(self, id, *, org_id=None, format=None, path=None):
        """Download the changes of a run as a patch or as a tar.gz of its files."""
        return self._call("GET", "/api/v1/runs/%s/changes/download" % (_segment(id),), {"org_id": org_id, "format": format, "path": path}, kind="bytes")

    def runs_get(self, id, *, org_id=None, transcript=None, include=None, limit=None, after_seq=None):
        """Get one run in detail (composite id) or the roll-up of a run request."""
        return self._call("GET", "/api/v1/runs/%s" % (_segment(id),), {"org_id": org_id, "transcript": transcript, "include": include, "limit": limit, "after_seq": after_seq})

    def runs_cancel(self, id, body=None, *, org_id=None):
        """Cancel every run of a request that has not ended, or only the given ones."""
        return self._call("POST", "/api/v1/runs/%s/cancel" % (_segment(id),), {"org_id": org_id}, {} if body is None else body)

    def runs_decision(self, id, *, org_id=None):
        """Get how far a request that stops when decided is from its decision."""
        return self._call("GET", "/api/v1/runs/%s/decision" % (_segment(id),), {"org_id": org_id})

    def queries_experiment(self, id, body=None, *, org_id=None):
        """Query the results of an experiment with SQL, or as metrics by dimensions."""
        return self._call("POST", "/api/v1/experiments/%s/query" % (_segment(id),), {"org_id": org_id}, {} if body is None else body)

    def queries_run(self, id, body=None, *, org_id=None):
        """Query one run with SQL; requires a composite run id."""
        return self._call("POST", "/api/v1/runs/%s/query" % (_segment(id),), {"org_id": org_id}, {} if body is None else body)

    def queries_organization(self, body=None, *, org_id=None):
        """Query the results of every experiment of the organization with SQL."""
        return self._call("POST", "/api/v1/query", {"org_id": org_id}, {} if body is None else body)

    def queries_file(self, *, org_id=None, sql=None, experiment_id=None, limit=None, include_test_aware=None, format=None):
        """Download the rows of a SQL statement, as CSV, NDJSON or Parquet."""
        return self._call("GET", "/api/v1/query/file", {"org_id": org_id, "sql": sql, "experiment_id": experiment_id, "limit": limit, "include_test_aware": include_test_aware, "format": format}, kind="bytes")

    def failure_signatures_list(self, id, *, org_id=None, group_by=None, version=None, agents=None, agent_modes=None, models=None, products=None, environments=None, prompt_ids=None, full_pass_only=None, include_test_aware=None, kind=None, limit=None):
        """Group the failures of an experiment’s runs by their signature."""
        return self._call("GET", "/api/v1/experiments/%s/failure-signatures" % (_segment(id),), {"org_id": org_id, "group_by": group_by, "version": version, "agents": agents, "agent_modes": agent_modes, "models": models, "products": products, "environments": environments, "prompt_ids": prompt_ids, "full_pass_only": full_pass_only, "include_test_aware": include_test_aware, "kind": kind, "limit": limit})

    def failure_signatures_runs(self, id, signature, *, org_id=None, group_by=None, group_value=None, version=None, agents=None, agent_modes=None, models=None, products=None, environments=None, prompt_ids=None, full_pass_only=None, include_test_aware=None, limit=None, page_token=None):
        """List the runs with a failure signature."""
        return self._call("GET", "/api/v1/experiments/%s/failure-signatures/%s/runs" % (_segment(id), _segment(signature),), {"org_id": org_id, "group_by": group_by, "group_value": group_value, "version": version, "agents": agents, "agent_modes": agent_modes, "models": models, "products": products, "environments": environments, "prompt_ids": prompt_ids, "full_pass_only": full_pass_only, "include_test_aware": include_test_aware, "limit": limit, "page_token": page_token})

    def output_matches_list(self, id, *, org_id=None, search=None, source=None, include=None, version=None, agents=None, agent_modes=None, models=None, products=None, environments=None, prompt_ids=None, full_pass_only=None, include_test_aware=None, limit=None, page_token=None):
        """Search the transcripts, the test output and the errors of an experiment’s runs."""
        return self._call("GET", "/api/v1/experiments/%s/output-matches" % (_segment(id),), {"org_id": org_id, "search": search, "source": source, "include": include, "version": version, "agents": agents, "agent_modes": agent_modes, "models": models, "products": products, "environments": environments, "prompt_ids": prompt_ids, "full_pass_only": full_pass_only, "include_test_aware": include_test_aware, "limit": limit, "page_token": page_token})

    def tests_list(self, id, *, org_id=None, page_size=None, page_token=None, omit_tails=None):
        """List the captured tests of a run, or of every run of a request."""
        return self._call("GET", "/api/v1/runs/%s/tests" % (_segment(id),), {"org_id": org_id, "page_size": page_size, "page_token": page_token, "omit_tails": omit_tails})

    def tests_get(self, id, name, *, org_id=None):
        """Get one captured test of a run."""
        return self._call("GET", "/api/v1/runs/%s/tests/%s" % (_segment(id), _segment(name),), {"org_id": org_id})

    def network_get(self, id, *, org_id=None):
        """Get what a run reached over the network, and what it was refused."""
        return self._call("GET", "/api/v1/runs/%s/network" % (_segment(id),), {"org_id": org_id})

    def credits_balance(self, *, org_id=None, period=None):
        """Prepaid credit of the organization at the end of a billing cycle, or now (admins only)."""
        return self._call("GET", "/api/v1/credits/balance", {"org_id": org_id, "period": period})

    def credits_spend(self, *, org_id=None, period=None, group_by=None, experiment=None, user=None, include_byok=None):
        """The cost of the runs of a billing cycle: of the whole organization for admins, of their own runs for members."""
        return self._call("GET", "/api/v1/credits/spend", {"org_id": org_id, "period": period, "group_by": group_by, "experiment": experiment, "user": user, "include_byok": include_byok})

    def credits_reload(self, body=None, *, org_id=None):
        """Open a hosted payment page; credit is added once the provider reports the payment (admins only)."""
        return self._call("POST", "/api/v1/credits/reload", {"org_id": org_id}, {} if body is None else body)

    def insights_list(self, *, org_id=None, search=None, owner=None, experiment=None, run=None, label=None, limit=None, page_token=None, query=None, owner_user_id=None, experiment_id=None, run_id=None, page_size=None):
        """List saved queries, newest first; with `experiment`, after its built-in charts. Executes no SQL."""
        return self._call("GET", "/api/v1/insights", {"org_id": org_id, "search": search, "owner": owner, "experiment": experiment, "run": run, "label": label, "limit": limit, "page_token": page_token, "query": query, "owner_user_id": owner_user_id, "experiment_id": experiment_id, "run_id": run_id, "page_size": page_size})

    def insights_create(self, body=None, *, org_id=None):
        """Save a query; with `force`, overwrite the one with the same slug."""
        return self._call("POST", "/api/v1/insights", {"org_id": org_id}, {} if body is None else body)

    def insights_get(self, ref, *, org_id=None, sql_only=None, limit=None):
        """Get an insight with its live result, or the metadata of a chart."""
        return self._call("GET", "/api/v1/insights/%s" % (_segment(ref),), {"org_id": org_id, "sql_only": sql_only, "limit": limit})

    def insights_update(self, ref, body=None, *, org_id=None):
        """Change the given fields of a saved query; id, slug, owner and provenance never change."""
        return self._call("PATCH", "/api/v1/insights/%s" % (_segment(ref),), {"org_id": org_id}, {} if body is None else body)

    def insights_delete(self, ref, *, org_id=None):
        """Delete a saved query and its publication; returns false if there was none."""
        return self._call("DELETE", "/api/v1/insights/%s" % (_segment(ref),), {"org_id": org_id})

    def insights_execute(self, ref, body=None, *, org_id=None):
        """Get the data of a built-in chart, grouped and filtered as on the Results page."""
        return self._call("POST", "/api/v1/insights/%s/execute" % (_segment(ref),), {"org_id": org_id}, {} if body is None else body)

    def insights_share(self, ref, *, org_id=None):
        """Publish a saved query for anyone with the URL; always returns the same URL."""
        return self._call("POST", "/api/v1/insights/%s/share" % (_segment(ref),), {"org_id": org_id})

    def secrets_list(self, *, org_id=None, query=None, slug=None, page_size=None, page_token=None):
        """List the metadata of secrets by slug, never their values."""
        return self._call("GET", "/api/v1/secrets", {"org_id": org_id, "query": query, "slug": slug, "page_size": page_size, "page_token": page_token})

    def secrets_put(self, slug, body=None, *, org_id=None):
        """Create or replace a secret; its value is never returned."""
        return self._call("PUT", "/api/v1/secrets/%s" % (_segment(slug),), {"org_id": org_id}, {} if body is None else body)

    def secrets_delete(self, slug, *, org_id=None):
        """Delete a secret; a missing secret is not an error."""
        return self._call("DELETE", "/api/v1/secrets/%s" % (_segment(slug),), {"org_id": org_id})

    def reports_list(self, *, org_id=None, limit=None, cursor=None, page_size=None, page_token=None):
        """List the reports of the organization without bodies, most recently changed first."""
        return self._call("GET", "/api/v1/reports", {"org_id": org_id, "limit": limit, "cursor": cursor, "page_size": page_size, "page_token": page_token})

    def reports_create(self, body=None, *, org_id=None):
        """Create a report."""
        return self._call("POST", "/api/v1/reports", {"org_id": org_id}, {} if body is None else body)

    def reports_get(self, report_id, *, org_id=None):
        """Get a report with its whole body."""
        return self._call("GET", "/api/v1/reports/%s" % (_segment(report_id),), {"org_id": org_id})

    def reports_update(self, report_id, body=None, *, org_id=None):
        """Change the given fields of a report, unless it changed since you read it."""
        return self._call("PATCH", "/api/v1/reports/%s" % (_segment(report_id),), {"org_id": org_id}, {} if body is None else body)

    def reports_delete(self, report_id, *, org_id=None):
        """Delete a report and its body; cited insights are kept."""
        return self._call("DELETE", "/api/v1/reports/%s" % (_segment(report_id),), {"org_id": org_id})

    def reports_append(self, report_id, body=None, *, org_id=None):
        """Append markdown to the end of a report, after a blank line."""
        return self._call("POST", "/api/v1/reports/%s/blocks" % (_segment(report_id),), {"org_id": org_id}, {} if body is None else body)

    def report_images_add(self, body=None, *, org_id=None):
        """Store an image for reports, without its metadata."""
        return self._call("POST", "/api/v1/report-images", {"org_id": org_id}, {} if body is None else body)

    def report_images_get(self, image_id, *, org_id=None):
        """Get an image of a report."""
        return self._call("GET", "/api/v1/report-images/%s" % (_segment(image_id),), {"org_id": org_id}, kind="bytes")

    def runs_get_image(self, id, image_id, *, org_id=None):
        """Get an image of a transcript."""
        return self._call("GET", "/api/v1/runs/%s/images/%s" % (_segment(id), _segment(image_id),), {"org_id": org_id}, kind="bytes")

    def labels_list(self, id, *, org_id=None, blind=None):
        """List the labels of a run."""
        return self._call("GET", "/api/v1/runs/%s/labels" % (_segment(id),), {"org_id": org_id, "blind": blind})

    def labels_add(self, id, body=None, *, org_id=None):
        """Add a tag, a note or a dispute to a run, a test or a turn."""
        return self._call("POST", "/api/v1/runs/%s/labels" % (_segment(id),), {"org_id": org_id}, {} if body is None else body)

    def labels_change(self, id, label_id, body=None, *, org_id=None):
        """Change the text of your own note or dispute."""
        return self._call("PATCH", "/api/v1/runs/%s/labels/%s" % (_segment(id), _segment(label_id),), {"org_id": org_id}, {} if body is None else body)

    def labels_delete(self, id, label_id, *, org_id=None):
        """Delete a label."""
        return self._call("DELETE", "/api/v1/runs/%s/labels/%s" % (_segment(id), _segment(label_id),), {"org_id": org_id})

    def labels_tags(self, *, org_id=None):
        """List the tags of the organization, most used first."""
        return self._call("GET", "/api/v1/tags", {"org_id": org_id})

    def bulk_actions_list(self, *, org_id=None):
        """List the newest bulk actions that were started."""
        return self._call("GET", "/api/v1/bulk-actions", {"org_id": org_id})

    def bulk_actions_propose(self, body=None, *, org_id=None, experiment_id=None, status=None, agent=None, model=None, product=None, environment=None, prompt=None, variant=None, triggered_by=None, since=None, version_scope=None, test_aware=None, timed_out=None, plan_limited=None, run_request_id=None, search=None, result=None, exit_code=None, infrastructure_cause=None, ending=None, agent_mode=None, without_test_aware=None, tag=None, disputed=None, ended_since=None, ended_before=None, metered=None, without_model=None, score=None, score_at_least=None, score_below=None, bulk_action=None, sort=None, status_updated_since=None, experiment_version=None):
        """Preview a bulk action on selected runs."""
        return self._call("POST", "/api/v1/bulk-actions", {"org_id": org_id, "experiment_id": experiment_id, "status": status, "agent": agent, "model": model, "product": product, "environment": environment, "prompt": prompt, "variant": variant, "triggered_by": triggered_by, "since": since, "version_scope": version_scope, "test_aware": test_aware, "timed_out": timed_out, "plan_limited": plan_limited, "run_request_id": run_request_id, "search": search, "result": result, "exit_code": exit_code, "infrastructure_cause": infrastructure_cause, "ending": ending, "agent_mode": agent_mode, "without_test_aware": without_test_aware, "tag": tag, "disputed": disputed, "ended_since": ended_since, "ended_before": ended_before, "metered": metered, "without_model": without_model, "score": score, "score_at_least": score_at_least, "score_below": score_below, "bulk_action": bulk_action, "sort": sort, "status_updated_since": status_updated_since, "experiment_version": experiment_version}, {} if body is None else body)

    def bulk_actions_get(self, action_id, *, org_id=None):
        """Get a bulk action with its progress."""
        return self._call("GET", "/api/v1/bulk-actions/%s" % (_segment(action_id),), {"org_id": org_id})

    def bulk_actions_start(self, action_id, body=None, *, org_id=None):
        """Start a bulk action, or the rest of one that stopped."""
        return self._call("POST", "/api/v1/bulk-actions/%s/start" % (_segment(action_id),), {"org_id": org_id}, {} if body is None else body)

    def bulk_actions_stop(self, action_id, *, org_id=None):
        """Stop a bulk action after its current batch."""
        return self._call("POST", "/api/v1/bulk-actions/%s/stop" % (_segment(action_id),), {"org_id": org_id})

    def imports_list(self, *, org_id=None):
        """List the newest imports that were started."""
        return self._call("GET", "/api/v1/imports", {"org_id": org_id})

    def imports_create(self, *, org_id=None):
        """Create an import of results, whose files follow."""
        return self._call("POST", "/api/v1/imports", {"org_id": org_id})

    def imports_get(self, import_id, *, org_id=None):
        """Get an import with its preview, progress and result."""
        return self._call("GET", "/api/v1/imports/%s" % (_segment(import_id),), {"org_id": org_id})

    def imports_delete(self, import_id, *, org_id=None):
        """Delete an import that was not started, with its files."""
        return self._call("DELETE", "/api/v1/imports/%s" % (_segment(import_id),), {"org_id": org_id})

    def imports_add_files(self, import_id, body=None, *, org_id=None):
        """Add files, or parts of files, to an import."""
        return self._call("POST", "/api/v1/imports/%s/files" % (_segment(import_id),), {"org_id": org_id}, {} if body is None else body)

    def imports_preview(self, import_id, body=None, *, org_id=None):
        """Read the files of an import for a preview."""
        return self._call("POST", "/api/v1/imports/%s/preview" % (_segment(import_id),), {"org_id": org_id}, {} if body is None else body)

    def imports_start(self, import_id, body=None, *, org_id=None):
        """Start an import into a new or an existing experiment."""
        return self._call("POST", "/api/v1/imports/%s/start" % (_segment(import_id),), {"org_id": org_id}, {} if body is None else body)

    def imports_undo(self, import_id, *, org_id=None):
        """Remove exactly what an import made."""
        return self._call("POST", "/api/v1/imports/%s/undo" % (_segment(import_id),), {"org_id": org_id})

    def report_figures_add(self, body=None, *, org_id=None):
        """Store the data of a pinned figure of a report."""
        return self._call("POST", "/api/v1/report-figures", {"org_id": org_id}, {} if body is None else body)

    def report_figures_get(self, figure_id, *, org_id=None):
        """Get the data of a pinned figure."""
        return self._call("GET", "/api/v1/report-figures/%s" % (_segment(figure_id),), {"org_id": org_id})

    def report_versions_list(self, report_id, *, org_id=None):
        """List the versions of a report without bodies, newest first."""
        return self._call("GET", "/api/v1/reports/%s/versions" % (_segment(report_id),), {"org_id": org_id})

    def report_versions_get(self, report_id, version_id, *, org_id=None):
        """Get a version of a report with its whole body."""
        return self._call("GET", "/api/v1/reports/%s/versions/%s" % (_segment(report_id), _segment(version_id),), {"org_id": org_id})

    def report_versions_restore(self, report_id, version_id, body=None, *, org_id=None):
        """Restore a version, unless the report changed since you read it."""
        return self._call("POST", "/api/v1/reports/%s/versions/%s/restore" % (_segment(report_id), _segment(version_id),), {"org_id": org_id}, {} if body is None else body)

    def report_publications_get(self, report_id, *, org_id=None):
        """Get the public page of a report."""
        return self._call("GET", "/api/v1/reports/%s/publication" % (_segment(report_id),), {"org_id": org_id})

    def report_publications_publish(self, report_id, body=None, *, org_id=None):
        """Publish a report as a page for everyone who has its link, or update that page."""
        return self._call("PUT", "/api/v1/reports/%s/publication" % (_segment(report_id),), {"org_id": org_id}, {} if body is None else body)

    def report_publications_revoke(self, report_id, *, org_id=None):
        """Revoke the public page of a report at once."""
        return self._call("DELETE", "/api/v1/reports/%s/publication" % (_segment(report_id),), {"org_id": org_id})

    def report_comments_list(self, report_id, *, org_id=None):
        """List the comments on a report by thread, oldest first."""
        return self._call("GET", "/api/v1/reports/%s/comments" % (_segment(report_id),), {"org_id": org_id})

    def report_comments_start(self, report_id, body=None, *, org_id=None):
        """Comment on a paragraph of a report."""
        return self._call("POST", "/api/v1/reports/%s/comments" % (_segment(report_id),), {"org_id": org_id}, {} if body is None else body)

    def report_comments_reply(self, report_id, thread_id, body=None, *, org_id=None):
        """Reply in a comment thread."""
        return self._call("POST", "/api/v1/reports/%s/threads/%s/comments" % (_segment(report_id), _segment(thread_id),), {"org_id": org_id}, {} if body is None else body)

    def report_comments_decide(self, report_id, thread_id, body=None, *, org_id=None):
        """Accept or decline the suggested text of a paragraph."""
        return self._call("POST", "/api/v1/reports/%s/threads/%s/decision" % (_segment(report_id), _segment(thread_id),), {"org_id": org_id}, {} if body is None else body)

    def report_comments_resolve(self, report_id, thread_id, body=None, *, org_id=None):
        """Resolve or reopen a comment thread."""
        return self._call("PATCH", "/api/v1/reports/%s/threads/%s" % (_segment(report_id), _segment(thread_id),), {"org_id": org_id}, {} if body is None else body)

    def report_comments_edit(self, report_id, comment_id, body=None, *, org_id=None):
        """Edit your own comment."""
        return self._call("PATCH", "/api/v1/reports/%s/comments/%s" % (_segment(report_id), _segment(comment_id),), {"org_id": org_id}, {} if body is None else body)

    def report_comments_delete(self, report_id, comment_id, *, org_id=None):
        """Delete a comment."""
        return self._call("DELETE", "/api/v1/reports/%s/comments/%s" % (_segment(report_id), _segment(comment_id),), {"org_id": org_id})

    def report_presence_announce(self, report_id, body=None, *, org_id=None):
        """Say that you have a report open, and see who else has."""
        return self._call("POST", "/api/v1/reports/%s/presence" % (_segment(report_id),), {"org_id": org_id}, {} if body is None else body)

    def labels_review(self, *, org_id=None, experiment_id=None, status=None, agent=None, model=None, product=None, environment=None, prompt=None, variant=None, triggered_by=None, since=None, version_scope=None, test_aware=None, timed_out=None, plan_limited=None, run_request_id=None, search=None, result=None, exit_code=None, infrastructure_cause=None, ending=None, agent_mode=None, without_test_aware=None, tag=None, disputed=None, ended_since=None, ended_before=None, metered=None, without_model=None, score=None, score_at_least=None, score_below=None, bulk_action=None, sort=None, first=None, second=None, status_updated_since=None, experiment_version=None):
        """Get the progress of a review and how well two reviewers agree."""
        return self._call("GET", "/api/v1/review", {"org_id": org_id, "experiment_id": experiment_id, "status": status, "agent": agent, "model": model, "product": product, "environment": environment, "prompt": prompt, "variant": variant, "triggered_by": triggered_by, "since": since, "version_scope": version_scope, "test_aware": test_aware, "timed_out": timed_out, "plan_limited": plan_limited, "run_request_id": run_request_id, "search": search, "result": result, "exit_code": exit_code, "infrastructure_cause": infrastructure_cause, "ending": ending, "agent_mode": agent_mode, "without_test_aware": without_test_aware, "tag": tag, "disputed": disputed, "ended_since": ended_since, "ended_before": ended_before, "metered": metered, "without_model": without_model, "score": score, "score_at_least": score_at_least, "score_below": score_below, "bulk_action": bulk_action, "sort": sort, "first": first, "second": second, "status_updated_since": status_updated_since, "experiment_version": experiment_version})

    def saved_views_list(self, *, org_id=None, page=None, experiment_id=None, page_size=None, page_token=None):
        """List your saved views and those that others share."""
        return self._call("GET", "/api/v1/saved-views", {"org_id": org_id, "page": page, "experiment_id": experiment_id, "page_size": page_size, "page_token": page_token})

    def saved_views_create(self, body=None, *, org_id=None):
        """Save a view of a page."""
        return self._call("POST", "/api/v1/saved-views", {"org_id": org_id}, {} if body is None else body)

    def saved_views_update(self, view_id, body=None, *, org_id=None):
        """Rename, replace or share a saved view."""
        return self._call("PATCH", "/api/v1/saved-views/%s" % (_segment(view_id),), {"org_id": org_id}, {} if body is None else body)

    def saved_views_delete(self, view_id, *, org_id=None):
        """Delete a saved view."""
        return self._call("DELETE", "/api/v1/saved-views/%s" % (_segment(view_id),), {"org_id": org_id})

    def saved_views_mark(self, view_id, body=None, *, org_id=None):
        """Make a view your favorite or your default."""
        return self._call("PUT", "/api/v1/saved-views/%s/marks" % (_segment(view_id),), {"org_id": org_id}, {} if body is None else body)

    def schedules_list(self, *, org_id=None, experiment_id=None, page_size=None, page_token=None):
        """List the schedules of the organization or of one experiment."""
        return self._call("GET", "/api/v1/schedules", {"org_id": org_id, "experiment_id": experiment_id, "page_size": page_size, "page_token": page_token})

    def schedules_create(self, body=None, *, org_id=None):
        """Repeat a submission at given times, or after each push."""
        return self._call("POST", "/api/v1/schedules", {"org_id": org_id}, {} if body is None else body)

    def schedules_times(self, *, org_id=None, cron=None, time_zone=None):
        """List the next times that a cron expression matches."""
        return self._call("GET", "/api/v1/schedules/times", {"org_id": org_id, "cron": cron, "time_zone": time_zone})

    def schedules_get(self, schedule_id, *, org_id=None):
        """Get one schedule."""
        return self._call("GET", "/api/v1/schedules/%s" % (_segment(schedule_id),), {"org_id": org_id})

    def schedules_update(self, schedule_id, body=None, *, org_id=None):
        """Change, pause or resume a schedule."""
        return self._call("PATCH", "/api/v1/schedules/%s" % (_segment(schedule_id),), {"org_id": org_id}, {} if body is None else body)

    def schedules_delete(self, schedule_id, *, org_id=None):
        """Delete a schedule; its runs stay."""
        return self._call("DELETE", "/api/v1/schedules/%s" % (_segment(schedule_id),), {"org_id": org_id})

    def schedules_starts(self, schedule_id, *, org_id=None, page_size=None, page_token=None):
        """List what a schedule has started, with the verdict of its gate."""
        return self._call("GET", "/api/v1/schedules/%s/starts" % (_segment(schedule_id),), {"org_id": org_id, "page_size": page_size, "page_token": page_token})

    def schedules_start(self, schedule_id, *, org_id=None):
        """Start a schedule now."""
        return self._call("POST", "/api/v1/schedules/%s/start" % (_segment(schedule_id),), {"org_id": org_id})

    def schedules_accept(self, schedule_id, start_id, *, org_id=None):
        """Accept a drop or a decline, so that later starts are compared with this one."""
        return self._call("POST", "/api/v1/schedules/%s/starts/%s/accept" % (_segment(schedule_id), _segment(start_id),), {"org_id": org_id})

    def notifications_list(self, *, org_id=None, page_size=None, cursor=None, unread_only=None, search=None):
        """List the notifications of the key’s owner, newest first."""
        return self._call("GET", "/api/v1/notifications", {"org_id": org_id, "page_size": page_size, "cursor": cursor, "unread_only": unread_only, "search": search})

    def notifications_read(self, body=None, *, org_id=None):
        """Mark entries as read; ignores entries that are already read and unknown ids."""
        return self._call("POST", "/api/v1/notifications/read", {"org_id": org_id}, {} if body is None else body)

    def notifications_list_rpc(self, body=None, *, org_id=None):
        """GET /notifications in RPC form."""
        return self._call("POST", "/api/v1/rpc/NotificationService/ListNotificationFeed", {"org_id": org_id}, {} if body is None else body)

    def notifications_read_rpc(self, body=None, *, org_id=None):
        """POST /notifications/read in RPC form."""
        return self._call("POST", "/api/v1/rpc/NotificationService/MarkNotificationFeedEntriesRead", {"org_id": org_id}, {} if body is None else body)

    def context_records_list(self, *, org_id=None, search=None, kind=None, pending=None, sort=None, page_size=None, page_token=None, limit=None, cursor=None):
        """List the Context records of the organization, or search them."""
        return self._call("GET", "/api/v1/context/records", {"org_id": org_id, "search": search, "kind": kind, "pending": pending, "sort": sort, "page_size": page_size, "page_token": page_token, "limit": limit, "cursor": cursor})

    def context_records_create(self, body=None, *, org_id=None):
        """Create a Context record."""
        return self._call("POST", "/api/v1/context/records", {"org_id": org_id}, {} if body is None else body)

    def context_records_get(self, kind, target_id, *, org_id=None):
        """Get a Context record with its fields."""
        return self._call("GET", "/api/v1/context/records/%s/%s" % (_segment(kind), _segment(target_id),), {"org_id": org_id})

    def context_versions_list(self, kind, target_id, *, org_id=None, page_size=None, page_token=None, limit=None, cursor=None):
        """List the versions of a Context record without fields, newest first."""
        return self._call("GET", "/api/v1/context/records/%s/%s/versions" % (_segment(kind), _segment(target_id),), {"org_id": org_id, "page_size": page_size, "page_token": page_token, "limit": limit, "cursor": cursor})

    def context_versions_get(self, kind, target_id, revision, *, org_id=None):
        """Get a version of a Context record with its fields."""
        return self._call("GET", "/api/v1/context/records/%s/%s/versions/%s" % (_segment(kind), _segment(target_id), _segment(revision),), {"org_id": org_id})

    def context_versions_restore(self, kind, target_id, revision, body=None, *, org_id=None):
        """Write the fields of a version as the next revision, unless the record changed since you read it."""
        return self._call("POST", "/api/v1/context/records/%s/%s/versions/%s/restore" % (_segment(kind), _segment(target_id), _segment(revision),), {"org_id": org_id}, {} if body is None else body)

    def context_suggestions_list(self, *, org_id=None, status=None, kind=None, target_id=None, own=None, search=None, sort=None, page_size=None, page_token=None, limit=None, cursor=None):
        """List the suggestions of everyone in the organization."""
        return self._call("GET", "/api/v1/context/suggestions", {"org_id": org_id, "status": status, "kind": kind, "target_id": target_id, "own": own, "search": search, "sort": sort, "page_size": page_size, "page_token": page_token, "limit": limit, "cursor": cursor})

    def context_suggestions_act(self, body=None, *, org_id=None):
        """Read a Context record, or submit, list and withdraw suggestions to change one."""
        return self._call("POST", "/api/v1/context/suggestions", {"org_id": org_id}, {} if body is None else body)

    def context_suggestions_get(self, suggestion_id, *, org_id=None):
        """Get a suggestion."""
        return self._call("GET", "/api/v1/context/suggestions/%s" % (_segment(suggestion_id),), {"org_id": org_id})

    def context_suggestions_decide(self, suggestion_id, body=None, *, org_id=None):
        """Accept or reject a suggestion."""
        return self._call("POST", "/api/v1/context/suggestions/%s/decision" % (_segment(suggestion_id),), {"org_id": org_id}, {} if body is None else body)

    def legacy_results_list(self, *, org_id=None, experiment_id=None, limit=None, page_token=None):
        """List ended runs, most recently submitted first; use the query routes in new clients."""
        return self._call("GET", "/api/v1/results", {"org_id": org_id, "experiment_id": experiment_id, "limit": limit, "page_token": page_token})

    def legacy_results_get(self, id, *, org_id=None):
        """Get an ended run by its composite id, with the outcome of each test."""
        return self._call("GET", "/api/v1/results/%s" % (_segment(id),), {"org_id": org_id})

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
