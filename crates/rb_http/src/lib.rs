//! HTTP to services: JSON in, JSON or a stream out, bounded in time, size and tries.
//!
//! Nothing here knows a service, reads the environment or the clock: addresses, keys, proxies and time are
//! handed in. A key is a `Secret`, which nothing prints.

mod clock;
mod error;
mod exchange;
mod http;
mod retry;
mod secret;
mod settings;
mod stream;
#[cfg(feature = "testing")]
pub mod testing;
mod words;

pub use clock::{Clock, SystemClock};
pub use error::{BadSetting, HttpError};
pub use exchange::{Answer, Method};
pub use http::{Auth, Http, HttpContext, HttpOptions, Proxy};
pub use retry::Patience;
pub use secret::Secret;
pub use stream::{Incoming, Times};
pub use words::printable;
