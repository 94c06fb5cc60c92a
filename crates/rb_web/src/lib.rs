//! The local page of `refactor-bot serve`: runs watched live, diffs judged, the code base as a map.
//!
//! [`serve`] answers a browser until a signal comes. Everything is read from journals, reports and the index at the moment it is asked
//! for; the server keeps no state of its own. What a person decides is carried out by this program as another process
//! (`refactor-bot accept …`), exactly as if it had been typed. Pages are written on the server; the scripts are small and embedded, and
//! nothing is loaded from anywhere else.

mod assets;
mod clock_words;
mod guard;
mod jobs;
mod layout;
mod live;
mod loopback;
mod pages;
mod reply;
mod request;
mod routes;
mod serve;
mod site;

pub use serve::{Address, Port, ServeError, ServeOptions, serve};
pub use site::{OpenRepo, Program};
