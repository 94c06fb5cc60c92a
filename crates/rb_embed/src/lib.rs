//! Embedding models and vector servers: `OpenAI` and its like, model2vec folders, `ChromaDB`.
//!
//! What is known about each service lives in its own file. Nothing here reads the environment or the clock:
//! addresses, keys, proxies and time are handed in by the binary.

pub mod chroma;
pub mod model2vec;
pub mod openai_embeddings;

pub use chroma::{ChromaOptions, ChromaServer};
pub use model2vec::{Model2Vec, Model2VecError};
pub use openai_embeddings::{OpenAiEmbedder, OpenAiOptions};
