"""Manual pages, made of what the command says about itself."""

import json

from steps.source import SUMMARY, run


def description(binary):
    return json.loads(run(binary, "--experimental-dump-help"))["command"]


def escaped(text):
    """Text as roff reads it literally."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join(f"\\&{line}" if line[:1] in (".", "'") else line for line in lines)


def spelled(name):
    return f"-{name['name']}" if name["kind"] == "short" else f"--{name['name']}"


def term(argument):
    """How an argument is written: its names in bold, its value in italics."""
    value = f"\\fI{escaped(argument.get('valueName', 'value'))}\\fR"
    if argument["kind"] == "positional":
        return value + (" ..." if argument["isRepeating"] else "")
    names = ", ".join(f"\\fB{escaped(spelled(name))}\\fR" for name in argument["names"])
    # A flag that may stand alone has a value for that.
    if argument["kind"] == "option" and "defaultValue" in argument and argument["isOptional"]:
        value = f"[{value}]"
    return names if argument["kind"] == "flag" else f"{names} {value}"


def entry(argument):
    text = argument.get("abstract", "")
    stands_alone = argument["kind"] == "option" and argument["isOptional"]
    if (default := argument.get("defaultValue")) and "(default:" not in text and not stands_alone:
        text += f" (default: {default})"
    return f".TP\n{term(argument)}\n{escaped(text) or 'No description.'}\n"


def visible(items):
    return [item for item in items or [] if item.get("shouldDisplay", True)]


def discussion(text):
    """Paragraphs; commands, and lines that are indented, keep their form."""
    made, is_code = [], False
    for line in text.splitlines():
        if line.startswith(("  ", "hearth ")) != is_code and line.strip():
            is_code = not is_code
            made.append(".nf" if is_code else ".fi")
        made.append(escaped(line) if line.strip() else ".PP")
    return "\n".join(made + ([".fi"] if is_code else [])) + "\n"


def page_name(words):
    return "-".join(words).replace(":", "-")


def page(command, words, source):
    name, abstract = page_name(words), command.get("abstract", "").rstrip(".")
    arguments = visible(command.get("arguments"))
    positional = [item for item in arguments if item["kind"] == "positional"]
    options = [item for item in arguments if item["kind"] != "positional"]
    subcommands = visible(command.get("subcommands"))
    parts = [
        f'.TH {name.upper()} 1 "{source.date}" "hearth {source.version}" "Hearth"\n.nh\n.ad l\n'
    ]
    parts += [f".SH NAME\n{escaped(name)} \\- {escaped(abstract or SUMMARY)}\n"]
    usage = [f"\\fB{escaped(' '.join(words))}\\fR"]
    usage += ["[\\fIcommand\\fR]"] if subcommands else []
    usage += ["[\\fIoptions\\fR]"] if options else []
    # What comes after the dashes is another program's.
    rest = [item for item in positional if item.get("parsingStrategy") == "allRemainingInput"]
    usage += ["--" if item in rest else "" for item in positional[:1]]
    usage += [term(item) for item in positional]
    parts += [f".SH SYNOPSIS\n{' '.join(filter(None, usage))}\n"]
    if text := command.get("discussion"):
        parts += [".SH DESCRIPTION\n", discussion(text)]
    titles = dict.fromkeys(item.get("sectionTitle") for item in options)
    groups = [
        (title, [item for item in options if item.get("sectionTitle") == title]) for title in titles
    ]
    parts += [".SH ARGUMENTS\n", *map(entry, positional)] if positional else []
    parts += [".SH OPTIONS\n"] if options else []
    # Those without a title come last, as in the help.
    for title, group in sorted(groups, key=lambda group: group[0] is None):
        parts += [f".SS {escaped(title or 'Other options')}\n"] if len(groups) > 1 else []
        parts += map(entry, group)
    if subcommands:
        parts += [".SH COMMANDS\n"]
        parts += [
            f".TP\n\\fB{escaped(page_name([*words, item['commandName']]))}\\fR(1)\n"
            f"{escaped(item.get('abstract', '')) or 'No description.'}\n"
            for item in subcommands
        ]
    if len(words) > 1:
        parts += [".SH SEE ALSO\n\\fBhearth\\fR(1)\n"]
    return "".join(parts)


def pages(binary, source):
    """Each page's file name and text: of the command, and of each subcommand that the help shows."""
    made = {}

    def add(command, words):
        made[f"{page_name(words)}.1"] = page(command, words, source)
        for child in visible(command.get("subcommands")):
            if child["commandName"] != "help":
                add(child, [*words, child["commandName"]])

    add(description(binary), ["hearth"])
    return made


def completions(binary):
    """Each shell's completion, as the command writes it; shells read these files and do not run them."""
    made = {
        shell: run(binary, "--generate-completion-script", shell)
        for shell in ("bash", "zsh", "fish")
    }
    return made | {"bash": made["bash"].removeprefix("#!/bin/bash\n")}
