#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests start servers themselves, and fail where that fails"
)]

mod chroma_live;
mod chroma_process;
mod chroma_script;
mod chroma_search;
mod http;
mod model2vec;
mod openai;
mod support;
