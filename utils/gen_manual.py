#!/usr/bin/env python3
"""usage: gen_manual.py [--emulator=COMMAND] VERSION OUT TOOL...

Writes a manual page and completions for bash, zsh and fish of each program TOOL,
a path, into the folder OUT: man/man1/NAME.1, bash-completion/completions/NAME,
zsh/vendor-completions/_NAME and fish/vendor_completions.d/NAME.fish. All follows
from what the program says by -help or `help options`, which LLVM's command line makes of the table
of its options; of jopt also from what its verbs say. COMMAND runs programs of another
machine."""
import os
import re
import subprocess
import sys
import textwrap

# Programs whose -help is one screen; `help options` is all of it.
HAVE_HELP = ("jopt", "jopt-data")

# What the values of an option are, by the name that stands for one.
FILES = re.compile(r"FILE|FOLDER|PATH|OUT|HOME|IN$|IN:|DIR")


emulator = []


def said(tool, *arguments):
    return subprocess.run([*emulator, tool, *arguments], check=True, capture_output=True,
                          text=True).stdout


class Option:
    def __init__(self, name, value, text):
        self.name, self.value, self.text = name, value, text
        self.values = []  # pairs of value and what it means

    def is_file(self):
        return bool(self.value and FILES.search(self.value))


class Section:
    def __init__(self, title):
        self.title, self.options = title, []


class Help:
    """What -help says."""

    OPTION = re.compile(r"  -{1,2}([A-Za-z][\w.-]*)(?:\[?[= ]<(.*?)>\]?)? +- (.*)$")
    VALUE = re.compile(r"    =(\S+) +- +(.*)$")

    def __init__(self, tool):
        self.name = os.path.basename(tool)
        text = said(tool, *(["help", "options"] if self.name in HAVE_HELP
                            else ["-help"]))
        overview = re.search(r"^OVERVIEW: \S+: (.*)$", text, re.M).group(1)
        self.summary = overview
        self.usage = re.search(r"^USAGE: (.*)$", text, re.M).group(1)
        self.sections = []
        for line in text.partition("OPTIONS:")[2].splitlines():
            if line.startswith("PASSES:"):
                break
            self.add(line)
        self.verbs = []
        for word in self.usage.split():
            if "|" in word and word.islower():
                self.verbs = word.strip("[]").split("|")

    def add(self, line):
        option, value = self.OPTION.match(line), self.VALUE.match(line)
        if option:
            name, of, text = option.groups()
            known = self.sections[-1].options
            # An option that may stand alone is there twice.
            if known and known[-1].name == name:
                known[-1].value = of
            else:
                known.append(Option(name, of, text))
        elif value and value.group(1) != "<empty>":
            self.sections[-1].options[-1].values.append(value.groups())
        elif re.match(r"\w.*:$", line):
            self.sections.append(Section(line[:-1]))

    def options(self):
        return [o for s in self.sections for o in s.options]


class Verbs:
    """What `jopt VERB` says: usage, and the options of the agent."""

    def __init__(self, tool):
        rows = [line.split("\t") for line in said(tool, "help", "verbs").splitlines()]
        self.names = [name for name, _, _ in rows]
        # What may stand behind the verb: a process, then names of its classes.
        self.of_process = [name for name, of, _ in rows if of.startswith("PID")]
        self.of_class = [name for name, of, _ in rows
                         if re.match(r"PID.*(CLASS|PATTERN)", of)]
        self.usage = "\n\n".join(said(tool, "help", name).strip()
                                 for name in self.names)
        agent = said(tool, "help", "agent").partition("options of jopt's agent")[2]
        self.options = []
        for line in agent.splitlines()[1:]:
            head = re.match(r"  (\S+?)(?:=(.*))?$", line)
            if head:
                self.options.append(Option(*head.groups(), ""))
            elif self.options:
                self.options[-1].text = line.strip()


# --- The manual page --------------------------------------------------------


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def page(help_, verbs, version):
    out = [f'.TH {roff(help_.name.upper())} 1 "" "jopt {version}" "jopt"',
           ".SH NAME", f"{roff(help_.name)} \\- {roff(help_.summary)}",
           ".SH SYNOPSIS", f".B {roff(help_.usage)}"]
    for section in help_.sections:
        out.append(f'.SH "{roff(section.title.upper())}"')
        for o in section.options:
            out += entry("-" + o.name, o)
    if verbs:
        out += [".SH VERBS", ".nf"] + [roff(l) for l in verbs.usage.splitlines()]
        out += [".fi", '.SH "OPTIONS OF THE AGENT"',
                roff("Of jopt attach with a dash, and of "
                     "-agentpath:libjopt-agent.so=OPTION,... without.")]
        for o in verbs.options:
            out += entry(o.name, o)
    out += [".SH EXIT STATUS",
            "0 all done, 2 something asked for was left undone and is named, 1 "
            "unusable input.", ".SH SEE ALSO",
            roff("The pages in the folder doc/jopt of the shared data.")]
    return "\n".join(out) + "\n"


def entry(name, option):
    lines = [".TP", f".B {roff(name)}" + (roff(f"={option.value}") if option.value
                                          else "")]
    if option.value:
        lines[1] = f'.BR "{roff(name)}" "\\fR={roff(option.value)}\\fR"'
    lines.append(roff(option.text or option.name))
    for value, text in option.values:
        lines += [".br", f"\\fB{roff(value)}\\fR: {roff(text)}"]
    return lines


# --- Completions ------------------------------------------------------------


def words(items):
    return " ".join(items)


# Of a running JVM; for bash and zsh. The shell asks the JVM when there is a word.
NAMES = r'''# Processes that are JVMs.
_NAME_jvms() {
  NAME ps --format=text 2> /dev/null | sed -n 's/^ *\([0-9][0-9]*\) .*/\1/p'
}
# Names in the JVM $1 that begin with $2: classes, and methods behind a #.
_NAME_names() {
  local word=${2#[\'\"]}
  word=${word//\\/}
  case $word in
  '') ;;
  *'#'*) NAME methods "$1" "${word%%'#'*}" --format=names 2> /dev/null | grep -F "#${word#*'#'}" ;;
  *) NAME classes "$1" "$word*" --limit 200 --format=names 2> /dev/null ;;
  esac
}
# Where the word $1 has no quotes, the shell would read some characters.
_NAME_quoted() {
  case $1 in [\'\"]*) cat ;; *) sed 's/[$<>]/\\&/g' ;; esac
}
'''


def bash(help_, verbs):
    name = re.sub(r"\W", "_", help_.name)
    cases = [f"  -{o.name}=*|--{o.name}=*) words='{words(v for v, _ in o.values)}' ;;"
             for o in help_.options() if o.values]
    files = "|".join(f"-{o.name}=*|--{o.name}=*" for o in help_.options()
                     if o.is_file() and not o.values)
    known = words("-" + o.name for o in help_.options())
    first = words((verbs.names if verbs else []) + help_.verbs)
    attach = words("-" + o.name for o in verbs.options) if verbs else ""
    text = NAMES.replace("NAME", name) if verbs else ""
    text += f"""# Completion of {help_.name}. Bash takes '=' for the end of a word.
_{name}() {{
  local line=${{COMP_LINE:0:COMP_POINT}} word words=
  word=${{line##* }}
  case $word in
{os.linesep.join(cases)}
"""
    if files:
        text += f"  {files}) mapfile -t COMPREPLY < <(compgen -f -- \"${{word#*=}}\"); return ;;\n"
    text += "  -*=*) return ;;\n"
    if attach:
        text += f"""  -*)
    words='{known}'
    [ "${{COMP_WORDS[1]}}" != attach ] || words='{attach} -follow -for -timeout'
    ;;
"""
    else:
        text += f"  -*) words='{known}' ;;\n"
    if verbs:
        text += f"""  *)
    case $COMP_CWORD,${{COMP_WORDS[1]}} in
    1,*) words='{first}' ;;
    2,{"|2,".join(verbs.of_process)}) words=$(_{name}_jvms) ;;
    *,{"|*,".join(verbs.of_class)})
      mapfile -t COMPREPLY < <(_{name}_names "${{COMP_WORDS[2]}}" "$word" | _{name}_quoted "$word")
      return
      ;;
    esac
    ;;
"""
    elif first:
        text += f"  *) [ \"$COMP_CWORD\" != 1 ] || words='{first}' ;;\n"
    text += f"""  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${{word#*=}}")
}}
complete -o default -F _{name} {help_.name}
"""
    return text


def quoted(text):
    return text.replace("'", "'\\''")


def zsh(help_, verbs):
    lines = []
    for o in help_.options():
        text = re.sub(r"([\[\]:])", r"\\\1", o.text)
        spec = f"-{o.name}"
        if o.value or o.values:
            what = (f"({words(v for v, _ in o.values)})" if o.values
                    else "_files" if o.is_file() else "")
            label = re.sub(r"([\[\]:])", r"\\\1", o.value or "value")
            spec += f"=-[{text}]:{label}:{what}"
        else:
            spec += f"[{text}]"
        lines.append(f"  '{quoted(spec)}'")
    first = words((verbs.names if verbs else []) + help_.verbs)
    if first:
        lines.append(f"  '1: :{{_files; compadd {first}}}'")
    lines.append("  '*:file:_files'")
    text = f"#compdef {help_.name}\n"
    if verbs:
        name = re.sub(r"\W", "_", help_.name)
        text += NAMES.replace("NAME", name)
        text += f"""case $CURRENT,$words[2] in
3,{"|3,".join(verbs.of_process)}) compadd -- $(_{name}_jvms) ;;
*,{"|*,".join(verbs.of_class)})
  [[ $PREFIX == -* ]] || {{ compadd -U -- ${{(f)"$(_{name}_names "$words[3]" "$PREFIX")"}}; return }}
  ;;
esac
"""
    return text + "_arguments \\\n" + " \\\n".join(lines) + "\n"


def fish(help_, verbs):
    lines = [f"# Completion of {help_.name}."]
    for verb in (verbs.names if verbs else []) + help_.verbs:
        lines.append(f"complete -c {help_.name} -n __fish_use_subcommand -a {verb}")
    if verbs:
        lines.append("""function __jopt_names
    set -l words (commandline -opc)
    set -l word (string unescape -- (commandline -ct))
    if test (count $words) = 2
        jopt ps --format=text 2>/dev/null | string match -r '^ *[0-9]+' | string trim
    else if string match -q '*#*' -- $word
        jopt methods $words[3] (string split -m 1 '#' -- $word)[1] --format=names 2>/dev/null
    else if test -n "$word"
        jopt classes $words[3] "$word*" --limit 200 --format=names 2>/dev/null
    end
end""")
        lines.append(f"complete -c {help_.name} -n '__fish_seen_subcommand_from "
                     f"{words(verbs.of_process)}' -f -a '(__jopt_names)'")
    for o in help_.options():
        kind = "-s" if len(o.name) == 1 else "-l"
        line = f"complete -c {help_.name} {kind} {o.name}"
        if o.values:
            line += f" -x -a '{words(v for v, _ in o.values)}'"
        elif o.value:
            line += " -r" if o.is_file() else " -x"
        # In fish a quote within quotes has a backslash.
        text = o.text.replace("\\", "\\\\").replace("'", "\\'")
        lines.append(f"{line} -d '{text}'")
    return "\n".join(lines) + "\n"


def main():
    arguments = sys.argv[1:]
    if arguments and arguments[0].startswith("--emulator="):
        emulator.extend(arguments.pop(0).partition("=")[2].split())
    if len(arguments) < 3:
        sys.exit(textwrap.dedent(__doc__))
    version, out, *tools = arguments
    for tool in tools:
        help_ = Help(tool)
        verbs = Verbs(tool) if help_.name == "jopt" else None
        for path, text in {
                f"man/man1/{help_.name}.1": page(help_, verbs, version),
                f"bash-completion/completions/{help_.name}": bash(help_, verbs),
                f"zsh/vendor-completions/_{help_.name}": zsh(help_, verbs),
                f"fish/vendor_completions.d/{help_.name}.fish": fish(help_, verbs),
        }.items():
            path = os.path.join(out, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


main()
