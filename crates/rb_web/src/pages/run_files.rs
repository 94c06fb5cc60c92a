//! Artifacts of a run: its reports and screenshots, and nothing else of its folder.

use rb_core::{RepoPath, fs};
use rb_flow::RunDir;

use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

/// A file is read up to this size.
const LIMIT: u64 = 32 << 20;

/// What may be shown, by the end of the name. Anything that a browser would run is text.
const TYPES: [(&str, &str); 6] = [
    (".png", "image/png"),
    (".json", "application/json"),
    (".md", "text/plain; charset=utf-8"),
    (".patch", "text/plain; charset=utf-8"),
    (".diff", "text/plain; charset=utf-8"),
    (".txt", "text/plain; charset=utf-8"),
];

/// Folders of a run that hold something for people.
const SHOWN: [&str; 3] = ["report/", "rounds/", "evidence/"];

pub(crate) fn file(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let dir = RunDir::new(&site.host.home, &request.run()?);
    let path = request.param("path");
    let missing = || Problem::not_found(path);
    let content_type = TYPES.iter().find(|(end, _)| path.ends_with(end)).map(|(_, it)| *it);
    let content_type = content_type.ok_or_else(missing)?;
    if !SHOWN.iter().any(|folder| path.starts_with(folder)) {
        return Err(missing());
    }
    let path = RepoPath::new(path).map_err(|_| missing())?;
    let bytes = fs::read_plain(dir.path(), &path, LIMIT).map_err(|_| missing())?;
    Ok(Reply::File { content_type, bytes: bytes.ok_or_else(missing)? })
}
