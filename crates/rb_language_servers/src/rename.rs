//! One rename from start to end: where it is declared, what the server edits, and whether that can be all.
//!
//! A server knows what the build of this machine sees. Code for other systems, behind features and in macros may name the symbol, too:
//! each place with the old name that is not edited must lead to another declaration. After the edits the symbol must be referred to
//! from the same lines as before: else the new name means something there already.

use std::sync::Arc;
use std::time::Instant;

use rb_core::{edit, plural};

use crate::error::ServerError;
use crate::identifiers::identifiers;
use crate::position::Lines;
use crate::renamer::{LanguageServers, RenameRequest, Renamed};
use crate::server::Server;
use crate::session::{Place, Session};
use crate::symbol::{self, Wanted};
use crate::workspace_edit::{Reader, is_rename};

/// The most places of the old name that the server is asked about.
const MOST_ASKED: usize = 2000;
/// A larger file was not written by hand.
const MAX_BYTES: usize = 4 << 20;

pub(crate) fn rename(
    servers: &LanguageServers,
    request: &RenameRequest<'_>,
) -> Result<Renamed, ServerError> {
    let unknown = || ServerError::Unknown { path: request.path.to_owned() };
    let server = Server::for_path(request.path).ok_or_else(unknown)?;
    let program = server.program(&servers.env).ok_or_else(|| server.missing())?;
    let no_text = || ServerError::NoText { path: request.path.to_owned() };
    let text = (request.texts)(request.path).ok_or_else(no_text)?;
    let is_there = |file: &&str| servers.root.join(file).is_file();
    if let Some(first) =
        server.needs_file.first().filter(|_| !server.needs_file.iter().any(is_there))
    {
        let why = format!("there is no {first}");
        return Err(ServerError::Unprepared { server: server.name, why });
    }
    let mut session = Session::start(servers, server, program)?;
    let renamed = Renaming { session: &mut session, request, text }.perform(servers);
    session.finish();
    renamed
}

struct Renaming<'r> {
    session: &'r mut Session,
    request: &'r RenameRequest<'r>,
    text: Arc<str>,
}

impl Renaming<'_> {
    fn perform(&mut self, servers: &LanguageServers) -> Result<Renamed, ServerError> {
        let request = self.request;
        let wanted = Wanted::new(request.path, request.symbol, request.line);
        self.session.show(request.path, &self.text)?;
        self.session.until_loaded()?;
        let symbols = self.session.symbols(request.path)?;
        let offset = symbol::find(&symbols, &self.text, self.session.encoding, &wanted)?;
        let lines = Lines::new(&self.text).expect("the symbol was found in its lines");
        let position = lines.position(offset, self.session.encoding);
        let line = lines.line(offset) + 1;
        self.session.prepare_rename(request.path, &position)?;
        let before = self.session.references(request.path, &position)?;
        let answer = self.session.rename(request.path, &position, request.to)?;
        let renamed = self.read(&answer, wanted.name, offset, line)?;
        let until = Instant::now() + servers.limits.load;
        self.no_doubt(&renamed, wanted.name, until)?;
        self.same_references(&renamed, offset, before.as_deref())?;
        Ok(renamed)
    }

    /// The edits, as far as they are a rename of what was asked for.
    fn read(
        &self,
        answer: &serde_json::Value,
        old: &str,
        offset: usize,
        line: usize,
    ) -> Result<Renamed, ServerError> {
        let server = self.session.server.name;
        let no_rename = |why: String| ServerError::NoRename { server, why };
        let (root, texts) = (self.session.root(), self.request.texts);
        let (encoding, version) = (self.session.encoding, |path: &str| self.session.version(path));
        let reader = Reader { root, texts, encoding, version: &version };
        let wanted = reader.read(answer).map_err(no_rename)?;
        // Seen of rust-analyzer: with a module that is a file, variables of the same name are renamed, too.
        if let Some((old, new)) = wanted.moved.first_key_value() {
            return Err(no_rename(format!(
                "it moves {old} to {new}, and such renames are not checked"
            )));
        }
        for (path, edits) in &wanted.edits {
            let before = texts(path).unwrap_or_default();
            let after = edit::apply(&before, edits).map_err(|it| no_rename(it.to_string()))?;
            if !is_rename(&before, &after, old, self.request.to) {
                return Err(no_rename(format!("it changes more of {path} than the name")));
            }
        }
        let at = u32::try_from(offset).unwrap_or(u32::MAX);
        let own = wanted.edits.get(self.request.path).map(Vec::as_slice).unwrap_or_default();
        if !own.iter().any(|edit| edit.start <= at && at < edit.end.max(edit.start + 1)) {
            return Err(no_rename("it leaves the declaration as it is".to_owned()));
        }
        Ok(Renamed {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            edits: wanted.edits,
            moved: wanted.moved,
            notes: Vec::new(),
        })
    }

    /// Every other place with the old name leads to something else.
    fn no_doubt(
        &mut self,
        renamed: &Renamed,
        old: &str,
        until: Instant,
    ) -> Result<(), ServerError> {
        let own: Place = (Some(self.request.path.to_owned()), renamed.line);
        let mut doubts = Vec::new();
        let mut asked = 0;
        let server = self.session.server;
        for path in self.request.paths.iter().filter(|path| server.reads(path)) {
            let text = (self.request.texts)(path).filter(|text| text.len() <= MAX_BYTES);
            let Some(text) = text else { continue };
            let places = unedited(path, &text, old, renamed);
            let Some(lines) = Lines::new(&text).filter(|_| !places.is_empty()) else { continue };
            if self.session.version(path).is_none() {
                self.session.show(path, &text)?;
            }
            for at in places {
                asked += 1;
                if asked > MOST_ASKED || Instant::now() >= until {
                    return Err(too_common(old));
                }
                let position = lines.position(at, self.session.encoding);
                let found = self.session.definition(path, &position)?;
                if found.is_empty() || found.contains(&own) {
                    let line = u32::try_from(lines.line(at) + 1).unwrap_or(u32::MAX);
                    doubts.push((path.clone(), line));
                }
            }
        }
        if doubts.is_empty() {
            return Ok(());
        }
        let count = plural(doubts.len(), "place");
        let why = format!(
            "{} cannot tell what `{old}` means in {count}: code for another system, behind a feature or in a macro",
            server.name
        );
        Err(ServerError::InTheWay { why, places: doubts })
    }

    /// The symbol is referred to from the same lines after the edits.
    fn same_references(
        &mut self,
        renamed: &Renamed,
        offset: usize,
        before: Option<&[Place]>,
    ) -> Result<(), ServerError> {
        let Some(before) = before else { return Ok(()) };
        let mut own = Arc::clone(&self.text);
        for (path, edits) in &renamed.edits {
            let text = (self.request.texts)(path).unwrap_or_default();
            let after = edit::apply(&text, edits).expect("they were applied before");
            if self.session.version(path).is_none() {
                self.session.show(path, &text)?;
            }
            self.session.show(path, &after)?;
            if path == self.request.path {
                own = after.into();
            }
        }
        let at = moved_offset(offset, renamed, self.request.path);
        let lines = Lines::new(&own).filter(|_| own.is_char_boundary(at));
        let Some(lines) = lines else { return Ok(()) };
        let position = lines.position(at, self.session.encoding);
        let after = self.session.references(self.request.path, &position)?.unwrap_or_default();
        let differing: Vec<&Place> = after
            .iter()
            .filter(|place| !before.contains(place))
            .chain(before.iter().filter(|place| !after.contains(place)))
            .collect();
        if differing.is_empty() && after.len() == before.len() {
            return Ok(());
        }
        let mut places: Vec<(String, u32)> =
            differing.into_iter().filter_map(|(path, line)| Some((path.clone()?, *line))).collect();
        if places.is_empty() {
            places.push((self.request.path.to_owned(), renamed.line));
        }
        let to = self.request.to;
        Err(ServerError::InTheWay {
            why: format!("`{to}` means something else there, or would: the name is taken"),
            places,
        })
    }
}

/// Where a text has the old name as code and no edit touches it.
fn unedited(path: &str, text: &str, old: &str, renamed: &Renamed) -> Vec<usize> {
    let edits = renamed.edits.get(path).map(Vec::as_slice).unwrap_or_default();
    let is_edited = |at: usize| {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        edits.iter().any(|edit| edit.start <= at && at < edit.end.max(edit.start + 1))
    };
    let mut places = identifiers(path, text, old);
    places.retain(|at| !is_edited(*at));
    places
}

fn too_common(old: &str) -> ServerError {
    ServerError::InTheWay {
        why: format!("`{old}` is the name of too many things to tell them apart"),
        places: Vec::new(),
    }
}

/// Where the declared name is after the edits before it.
fn moved_offset(offset: usize, renamed: &Renamed, path: &str) -> usize {
    let edits = renamed.edits.get(path).map(Vec::as_slice).unwrap_or_default();
    let before = edits.iter().filter(|edit| (edit.end as usize) <= offset);
    before.fold(offset, |at, edit| at + edit.text.len() - (edit.end - edit.start) as usize)
}
