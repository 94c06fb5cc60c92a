//! The style sheet and the scripts, embedded. Their addresses carry a hash of what they hold, so that no old one is shown.

use std::sync::LazyLock;

use rb_core::Sha256;

use crate::reply::{Problem, Reply};
use crate::request::Request;

pub(crate) struct Asset {
    pub(crate) name: &'static str,
    content_type: &'static str,
    parts: &'static [&'static str],
}

const JS: &str = "text/javascript; charset=utf-8";

const ASSETS: [Asset; 6] = [
    Asset {
        name: "style.css",
        content_type: "text/css; charset=utf-8",
        parts: &[
            rb_html::STYLE,
            rb_html::DIFF_STYLE,
            include_str!("../assets/site.css"),
            include_str!("../assets/review.css"),
            include_str!("../assets/code.css"),
        ],
    },
    Asset {
        name: "icon.svg",
        content_type: "image/svg+xml",
        parts: &[include_str!("../assets/icon.svg")],
    },
    Asset { name: "site.js", content_type: JS, parts: &[include_str!("../assets/site.js")] },
    Asset { name: "run.js", content_type: JS, parts: &[include_str!("../assets/run.js")] },
    Asset { name: "review.js", content_type: JS, parts: &[include_str!("../assets/review.js")] },
    Asset { name: "code.js", content_type: JS, parts: &[include_str!("../assets/code.js")] },
];

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let all: Vec<u8> =
        ASSETS.iter().flat_map(|asset| asset.parts).flat_map(|part| part.bytes()).collect();
    Sha256::of(&all).to_string().chars().take(12).collect()
});

/// The address of an asset.
pub(crate) fn address(name: &'static str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

pub(crate) fn asset(request: &Request) -> Result<Reply, Problem> {
    let name = request.param("name");
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    let asset = asset.ok_or_else(|| Problem::not_found(name))?;
    let bytes = asset.parts.concat().into_bytes();
    Ok(Reply::File { content_type: asset.content_type, bytes })
}
