# SPDX-License-Identifier: MIT OR Apache-2.0
"""Counts what a call of libcucore takes, with callgrind, and holds it against the figures kept for the compiler in use.

usage: count_instructions.py BENCH FIGURES [--accept]

Held are the instructions of libcucore's own code, which are the same on every processor (the C library has variants of its
functions), and how often it allocates. What a call adds in all, with the C library and the driver, is only shown.
"""

import re
import subprocess
import sys
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

FEW, MANY = 20, 120  # calls: what comes before and after them is the same in both runs
SLACK, LEAST_SLACK = 0.03, 10  # what rewording may cost: so large a part, or so many instructions if that is more

Counts = namedtuple("Counts", "own allocations all")
Figure = namedtuple("Figure", "instructions allocations")

ALLOCATES = re.compile(r"cfn=(__libc_)?(malloc|calloc|realloc|aligned_alloc)$")


def read_profile(lines):
    """Sums up callgrind's file, whose cost lines are "LINE COST"; the one after "calls=" is the callee's, counted there."""
    own = allocations = total = 0
    ours = allocates = False
    lines = iter(lines)
    for line in lines:
        if line.startswith("ob="):
            ours = "/libcucore.so" in line
        elif line.startswith("cfn="):
            allocates = bool(ALLOCATES.match(line))
        elif line.startswith("calls="):
            allocations += int(line[6:].split()[0]) if ours and allocates else 0
            next(lines)
        elif line[:1].isdigit():
            cost = int(line.split()[1])
            total += cost
            own += cost if ours else 0
    return Counts(own, allocations, total)


def profile(bench, side, case, count):
    with tempfile.NamedTemporaryFile("r") as file:
        options = ["--compress-strings=no", "--compress-pos=no", "--dump-line=no", "--callgrind-out-file=" + file.name]
        command = ["valgrind", "--tool=callgrind", *options, bench, "--run", side, case, str(count)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"bench: {side} {case} failed under callgrind:\n{run.stderr}")
        return read_profile(file)


def one_call(bench, side, case):
    few, many = profile(bench, side, case, FEW), profile(bench, side, case, MANY)
    return Counts(*(round((m - f) / (MANY - FEW)) for f, m in zip(few, many)))


def count(bench):
    """For each case its counts with libcucore, and what that adds in all to the raw driver's."""
    cases = output(bench, "--list").split()
    with ThreadPoolExecutor(cpu_count()) as pool:
        raw = pool.map(lambda case: one_call(bench, "raw", case), cases)
        ours = pool.map(lambda case: one_call(bench, "ours", case), cases)
        return {case: (our, our.all - its_raw.all) for case, its_raw, our in zip(cases, raw, ours)}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def read_figures(path):
    """The kept figures by (compiler, case), and the comment above them."""
    with open(path) as file:
        lines = file.read().splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    figures = {(row[0], row[1]): Figure(int(row[2]), int(row[3])) for row in rows}
    return figures, [line for line in lines if line.startswith("#")]


def accept(path, compiler, counts):
    figures, comment = read_figures(path)
    figures = {key: figure for key, figure in figures.items() if key[0] != compiler}
    figures.update({(compiler, case): Figure(own.own, own.allocations) for case, (own, _) in counts.items()})
    rows = [f"{key[0]:<16} {key[1]:<22} {kept.instructions:>6} {kept.allocations:>3}" for key, kept in sorted(figures.items())]
    with open(path, "w") as file:
        file.write("\n".join(comment + rows) + "\n")


def verdict(own, figure):
    """What is wrong, or None."""
    if figure is None:
        return "has no figure"
    if own.own > figure.instructions + max(figure.instructions * SLACK, LEAST_SLACK):
        return f"takes {own.own} instructions instead of {figure.instructions}"
    if own.allocations > figure.allocations:
        return f"allocates {own.allocations} times instead of {figure.allocations}"
    return None


def is_better(own, figure):
    return own.own < figure.instructions - max(figure.instructions * SLACK, LEAST_SLACK) or own.allocations < figure.allocations


def print_counts(counts, figures, compiler):
    print(f"one call, built by {compiler}: libcucore's own instructions, allocations, instructions that it adds in all")
    print(f"{'case':<22} {'own':>6} {'kept':>6} {'allocs':>6} {'kept':>6} {'all':>6}")
    for case, (own, added) in counts.items():
        kept = figures.get((compiler, case), Figure("-", "-"))
        print(f"{case:<22} {own.own:>6} {kept.instructions:>6} {own.allocations:>6} {kept.allocations:>6} {added:>6}")


def hold(counts, figures, compiler):
    """Tells what is worse than the figures; a compiler without any is not held."""
    if not any(key[0] == compiler for key in figures):
        print(f"bench: no figures for {compiler}, so nothing is held; scripts/bench --accept adds them")
        return True
    for case, (own, _) in counts.items():
        if (compiler, case) in figures and is_better(own, figures[compiler, case]):
            print(f"bench: {case} takes less than its figure says; scripts/bench --accept keeps it so")
    failures = {case: verdict(own, figures.get((compiler, case))) for case, (own, _) in counts.items()}
    failures = {case: failure for case, failure in failures.items() if failure}
    for case, failure in failures.items():
        print(f"bench: {case} {failure}; if that is meant: scripts/bench --accept", file=sys.stderr)
    print(f"bench: {len(counts) - len(failures)} passed, {len(failures)} failed")
    return not failures


def main(bench, path, option=None):
    compiler = output(bench, "--compiler").strip()
    counts = count(bench)
    if option == "--accept":
        accept(path, compiler, counts)
    figures, _ = read_figures(path)
    print_counts(counts, figures, compiler)
    sys.exit(0 if hold(counts, figures, compiler) else 1)


main(*sys.argv[1:])
