#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests start servers themselves, and fail where that fails"
)]

mod chroma_live;
mod chroma_process;
mod chroma_script;
mod chroma_search;
#[path = "../../../rb_index/tests/it/desk.rs"]
mod desk;
mod http;
mod model2vec;
mod openai;
mod script;
mod support;
