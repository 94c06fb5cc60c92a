//! A loopback address for one server alone.
//!
//! Browsers send the cookies of a host to all of its ports. If this server shared `127.0.0.1` with others, each of them that the same
//! browser visits would get the session cookie. On Linux every address of `127.0.0.0/8` leads to this machine.

use std::net::Ipv4Addr;
use std::path::Path;

use rb_core::{fs, random};

/// Drawn at random where the system has more than one.
pub(crate) fn own() -> Ipv4Addr {
    if cfg!(target_os = "linux") && !is_wsl() {
        drawn(random::bytes())
    } else {
        Ipv4Addr::LOCALHOST
    }
}

/// Never one that is in use by custom, such as `127.0.0.1` or `127.0.0.53`, nor one that ends a network.
fn drawn([second, third, fourth]: [u8; 3]) -> Ipv4Addr {
    Ipv4Addr::new(127, 1 + second % 254, third, 1 + fourth % 254)
}

/// A browser of Windows reaches only `127.0.0.1` of its Linux.
fn is_wsl() -> bool {
    let release = fs::read_optional(Path::new("/proc/sys/kernel/osrelease"));
    release.ok().flatten().is_some_and(|release| names_wsl(&String::from_utf8_lossy(&release)))
}

fn names_wsl(release: &str) -> bool {
    release.to_ascii_lowercase().contains("microsoft")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_a_drawn_address_is_a_loopback_address_that_nobody_else_uses() {
        assert_eq!(drawn([0, 0, 0]), Ipv4Addr::new(127, 1, 0, 1));
        assert_eq!(drawn([253, 255, 253]), Ipv4Addr::new(127, 254, 255, 254));
        assert_eq!(drawn([255, 9, 255]), Ipv4Addr::new(127, 2, 9, 2));
    }

    #[test]
    fn ux4_linux_within_windows_keeps_its_one_address() {
        assert!(names_wsl("5.15.167.4-microsoft-standard-WSL2\n"));
        assert!(names_wsl("4.4.0-19041-Microsoft\n"));
        assert!(!names_wsl("6.8.0-45-generic\n"));
    }
}
