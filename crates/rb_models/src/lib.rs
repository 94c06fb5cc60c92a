//! Models and vector servers: what is reached over HTTP, and models that a user brings along.
//!
//! What is known about each service lives in its own file; `http` knows none of them. Nothing here reads
//! the environment or the clock: addresses, keys, proxies and time are handed in by the binary.

pub mod chroma;
pub mod clock;
pub mod http;
pub mod model2vec;
pub mod openai_embeddings;
pub mod secret;

pub use chroma::{ChromaOptions, ChromaServer};
pub use clock::{Clock, SystemClock};
pub use http::{Auth, BadSetting, HttpContext, HttpError, HttpOptions, Patience, Proxy};
pub use model2vec::{Model2Vec, Model2VecError};
pub use openai_embeddings::{OpenAiEmbedder, OpenAiOptions};
pub use secret::Secret;
