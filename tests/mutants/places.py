# SPDX-License-Identifier: BSD-3-Clause
"""places.py - the changes that can be made to a C file, from clang's syntax tree.

A change is an expression that has both forms, the one in use chosen by unc_mutant() (switch.h).
"""
import json
import re
import subprocess
from collections import namedtuple

# begin, end: the text that is replaced; new: with N for the number of the change
Change = namedtuple("Change", "line begin end new what")

OPERATORS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<"], ">=": [">", "<="],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&"], "^": ["|"],
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"], "<<": [">>"], ">>": ["<<"],
}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<="}
ONE_SIDE = ("&&", "||", "&", "|")
# Nodes whose contents are constant or not executed
CONSTANT = ("ConstantExpr", "UnaryExprOrTypeTraitExpr", "OffsetOfExpr", "StaticAssertDecl", "EnumDecl",
            "RecordDecl", "TypedefDecl")
BODIES = ("IfStmt", "ForStmt", "WhileStmt", "DoStmt")


class Tree:
    """The functions of one file."""

    def __init__(self, clang, file, flags):
        with open(file, encoding="utf-8") as f:
            self.text = f.read()
        # clang counts bytes
        self.bytes = self.text.encode()
        out = subprocess.run([clang, *flags, "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", file],
                             capture_output=True, check=True).stdout
        self.changes = []
        for node in json.loads(out)["inner"]:
            if node["kind"] == "FunctionDecl" and "includedFrom" not in node["loc"]:
                self.walk(node, None, 0)

    # ---- text ----

    def offset(self, loc):
        """Of a token that is in this file: begin and end; None: in a macro's definition."""
        if "expansionLoc" in loc:
            inside = loc["expansionLoc"].get("isMacroArgExpansion")
            loc = loc["spellingLoc" if inside else "expansionLoc"]
        if "offset" not in loc or "includedFrom" in loc:
            return None
        return loc["offset"], loc["offset"] + loc["tokLen"]

    def span(self, node):
        """The text of a node, with the arguments of a macro at its end."""
        rng = node.get("range", {})
        if not rng.get("begin") or not rng.get("end"):
            return None
        begin, end = self.offset(rng["begin"]), self.offset(rng["end"])
        if not begin or not end or begin[0] >= end[1]:
            return None
        begin, end = begin[0], end[1]
        if "expansionLoc" in rng["end"] and not rng["end"]["expansionLoc"].get("isMacroArgExpansion"):
            end = self.end_of_macro(end)
        text = self.bytes[begin:end].decode()
        if not is_balanced(text) or "#" in text:
            return None
        return begin, end, text

    def end_of_macro(self, end):
        if self.bytes[end:end + 1] != b"(":
            return end
        depth = 0
        for i in range(end, len(self.bytes)):
            depth += {b"(": 1, b")": -1}.get(self.bytes[i:i + 1], 0)
            if depth == 0:
                return i + 1
        return end

    def add(self, node, forms):
        """forms: (new text, with {} for the old one; what it is)."""
        where = self.span(node)
        if not where:
            return
        begin, end, text = where
        line = self.bytes[:begin].count(b"\n") + 1
        for new, what in forms:
            self.changes.append(Change(line, begin, end, f"(unc_mutant(N) ? ({new}) : ({text}))",
                                       f"{squeeze(text)} -> {what or squeeze(new)}"))

    # ---- nodes ----

    def walk(self, node, parent, at):
        kind = node.get("kind")
        if kind in CONSTANT or (kind == "VarDecl" and node.get("storageClass") == "static"):
            return
        inner = node.get("inner", [])
        self.look(node, kind, inner)
        if parent and is_statement(node, parent, at):
            self.drop(node, kind)
        for i, child in enumerate(inner):
            # the third part of a for, without which it does not end
            if not (kind == "ForStmt" and i == 3):
                self.walk(child, node, i)

    def look(self, node, kind, inner):
        if kind == "BinaryOperator":
            self.operator(node, node["opcode"], inner)
        elif kind == "CompoundAssignOperator" and node["opcode"] in ASSIGNMENTS:
            self.assignment(node, node["opcode"], inner)
        elif kind == "UnaryOperator":
            self.unary(node, node["opcode"], inner)
        elif kind == "IntegerLiteral":
            self.number(node)
        elif kind in ("IfStmt", "ConditionalOperator") and inner:
            self.condition(inner[0], kind)
        elif kind == "ReturnStmt" and inner:
            self.result(inner[0])
        elif kind == "CallExpr":
            self.arguments(node, inner)

    def operator(self, node, op, inner):
        left, right = (self.span(i) for i in inner)
        if op not in OPERATORS or not left or not right or is_pointer(inner[0]) or is_pointer(inner[1]):
            if op not in ("==", "!=", "&&", "||") or not left or not right:
                return
        forms = [(f"({left[2]}) {new} ({right[2]})", "") for new in OPERATORS[op]]
        if op in ONE_SIDE:
            forms += [(left[2], ""), (right[2], "")]
        self.add(node, forms)

    def assignment(self, node, op, inner):
        left, right = (self.span(i) for i in inner)
        if left and right and not is_pointer(inner[0]):
            self.add(node, [(f"{left[2]} {ASSIGNMENTS[op]} {right[2]}", "")])

    def unary(self, node, op, inner):
        of = self.span(inner[0])
        if not of:
            return
        if op == "!":
            self.add(node, [(f"!!({of[2]})", "")])
        elif op in ("~", "-") and not is_pointer(node):
            self.add(node, [(of[2], "")])
        elif op in ("++", "--"):
            other = "--" if op == "++" else "++"
            self.add(node, [(of[2] + other if node.get("isPostfix") else other + of[2], "")])

    def number(self, node):
        where = self.span(node)
        if not where:
            return
        text = where[2]
        if text in ("true", "false"):
            self.add(node, [("!" + text, "")])
        elif re.fullmatch(r"[0-9][0-9a-fA-FxuUlL]*", text):
            zero = int(node["value"]) == 0
            self.add(node, [(text + " + 1", "")] + ([] if zero else [("0", "")]))

    def condition(self, node, kind):
        where = self.span(node)
        if where:
            forms = [(f"!({where[2]})", "")]
            self.add(node, forms + ([("0", "never"), ("1", "always")] if kind == "IfStmt" else []))

    def result(self, node):
        while node["kind"] == "ImplicitCastExpr" and node.get("inner"):
            node = node["inner"][0]
        where = self.span(node)
        if node["kind"] != "IntegerLiteral" and is_scalar(node) and where and where[2] != "NULL":
            self.add(node, [("0", "return 0")])

    def arguments(self, node, inner):
        args = inner[1:]
        for a, b in zip(args, args[1:]):
            one, two = self.span(a), self.span(b)
            if not one or not two or one[2] == two[2] or one[1] > two[0] or type_of(a) != type_of(b):
                continue
            between = self.bytes[one[1]:two[0]].decode()
            if between.strip() != "," or "(" in self.bytes[one[0]:two[1]].decode():
                continue
            line = self.bytes[:one[0]].count(b"\n") + 1
            self.changes.append(Change(
                line, one[0], two[1],
                f"(unc_mutant(N) ? ({two[2]}) : ({one[2]})){between}"
                f"(unc_mutant(N) ? ({one[2]}) : ({two[2]}))",
                f"arguments {squeeze(one[2])} and {squeeze(two[2])} swapped"))

    def drop(self, node, kind):
        is_change = kind in ("CallExpr", "CompoundAssignOperator") or \
            (kind == "BinaryOperator" and node["opcode"] == "=") or \
            (kind == "UnaryOperator" and node["opcode"] in ("++", "--"))
        where = self.span(node)
        if not is_change or not where:
            return
        begin, end, text = where
        line = self.bytes[:begin].count(b"\n") + 1
        self.changes.append(Change(line, begin, end, f"(unc_mutant(N) ? (void)0 : (void)({text}))",
                                   f"{squeeze(text)} dropped"))


def is_statement(node, parent, at):
    if parent["kind"] == "CompoundStmt":
        return True
    if parent["kind"] == "ForStmt":
        return at == 4
    return parent["kind"] in BODIES and at > 0 and "type" in node


def is_balanced(text):
    depth = 0
    for c in text:
        depth += {"(": 1, ")": -1, "{": 1, "}": -1, "[": 1, "]": -1}.get(c, 0)
        if depth < 0:
            return False
    return depth == 0


def type_of(node):
    return node.get("type", {}).get("desugaredQualType") or node.get("type", {}).get("qualType", "")


def is_pointer(node):
    return "*" in type_of(node) or "[" in type_of(node)


def is_scalar(node):
    kind = re.sub(r"\b(const|volatile)\b", "", type_of(node)).strip()
    return "*" in kind or re.fullmatch(r"(unsigned |signed )?(char|short|int|long|long long|_Bool|bool|"
                                       r"double|float|unsigned|u?int\d+_t|s?size_t)( int)?", kind)


def squeeze(text):
    text = " ".join(text.split())
    return text if len(text) < 90 else text[:87] + "..."
