//! System calls that a command has no use for and no namespace confines: keyrings, and sockets between virtual machines.
//!
//! A classic BPF program as bubblewrap takes it. Each of them is answered with "operation not permitted".

/// The machine code of one kind of processor, as the kernel names it to a filter, and its calls.
struct Calls {
    machine: u32,
    keyring: [u32; 3],
    socket: u32,
}

const X86_64: [Calls; 2] = [
    Calls { machine: 0xC000_003E, keyring: [248, 249, 250], socket: 41 },
    // Programs of 32 bits run there too.
    Calls { machine: 0x4000_0003, keyring: [286, 287, 288], socket: 359 },
];

const AARCH64: [Calls; 2] = [
    Calls { machine: 0xC000_00B7, keyring: [217, 218, 219], socket: 198 },
    Calls { machine: 0x4000_0028, keyring: [309, 310, 311], socket: 281 },
];

const LOAD: u16 = 0x20;
const AND: u16 = 0x54;
const JUMP_IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;

const ALLOW: u32 = 0x7FFF_0000;
const NOT_PERMITTED: u32 = 0x0005_0000 | 1;

/// Offsets in what the kernel shows to a filter: the call, the machine, the lower half of the first argument.
const CALL: u32 = 0;
const MACHINE: u32 = 4;
const ARGUMENT: u32 = 16;

/// Set in calls of x32 programs, which are otherwise those of x86-64.
const X32: u32 = 0x4000_0000;

const VSOCK: u32 = 40;

/// None on a machine whose calls are not listed here.
pub(crate) fn program() -> Option<Vec<u8>> {
    match std::env::consts::ARCH {
        "x86_64" => Some(bytes(&X86_64)),
        "aarch64" => Some(bytes(&AARCH64)),
        _ => None,
    }
}

fn bytes(all: &[Calls]) -> Vec<u8> {
    let mut program = Vec::new();
    let mut add = |code: u16, if_so: u8, if_not: u8, value: u32| {
        program.extend(code.to_ne_bytes());
        program.extend([if_so, if_not]);
        program.extend(value.to_ne_bytes());
    };
    for calls in all {
        add(LOAD, 0, 0, MACHINE);
        // Over the ten steps of this part to the next one.
        add(JUMP_IF_EQUAL, 0, 10, calls.machine);
        add(LOAD, 0, 0, CALL);
        add(AND, 0, 0, !X32);
        for (call, steps_to_refusal) in calls.keyring.into_iter().zip([6, 5, 4]) {
            add(JUMP_IF_EQUAL, steps_to_refusal, 0, call);
        }
        add(JUMP_IF_EQUAL, 0, 2, calls.socket);
        add(LOAD, 0, 0, ARGUMENT);
        add(JUMP_IF_EQUAL, 1, 0, VSOCK);
        add(RETURN, 0, 0, ALLOW);
        add(RETURN, 0, 0, NOT_PERMITTED);
    }
    add(RETURN, 0, 0, ALLOW);
    program
}
