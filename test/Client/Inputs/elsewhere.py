"""A JVM of another user, and one with other processes and files."""
from client import *
import shutil
import tempfile

build = sys.argv[2]
# Where nobody may read everything, and others nothing.
work = tempfile.mkdtemp(prefix="client-", dir="/tmp")
try:
    shutil.copytree("classes", work + "/classes")
    shutil.copy("p.xml", work)
    os.chmod(work, 0o755)
    os.chmod(work + "/p.xml", 0o600)
    os.chdir(work)
    if "user" in sys.argv:
        p = start(prefix=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
        jopt("attach", p.pid, "-probes=p.xml", pid=p.pid)
        jopt("off", p.pid, pid=p.pid)
        print(stop(p).strip())
    else:
        hide = "mount -t tmpfs none /mnt && cp -r %s/classes /mnt && mount -t tmpfs none /tmp && mount -t tmpfs none %s/lib && cd /mnt && exec \"$@\"" % (work, build)
        p = start(prefix=["unshare", "-pfm", "--mount-proc", "sh", "-c", hide, "sh"])
        pid = int(open("/proc/%d/task/%d/children" % (p.pid, p.pid)).read())
        jopt("attach", pid, "-probes=p.xml", pid=pid)
        jopt("set", pid, "text=other", pid=pid)
        follow = jopt("attach", pid, "-probes=p.xml", "-param.text=followed", "--for", "3s", pid=pid, quiet=True)
        print("followed:", "followed\n" in follow.stdout, follow.returncode)
        jopt("off", pid, pid=pid)
        print([f for f in os.listdir("/proc/%d/root/tmp" % pid) if f.startswith(".jopt")])
        print(stop(p).strip())
finally:
    shutil.rmtree(work)
