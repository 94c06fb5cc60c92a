//! What the tests need beyond the compiler: found, installed where that is possible, or asked for.

mod axe;
mod chroma;
mod claude;
mod node;
mod npm;
mod react;
mod typescript;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result};

/// A program, how to see that it is there, and the Debian package that has it.
struct Tool {
    program: &'static str,
    args: &'static [&'static str],
    package: &'static str,
}

const TOOLS: [Tool; 12] = [
    Tool { program: "git", args: &["--version"], package: "git" },
    Tool { program: "bash", args: &["--version"], package: "bash" },
    Tool { program: "tar", args: &["--version"], package: "tar" },
    Tool { program: "unshare", args: &["--version"], package: "util-linux" },
    Tool { program: "bwrap", args: &["--version"], package: "bubblewrap" },
    Tool { program: "node", args: &["--version"], package: "nodejs" },
    Tool { program: "npm", args: &["--version"], package: "npm" },
    Tool { program: "chromium", args: &["--version"], package: "chromium" },
    Tool { program: "git-lfs", args: &["--version"], package: "git-lfs" },
    Tool { program: "script", args: &["--version"], package: "bsdutils" },
    Tool { program: "python3", args: &["--version"], package: "python3" },
    Tool { program: "python3", args: &["-c", "import ensurepip, venv"], package: "python3-venv" },
];

const OLDEST_GIT: (u32, u32) = (2, 34);

pub(crate) fn run() -> Result<()> {
    let missing = missing_packages();
    if !missing.is_empty() {
        install(&missing)?;
        let still = missing_packages();
        if !still.is_empty() {
            return Err(format!("still missing after the installation: {}", still.join(", ")));
        }
    }
    check_git()?;
    for (component, verb) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if shell::ask("cargo", &[verb, "--version"]).is_none() {
            eprintln!("xtask: adding the component {component}");
            shell::run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    axe::run()?;
    chroma::run()?;
    claude::run()?;
    node::run()?;
    react::run()?;
    typescript::run()
}

fn missing_packages() -> Vec<&'static str> {
    let is_missing = |tool: &&Tool| shell::ask(tool.program, tool.args).is_none();
    TOOLS.iter().filter(is_missing).map(|tool| tool.package).collect()
}

fn install(packages: &[&str]) -> Result<()> {
    let is_root = shell::ask("id", &["-u"]).as_deref() == Some("0");
    let is_debian = Path::new("/etc/debian_version").exists();
    if !is_root || !is_debian {
        return Err(format!("please install: {}", packages.join(", ")));
    }
    eprintln!("xtask: installing {}", packages.join(", "));
    let apt = || {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").arg("--quiet");
        command
    };
    shell::run(apt().arg("update"))?;
    shell::run(apt().args(["install", "--yes", "--no-install-recommends"]).args(packages))
}

/// Where cargo builds: the tests look for their tools there.
fn target() -> PathBuf {
    let set = std::env::var_os("CARGO_TARGET_DIR");
    shell::root().join(set.unwrap_or_else(|| "target".into()))
}

fn check_git() -> Result<()> {
    let said = shell::ask("git", &["--version"]).unwrap_or_default();
    let (major, minor) = OLDEST_GIT;
    match git_version(&said) {
        Some(found) if found >= OLDEST_GIT => Ok(()),
        _ => Err(format!("git {major}.{minor} or newer is needed, this is `{said}`")),
    }
}

fn git_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix("git version ")?.split(['.', ' ']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_versions_compare_as_numbers() {
        assert_eq!(git_version("git version 2.9.1"), Some((2, 9)));
        assert!(git_version("git version 2.9.1") < Some(OLDEST_GIT));
        assert!(git_version("git version 2.39.5 (Apple Git-154)") > Some(OLDEST_GIT));
        assert_eq!(git_version(""), None);
    }
}
