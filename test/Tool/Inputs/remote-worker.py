"""remote-worker.py FOLDER COMMAND...: runs COMMAND while the worker of Bazel's remote
execution, whose classes are in FOLDER/worker, takes actions; {worker} in COMMAND is
its address."""
import os, socket, subprocess, sys, time

folder, command = os.path.abspath(sys.argv[1]), sys.argv[2:]
with socket.socket() as s:
    s.bind(("localhost", 0))
    port = s.getsockname()[1]
for part in ("work", "cas"):
    os.makedirs(os.path.join(folder, part), exist_ok=True)
with open(os.path.join(folder, "worker.log"), "w") as log:
    worker = subprocess.Popen(
        ["java", "-cp", folder + "/worker:/usr/share/bazel/A-server.jar",
         "com.google.devtools.build.remote.worker.RemoteWorker", "--listen_port=%d" % port,
         "--work_path=" + folder + "/work", "--cas_path=" + folder + "/cas"], stdout=log, stderr=log)
try:
    for _ in range(600):
        with socket.socket() as s:
            if s.connect_ex(("localhost", port)) == 0 or worker.poll() is not None:
                break
        time.sleep(0.1)
    sys.exit(subprocess.call([a.replace("{worker}", "grpc://localhost:%d" % port) for a in command]))
finally:
    worker.kill()
    worker.wait()
