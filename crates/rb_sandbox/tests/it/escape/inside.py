"""What a hostile suite tries, one function each. `open` is said of what was reached, `held` of what was refused.

A write puts back what is there already, and a dangerous call is made so that it fails after the question whether it is allowed.
"""

import ctypes
import errno
import os
import pwd
import resource
import signal
import socket
import subprocess

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
PLANTED = os.environ
ROOT = PLANTED["ROOT"]
VICTIM = int(PLANTED["VICTIM"])
MACHINE = os.uname().machine
PROBES = []


class Absent(Exception):
    """There is nothing of the kind on this machine."""


def probe(function):
    PROBES.append((function.__name__.replace("_", " "), function))
    return function


def each(name, paths, attempt):
    """One probe for each path."""
    for path in paths:
        PROBES.append((f"{name} {path}", lambda path=path: attempt(path)))


def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def number(x86_64, aarch64):
    numbers = {"x86_64": x86_64, "aarch64": aarch64}
    if MACHINE not in numbers:
        raise Absent
    return numbers[MACHINE]


def permitted(*arguments):
    """Was a call refused for what it says, and not for who says it?"""
    try:
        call(*arguments)
    except OSError as error:
        return error.errno not in (errno.EPERM, errno.EACCES, errno.ENOSYS)
    return True


def existing(path):
    if not os.path.lexists(path):
        raise Absent
    return path


def rewrite(path):
    with open(existing(path), "rb") as file:
        text = file.read()
    with open(path, "r+b", buffering=0) as file:
        file.write(text)
    return True


def opens_to_write(path):
    os.close(os.open(existing(path), os.O_WRONLY))
    return True


def opens_to_read(path):
    with open(existing(path), "rb", buffering=0) as file:
        return len(file.read(64)) > 0


def lists(path):
    return len(os.listdir(existing(path))) > 0


def plant(folder):
    """Leaves a file behind, which goes again where that worked. An empty folder in the place of the fixture is not the fixture."""
    is_other = folder == ROOT and not os.path.lexists(os.path.join(ROOT, "outside"))
    if is_other or not os.path.isdir(folder):
        raise Absent
    path = os.path.join(folder, f"rb-planted-{VICTIM}")
    with open(path, "w"):
        pass
    os.unlink(path)
    return True


def shell(line):
    ran = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
    return "REACHED" in ran.stdout


def reached(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as client:
        client.settimeout(10)
        client.connect(address)
    return True


# The kernel's switches.
each("rewrite", ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/panic",
                 "/proc/sys/vm/overcommit_memory", "/proc/sys/fs/file-max",
                 "/proc/sys/kernel/yama/ptrace_scope", "/proc/irq/default_smp_affinity"], rewrite)
each("open to write", ["/proc/sysrq-trigger", "/proc/mtrr", "/proc/scsi/scsi", "/proc/acpi/wakeup",
                       "/sys/kernel/uevent_helper", "/sys/power/state", "/sys/kernel/mm/transparent_hugepage/enabled",
                       "/sys/module/kernel/parameters/panic", "/sys/kernel/profiling"], opens_to_write)


@probe
def any_file_of_proc_to_write():
    for top, folders, files in os.walk("/proc"):
        if top == "/proc":
            own = {"self", "thread-self", "net"}
            folders[:] = [name for name in folders if not name.isdigit() and name not in own]
        for name in files:
            try:
                if opens_to_write(os.path.join(top, name)):
                    return os.path.join(top, name)
            except OSError:
                pass
    return False


@probe
def any_file_of_sys_to_write():
    for top, _, files in os.walk("/sys"):
        for name in files:
            path = os.path.join(top, name)
            try:
                if os.access(path, os.W_OK) and opens_to_write(path):
                    return path
            except OSError:
                pass
    return False


@probe
def a_control_group_of_its_own():
    for top in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/memory"):
        try:
            if plant_folder(top):
                return True
        except OSError:
            pass
    return False


def plant_folder(top):
    path = os.path.join(existing(top), f"rb-planted-{VICTIM}")
    os.mkdir(path)
    os.rmdir(path)
    return True


# The kernel's tables and logs.
each("read", ["/proc/kcore", "/proc/kmsg", "/proc/kpagecount", "/proc/kpageflags", "/proc/slabinfo",
              "/proc/vmallocinfo", "/proc/pagetypeinfo", "/proc/timer_list", "/proc/sched_debug",
              "/proc/key-users", "/dev/mem", "/dev/kmsg", "/dev/port", "/dev/vda", "/dev/sda", "/dev/nvme0n1",
              "/etc/shadow", "/etc/gshadow", "/etc/sudoers"], opens_to_read)
each("list", ["/sys/firmware", "/sys/kernel/debug", "/sys/kernel/tracing", "/sys/fs/bpf", "/sys/kernel/security",
              "/etc/ssl/private", "/var/spool/cron", "/root/.ssh"], lists)


@probe
def the_kernel_log():
    buffer = ctypes.create_string_buffer(4096)
    return call(number(103, 116), 3, buffer, 4096) >= 0


# Devices.
each("open to write", ["/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/loop-control", "/dev/tty", "/dev/console",
                       "/dev/tty0", "/dev/uinput", "/dev/vsock"], opens_to_write)


def device(kind):
    path = f"device-{kind}"
    os.mknod(path, kind | 0o600, os.makedev(1, 1))
    os.unlink(path)
    return True


@probe
def a_device_node_for_memory():
    return device(0o020000)


@probe
def a_device_node_for_a_disk():
    return device(0o060000)


@probe
def terminals_of_others():
    return any(name.isdigit() for name in os.listdir("/dev/pts"))


# Processes outside.
@probe
def a_process_outside_to_be_seen():
    with open(f"/proc/{VICTIM}/cmdline", "rb") as file:
        return b"sleep" in file.read()


each("read of a process outside", ["environ", "mem", "maps", "auxv", "stack", "syscall", "io"],
     lambda name: opens_to_read(f"/proc/{VICTIM}/{name}"))
each("follow of a process outside", ["cwd", "root", "exe", "ns/mnt"],
     lambda name: bool(os.stat(f"/proc/{VICTIM}/{name}")))


@probe
def a_signal_to_a_process_outside():
    os.kill(VICTIM, signal.SIGURG)
    return True


@probe
def a_trace_of_a_process_outside():
    seize = 0x4206
    return call(number(101, 117), seize, VICTIM, None, None) == 0


@probe
def the_memory_of_a_process_outside():
    buffer = ctypes.create_string_buffer(8)
    vector = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
    remote = (ctypes.c_void_p * 2)(int(PLANTED["VICTIM_ADDRESS"], 16), 8)
    return call(number(310, 270), VICTIM, vector, 1, remote, 1, 0) > 0


@probe
def a_descriptor_of_a_process_outside():
    handle = call(434, VICTIM, 0)
    try:
        return call(438, handle, 0, 0) >= 0
    finally:
        os.close(handle)


@probe
def limits_of_a_process_outside():
    before = resource.prlimit(VICTIM, resource.RLIMIT_CORE)
    resource.prlimit(VICTIM, resource.RLIMIT_CORE, before)
    return True


@probe
def priority_of_a_process_outside():
    os.setpriority(os.PRIO_PROCESS, VICTIM, os.getpriority(os.PRIO_PROCESS, VICTIM))
    return True


@probe
def processors_of_a_process_outside():
    os.sched_setaffinity(VICTIM, os.sched_getaffinity(VICTIM))
    return True


# Namespaces and mounts.
@probe
def a_namespace_of_a_process_outside():
    with open(f"/proc/{VICTIM}/ns/mnt") as namespace:
        return call(number(308, 268), namespace.fileno(), 0) == 0


@probe
def a_mount_over_the_worktree():
    return shell("mount -t tmpfs none . && echo REACHED; umount . ")


@probe
def system_folders_made_writable():
    return shell("mount -o remount,rw,bind /usr && touch /usr/rb-planted && rm /usr/rb-planted && echo REACHED")


@probe
def system_folders_made_writable_in_a_namespace():
    return shell("unshare -Urm sh -c 'mount -o remount,rw,bind / ; touch /usr/rb-planted && rm /usr/rb-planted && echo REACHED'")


@probe
def a_mount_of_proc_in_a_namespace():
    return shell("unshare -Urpfm sh -c 'mount -t proc none /proc && cat /proc/sys/kernel/core_pattern > t && "
                 "cat t > /proc/sys/kernel/core_pattern && echo REACHED'")


@probe
def the_home_uncovered_in_a_namespace():
    home = PLANTED["PLANTED_HOME"]
    return shell(f"unshare -Urm sh -c 'umount -l {home}; umount -l {home}; cat {home}/secret && echo REACHED'")


@probe
def the_home_through_an_old_root():
    return shell("unshare -Urm sh -c 'mkdir -p old && pivot_root . old && cat old/$PLANTED_HOME/secret && echo REACHED'")


# Rights.
@probe
def capabilities():
    lines = open("/proc/self/status").read().splitlines()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    return any(int(fields[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"))


@probe
def rights_gained_by_a_program():
    return "NoNewPrivs:\t1" not in open("/proc/self/status").read()


@probe
def the_name_of_the_superuser():
    return os.getuid() == 0 or os.geteuid() == 0 or os.getgid() == 0


@probe
def a_user_nobody_knows():
    try:
        pwd.getpwuid(os.getuid())
    except KeyError:
        return True
    return False


@probe
def another_user():
    os.setuid(1)
    return True


@probe
def the_name_of_the_machine():
    name = socket.gethostname().encode()
    return call(number(170, 161), name, len(name)) == 0


@probe
def a_restart():
    return permitted(number(169, 142), 0, 0, 0, 0)


@probe
def a_module_of_the_kernel():
    return permitted(number(175, 105), None, 0, b"")


@probe
def swap_taken_away():
    return permitted(number(168, 225), b"/nonexistent")


@probe
def core_files():
    return resource.getrlimit(resource.RLIMIT_CORE) != (0, 0)


@probe
def files_that_were_left_open():
    listing = os.open("/proc/self/fd", os.O_RDONLY)
    names = {int(name) for name in os.listdir(listing)}
    left = names - {0, 1, 2, listing, listing + 1}
    return " ".join(f"{fd}={os.readlink(f'/proc/self/fd/{fd}')}" for fd in left)


# Shared memory and keys.
@probe
def a_file_of_the_shared_memory():
    return opens_to_read(PLANTED["PLANTED_DEV_SHM"])


@probe
def a_segment_of_shared_memory():
    if "PLANTED_SHM" not in PLANTED:
        raise Absent
    return call(number(29, 194), int(PLANTED["PLANTED_SHM"]), 4096, 0) >= 0


each("namespace shared with the machine:", ["IPC", "NET", "PID", "UTS", "MNT", "USER"],
     lambda name: os.readlink(f"/proc/self/ns/{name.lower()}") == PLANTED[f"OUTER_{name}"])


@probe
def a_key_of_the_session():
    if "PLANTED_KEY" not in PLANTED:
        raise Absent
    name = PLANTED["PLANTED_KEY"].encode()
    key = call(number(249, 218), b"user", name, None, ctypes.c_long(0))
    buffer = ctypes.create_string_buffer(16)
    return call(number(250, 219), 11, ctypes.c_long(key), buffer, 16) > 0


@probe
def names_of_keys():
    return PLANTED.get("PLANTED_KEY", "?") in open("/proc/keys").read()


# Services.
@probe
def a_server_of_the_machine():
    return reached(socket.AF_INET, ("127.0.0.1", int(PLANTED["PLANTED_PORT"])))


@probe
def a_socket_without_a_file():
    return reached(socket.AF_UNIX, "\0" + PLANTED["PLANTED_ABSTRACT"])


@probe
def a_socket_in_the_home():
    return reached(socket.AF_UNIX, PLANTED["PLANTED_HOME_SOCKET"])


@probe
def a_socket_elsewhere():
    return reached(socket.AF_UNIX, PLANTED["PLANTED_SOCKET"])


@probe
def a_socket_of_a_virtual_machine():
    if "PLANTED_VSOCK" not in PLANTED:
        raise Absent
    return reached(socket.AF_VSOCK, (1, int(PLANTED["PLANTED_VSOCK"])))


each("connect", ["/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private", "/run/containerd/containerd.sock",
                 "/run/podman/podman.sock", "/run/libvirt/libvirt-sock", "/run/snapd.socket", "/tmp/.X11-unix/X0"],
     lambda path: reached(socket.AF_UNIX, existing(path)))


@probe
def packets_as_they_are():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0x0300).close()
    return True


@probe
def a_network_card():
    return any(name != "lo" for _, name in socket.if_nameindex())


# Files.
each("plant in", ["/etc", "/etc/cron.d", "/etc/profile.d", "/var/spool/cron", "/usr/local/bin", "/var/tmp", "/var/lib",
                  "/boot", "/lib", ROOT, "/mnt", "/opt", "/srv"], plant)


OUTSIDE = os.path.join(ROOT, "outside")
each("of a file outside:", ["chmod", "utime", "chown", "truncate", "rename", "unlink", "append", "hard link"],
     lambda what: touch(what))


def touch(what):
    meta = os.stat(OUTSIDE)
    match what:
        case "chmod": os.chmod(OUTSIDE, meta.st_mode)
        case "utime": os.utime(OUTSIDE, (meta.st_atime, meta.st_mtime))
        case "chown": os.chown(OUTSIDE, meta.st_uid, meta.st_gid)
        case "truncate": os.truncate(OUTSIDE, meta.st_size)
        case "rename": os.rename(OUTSIDE, OUTSIDE)
        case "unlink": os.unlink(os.path.join(ROOT, "outside-too"))
        case "append": open(OUTSIDE, "a").close()
        case "hard link": os.link(OUTSIDE, "linked")
    return what != "rename" or shell(f"mv {OUTSIDE} {OUTSIDE}-2 && mv {OUTSIDE}-2 {OUTSIDE} && echo REACHED")


@probe
def a_secret_of_the_home():
    return opens_to_read(os.path.join(PLANTED["PLANTED_HOME"], "secret"))


@probe
def a_file_of_the_home_to_be_seen():
    return os.path.lexists(os.path.join(PLANTED["PLANTED_HOME"], "secret"))


@probe
def another_worktree():
    return opens_to_read("../r2/kept")


def main():
    for name, function in PROBES:
        try:
            result = function()
            said = "open" if result else "held"
            why = result if isinstance(result, str) else ""
        except Absent:
            said, why = "absent", ""
        except (OSError, KeyError, ValueError) as error:
            said, why = "held", f"{type(error).__name__} {error}"
        print(f"{said}\t{name}\t{why}", flush=True)


main()
