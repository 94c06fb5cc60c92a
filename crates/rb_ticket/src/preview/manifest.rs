//! What a repository says about starting its app: the scripts of package.json, or a static page.

use std::path::{Path, PathBuf};

use rb_core::{RepoPath, fs};
use serde_json::Value;

use super::PreviewError;

/// In this order: what serves the built app is closest to what users get.
const SCRIPTS: [&str; 3] = ["preview", "start", "dev"];

/// Servers that take their port from the command line only.
const PORT_FLAG: [&str; 3] = ["vite", "astro", "webpack-dev-server"];

const MAX_MANIFEST: u64 = 1 << 20;

pub(super) struct Script {
    pub(super) command: String,
    pub(super) why: String,
}

pub(super) fn script(worktree: &Path, port: u16) -> Result<Option<Script>, PreviewError> {
    let path = RepoPath::new("package.json").expect("a plain name is a path");
    let Some(bytes) = fs::read_plain(worktree, &path, MAX_MANIFEST)? else { return Ok(None) };
    let manifest: Value = serde_json::from_slice(&bytes)
        .map_err(|error| PreviewError::Manifest { why: rb_http::printable(&error.to_string()) })?;
    let scripts = &manifest["scripts"];
    Ok(SCRIPTS.iter().find_map(|name| {
        let words = scripts.get(name)?.as_str()?.trim();
        let why = format!("package.json has the script `{name}`");
        (!words.is_empty()).then(|| Script { command: command(name, words, port), why })
    }))
}

/// A script that is one plain command needs no npm, which would look for settings in a home that the sandbox hides.
fn command(name: &str, words: &str, port: u16) -> String {
    let is_plain = !words.contains(|c: char| "&|;<>$`()*?!\\\n".contains(c));
    let first = words.split_whitespace().next().unwrap_or_default();
    if is_plain && matches!(first, "node" | "python3") {
        words.to_owned()
    } else if is_plain && PORT_FLAG.contains(&first) {
        format!("npm run {name} --silent -- --port {port}")
    } else {
        format!("npm run {name} --silent")
    }
}

/// The first folder with a start page, and the name of that page.
pub(super) fn static_folder(worktree: &Path) -> Option<(PathBuf, String)> {
    ["", "public", "dist"].into_iter().find_map(|folder| {
        let name = if folder.is_empty() {
            "index.html".to_owned()
        } else {
            format!("{folder}/index.html")
        };
        let path = RepoPath::new(&name).expect("a plain name is a path");
        let page = fs::contained(worktree, &path).ok()?;
        let is_file = page.symlink_metadata().is_ok_and(|meta| meta.is_file());
        is_file.then(|| (worktree.join(folder), name))
    })
}

#[cfg(test)]
mod tests {
    use super::super::{PreviewOptions, find};

    fn found(fixture: &str, options: PreviewOptions<'_>) -> String {
        let repo = rb_testkit::Repo::plain(fixture);
        match find(repo.root(), options) {
            Ok(preview) => {
                let folder =
                    preview.folder.strip_prefix(repo.root()).unwrap().display().to_string();
                let command = preview.command.unwrap_or_else(|| "-".to_owned());
                format!("{command} | {} | /{folder} | {}", preview.url, preview.why)
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn tk3_the_preview_is_what_is_given_or_what_the_repository_offers() {
        let none = PreviewOptions::default();
        let given = |command, url| PreviewOptions { command, url };
        let scripts = |scripts: &str| {
            found(
                &format!("//- package.json\n{{\"scripts\": {{{scripts}}}}}\n//- index.html\n<p>\n"),
                none,
            )
        };
        let rows = [
            scripts(r#""dev": "next dev", "start": "node server.js", "preview": """#),
            scripts(r#""dev": "vite", "preview": "vite preview""#),
            scripts(r#""start": "tsc && node .""#),
            scripts(r#""test": "jest""#),
            found("//- package.json\nno\n", none),
            found("//- dist/index.html\n<p>\n", none),
            found("//- readme.md\nx\n", none),
            found("//- index.html\n<p>\n", given(Some("serve -p {port}"), None)),
            found(
                "//- index.html\n<p>\n",
                given(Some("serve"), Some("http://localhost:8080/app/")),
            ),
            found("//- index.html\n<p>\n", given(Some("serve"), Some("http://shop.example"))),
            found("//- index.html\n<p>\n", given(None, Some("https://shop.example/"))),
            found("//- index.html\n<p>\n", given(Some(" "), None)),
        ];
        expect_test::expect![[r#"
            node server.js | http://127.0.0.1:3000 | / | package.json has the script `start`
            npm run preview --silent -- --port 3000 | http://127.0.0.1:3000 | / | package.json has the script `preview`
            npm run start --silent | http://127.0.0.1:3000 | / | package.json has the script `start`
            python3 -m http.server 3000 --bind 127.0.0.1 | http://127.0.0.1:3000 | / | index.html is a static page
            package.json cannot be read as JSON (expected ident at line 1 column 2). Correct it, or give the command with `--preview`.
            python3 -m http.server 3000 --bind 127.0.0.1 | http://127.0.0.1:3000 | /dist | dist/index.html is a static page
            cannot tell how to start the app: package.json has no script `preview`, `start` or `dev`, and there is no index.html in the root, `public` or `dist`. Give the command with `--preview`, or the address of a running server with `--preview-url`.
            serve -p 3000 | http://127.0.0.1:3000 | / | the command was given
            serve | http://localhost:8080/app | / | the command was given
            `http://shop.example` is not an address of a preview: a command is started on this machine, so the address must be one of it. Give one such as http://localhost:3000 with `--preview-url`.
            - | https://shop.example | / | the URL was given
            the preview command is empty. Give a command with `--preview`."#]].assert_eq(&rows.join("\n"));
    }
}
