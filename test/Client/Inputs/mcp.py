# ===- mcp.py - a client of `jopt mcp` --------------------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#

import json

from client import *


class Server:
    """A session of the Model Context Protocol; prints what comes back."""

    def __init__(self, *options):
        self.process = subprocess.Popen(["jopt", "mcp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.number = 0
        self.ask("initialize", protocolVersion="2099-01-01", capabilities={}, clientInfo={"name": "test", "version": "1"})
        self.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def send(self, method, **params):
        self.number += 1
        self.write(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **params):
        self.send(method, **params)
        return self.read()

    def call(self, tool, **arguments):
        self.send("tools/call", name=tool, arguments=arguments, _meta={"progressToken": "t"})
        progress = 0
        while "method" in (message := self.read()):
            progress = message["params"]["progress"]
        result = message.get("result", message.get("error"))
        print("call", tool, "error" if result.get("isError") else "done", "progress", progress)
        return result


def idle(server, p):
    """A call that sees nothing, at work."""
    server.send("tools/call", name="watch", arguments={"pid": p.pid, "methods": "Main$Work#step", "when": "args[0] == null", "seconds": 300})
    wait_for(lambda: state(p).startswith("watch"))


p = start()
s = Server()
print("tools:", *sorted(t["name"] for t in s.ask("tools/list")["result"]["tools"]))
for line in ("nonsense", "[" * 100, "7"):
    s.write(line)
    print(json.dumps(s.read()))
print(json.dumps(s.ask("server/discover")["error"]))
print(s.call("nothing")["message"])
events = s.call("watch", pid=p.pid, methods="Main$Work#step", limit=3)["structuredContent"]
print(len(events["events"]), all(e["result"] == e["args"][0] + 1 for e in events["events"]), events["exitStatus"])
line = s.call("line", pid=p.pid, place="Main$Work:7", text="n = {n}", limit=2)["structuredContent"]
print(all(e["text"].startswith("n = ") for e in line["events"]), line["exitStatus"])
for arguments in ({"methods": "Main$Work#step", "when": "Runtime.getRuntime().exit(1) == null"}, {"methods": "--for=1h"}, {"where": 1}):
    print(s.call("watch", pid=p.pid, **arguments)["content"][0]["text"])
print(s.call("off", pid=p.pid)["content"][0]["text"])
print(mask(s.call("doctor", pid=p.pid)["structuredContent"]["output"], p.pid), end="")
wait_for(lambda: state(p) == "off")

idle(s, p)
s.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": s.number}}))
wait_for(lambda: state(p) == "off")
print("cancelled, then ping:", s.ask("ping")["result"])

idle(s, p)
s.process.stdin.close()
print("closed:", s.process.wait(), state(p))

s = Server("--allow=changes")
idle(s, p)
s.process.kill()
s.process.wait()
wait_for(lambda: state(p) == "off")
print("killed:", state(p), leftovers(p.pid))
stop(p)
