#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes what the fuzzer starts from, of the interpreter's own tables of instructions, so that a new one needs nothing here.

    seeds.py FOLDER    writes FOLDER/dictionary, and FOLDER/seeds/: for each form kernels that use it, each in another way"""
import pathlib
import random
import re
import sys

SOURCES = sorted((pathlib.Path(__file__).parent.parent / "ptx").glob("*.c"))
VARIANTS = 5
# A register of each kind, the letter of its name by its size and sort.
HEAD = """.version 9.0
.target sm_90
.address_size 64
.global .align 16 .b32 g[8];
.visible .entry k(.param .u64 p, .param .u32 n) {
.reg .pred %p<4>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>; .reg .f64 %g<9>; .reg .b128 %q<9>;
.shared .align 16 .b8 s[64]; .local .align 16 .b8 l[64];
ld.param.u64 %d1, [p]; ld.param.u32 %r2, [n]; mov.u32 %r3, %tid.x; setp.eq.u32 %p2, %r3, 1;
mov.f32 %f2, 0f3FC00000; mov.f64 %g2, 0dBFF8000000000000; cvt.u64.u32 %d2, %r3; cvt.u16.u32 %h2, %r3;
"""
REGISTERS = {"f32": "f", "f64": "g", "pred": "p", "b128": "q", "f16x2": "r", "bf16x2": "r", "f32x2": "d"}


def register_letter(kind, wider=1):
    if kind == "pred" or (kind in REGISTERS and wider == 1):
        return REGISTERS[kind]
    size = int(re.search(r"\d+", kind).group()) * wider
    return "h" if size <= 16 else "r" if size == 32 else "d"


def read_tables(text):
    """The words of each class of modifiers: those that forms.c names, and types by what they may be used for."""
    classes = {}
    for name, word in re.findall(r'\{"([a-z-]+)", "([A-Za-z0-9_:]+)",', text):
        classes.setdefault(name, []).append(word)
    types = re.findall(r'\{"(\w+)", PTX_\w+,\s*((?:IN_\w+[|\s]*)+)\}', text)
    for name, uses in re.findall(r'\{"([a-z-]+)", (IN_[A-Z_| ]+)\}', text):
        wanted = set(re.findall(r"IN_\w+", uses))
        classes[name] = [kind for kind, has in types if wanted & set(re.findall(r"IN_\w+", has))]
    return classes, {kind for kind, _ in types}


def read_forms(text):
    """Mnemonics' patterns and operands, with the macros in them replaced."""
    for name, value in re.findall(r'#define (\w+) ("[^"\n]*")\n', text):
        text = re.sub(rf'" {name} "', value.strip('"'), text)
    tables = re.findall(r"ptx_form \w+\[\] = \{(.*?)\n\};", text, re.DOTALL)
    return re.findall(r'\{"([^"]+)",\s*"([A-Za-z]*)",', "".join(tables))


def expand(pattern, classes, rng):
    """One mnemonic that the pattern stands for."""
    text = re.sub(r"\{([^}]*)\}", lambda found: found.group(1) if rng.random() < 0.3 else "", pattern)
    return re.sub(r"<([^>]*)>", lambda found: rng.choice(classes.get(found.group(1)) or found.group(1).split("|")), text)


def vector(mnemonic, letter, first):
    count = 4 if ".v4" in mnemonic else 8 if ".v8" in mnemonic else 2 if ".v2" in mnemonic else 1
    names = ", ".join(f"%{letter}{first + i % 4}" for i in range(count))
    return names if count == 1 else "{" + names + "}"


def address(mnemonic, rng):
    base = "s" if ".shared" in mnemonic else "l" if ".local" in mnemonic else rng.choice(["%d1", "g"])
    return f"[{base}+{rng.choice([0, 8, 16, 4])}]"


def operand(letter, mnemonic, kinds, index, rng):
    """The text of one operand, or nothing if seeds.py does not know the letter."""
    kind, source = kinds[0], kinds[-1]
    narrow = {"b128": "d", "b64": "r", "b32": "h"}.get(kind, "h")
    texts = {
        "d": f"%{register_letter(kind)}1", "x": f"%{register_letter(kind)}1", "a": f"%{register_letter(kind)}{index + 1}",
        "w": f"%{register_letter(kind, 2)}1", "e": f"%{register_letter(kind, 2)}2", "y": f"%{register_letter(source)}2",
        "D": vector(mnemonic, register_letter(kind), 1), "S": vector(mnemonic, register_letter(kind), 2), "p": "%p1|%p3",
        "q": rng.choice(["%p2", "!%p2"]), "o": "%p1", "v": "%r1", "u": rng.choice(["%r2", "%r3", "3", "-1"]), "R": "%r1|%p1",
        "Q": "%r1|%p1", "W": "%d1", "N": "%d2", "U": f"{{%{narrow}1, %{narrow}2}}", "P": f"{{%{narrow}1, %{narrow}2}}",
        "m": address(mnemonic, rng), "n": address(mnemonic, rng), "L": "END", "T": "TARGETS",
    }
    return texts.get(letter)


def instruction(form, classes, types, rng):
    mnemonic = expand(form[0], classes, rng)
    kinds = [part for part in mnemonic.split(".") if part in types] or ["b32"]
    operands = [operand(letter, mnemonic, kinds, i, rng) for i, letter in enumerate(form[1])]
    if None in operands:
        return ""
    guard = rng.choice(["", "", "@%p2 ", "@!%p2 "])
    return f"{guard}{mnemonic} {', '.join(operands)};\n"


def seeds_of(form, classes, types, rng):
    """None if it has operands of a kind unknown here. PTX has not all that a pattern stands for, so each instruction is alone."""
    lines = [instruction(form, classes, types, rng) for _ in range(VARIANTS)]
    targets = "TARGETS: .branchtargets END, END;\n" if "T" in form[1] else ""
    return [HEAD + targets + line + "END: ret;\n}\n" for line in dict.fromkeys(lines)] if all(lines) else []


def dictionary(text):
    words = set()
    for literal in re.findall(r'"([a-z.%_][A-Za-z0-9.:_{}<>|%-]*)"', text):
        words.update(word for word in re.split(r"[.{}<>|]", literal) if len(word) > 1)
    return "".join(f'"{word}"\n' for word in sorted(words))


def main():
    folder = pathlib.Path(sys.argv[1])
    text = "".join(source.read_text() for source in SOURCES)
    classes, types = read_tables(text)
    forms = read_forms(text)
    seeds = [made for made in (seeds_of(form, classes, types, random.Random(str(form))) for form in forms) if made]
    if len(seeds) < len(forms) * 0.9:
        sys.exit(f"seeds.py: only {len(seeds)} of {len(forms)} forms have operands that it knows")
    (folder / "seeds").mkdir(parents=True, exist_ok=True)
    (folder / "dictionary").write_text(dictionary(text))
    for i, made in enumerate(seeds):
        for j, text in enumerate(made):
            (folder / "seeds" / f"{i:04}-{j}.ptx").write_text(text)
    print(f"seeds: {len(seeds)} of {len(forms)} forms")


if __name__ == "__main__":
    main()
