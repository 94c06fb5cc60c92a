//! A file of the repository: its source, and what the index, git and the rules know about it.

mod facts;
mod source;
mod window;

use rb_core::{RepoPath, fs};
use rb_html::Page;
use rb_index::content::decode;
use rb_index::search::Searchable;
use rb_index::{FileId, FileView, IndexError, Indexed, View};
use rb_lang::Language;
use rb_repo::Repo;
use rb_rules::Finding;

use self::facts::Facts;
use self::source::Source;
use self::window::{Marked, Window};
use super::code::address::Address;
use super::code::findings;
use super::code::folder::{End, Folder};
use super::code::numbers::plural;
use crate::layout::{Frame, Tab};
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

/// A larger file is not shown.
const MOST_BYTES: u64 = 4 << 20;

pub(crate) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let name = request.param("path");
    let path =
        RepoPath::new(name).map_err(|_| Problem::not_found(format_args!("The file {name}")))?;
    let made = site.indexed(Searchable::Nothing, |repo, indexed| {
        let view = indexed.view()?;
        match view.tree.find(name) {
            Some(id) => body(site, request, &On { repo, indexed, view: &view, id, path: &path }),
            None => Ok(Err(Problem::not_found(format_args!("The file {name}")))),
        }
    });
    let title = name.rsplit('/').next().unwrap_or(name);
    let frame = Frame { title, tab: Tab::Map, scripts: &["code.js"], is_wide: true };
    Ok(frame.reply(site, &made??))
}

/// The file that the page is about.
struct On<'a> {
    repo: &'a Repo,
    indexed: &'a Indexed,
    view: &'a View<'a>,
    id: FileId,
    path: &'a RepoPath,
}

impl On<'_> {
    fn file(&self) -> FileView<'_> {
        self.view.file(self.id)
    }
}

fn body(site: &Site, request: &Request, on: &On<'_>) -> Result<Result<Page, Problem>, IndexError> {
    let findings = match found(site, on)? {
        Ok(findings) => findings,
        Err(problem) => return Ok(Err(problem)),
    };
    let text = match text(on) {
        Ok(text) => text,
        Err(problem) => return Ok(Err(problem)),
    };
    let facts = match Facts::of(site, on)? {
        Ok(facts) => facts,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut body = Page::new();
    head(&mut body, site, on);
    body.raw("<div class=\"with-aside\">\n<div class=\"main-part\">\n");
    match text {
        Text::Shown(text) => {
            let marked = Marked::of(request);
            let window = Window::of(request, marked, text.lines().count());
            Source {
                language: on.file().language,
                text: &text,
                marked,
                window,
                findings: &findings,
            }
            .write(&mut body, on.file().path);
        }
        Text::Not(why) => body.element("p", "empty", why),
    }
    body.raw("</div>\n<section class=\"about\" aria-label=\"About this file\">\n");
    facts.write(&mut body, on, &findings);
    body.raw("</section>\n</div>\n");
    Ok(Ok(body))
}

fn head(body: &mut Page, site: &Site, on: &On<'_>) {
    let file = on.file();
    let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", file.path));
    let root = site.root.file_name().unwrap_or_default().to_string_lossy();
    Folder::named(folder).crumbs(body, &root, &Address::new("/map"), End::Above);
    body.element("h1", "", name);
    let mut words = Vec::new();
    words.extend(file.language.map(|language| language.name().to_owned()));
    words.push(plural(file.lines.into(), "line"));
    words.push(plural(file.size, "byte"));
    words.extend(file.encoding.map(str::to_owned));
    words.extend(file.trivial.map(rb_index::trivial::Trivial::words));
    if file.syntax_errors > 0 {
        words.push(plural(file.syntax_errors.into(), "syntax error"));
    }
    body.element("p", "soft", &words.join(" · "));
}

enum Text {
    Shown(String),
    Not(&'static str),
}

/// As it is now, not through a link.
fn text(on: &On<'_>) -> Result<Text, Problem> {
    let bytes = fs::read_plain(on.repo.root(), on.path, MOST_BYTES + 1).map_err(Problem::failed)?;
    let Some(bytes) = bytes else {
        return Err(Problem::not_found(format_args!("The file {}", on.file().path)));
    };
    if bytes.len() as u64 > MOST_BYTES {
        return Ok(Text::Not("The file is larger than 4 MB and is not shown."));
    }
    Ok(decode(bytes)
        .map_or(Text::Not("The file is binary and is not shown."), |(text, _)| Text::Shown(text)))
}

/// What the rules find in this file.
fn found(site: &Site, on: &On<'_>) -> Result<Result<Vec<Finding>, Problem>, IndexError> {
    let is_script = on.file().language.is_some_and(|language| {
        matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx)
    });
    let own = match rb_change::rule_files(on.repo.root()) {
        Ok(files) => files,
        Err(error) => return Ok(Err(Problem::failed(error))),
    };
    if !is_script && own.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    findings::of_file(site, on.repo, on.indexed, on.file().path)
}

#[cfg(test)]
mod tests;
