//! Paths with slashes, from the root of a repository or of a package.

use std::path::Path;

/// The folder of a file; empty for one at the root.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `None` for what leads out of the root.
pub(super) fn joined(folder: &str, specifier: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for part in specifier.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

/// The path of a file from a folder that it lies in.
pub(super) fn inside(file: &Path, folder: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> =
        file.strip_prefix(folder).ok()?.components().map(|it| it.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}

/// Is it nothing that a bundler takes for code: a style, an image, or a file asked for as something else?
pub(super) fn is_asset(specifier: &str) -> bool {
    const ASSETS: &[&str] = &[
        "css", "scss", "sass", "less", "styl", "svg", "png", "jpg", "jpeg", "gif", "webp", "avif",
        "ico", "woff", "woff2", "ttf", "otf", "eot", "mp3", "mp4", "webm", "ogg", "wav", "pdf",
        "wasm", "html", "md", "mdx", "txt", "glsl", "frag", "vert", "graphql", "gql", "yaml",
        "yml", "node",
    ];
    let end = specifier.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    specifier.contains('?') || end.is_some_and(|(_, end)| ASSETS.contains(&end))
}
