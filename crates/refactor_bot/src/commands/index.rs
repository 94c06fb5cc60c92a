//! `refactor-bot index`: bring the index of a repository in step with it, and say what is in it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rb_contracts::ContractError;
use rb_index::artifacts::ArtifactError;
use rb_index::{ImportCounts, IndexError, Indexed, LanguageShare, OnDisk, Update};
use rb_repo::ReadOptions;
use serde_json::json;

use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::numbers::{bytes, count, plural};
use crate::repo_index::{self, Scope};
use crate::search_model;
use crate::ui::printable;

const EXAMPLES: &str = "\
Examples:
  refactor-bot index
  refactor-bot index ../shop --skipped
  refactor-bot index --unresolved --json
  refactor-bot index --artifacts out/

Every command that needs the index updates it; this one shows what it did.";

/// Index a repository: files, symbols, imports
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct Args {
    #[command(flatten)]
    scope: Scope,

    /// List every skipped file with the reason
    #[arg(long)]
    skipped: bool,

    /// List every import that cannot be resolved
    #[arg(long)]
    unresolved: bool,

    /// Write symbols, dependencies, calls, risks, architecture and contracts to this folder
    #[arg(long, value_name = "DIR")]
    artifacts: Option<PathBuf>,

    /// Show what changed since the last index, without updating it
    #[arg(long, conflicts_with_all = ["rebuild", "artifacts", "skipped", "unresolved"])]
    status: bool,

    /// Delete the stored index of this repository and all its clones, and build it again
    #[arg(long)]
    rebuild: bool,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    if args.status {
        return status(args, app);
    }
    let repo = args.scope.open(app)?;
    let model = search_model::of(app, &repo)?;
    let options = ReadOptions { rebuild: args.rebuild, search: model.searchable() };
    let mut unwritten = None;
    let report = repo_index::read(app, &repo, &options, |indexed| {
        let written = match &args.artifacts {
            Some(folder) => match artifacts(app, indexed, &args.scope, folder) {
                Ok(written) => written,
                Err(Unwritten::Index(error)) => return Err(error),
                Err(Unwritten::Other(error)) => {
                    unwritten = Some(error);
                    Vec::new()
                }
            },
            None => Vec::new(),
        };
        model.publish(indexed, &app.ui.progress())?;
        let lists = Lists::of(args, indexed)?;
        Ok(if app.ui.json {
            format!("{}\n", as_json(indexed, &lists, &written))
        } else {
            as_text(indexed, &lists, &written)
        })
    })?;
    if let Some(error) = unwritten {
        return Err(error);
    }
    app.ui.print(&report)?;
    Ok(Outcome::Done)
}

/// What stops artifacts from being written: the index, which may be made anew, or something else.
enum Unwritten {
    Index(IndexError),
    Other(CliError),
}

/// All artifacts of the index, and the contracts.
fn artifacts(
    app: &App,
    indexed: &Indexed,
    scope: &Scope,
    folder: &Path,
) -> Result<Vec<PathBuf>, Unwritten> {
    let other = |error: &dyn std::fmt::Display| {
        Unwritten::Other(CliError::new(ErrorKind::Environment, error.to_string()))
    };
    let mut written =
        rb_index::artifacts::write_all(indexed, folder).map_err(|error| match error {
            ArtifactError::Store(error) => Unwritten::Index(error.into()),
            error => Unwritten::Other(CliError::new(ErrorKind::Environment, error)),
        })?;
    let root = scope.target().canonicalize().map_err(|error| other(&error))?;
    let view = indexed.view().map_err(|error| Unwritten::Index(error.into()))?;
    let contracts = rb_contracts::snapshot(&view, &OnDisk { root: &root }, &app.cancel);
    let contracts = contracts.map_err(|error| match error {
        ContractError::Store(error) => Unwritten::Index(error.into()),
        ContractError::Interrupted => Unwritten::Index(IndexError::Interrupted),
    })?;
    written.push(
        rb_contracts::write(folder, &contracts)
            .map_err(|error| Unwritten::Other(CliError::new(ErrorKind::Environment, error)))?,
    );
    Ok(written)
}

fn as_json(indexed: &Indexed, lists: &Lists, written: &[PathBuf]) -> serde_json::Value {
    json!({
        "state": state(&indexed.update),
        "update": update(&indexed.update),
        "totals": indexed.counts.totals,
        "languages": indexed.counts.languages(),
        "imports": indexed.counts.imports,
        "set_aside": indexed.counts.set_aside(&indexed.walk),
        "ignored": indexed.walk.ignored.len(),
        "skipped": lists.skipped,
        "unresolved": lists.unresolved,
        "artifacts": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
    })
}

fn as_text(indexed: &Indexed, lists: &Lists, written: &[PathBuf]) -> String {
    let mut text = summary(indexed);
    lists.write(&mut text);
    for path in written {
        let _ = writeln!(text, "wrote {}", printable(&path.display().to_string()));
    }
    text
}

/// What was asked to be listed.
#[derive(Default)]
struct Lists {
    skipped: Option<Vec<SkippedLine>>,
    unresolved: Option<Vec<rb_index::UnresolvedImport>>,
}

#[derive(serde::Serialize)]
struct SkippedLine {
    path: String,
    reason: String,
}

impl Lists {
    fn of(args: &Args, indexed: &Indexed) -> Result<Self, IndexError> {
        let mut lists = Lists::default();
        if !args.skipped && !args.unresolved {
            return Ok(lists);
        }
        let view = indexed.view()?;
        if args.skipped {
            let aside = view.set_aside().map(|(path, reason)| SkippedLine { path, reason });
            let walked = indexed.walk.skipped.iter().map(|skipped| SkippedLine {
                path: skipped.path.to_string(),
                reason: skipped.reason.words(),
            });
            let ignored = indexed.walk.ignored.iter().map(|ignored| SkippedLine {
                path: format!("{}{}", ignored.path, if ignored.is_folder { "/" } else { "" }),
                reason: ignored.by.words().to_owned(),
            });
            let mut all: Vec<SkippedLine> = aside.chain(walked).chain(ignored).collect();
            all.sort_by(|a, b| a.path.cmp(&b.path));
            lists.skipped = Some(all);
        }
        if args.unresolved {
            lists.unresolved = Some(view.unresolved()?);
        }
        Ok(lists)
    }

    fn write(&self, text: &mut String) {
        for line in self.skipped.iter().flatten() {
            let _ = writeln!(text, "{}: {}", printable(&line.path), printable(&line.reason));
        }
        for import in self.unresolved.iter().flatten() {
            let (path, specifier) = (printable(&import.path), printable(&import.specifier));
            let _ = writeln!(text, "{path}:{}: {specifier}", import.line);
        }
    }
}

fn summary(indexed: &Indexed) -> String {
    let Indexed { counts, update, walk, .. } = indexed;
    let totals = counts.totals;
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:<11} {value}");
    };
    line(
        "files",
        &format!(
            "{}: {} parsed, {} reused by content, {} without code, {} unchanged, {} deleted",
            count(totals.files),
            count(update.parsed as u64),
            count(update.reused as u64),
            count(update.plain as u64),
            count(update.unchanged as u64),
            count(update.deleted as u64),
        ),
    );
    line("languages", &languages(&counts.languages()));
    line(
        "symbols",
        &format!(
            "{} in {}, {}",
            count(totals.symbols),
            plural(totals.source_files, "source file"),
            plural(totals.lines, "line")
        ),
    );
    line("imports", &imports(counts.imports));
    let mut aside: Vec<String> = counts
        .set_aside(walk)
        .iter()
        .take(5)
        .map(|aside| format!("{} {}", count(aside.files), printable(&aside.reason)))
        .collect();
    if !walk.ignored.is_empty() {
        aside.push(format!("{} ignored", count(walk.ignored.len() as u64)));
    }
    if !aside.is_empty() {
        line("skipped", &aside.join(", "));
    }
    if !update.moved.is_empty() {
        line(
            "moved",
            &format!("{} changed while being read", plural(update.moved.len() as u64, "file")),
        );
    }
    line("state", &state_words(update));
    line(
        "stored",
        &update.unsaved.as_ref().map_or_else(|| bytes(update.store_bytes), |_| "no".to_owned()),
    );
    text
}

pub(super) fn languages(shares: &[LanguageShare]) -> String {
    let all: u64 = shares.iter().map(|share| share.lines).sum();
    let shares: Vec<String> = shares
        .iter()
        .take(5)
        .map(|share| (share.language.name(), share.lines * 100 / all.max(1)))
        .enumerate()
        .filter(|(place, (_, percent))| *place == 0 || *percent > 0)
        .map(|(_, (name, percent))| format!("{name} {percent}%"))
        .collect();
    shares.join(" · ")
}

pub(super) fn imports(imports: ImportCounts) -> String {
    format!(
        "{} internal, {} of packages, {} of the standard library, {} unresolved",
        count(imports.inside),
        count(imports.external),
        count(imports.builtin),
        count(imports.unresolved)
    )
}

/// Of which state of the checkout an answer speaks.
pub(super) fn state_words(update: &Update) -> String {
    let commit = update.head.as_ref().map_or_else(
        || "no commit".to_owned(),
        |head| format!("commit {}", &head[..head.len().min(8)]),
    );
    format!("tree {} · {commit} · generation {}", &update.state[..8], update.generation)
}

pub(super) fn state(update: &Update) -> serde_json::Value {
    json!({ "generation": update.generation, "tree": update.state, "commit": update.head })
}

fn update(update: &Update) -> serde_json::Value {
    json!({
        "files": update.files,
        "parsed": update.parsed,
        "known_by_content": update.reused,
        "without_code": update.plain,
        "unchanged": update.unchanged,
        "deleted": update.deleted,
        "relinked": update.relinked,
        "moved_while_read": update.moved,
        "store_bytes": update.store_bytes,
        "not_stored_because": update.unsaved,
    })
}

fn status(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let status = args.scope.open(app)?.status()?;
    if app.ui.json {
        app.ui.print_json(&status)?;
        return Ok(Outcome::Done);
    }
    let mut text = String::new();
    match &status.indexed {
        None => text.push_str("not indexed yet\n"),
        Some(state) => {
            let commit =
                state.commit.as_deref().map_or("none", |commit| &commit[..commit.len().min(8)]);
            let tree = &state.tree[..8];
            let _ = writeln!(
                text,
                "indexed: tree {tree} · commit {commit} · generation {}",
                state.generation
            );
        }
    }
    for (mark, paths) in [("+", &status.added), ("~", &status.changed), ("-", &status.deleted)] {
        for path in paths {
            let _ = writeln!(text, "{mark} {}", printable(&path.to_string()));
        }
    }
    if status.indexed.is_some() && status.is_current() {
        text.push_str("nothing has changed since\n");
    }
    app.ui.print(&text)?;
    Ok(Outcome::Done)
}
