//! Files by which the kernel is asked and told about the whole machine. A command gets none of them to write.
//!
//! A command that the superuser runs owns these files even without any capability. Each sandbox that can mount covers them.

use std::path::Path;

/// Readable but not writable: programs look here for limits and versions.
const READ_ONLY: [&str; 5] = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/pressure", "/proc/sys"];

/// Of no use to a test.
const MASKED: [&str; 30] = [
    "/proc/acpi",
    "/proc/asound",
    "/proc/driver",
    "/proc/interrupts",
    "/proc/iomem",
    "/proc/ioports",
    "/proc/kallsyms",
    "/proc/kcore",
    "/proc/key-users",
    "/proc/keys",
    "/proc/kmsg",
    "/proc/kpagecgroup",
    "/proc/kpagecount",
    "/proc/kpageflags",
    "/proc/latency_stats",
    "/proc/mtrr",
    "/proc/pagetypeinfo",
    "/proc/sched_debug",
    "/proc/scsi",
    "/proc/slabinfo",
    "/proc/sysrq-trigger",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/proc/vmallocinfo",
    "/sys/devices/virtual/powercap",
    "/sys/firmware",
    "/sys/fs/bpf",
    "/sys/kernel/debug",
    "/sys/kernel/security",
    "/sys/kernel/tracing",
];

/// Those of them that this kernel has.
pub(crate) fn read_only() -> impl Iterator<Item = &'static Path> {
    READ_ONLY.iter().map(Path::new).filter(|path| path.exists())
}

pub(crate) fn masked() -> impl Iterator<Item = &'static Path> {
    MASKED.iter().map(Path::new).filter(|path| path.exists())
}
