//! Artifacts of a run: its reports and screenshots, and nothing else of its folder. The page among them is shown in a sandbox.

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
const SHOWN: [&str; 2] = ["report/", "browser/"];

/// The page of the run as a file, the only one of its kind: it was written by this program, and a browser runs nothing in it.
const REPORT: &str = "report/report.html";

pub(crate) fn file(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let dir = RunDir::new(&site.host.home, &request.run()?);
    let path = request.param("path");
    let missing = || Problem::not_found(path);
    let content_type = TYPES.iter().find(|(end, _)| path.ends_with(end)).map(|(_, it)| *it);
    let content_type = match content_type {
        None if path == REPORT => "text/html; charset=utf-8",
        other => other.ok_or_else(missing)?,
    };
    if !SHOWN.iter().any(|folder| path.starts_with(folder)) {
        return Err(missing());
    }
    let path = RepoPath::new(path).map_err(|_| missing())?;
    let bytes = fs::read_plain(dir.path(), &path, LIMIT).map_err(|_| missing())?;
    let bytes = bytes.ok_or_else(missing)?;
    if content_type.starts_with("text/html") {
        return Ok(Reply::Report(bytes));
    }
    Ok(Reply::File { content_type, bytes })
}

#[cfg(test)]
mod tests {
    use axum::http::header;
    use rb_core::fs::Durability;

    use super::*;
    use crate::pages::code::testing::TestSite;

    const RUN: &str = "20260131T120000Z";

    fn ask(site: &TestSite, path: &str) -> Result<Reply, Problem> {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let params = vec![pair("run", RUN), pair("path", path)];
        file(&site.site, &Request { params, ..Request::default() })
    }

    #[test]
    fn ux4_the_report_is_shown_in_a_sandbox_and_no_other_page_is() {
        let site = TestSite::new("//- a.js\nf();\n");
        for name in ["report/report.html", "report/other.html", "evidence/report.html"] {
            let path = site.repo.beside("home").join("runs").join(RUN).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, b"<script>alert(1)</script>", Durability::Relaxed).unwrap();
        }
        let response = ask(&site, "report/report.html").unwrap().into_response();
        let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        for part in ["default-src 'none'", "sandbox", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("script"), "{policy}");
        assert!(ask(&site, "report/other.html").is_err());
        assert!(ask(&site, "evidence/report.html").is_err());
    }
}
