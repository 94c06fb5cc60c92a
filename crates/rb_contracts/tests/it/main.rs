#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read fixtures themselves, and fail where that fails"
)]

mod exports_ecma;
mod exports_go_java;
mod exports_python;
mod exports_rust;
mod flags;
mod hostile;
mod memo;
mod policy;
mod routes;
mod schemas;
mod support;
