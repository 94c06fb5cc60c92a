//! One rename from start to end: where it is declared, what the server edits, and whether that can be all.
//!
//! A server knows what the build of this machine sees. Code for other systems, behind features and in macros may name the symbol, too:
//! each place with the old name that is not edited must lead to another declaration. After the edits the symbol must be referred to
//! from the same lines as before: else the new name means something there already.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rb_core::{edit, plural};

use crate::compile_commands;
use crate::error::ServerError;
use crate::identifiers::identifiers;
use crate::position::Lines;
use crate::reflection;
use crate::renamer::{LanguageServers, RenameRequest, Renamed};
use crate::server::Server;
use crate::session::{Place, Session};
use crate::symbol::{self, Wanted};
use crate::workspace_edit::{Reader, is_rename};

/// The most places of the old name that the server is asked about.
const MOST_ASKED: usize = 2000;
/// A larger file was not written by hand.
const MAX_BYTES: usize = 4 << 20;
/// Between two looks at a server that has not yet read all changes.
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) fn rename(
    servers: &LanguageServers,
    request: &RenameRequest<'_>,
) -> Result<Renamed, ServerError> {
    let unknown = || ServerError::Unknown { path: request.path.to_owned() };
    let server = Server::for_path(request.path).ok_or_else(unknown)?;
    let program = server.program(&servers.env).ok_or_else(|| server.missing())?;
    if let Some(why) = server.lacks(&servers.env) {
        return Err(ServerError::Unprepared { server: server.name, why });
    }
    let no_text = || ServerError::NoText { path: request.path.to_owned() };
    let text = (request.texts)(request.path).ok_or_else(no_text)?;
    if server.needs_compile_commands && compile_commands::read(servers).is_none() {
        let why = format!(
            "there is no {}. CMake writes it with `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `bear -- make` with other build tools",
            compile_commands::FILE
        );
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

/// Where the old name is declared.
struct Declared<'d> {
    old: &'d str,
    offset: usize,
    line: u32,
    position: serde_json::Value,
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
        let line = u32::try_from(lines.line(offset) + 1).unwrap_or(u32::MAX);
        let declared = Declared { old: wanted.name, offset, line, position };
        self.edits(servers, &declared).map_err(|error| error.at(line))
    }

    fn edits(
        &mut self,
        servers: &LanguageServers,
        declared: &Declared<'_>,
    ) -> Result<Renamed, ServerError> {
        let Declared { old, offset, position, .. } = declared;
        let request = self.request;
        self.session.prepare_rename(request.path, position)?;
        let before = self.session.references(request.path, position)?;
        let answer = self.session.rename(request.path, position, request.to)?;
        let renamed = self.read(&answer, declared)?;
        self.not_by_name(declared)?;
        let until = Instant::now() + servers.limits.load;
        self.no_doubt(&renamed, old, until)?;
        // A file under its new path is not there yet for a server to read.
        if renamed.moved.is_empty() {
            self.same_references(&renamed, *offset, before.as_deref())?;
        }
        Ok(renamed)
    }

    /// The edits, as far as they are a rename of what was asked for.
    fn read(
        &self,
        answer: &serde_json::Value,
        declared: &Declared<'_>,
    ) -> Result<Renamed, ServerError> {
        let Declared { old, offset, line, .. } = *declared;
        let server = self.session.server.name;
        let no_rename = |why: String| ServerError::NoRename { server, why };
        let (root, texts) = (self.session.root(), self.request.texts);
        let (encoding, version) = (self.session.encoding, |path: &str| self.session.version(path));
        let reader = Reader { root, texts, encoding, version: &version };
        let wanted = reader.read(answer).map_err(no_rename)?;
        if let Some((from, to)) = wanted.moved.first_key_value()
            && !(self.session.server.moves_files && self.is_own_move(from, to, old))
        {
            let (from, to) = (from.clone(), to.clone());
            return Err(ServerError::MovesFile { server, from, to });
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
        Ok(Renamed { line, edits: wanted.edits, moved: wanted.moved, notes: Vec::new() })
    }

    /// The file that declares it has its name, and gets the new one.
    fn is_own_move(&self, from: &str, to: &str, old: &str) -> bool {
        let (from, to) = (Path::new(from), Path::new(to));
        from == Path::new(self.request.path)
            && from.file_stem().is_some_and(|stem| stem == old)
            && to.file_stem().is_some_and(|stem| stem == self.request.to)
            && (from.parent(), from.extension()) == (to.parent(), to.extension())
    }

    /// Nothing finds it by its name while the program runs.
    fn not_by_name(&self, declared: &Declared<'_>) -> Result<(), ServerError> {
        let Declared { old, offset, line, .. } = *declared;
        let RenameRequest { path, paths, texts, .. } = *self.request;
        if let Some(why) = reflection::encoding(path, &self.text, offset, old) {
            return Err(ServerError::InTheWay { why, places: vec![(path.to_owned(), line)] });
        }
        let Some(hidden) =
            reflection::hidden_uses(self.session.server.language, &self.text, offset)
        else {
            return Ok(());
        };
        let mut places = Vec::new();
        for path in paths {
            let text = texts(path).filter(|text| text.len() <= MAX_BYTES).unwrap_or_default();
            let lines = (hidden.lines)(path, &text, old);
            places.extend(lines.into_iter().map(|line| (path.clone(), line)));
        }
        if places.is_empty() {
            return Ok(());
        }
        Err(ServerError::InTheWay { why: (hidden.why)(old), places })
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
        let why =
            format!("{} cannot tell what `{old}` means in {count}: {}", server.name, server.unseen);
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
        let until = Instant::now() + self.session.server.settles;
        let after = loop {
            let found = self.session.references(self.request.path, &position)?;
            let found = found.unwrap_or_default();
            if found == before {
                return Ok(());
            }
            if Instant::now() >= until {
                break found;
            }
            thread::sleep(PAUSE);
        };
        let differing: Vec<&Place> = after
            .iter()
            .filter(|place| !before.contains(place))
            .chain(before.iter().filter(|place| !after.contains(place)))
            .collect();
        let mut places: Vec<(String, u32)> =
            differing.into_iter().filter_map(|(path, line)| Some((path.clone()?, *line))).collect();
        if places.is_empty() {
            places.push((self.request.path.to_owned(), renamed.line));
        }
        let to = self.request.to;
        Err(ServerError::InTheWay {
            why: format!("`{to}` is already taken where it would be used"),
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
