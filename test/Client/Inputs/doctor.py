# ===- doctor.py - what `jopt doctor` finds about processes -----------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#

from client import *

p = start()
jopt("doctor", p.pid, pid=p.pid)
jopt("attach", p.pid, "-probes=p.xml", pid=p.pid, quiet=True)
jopt("doctor", p.pid, pid=p.pid)
stop(p)
for options in (["-XX:+DisableAttachMechanism"], ["-XX:-EnableDynamicAgentLoading"],
                ["-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"],
                ["-XX:-UsePerfData"]):
    p = start(options=options)
    jopt("doctor", p.pid, pid=p.pid)
    stop(p)
sleep = subprocess.Popen(["sleep", "100"])
jopt("doctor", sleep.pid, pid=sleep.pid)
sleep.kill()
sleep.wait()
jopt("doctor", sleep.pid, pid=sleep.pid)
jopt("doctor", "x", pid=sleep.pid)
