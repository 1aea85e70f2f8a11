"""Writes the calls that outputs.c makes: each function of the interface with each argument wrong in turn.

python outputs.py asdfkit-api.json > calls.h
"""

import json
import re
import sys
from pathlib import Path

# A size after an output buffer is the capacity of the buffer. Any other size is 1.
CAPACITY = 64
HANDLE_OUT = re.compile(r"asdf_\w+ \*\*")


# Arguments for parameters whose usual value would fail for another reason.
NEEDED = {
    ("asdf_table_longest_text", "code"): "ASDF_ASCII",
    ("asdf_table_add_text_column", "code"): "ASDF_STRING",
}


class Argument:
    """Arguments for a parameter: a right value, wrong ones, and the expected content of an output."""

    def __init__(self, kind, name, previous, place, handle_place, is_maker):
        self.is_handle_out = bool(HANDLE_OUT.fullmatch(kind))
        self.is_output = self.is_handle_out
        self.kind = kind
        handle = re.fullmatch(r"(?:const )?(asdf_\w+) \*", kind)
        if self.is_handle_out:
            self.right, self.wrong = f"&out[{handle_place}]", ["NULL"]
        elif handle:
            other = "a_asdf_file" if handle[1] == "asdf_node" else "a_asdf_node"
            self.right, self.wrong = f"a_{handle[1]}", ["NULL", f"(void *){other}", f"broken_{handle[1]}"]
        elif kind == "const char *":
            self.right, self.wrong = '"a"', ["NULL", '""', '"\\xff"', '"missing/b"']
        elif kind == "const char *const *":
            self.right, self.wrong = "names", ["NULL"]
        elif kind == "const asdf_file *const *":
            self.right, self.wrong = "files", ["NULL", "no_files"]
        elif kind == "const asdf_datatype *const *":
            self.right, self.wrong = "datatypes", ["NULL", "no_datatypes"]
        elif kind == "void *" and name == "user":
            self.right, self.wrong = "NULL", []
        elif kind.endswith("_callback"):
            self.right, self.wrong = f"a_{kind}", ["NULL", f"failing_{kind}"]
        elif kind.startswith("struct ") and is_maker:
            # The call takes ownership of the object behind it.
            self.right, self.wrong = f"&a_{kind.split()[1]}", ["NULL"]
        elif kind.startswith("const ") and kind.endswith(" *"):
            self.right, self.wrong = f"({kind})numbers", ["NULL"]
        elif kind.endswith("*"):
            self.is_output = True
            self.right, self.wrong = f"({kind})outputs[{place}]", ["NULL"]
        elif kind == "asdf_status":
            self.right, self.wrong = "ASDF_ERR_IO", ["ASDF_OK", "(asdf_status)-1"]
        elif kind == "size_t":
            size = CAPACITY if previous and previous.is_output else 1
            self.right, self.wrong = str(size), ["0", "SIZE_MAX"]
        elif kind in ("uint32_t", "uint64_t"):
            self.right, self.wrong = "1", ["0", f"{kind[:-2].upper()}_MAX"]
        elif kind in ("int32_t", "int64_t"):
            self.right, self.wrong = "1", ["0", "-1", "99"]
        elif kind in ("float", "double"):
            self.right, self.wrong = "1.0", ["-1.0"]
        else:
            sys.exit(f"outputs.py does not know what to give for {kind} {name}")


def arguments_of(parameters):
    is_maker = any(HANDLE_OUT.fullmatch(kind) for kind, _ in parameters)
    arguments = []
    for kind, name in parameters:
        previous, handles = arguments[-1] if arguments else None, sum(each.is_handle_out for each in arguments)
        arguments.append(Argument(kind, name, previous, len(arguments), handles, is_maker))
    return arguments


def refusals(function, arguments):
    """Returns calls with NULL where the interface does not allow it, and with handles of another kind: status, name,
    call.
    """
    right = [argument.right for argument in arguments]
    for place, (argument, told) in enumerate(zip(arguments, function["arguments"], strict=True)):

        def call(wrong, place=place):
            given = [each.replace("&out[", "(void *)&out[") for each in right]
            return f"{function['name']}({', '.join(given[:place] + [wrong] + given[place + 1 :])})"

        if told.get("nullable") is False and argument.right != "NULL":
            yield "ASDF_ERR_NULL_POINTER", told["name"], call("NULL")
        if told["role"] == "handle" and told["direction"] == "in" and not told["type"].endswith("const *"):
            other = "a_asdf_file" if told["handle"] == "asdf_node" else "a_asdf_node"
            yield "ASDF_ERR_WRONG_HANDLE", told["name"], call(f"(void *){other}")


def main():
    interface = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for function in interface["functions"]:
        if function["name"].endswith("_free"):
            handle = function["arguments"][0]["handle"]
            other = "a_asdf_file" if handle == "asdf_node" else "a_asdf_node"
            print(f"    {function['name']}(NULL);\n    {function['name']}((void *){other});")
        if function["returns"] != "asdf_status":
            continue
        name = function["name"]
        arguments = arguments_of([(told["type"], told["name"]) for told in function["arguments"]])
        for argument, told in zip(arguments, function["arguments"], strict=True):
            argument.right = NEEDED.get((name, told["name"]), argument.right)
        print(f'    begin("{name}");')
        for status, argument, call in refusals(function, arguments):
            print(f'    REFUSED({status}, "{argument}", {call});')
        if not any(argument.is_output for argument in arguments):
            continue
        right = [argument.right for argument in arguments]
        calls = [right]
        for place, argument in enumerate(arguments):
            calls += [right[:place] + [wrong] + right[place + 1 :] for wrong in argument.wrong]
        # All inputs are wrong at once, so that the order of the checks does not matter for the output.
        calls.append([each.right if each.is_output or not each.wrong else each.wrong[0] for each in arguments])
        handles = [argument for argument in arguments if argument.is_handle_out]
        if len({argument.kind for argument in handles}) > 1:
            sys.exit(f"outputs.py does not know handle outputs of two kinds, as {name} has them")
        for call in calls:
            text = f"{name}({', '.join(call)})"
            places = sum(1 << place for place, handle in enumerate(handles) if handle.right in call)
            print(f"    HANDLES({handles[0].kind[:-3]}, {places}, {text});" if places else f"    STATUS({text});")
            for place, argument in enumerate(arguments):
                if argument.is_output and argument.kind.startswith("struct "):
                    print(f"    RELEASE({argument.kind[:-2]}, {place});")
        # A function whose only argument is its output cannot fail otherwise.
        print(f"    end({int(not all(argument.is_output for argument in arguments))});")


main()
