# ===- dap.py - an editor that sets logpoints by `jopt dap` -----------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#

import json

from client import *


class Editor:
    """A client of the Debug Adapter Protocol."""

    def __init__(self):
        self.process = subprocess.Popen(["jopt", "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.seq = 0
        self.events = []

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) != b"":
            name, value = line.split(b":")
            length = int(value) if name == b"Content-Length" else length
        return json.loads(self.process.stdout.read(length))

    def ask(self, command, **arguments):
        self.seq += 1
        text = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()
        while (message := self.read())["type"] != "response":
            self.events.append(message)
        assert message["request_seq"] == self.seq and message["command"] == command
        return message.get("body") if message["success"] else message["message"]

    def event(self, name):
        """The next event of that name."""
        while True:
            event = self.events.pop(0) if self.events else self.read()
            if event["event"] == name:
                return event.get("body")

    def logpoints(self, *points):
        return self.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=list(points))["breakpoints"]


SOURCE = os.path.abspath("Main.java")
LINE = open(SOURCE).read().split("\n").index("      return n + 1;") + 1

p = start()
e = Editor()
print("capabilities:", *sorted(k for k, v in e.ask("initialize", adapterID="jopt").items() if v))
print(e.ask("launch", program="Main"))
print(e.ask("attach"))
print(e.ask("attach", pid=p.pid))
e.event("initialized")
print("configured:", e.ask("configurationDone"), e.ask("threads")["threads"][0]["id"])
print("a breakpoint:", e.logpoints({"line": LINE})[0]["message"])
print("a step:", e.ask("next", threadId=1))

wanted = {"line": LINE, "logMessage": "n is {n}", "condition": "n % 2 == 0"}
print("pending:", e.logpoints(wanted)[0]["verified"])
print("verified:", e.event("breakpoint")["breakpoint"]["verified"])
number = int(re.fullmatch(r"n is (\d+)\n", e.event("output")["output"])[1])
print("even:", number % 2 == 0, e.logpoints(wanted)[0]["verified"])
e.logpoints()
wait_for(lambda: state(p) == "off")
print("taken out:", state(p))

e.events.clear()
e.logpoints({"line": LINE, "logMessage": "A"}, {"line": LINE, "logMessage": "B"})
texts = set()
while len(texts) < 2:
    texts.add(e.event("output")["output"].strip())
print("two at a time:", *sorted(texts))

e.events.clear()
print("a folder:", e.ask("setBreakpoints", source={"path": "/tmp"}, breakpoints=[{"line": 1, "logMessage": "x"}])["breakpoints"][0]["message"])
e.logpoints({"line": 1, "logMessage": "never"}, {"line": LINE, "logMessage": "{n}", "hitCondition": "2"})
messages = set()
while len(messages) < 2:
    if message := e.event("breakpoint")["breakpoint"].get("message"):
        messages.add(message)
for message in sorted(messages):
    print("told:", message)
print(Editor().ask("attach", pid=99999999))

e.logpoints(wanted)
wait_for(lambda: state(p).startswith("line"))
e.process.kill()
e.process.wait()
wait_for(lambda: state(p) == "off")
print("killed:", state(p), leftovers(p.pid))
stop(p)
