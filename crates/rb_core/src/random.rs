//! Bytes that nobody can guess, from the system.

/// Waits, at most in the first moments of a machine, until the system has them.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let mut filled = 0;
    while filled < N {
        let rest = &mut bytes[filled..];
        match rustix::rand::getrandom(rest, rustix::rand::GetRandomFlags::empty()) {
            Ok(read) => filled += read,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => panic!("the system has no random bytes: {error}"),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn mo9_no_bytes_come_twice() {
        let all: BTreeSet<[u8; 16]> = (0..1000).map(|_| bytes()).collect();
        assert_eq!(all.len(), 1000);
        assert_eq!(bytes::<0>(), [0_u8; 0]);
    }
}
