"""Reads what the tests of a SWE-bench task printed, and writes the reward and a case for each test that counts.

Usage: judge.py tests.json output.txt folder. It runs in the image of a task, so it needs no more than Python 3.5.
"""

import json
import os
import re
import sys

WORDS = ("PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL", "XPASS")
ENDS = {"ok": "PASSED", "OK": "PASSED", "FAIL": "FAILED", "ERROR": "ERROR"}
COLORS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def read_pytest(lines):
    """The lines of a summary (-rA), `PASSED path::test`, and those of older versions, `path::test PASSED`."""
    found = {}
    for line in lines:
        words = line.split()
        if len(words) < 2:
            continue
        if words[0] in WORDS:
            if words[0] == "SKIPPED" and re.match(r"^\[\d+\]$", words[1]):
                continue
            name = line[len(words[0]) :].strip()
            if words[0] in ("FAILED", "ERROR"):
                name = name.split(" - ", 1)[0]
            found[name] = words[0]
            # Names in the lists of a task can end at the first space.
            found.setdefault(name.split()[0], words[0])
        elif words[-1] in WORDS:
            found[" ".join(words[:-1])] = words[-1]
        elif words[1] in WORDS:
            found[words[0]] = words[1]
    return found


def read_django(lines):
    """`test_it (module.Case) ... ok`, where the test can print between the dots and its end."""
    found = {}
    open_name = None
    for line in lines:
        line = line.strip()
        if " ... " in line or line.endswith(" ..."):
            name, _, rest = line.partition(" ...")
            open_name = name
            end = rest.strip()
        else:
            end = line
        if open_name is None:
            continue
        if end.startswith("skipped"):
            status = "SKIPPED"
        elif end.startswith("expected failure"):
            status = "XFAIL"
        else:
            # On the line of its name, what the test printed can stand before its end.
            last = end.split(" ")[-1] if " ..." in line else end
            status = ENDS.get(last)
        if status is None:
            continue
        found[open_name] = status
        open_name = None
    for line in lines:
        words = line.split()
        if len(words) > 1 and words[0] in ("FAIL:", "ERROR:"):
            status = "FAILED" if words[0] == "FAIL:" else "ERROR"
            found[line.split(":", 1)[1].strip()] = status
            found[words[1]] = status
    return found


def read_sympy(lines):
    """`test_it ok`, with one letter for a failure."""
    found = {}
    for line in lines:
        words = line.split()
        if len(words) >= 2 and words[0].startswith("test_"):
            status = {"ok": "PASSED", "F": "FAILED", "E": "ERROR", "f": "XFAIL", "s": "SKIPPED"}.get(words[-1])
            if status:
                found[words[0]] = status
    for line in lines:
        match = re.match(r"^_+ (\S+\.py:\S+) _+$", line.strip())
        if match:
            found[match.group(1)] = "FAILED"
            found[match.group(1).split(":")[-1]] = "FAILED"
    return found


READERS = {"pytest": read_pytest, "django": read_django, "sympy": read_sympy}


def without_folder(name):
    """A parameter that is a path depends on the machine, so only its last part counts: test_it[/a/b.txt]."""
    match = re.match(r"^(.*?)\[(/[^/*].*)\]$", name)
    return "%s[/%s]" % (match.group(1), match.group(2).split("/")[-1]) if match else name


def status_of(name, found, short):
    if name in found:
        return found[name]
    if name in short:
        return short[name]
    # The published lists cut some names within their parameters.
    if name.count("[") > name.count("]"):
        same = {found[other] in ("PASSED", "XFAIL") for other in found if other.startswith(name)}
        if len(same) == 1:
            return "PASSED" if same.pop() else "FAILED"
    return None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        task = json.load(file)
    with open(sys.argv[2], encoding="utf-8", errors="replace") as file:
        lines = COLORS.sub("", file.read()).replace("\r\n", "\n").split("\n")
    start = [at for at, line in enumerate(lines) if line.endswith(">>>>> Start Test Output")]
    end = [at for at, line in enumerate(lines) if line.endswith(">>>>> End Test Output")]
    if start and end and end[-1] > start[0]:
        lines = lines[start[0] + 1 : end[-1]]
    found = READERS[task["parser"]](lines)
    short = {without_folder(name): status for name, status in found.items()}
    cases = []
    solved = True
    for kind, good in (("FAIL_TO_PASS", ("PASSED", "XFAIL")), ("PASS_TO_PASS", ("PASSED", "XFAIL", "SKIPPED"))):
        for name in task[kind]:
            status = status_of(name, found, short)
            passed = status in good
            solved = solved and passed
            message = "" if passed else ("It did not run" if status is None else "It ended as %s" % status)
            cases.append((name, kind, "passed" if passed else "failed", message))
    summary = {
        "tests": len(cases),
        "passed": len([1 for case in cases if case[2] == "passed"]),
        "failed": len([1 for case in cases if case[2] == "failed"]),
        "pending": 0,
        "skipped": 0,
        "other": 0,
        "start": 0,
        "stop": 0,
    }
    report = {
        "results": {
            "tool": {"name": "SWE-bench"},
            "summary": summary,
            "tests": [
                {"name": name, "status": status, "duration": 0, "suite": kind, "message": message}
                for name, kind, status, message in cases
            ],
        }
    }
    with open(os.path.join(sys.argv[3], "ctrf.json"), "w") as file:
        json.dump(report, file)
    with open(os.path.join(sys.argv[3], "reward.txt"), "w") as file:
        file.write("1\n" if solved and cases else "0\n")


main()
