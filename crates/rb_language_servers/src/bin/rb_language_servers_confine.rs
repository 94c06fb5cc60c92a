//! `__confine` without the rest of the product, for the tests of this crate. The product has its own entry.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    match args.get(1) {
        Some(word) if word == rb_sandbox::SHIM => ExitCode::from(rb_sandbox::confine(&args[2..])),
        _ => ExitCode::from(2),
    }
}
