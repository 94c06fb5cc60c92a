//! One question about a repository, with a model or without: what `ask` shows and `eval` measures.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use rb_ask::answer::verify;
use rb_ask::eval::Session;
use rb_ask::eval::reading::Landmarks;
use rb_ask::extract::IMPORTANT;
use rb_ask::memory::{FACTS, KeyFile, ProjectFacts};
use rb_ask::workflow::Ask;
use rb_ask::{Answer, Author, Draft, Memory, extract, tour};
use rb_core::{RunId, Sha256, Usd, clock};
use rb_flow::Workflow as _;
use rb_index::walk::WalkOptions;
use rb_index::{FileId, IndexError, Indexed, OnDisk, Texts as _};
use rb_repo::{ReadOptions, Repo, SearchModel};
use rb_tools::{Evidence, Repository, ToolError, Toolbox};

use crate::app::App;
use crate::ask_run;
use crate::error::{CliError, ErrorKind};
use crate::numbers::plural;
use crate::run_desk::{self, ChosenDesk};
use crate::{repo_index, search_model};

/// An answer and what it took.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) answer: Answer,
    pub(crate) session: Session,
    pub(crate) model_calls: u64,
    /// What counts against the limit.
    pub(crate) spent: Usd,
    /// The steps of the last plan; none without a model.
    pub(crate) plan: Vec<String>,
    /// None without a model.
    pub(crate) run: Option<RunId>,
}

/// Whoever answers: the models that are chosen, or the extraction.
pub(crate) struct Asker {
    search: Arc<SearchModel>,
    desk: Option<ChosenDesk>,
    /// The files that a run looks at, as the repository was opened with them.
    pub(crate) walk: WalkOptions,
}

/// What is remembered of a repository, and where it is kept.
pub(crate) struct MemoryFile {
    pub(crate) memory: Memory,
    pub(crate) file: PathBuf,
}

/// Said after `extract::NOTE`.
const CHOOSE: &str = "To use a model, pass --provider, such as claude-code, anthropic or ollama.";

/// What a tour answers.
const TOUR: &str = "What should a newcomer know about this project?";

/// How many of the most important files are remembered.
const KEY_FILES: usize = 10;

impl Asker {
    /// Models are asked for their readiness here, before anything else is done.
    pub(crate) fn new(app: &App, repo: &Repo) -> Result<Asker, CliError> {
        let Some(desk) = run_desk::fresh_for(app, Some(repo.root()), Ask::ROLES)? else {
            return Asker::builtin(app, repo);
        };
        let walk = WalkOptions::default();
        Ok(Asker { search: Arc::clone(&desk.search), desk: Some(desk), walk })
    }

    /// The extraction, whatever models are chosen.
    pub(crate) fn builtin(app: &App, repo: &Repo) -> Result<Asker, CliError> {
        let search = Arc::new(search_model::of(app, repo)?);
        Ok(Asker { search, desk: None, walk: WalkOptions::default() })
    }

    pub(crate) fn desk(&self) -> Option<&ChosenDesk> {
        self.desk.as_ref()
    }

    /// Answers, and adds to the memory what was verified.
    pub(crate) fn ask(
        &self,
        app: &App,
        repo: &Repo,
        question: &str,
        memory: Option<&mut MemoryFile>,
    ) -> Result<Asked, CliError> {
        match &self.desk {
            Some(desk) => ask_run::ask(app, repo, desk, &self.walk, question, memory),
            None => self.extracted(app, repo, question, memory, extract::answer),
        }
    }

    /// An onboarding document, without a model.
    pub(crate) fn tour(&self, app: &App, repo: &Repo) -> Result<Asked, CliError> {
        let draft = |on: Repository<'_>, toolbox: &mut Toolbox, _: &str| tour::write(on, toolbox);
        self.extracted(app, repo, TOUR, None, draft)
    }

    fn extracted(
        &self,
        app: &App,
        repo: &Repo,
        question: &str,
        mut memory: Option<&mut MemoryFile>,
        draft: impl Fn(Repository<'_>, &mut Toolbox, &str) -> Result<Draft, ToolError>,
    ) -> Result<Asked, CliError> {
        let begun = clock::now();
        let options = ReadOptions { rebuild: false, search: self.search.searchable() };
        let mut asked = repo_index::read(app, repo, &options, |indexed| {
            let on = Repository { repo, indexed, search: &self.search, cancel: &app.cancel };
            let mut toolbox = Toolbox::default();
            let draft = match draft(on, &mut toolbox, question) {
                Ok(draft) => draft,
                Err(ToolError::Index(error)) => return Err(error),
                Err(ToolError::Interrupted) => return Err(IndexError::Interrupted),
                // Nobody but the extraction made the call.
                Err(ToolError::Call(why)) => return Ok(Err(CliError::new(ErrorKind::Bug, why))),
            };
            let (evidence, texts) = (&toolbox.evidence, OnDisk { root: repo.root() });
            let mut answer = verify(question, Author::Extraction, &draft, evidence, &texts);
            answer.notes.extend(rb_ask::injection_note(evidence));
            answer.notes.extend(extract::history_notes(on, question, &draft));
            answer.notes.push(format!("{} {CHOOSE}", extract::NOTE));
            let files_read = in_order(&answer, evidence);
            let mut session = Session { files_read, ..Session::default() };
            rate_reads(indexed, &mut session)?;
            if let Some(file) = &mut memory {
                learn(&mut file.memory, repo, indexed, &answer, evidence)?;
            }
            Ok(Ok(Asked::without_model(answer, session)))
        })??;
        if let Some(file) = &mut memory {
            file.save(app);
        }
        asked.session.ms = milliseconds_since(begun);
        Ok(asked)
    }
}

impl MemoryFile {
    pub(crate) fn load(app: &App, repo: &Repo) -> Result<MemoryFile, CliError> {
        let file = app.home()?.ask_memory(&repo.name());
        let (memory, warning) = Memory::load(&file);
        if let Some(warning) = warning {
            app.ui.warn(&warning);
        }
        Ok(MemoryFile { memory, file })
    }

    /// Drops what is no longer true, and says so.
    pub(crate) fn refresh(&mut self, app: &App, repo: &Repo) {
        let texts = OnDisk { root: repo.root() };
        let hash_of = |path: &str| texts.text(path).map(|bytes| Sha256::of(&bytes));
        let dropped = self.memory.refresh(hash_of);
        if dropped > 0 {
            let facts = plural(dropped as u64, "remembered fact");
            app.ui.note(&format!("{facts} dropped: the cited files have changed"));
        }
    }

    /// An answer that cannot be remembered is still an answer.
    pub(crate) fn save(&mut self, app: &App) {
        self.memory.summarise(FACTS);
        if let Err(error) = self.memory.save(&self.file) {
            app.ui.warn(&format!("this answer will not be remembered: {error}"));
        }
    }
}

impl Asked {
    fn without_model(answer: Answer, session: Session) -> Asked {
        let (model_calls, spent, plan, run) = Default::default();
        Asked { answer, session, model_calls, spent, plan, run }
    }
}

pub(crate) fn milliseconds_since(begun: clock::Timestamp) -> u64 {
    u64::try_from(clock::now().since(begun).as_millis()).unwrap_or(u64::MAX)
}

/// The files that were read: those that are cited as the answer cites them, then the others by name.
fn in_order(answer: &Answer, evidence: &Evidence) -> Vec<String> {
    let statements = answer.sections.iter().flat_map(|section| &section.statements);
    let cited = statements.flat_map(|statement| &statement.citations);
    let cited = cited.map(|cited| cited.citation.path.as_str());
    let cited = cited.filter(|path| evidence.file(path).is_some());
    let mut seen = BTreeSet::new();
    cited
        .chain(evidence.files().map(|(path, _)| path))
        .filter(|path| seen.insert(*path))
        .map(str::to_owned)
        .collect()
}

/// Counts which of the files that were read are important, and which are trivial.
pub(crate) fn rate_reads(indexed: &Indexed, session: &mut Session) -> Result<(), IndexError> {
    let view = indexed.view()?;
    let read: BTreeSet<&str> = session.files_read.iter().map(String::as_str).collect();
    let (mut important, mut trivial) = (0, 0);
    for (rank, &id) in view.by_importance().iter().enumerate() {
        let file = view.file(id);
        if read.contains(file.path) {
            important += u32::from(rank < IMPORTANT);
            trivial += u32::from(file.trivial.is_some());
        }
    }
    (session.top_20_reads, session.trivial_reads) = (important, trivial);
    Ok(())
}

/// The most important files, and those that the most files use.
pub(crate) fn landmarks(indexed: &Indexed) -> Result<Landmarks, IndexError> {
    let view = indexed.view()?;
    let path = |id: &FileId| view.file(*id).path.to_owned();
    let by_importance = view.by_importance();
    let used = by_importance.iter().copied().filter(|id| view.file(*id).used_by > 0);
    let mut used: Vec<FileId> = used.collect();
    // Stable: of files that equally many use, the more important ones.
    used.sort_by_key(|id| Reverse(view.file(*id).used_by));
    Ok(Landmarks {
        important: by_importance.iter().take(IMPORTANT).map(path).collect(),
        central: used.iter().take(IMPORTANT).map(path).collect(),
    })
}

fn learn(
    memory: &mut Memory,
    repo: &Repo,
    indexed: &Indexed,
    answer: &Answer,
    evidence: &Evidence,
) -> Result<(), IndexError> {
    describe(memory, repo, indexed)?;
    for (path, file) in evidence.files() {
        memory.note_read(path, file.hash);
    }
    memory.learn(answer);
    Ok(())
}

/// What the project is and which files matter, as the index says now.
pub(crate) fn describe(
    memory: &mut Memory,
    repo: &Repo,
    indexed: &Indexed,
) -> Result<(), IndexError> {
    let overview = indexed.overview()?;
    let name = repo.root().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let language = overview.languages.first().map(|share| share.language.name().to_owned());
    let patterns = overview.architecture.patterns.iter();
    memory.project = ProjectFacts {
        name,
        primary_language: language,
        architecture: patterns.map(|found| found.pattern.name().to_owned()).collect(),
    };
    let key_files = overview.top.iter().take(KEY_FILES).map(|file| KeyFile {
        path: file.path.clone(),
        importance: hundredths(file.importance.score),
        summary: format!(
            "{}, used by {}",
            plural(u64::from(file.lines), "line"),
            plural(u64::from(file.used_by), "file")
        ),
    });
    memory.key_files = key_files.collect();
    Ok(())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast to an integer saturates, and a score is between 0 and 1"
)]
fn hundredths(score: f64) -> u32 {
    (score * 100.0).round() as u32
}
