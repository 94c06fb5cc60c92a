//! The extended header lines of a git diff: modes, renames, and what they add up to.

use rb_core::RepoPath;
use rb_core::patch::{Change, Mode, ModeChange};

use super::{Named, ParseError, Problem, Reader, is_binary_marker};
use crate::patch::name::{self, Name, Tail};

/// What the lines between `diff --git` and the hunks say.
#[derive(Default)]
pub(super) struct Header {
    old_mode: Option<Mode>,
    new_mode: Option<Mode>,
    created: Option<Mode>,
    deleted: Option<Mode>,
    from: Option<RepoPath>,
    to: Option<RepoPath>,
}

impl Header {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Header, ParseError> {
        let mut header = Header::default();
        loop {
            let slot = if let Some(text) = reader.take(b"old mode ") {
                (&mut header.old_mode, text)
            } else if let Some(text) = reader.take(b"new mode ") {
                (&mut header.new_mode, text)
            } else if let Some(text) = reader.take(b"new file mode ") {
                (&mut header.created, text)
            } else if let Some(text) = reader.take(b"deleted file mode ") {
                (&mut header.deleted, text)
            } else if let Some(raw) = reader.take(b"rename from ") {
                header.from = Some(bare_name(reader, raw)?);
                continue;
            } else if let Some(raw) = reader.take(b"rename to ") {
                header.to = Some(bare_name(reader, raw)?);
                continue;
            } else if let Some(ids) = reader.take(b"index ") {
                if let Some(at) = ids.iter().position(|&byte| byte == b' ') {
                    mode(&ids[at + 1..]).map_err(|problem| reader.fail(problem))?;
                }
                continue;
            } else if reader.take(b"similarity index ").is_some()
                || reader.take(b"dissimilarity index ").is_some()
            {
                continue;
            } else if reader.take(b"copy from ").is_some() || reader.take(b"copy to ").is_some() {
                return Err(reader.fail(Problem::Copy));
            } else if reader.peek().is_some_and(is_binary_marker) {
                reader.next();
                return Err(reader.fail(Problem::Binary));
            } else {
                return Ok(header);
            };
            let (slot, text) = slot;
            *slot = Some(mode(text).map_err(|problem| reader.fail(problem))?);
        }
    }

    /// What happens to the file, as all header lines together say.
    pub(super) fn change(
        self,
        named: Option<Named>,
        equal_name: Option<RepoPath>,
    ) -> Result<Change, Problem> {
        let mode = match (self.old_mode, self.new_mode) {
            (Some(old), Some(new)) => (old != new).then_some(ModeChange { old, new }),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => return Err(Problem::Contradiction),
        };
        match (self.from.clone(), self.to.clone()) {
            (Some(from), Some(to)) => {
                let both = (Some(from.clone()), Some(to.clone()));
                let agrees = named.is_none_or(|named| named == both);
                let plain = self.created.is_none() && self.deleted.is_none();
                let rename = Change::Rename { from, to, mode };
                if agrees && plain { Ok(rename) } else { Err(Problem::Contradiction) }
            }
            (None, None) => self.in_place(named, equal_name, mode),
            (Some(_), None) | (None, Some(_)) => Err(Problem::Contradiction),
        }
    }

    /// The change of a file that keeps its name: all names of the entry must be the same.
    fn in_place(
        &self,
        named: Option<Named>,
        equal_name: Option<RepoPath>,
        mode: Option<ModeChange>,
    ) -> Result<Change, Problem> {
        let (old, new) = match (named, &equal_name) {
            (Some(named), _) => named,
            (None, Some(path)) => {
                let there = |absent: bool| (!absent).then(|| path.clone());
                (there(self.created.is_some()), there(self.deleted.is_some()))
            }
            (None, None) => return Err(Problem::BadName),
        };
        let path = match (old.clone(), new.clone()) {
            (Some(old), Some(new)) if old != new => return Err(Problem::NamesDiffer(old, new)),
            (_, Some(path)) | (Some(path), None) => path,
            (None, None) => return Err(Problem::BadName),
        };
        if let Some(other) = equal_name.filter(|other| *other != path) {
            return Err(Problem::NamesDiffer(other, path));
        }
        let has_modes = self.old_mode.is_some();
        match (old, new, self.created, self.deleted) {
            (Some(_), Some(_), None, None) => Ok(Change::Modify { path, mode }),
            (None, Some(_), mode, None) if !has_modes => {
                Ok(Change::Create { path, mode: mode.unwrap_or(Mode::Regular) })
            }
            (Some(_), None, None, mode) if !has_modes => {
                Ok(Change::Delete { path, mode: mode.unwrap_or(Mode::Regular) })
            }
            (_, _, _, _) => Err(Problem::Contradiction),
        }
    }
}

/// The two kinds that a patch may hold; the others by name.
fn mode(text: &[u8]) -> Result<Mode, Problem> {
    match text {
        b"100644" => Ok(Mode::Regular),
        b"100755" => Ok(Mode::Executable),
        b"120000" => Err(Problem::Link),
        b"160000" => Err(Problem::Submodule),
        other => Err(Problem::BadMode(other.escape_ascii().to_string())),
    }
}

fn bare_name(reader: &Reader<'_>, raw: &[u8]) -> Result<RepoPath, ParseError> {
    match name::read(raw, Tail::Nothing) {
        Some(Name::Path(path)) => RepoPath::new(path).map_err(|bad| reader.fail(bad)),
        Some(Name::Null) | None => Err(reader.fail(Problem::BadName)),
    }
}
