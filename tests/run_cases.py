"""Runs some cases of a program of tests:  run_cases.py PROGRAM SECONDS FILTER [WITHOUT]

Says what failed and how many passed. Where a case ends the program, or takes longer than SECONDS, it failed, and those
after it run in a new one.
"""

import re
import subprocess
import sys
import threading

BEGIN = re.compile(r"\[ RUN      \] (\S+)\n")
END = re.compile(r"\[(       OK |  FAILED  |  SKIPPED )\] (\S+?)(, where .*)? \(\d+ ms\)\n")


def end_case(said, how):
    if how == "FAILED":
        print("".join(said), end="", flush=True)
    return how


def run(program, seconds, chosen, ended):
    """One start: how each case ended, OK, FAILED or SKIPPED, is added by name. Whether it came to its own end."""
    process = subprocess.Popen([program, "--gtest_filter=" + chosen], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               encoding="utf-8", errors="replace")  # fmt: skip
    running, said, last, expected = None, [], "the start", 0
    watch = threading.Timer(seconds, process.kill)
    for line in process.stdout:
        if begin := BEGIN.search(line):
            watch.cancel()
            watch = threading.Timer(seconds, process.kill)
            watch.start()
            if running:
                said.append(f"[  FAILED  ] {running}: its end is not understood\n")
                ended[running] = end_case(said, "FAILED")
            running, said = begin[1], []
        said.append(line)
        end = END.search(line)
        if running and end and end[2] == running:
            ended[running] = end_case(said, end[1].strip())
            expected = expected or int(ended[running] == "FAILED")
            running, said, last = None, [], running
    watch.cancel()
    code = process.wait()
    if running or code != expected:
        name = running or "after " + last
        print("".join(said) + f"[  FAILED  ] {name}: the program ended with {code}", flush=True)
        ended[name] = "FAILED"
    return not running


def main(program, seconds, chosen, without=""):
    ended = {}
    while not run(program, float(seconds), f"{chosen}-{':'.join([without, *ended])}", ended):
        pass
    count = list(ended.values()).count
    print(f"{count('OK')} passed, {count('FAILED')} failed, {count('SKIPPED')} skipped")
    return count("FAILED") > 0 or not ended


sys.exit(main(*sys.argv[1:]))
