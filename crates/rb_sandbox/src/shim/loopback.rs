//! Raises the loopback of a new network namespace, which is born switched off.

use rustix::io;
use rustix::net::{AddressFamily, SocketType, recv, send, socket};
use rustix::net::{RecvFlags, SendFlags};

/// One request to the kernel: header, then the interface with index 1, which is always the loopback.
const LENGTH: u32 = 32;
const NEW_LINK: u16 = 16;
const REQUEST_WITH_ANSWER: u16 = 1 | 4;
const IS_UP: u32 = 1;

pub(super) fn raise() -> io::Result<()> {
    let kernel = socket(AddressFamily::NETLINK, SocketType::RAW, None)?;
    let mut request = Vec::with_capacity(LENGTH as usize);
    request.extend(LENGTH.to_ne_bytes());
    request.extend(NEW_LINK.to_ne_bytes());
    request.extend(REQUEST_WITH_ANSWER.to_ne_bytes());
    // Sequence number and port, then family and kind of device: none of them matter here.
    request.extend([0; 12]);
    request.extend(1_i32.to_ne_bytes());
    request.extend(IS_UP.to_ne_bytes());
    request.extend(IS_UP.to_ne_bytes());
    send(&kernel, &request, SendFlags::empty())?;
    let mut answer = [0; 1024];
    let (count, _) = recv(&kernel, &mut answer, RecvFlags::empty())?;
    // After the header stands zero, or the negative number of an error.
    let error = answer[..count].get(16..20).and_then(|bytes| bytes.try_into().ok());
    match error.map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(error) => Err(io::Errno::from_raw_os_error(-error)),
        None => Err(io::Errno::PROTO),
    }
}
