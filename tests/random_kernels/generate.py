#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes one batch of random kernels: a source that is both CUDA C++ and C++ for the host.

    generate.py SEED COUNT > batch.cu

Each kernel is a function that reads INPUTS 64-bit words and writes OUTPUTS of them, once for each thread. What it does is defined
by C++ for every input: sums wrap as unsigned ones, shifts and indices are masked, divisors and conversions guarded, NaNs alike
(portable.h), so that device and host must agree to the bit."""
import pathlib
import random
import sys

THREADS = 64
INPUTS = 8
OUTPUTS = 8
# What the words of an input hold: two integers, two f32, two f64, two 64-bit integers, given as a type that reads the word.
INPUT_KINDS = ["u32", "u32", "f32", "f32", "f64", "f64", "u64", "u64"]

INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
FLOATS = ["f32", "f64"]
# The common types often, the others now and then.
COMMON_TYPES = INTEGERS + FLOATS + ["i32", "u32", "i64", "u64", "f32", "f64"] * 2
BITS = {name: int(name[1:]) for name in INTEGERS + FLOATS}

# Functions of portable.h by what they give: name and the types of the arguments.
FUNCTIONS = {
    "u32": [
        ("high_product", "u32 u32"), ("product_24", "u32 u32"), ("population", "u32"), ("population", "u64"),
        ("leading_zeros", "u32"), ("leading_zeros", "u64"), ("first_set", "u32"), ("first_set", "u64"), ("reversed", "u32"),
        ("chosen_bytes", "u32 u32 u32"), ("funnel_left", "u32 u32 u32"), ("funnel_right", "u32 u32 u32"),
        ("funnel_left_clamped", "u32 u32 u32"), ("funnel_right_clamped", "u32 u32 u32"), ("rotated", "u32 u32"),
        ("distance", "u32 u32 u32"), ("distance", "i32 i32 u32"), ("average", "u32 u32"), ("dot", "u32 u32 u32"),
        ("field", "u32 u32 u32"), ("inserted", "u32 u32 u32 u32"), ("bits_of", "f32"),
        ("shifted_left", "u32 u32"), ("shifted_right", "u32 u32"),
    ],
    "i32": [("high_product", "i32 i32"), ("average", "i32 i32"), ("dot", "i32 i32 i32"), ("shifted_right", "i32 u32")],
    "u64": [
        ("high_product", "u64 u64"), ("reversed", "u64"), ("rotated", "u64 u32"), ("wide_mix", "u64 u64 u64 u64"),
        ("field", "u64 u32 u32"), ("bits_of", "f64"), ("shifted_left", "u64 u32"), ("shifted_right", "u64 u32"),
    ],
    "i64": [("high_product", "i64 i64"), ("shifted_right", "i64 u32")],
    "u16": [("rotated", "u16 u32")],
    "u8": [("rotated", "u8 u32")],
    "f32": [("between_0_and_1", "f32")],
}
FLOAT_FUNCTIONS = [
    ("square_root", "T"), ("without_sign", "T"), ("rounded_down", "T"), ("rounded_up", "T"), ("cut", "T"), ("rounded_to_even", "T"),
    ("rounded_away", "T"), ("float_remainder", "T T"), ("positive_difference", "T T"), ("next_float", "T T"), ("scaled", "T i32"),
    ("multiplied_and_added", "T T T"), ("with_sign_of", "T T"), ("lesser_float", "T T"), ("greater_float", "T T"),
]
ROUNDED_FUNCTIONS = [("sum", "T T"), ("product", "T T"), ("quotient", "T T"), ("fma", "T T T"), ("root", "T")]
ROUNDINGS = ["rn", "rz", "rd", "ru"]

EDGES = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0xffffff, 0x1000000]
F32_EDGES = [0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x800000, 0x3f800000, 0xbf800000, 0x3f000000, 0x7f7fffff, 0xff7fffff,
             0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x4b000000, 0x4b800000, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000,
             0x5f800000, 0x34000000, 0x33800000]
F64_EDGES = [0, 1 << 63, 1, 0xfffffffffffff, 1 << 52, 0x3ff << 52, 0xbff << 52, 0x3fe << 52, 0x7fefffffffffffff, 0x7ff << 52,
             0xfff << 52, 0x7ff8 << 48, 0x7ff0000000000001, 0x433 << 52, 0x434 << 52, 0x41e << 52, 0xc1e << 52, 0x41f << 52,
             0x43e << 52, 0x43f << 52, 0x36a0000000000000, 0x380fffffffffffff, 0x47efffffe0000000, 0x47effffff0000000]


def random_integer(rng, bits):
    """A pattern of so many bits, near an edge as often as anywhere."""
    choice = rng.random()
    if choice < 0.35:
        return rng.choice(EDGES) % (1 << bits)
    if choice < 0.5:
        return (-rng.choice(EDGES)) % (1 << bits)
    if choice < 0.65:
        return ((1 << (bits - 1)) + rng.randint(-2, 2)) % (1 << bits)
    return rng.getrandbits(rng.randint(1, bits))


def random_float(rng, bits):
    """The bits of a float: an edge, of any exponent, or of an ordinary size."""
    edges, exponent_bits = (F32_EDGES, 8) if bits == 32 else (F64_EDGES, 11)
    choice = rng.random()
    if choice < 0.3:
        return rng.choice(edges)
    if choice < 0.5:
        return rng.getrandbits(bits)
    fraction = bits - 1 - exponent_bits
    exponent = (1 << (exponent_bits - 1)) - 1 + rng.randint(-12, 40)
    mantissa = rng.getrandbits(fraction) if rng.random() < 0.7 else rng.getrandbits(4) << (fraction - 4)
    return rng.getrandbits(1) << (bits - 1) | exponent << fraction | mantissa


def random_bits(rng, kind):
    return random_float(rng, BITS[kind]) if kind in FLOATS else random_integer(rng, BITS[kind])


def read_as(kind, word):
    return f"as_{kind}(({'u32' if kind == 'f32' else 'u64'}){word})" if kind in FLOATS else f"({kind}){word}"


def constant(rng, kind):
    """No signalling NaN: NVRTC, when it computes with constants, makes an infinity of some."""
    bits = random_bits(rng, kind)
    if kind in FLOATS:
        infinity = 0x7f800000 if kind == "f32" else 0x7ff << 52
        quiet = bits if bits & ((1 << (BITS[kind] - 1)) - 1) <= infinity else infinity | infinity >> 1
        return f"as_{kind}({quiet:#x}u)"
    return f"({kind}){bits:#x}u"


def negatable(kind, text):
    """Differences from 0 and products with -1 become neg.s16 (portable.h, negatable)."""
    return f"({text} | 1)" if kind == "i16" else text


class Expressions:
    """Expressions over the variables in scope: `variables` are names with types, `arrays` names with types and sizes."""

    def __init__(self, rng, helpers):
        self.rng = rng
        self.helpers = helpers
        self.variables = []
        self.arrays = []

    def expression(self, kind, depth):
        if depth <= 0 or self.rng.random() < 0.12:
            return self.leaf(kind, depth)
        makers = [self.arithmetic] * 5 + [self.conversion, self.choice, self.function, self.function, self.call]
        return self.rng.choice(makers)(kind, depth - 1)

    def leaf(self, kind, depth):
        same = [name for name, of in self.variables if of == kind]
        choice = self.rng.random()
        if same and choice < 0.6:
            return self.rng.choice(same)
        if choice < 0.75:
            element = self.element(kind, depth)
            if element:
                return element
        if choice < 0.9 and self.variables:
            return self.converted(kind, *self.rng.choice(self.variables))
        return constant(self.rng, kind)

    def element(self, kind, depth):
        arrays = [(name, size) for name, of, size in self.arrays if of == kind]
        if not arrays:
            return None
        name, size = self.rng.choice(arrays)
        return f"{name}[{self.expression('u32', min(depth - 1, 1))} & {size - 1}u]"

    def converted(self, kind, text, source):
        if kind in FLOATS or source in FLOATS:
            return self.float_converted(kind, text, source)
        return f"({kind}){text}"

    def float_converted(self, kind, text, source):
        if kind not in FLOATS:
            wide = kind if BITS[kind] >= 32 else "i32"
            converted = f"{wide}_of_{self.rng.choice(ROUNDINGS)}({text})"
            return converted if wide == kind else f"({kind}){converted}"
        if kind == "f32" and source not in FLOATS + ["i8", "u8", "i16", "u16"] and self.rng.random() < 0.5:
            return f"f32_of_{self.rng.choice(ROUNDINGS)}({text})"
        if kind == "f64" and source in ("i64", "u64") and self.rng.random() < 0.5:
            return f"f64_of_{self.rng.choice(ROUNDINGS)}({text})"
        if (kind, source) == ("f32", "f64") and self.rng.random() < 0.5:
            return f"narrowed_{self.rng.choice(ROUNDINGS)}({text})"
        return f"({kind}){text}"

    def conversion(self, kind, depth):
        source = self.rng.choice(COMMON_TYPES)
        return self.converted(kind, f"({self.expression(source, depth)})", source)

    def arithmetic(self, kind, depth):
        return self.float_arithmetic(kind, depth) if kind in FLOATS else self.integer_arithmetic(kind, depth)

    def float_arithmetic(self, kind, depth):
        a = self.expression(kind, depth)
        if self.rng.random() < 0.1:
            return f"(-{a})"
        return f"({a} {self.rng.choice('++--**/')} {self.expression(kind, depth)})"

    def integer_arithmetic(self, kind, depth):
        """Small types compute as u32, so that nothing overflows; the result wraps into the type."""
        makers = [self.wrapping] * 4 + [self.shift] * 2 + [self.division, self.single, self.wide_product]
        return self.rng.choice(makers)(kind, depth)

    def wrapping(self, kind, depth):
        unsigned = "u64" if BITS[kind] == 64 else "u32"
        left, right = self.expression(kind, depth), self.expression(kind, depth)
        operator = self.rng.choice("+-*&|^")
        if operator in "-*":
            left, right = negatable(kind, left), negatable(kind, right)
        return f"({kind})(({unsigned}){left} {operator} ({unsigned}){right})"

    def shift(self, kind, depth):
        count = f"({self.expression('u32', depth)} & {BITS[kind] - 1}u)"
        if self.rng.random() < 0.5:
            return f"({kind})({self.expression(kind, depth)} >> {count})"
        return f"({kind})((u64){self.expression(kind, depth)} << {count})"

    def division(self, kind, depth):
        left = self.expression(kind, depth)
        if self.rng.random() < 0.4: # compilers multiply instead of dividing by a constant
            largest = (1 << (BITS[kind] - (kind[0] == "i"))) - 1
            return f"({kind})({left} {self.rng.choice('/%')} ({kind}){self.rng.randint(2, min(largest, 1000))})"
        return f"{self.rng.choice(['quotient', 'remainder_of'])}<{kind}>({left}, {self.expression(kind, depth)})"

    def single(self, kind, depth):
        inner = self.expression(kind, depth)
        names = ["negated"] + (["magnitude"] if kind[0] == "i" else [])
        return f"({kind})~{inner}" if self.rng.random() < 0.4 else f"{self.rng.choice(names)}<{kind}>({inner})"

    def wide_product(self, kind, depth):
        """What mul.wide and mad.wide are for."""
        narrow, wide = self.rng.choice([("i32", "i64"), ("u32", "u64"), ("i16", "i32"), ("u16", "u32")])
        left, right = (f"({wide}){self.expression(narrow, depth)}" for _ in range(2))
        return f"({kind})({negatable(kind, left)} * {negatable(kind, right)})"

    def choice(self, kind, depth):
        return f"({self.condition(depth)} ? {self.expression(kind, depth)} : {self.expression(kind, depth)})"

    def condition(self, depth):
        choice = self.rng.random()
        if depth > 0 and choice < 0.2:
            return f"({self.condition(depth - 1)} {self.rng.choice(['&&', '||', '!=', '=='])} {self.condition(depth - 1)})"
        kind = self.rng.choice(COMMON_TYPES)
        if kind in FLOATS and choice < 0.3:
            return f"is_nan({self.expression(kind, depth)})"
        comparison = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        text = f"({self.expression(kind, depth)} {comparison} {self.expression(kind, depth)})"
        return f"!{text}" if choice > 0.8 else text

    def applied(self, name, kinds, depth):
        return f"{name}({', '.join(self.expression(kind, depth) for kind in kinds)})"

    def function(self, kind, depth):
        if kind in FLOATS and self.rng.random() < 0.9:
            return self.float_function(kind, depth)
        choices = FUNCTIONS.get(kind, []) if self.rng.random() < 0.6 else []
        if kind == "u32" and self.rng.random() < 0.1:
            return self.applied(f"logic<{self.rng.randrange(256)}>", ["u32"] * 3, depth)
        if not choices:
            names = ["lesser", "greater"]
            if kind in FLOATS:  # NVRTC makes a min of "a < b ? a : b", which chooses another of two zeros
                return self.float_function(kind, depth)
            return self.applied(f"{self.rng.choice(names)}<{kind}>", [kind, kind], depth)
        name, kinds = self.rng.choice(choices)
        return self.applied(name, kinds.split(), depth)

    def float_function(self, kind, depth):
        if self.rng.random() < 0.25:
            name, kinds = self.rng.choice(ROUNDED_FUNCTIONS)
            name = f"{name}_{self.rng.choice(ROUNDINGS)}"
        else:
            name, kinds = self.rng.choice(FLOAT_FUNCTIONS)
        return self.applied(name, [kind if of == "T" else of for of in kinds.split()], depth)

    def call(self, kind, depth):
        helpers = [helper for helper in self.helpers if helper[1] == kind]
        if not helpers:
            return self.arithmetic(kind, depth)
        name, _, kinds, recursive = self.rng.choice(helpers)
        first = [f"{self.expression('u32', 0)} & 3u"] if recursive else []
        return f"{name}({', '.join(first + [self.expression(of, depth) for of in kinds])})"


class Function(Expressions):
    """Statements of one function's body; `lines` are its text."""

    def __init__(self, rng, helpers, tables):
        super().__init__(rng, helpers)
        self.arrays = list(tables)
        self.lines = []
        self.indentation = 1
        self.count = 0
        self.constants = set() # loop counters: never assigned
        self.writable = []

    def put(self, text):
        self.lines.append("    " * self.indentation + text)

    def new_name(self):
        self.count += 1
        return f"v{self.count}"

    def declare(self, depth=2):
        kind = self.rng.choice(COMMON_TYPES)
        name = self.new_name()
        self.put(f"{kind} {name} = {self.expression(kind, depth)};")
        self.variables.append((name, kind))

    def declare_array(self, _left):
        kind = self.rng.choice(COMMON_TYPES)
        size = self.rng.choice([4, 8, 16])
        name = self.new_name()
        self.put(f"{kind} {name}[{size}] = {{{', '.join(self.expression(kind, 1) for _ in range(size))}}};")
        self.arrays.append((name, kind, size))
        self.writable.append((name, kind, size))

    def assign(self, _left=0):
        targets = [(name, kind) for name, kind in self.variables if name not in self.constants]
        if self.writable and self.rng.random() < 0.3:
            name, kind, size = self.rng.choice(self.writable)
            self.put(f"{name}[{self.expression('u32', 1)} & {size - 1}u] = {self.expression(kind, 2)};")
        elif targets:
            name, kind = self.rng.choice(targets)
            self.put(f"{name} = {self.expression(kind, 2)};")

    def block(self, left):
        """Statements of their own scope."""
        scope = len(self.variables), len(self.arrays), len(self.writable)
        self.indentation += 1
        for _ in range(self.rng.randint(1, 2)):
            self.statement(left - 1)
        self.indentation -= 1
        del self.variables[scope[0]:], self.arrays[scope[1]:], self.writable[scope[2]:]

    def branch(self, left):
        self.put(f"if ({self.condition(2)}) {{")
        self.block(left)
        if self.rng.random() < 0.6:
            self.put("} else {")
            self.block(left)
        self.put("}")

    def loop(self, left):
        counter = self.new_name()
        bound = self.rng.choice([str(self.rng.randint(1, 6)) + "u", f"({self.expression('u32', 1)} & 7u)"])
        self.put(f"for (u32 {counter} = 0; {counter} < {bound}; {counter}++) {{")
        self.constants.add(counter)
        self.variables.append((counter, "u32"))
        if self.rng.random() < 0.3:
            self.put(f"    if ({self.condition(1)}) {self.rng.choice(['break', 'continue'])};")
        self.block(left)
        self.variables.remove((counter, "u32"))
        self.put("}")

    def switch(self, left):
        self.put(f"switch ({self.expression('u32', 2)} & 7u) {{")
        for case in self.rng.sample(range(8), self.rng.randint(2, 6)):
            self.put(f"case {case}: {{")
            self.block(left)
            self.put("}" if self.rng.random() < 0.2 else "    break; }")
        self.put("default: ;")
        self.put("}")

    def statement(self, left):
        simple = [lambda _: self.declare(), self.assign, self.assign, self.assign]
        nested = [self.branch, self.branch, self.loop, self.switch, self.declare_array] if left > 0 else []
        self.rng.choice(simple + nested)(left)

    def statements(self, count):
        for _ in range(count):
            self.statement(self.rng.randint(0, 2))


def helper(rng, name, helpers, tables):
    """A function of its own, which may call itself if its first parameter is a depth; gives its text and what calls need."""
    function = Function(rng, helpers, tables)
    kind = rng.choice(COMMON_TYPES)
    kinds = [rng.choice(COMMON_TYPES) for _ in range(rng.randint(1, 4))]
    recursive = rng.random() < 0.3
    function.variables = [(f"p{i}", of) for i, of in enumerate(kinds)]
    parameters = (["u32 depth"] if recursive else []) + [f"{of} p{i}" for i, of in enumerate(kinds)]
    function.statements(2)
    if recursive:
        again = ", ".join(["depth - 1"] + [function.expression(of, 1) for of in kinds])
        function.put(f"if (depth > 0) return {name}({again});")
    function.put(f"return {function.expression(kind, 2)};")
    head = f"static NOINLINE {kind} {name}({', '.join(parameters)}) {{"
    return "\n".join([head] + function.lines + ["}\n"]), (name, kind, kinds, recursive)


def table(rng, name):
    """A table of constants, in constant or in global memory."""
    kind = rng.choice(COMMON_TYPES)
    size = rng.choice([4, 8, 16])
    values = ", ".join(f"({kind}){random_integer(rng, BITS[kind])}u" for _ in range(size))
    return f"{rng.choice(['CONSTANT', 'VARIABLE'])} {kind} {name}[{size}] = {{{values}}};", (name, kind, size)


def body(rng, name, helpers, tables):
    function = Function(rng, helpers, tables)
    for i, kind in enumerate(INPUT_KINDS):
        function.put(f"{kind} x{i} = {read_as(kind, f'in[{i}]')};")
        function.variables.append((f"x{i}", kind))
    function.statements(rng.randint(3, 7))
    kinds = [kind for kind in rng.sample(COMMON_TYPES, OUTPUTS)]
    for i, kind in enumerate(kinds):
        function.put(f"out[{i}] = (u64)bits_of({function.expression(kind, 1)});")
    return "\n".join([f"static void {name}_body(const u64 *in, u64 *out) {{"] + function.lines + ["}\n"])


def kernel(rng, index):
    name = f"k{index}"
    tables = [table(rng, f"{name}_table{i}") for i in range(rng.randint(0, 2))]
    seen = [declared for _, declared in tables]
    texts, helpers = [text for text, _ in tables], []
    for i in range(rng.randint(0, 2)):
        text, made = helper(rng, f"{name}_helper{i}", helpers, seen)
        texts.append(text)
        helpers.append(made)
    texts.append(body(rng, name, helpers, seen))
    texts.append(f"KERNEL void {name}(const u64 *in, u64 *out) {{\n"
                 f"    const u32 thread = EITHER(blockIdx.x * blockDim.x + threadIdx.x, 0);\n"
                 f"    {name}_body(in + thread * {INPUTS}, out + thread * {OUTPUTS});\n}}\n")
    return "\n".join(texts)


def host_part(rng, count):
    """What only the host has: the inputs, and the kernels as a table of functions."""
    words = [random_bits(rng, kind) for _ in range(THREADS) for kind in INPUT_KINDS]
    names = ", ".join(f"k{i}" for i in range(count))
    return ("#ifndef __CUDACC_RTC__\n"
            f"extern \"C\" const u32 batch_count = {count};\n"
            f"extern \"C\" const u64 batch_inputs[{len(words)}] = {{{', '.join(f'{word:#x}u' for word in words)}}};\n"
            f"extern \"C\" void (*const batch_kernels[])(const u64 *in, u64 *out) = {{{names}}};\n"
            "#endif\n")


def batch(seed, count):
    rng = random.Random(f"batch {seed}")
    prelude = pathlib.Path(__file__).with_name("portable.h").read_text()
    kernels = [kernel(rng, i) for i in range(count)]
    return "\n".join([f"// seed {seed}, {count} kernels", prelude] + kernels + [host_part(rng, count)])


if __name__ == "__main__":
    sys.stdout.write(batch(sys.argv[1], int(sys.argv[2])))
