//! What the nodes of a kata have effects with: the project, its tests, and the models.

use std::sync::Arc;

use rb_core::process::Env;
use rb_core::{Cancel, Progress, RepoPath, fs};
use rb_flow::{Desk, Log, Query, Reply, Run, fence};
use rb_schema::{Answer, Schema};
use rb_trust::{Fence, FenceError};
use rb_verify::Passed;
use rb_workspace::project::{Place, Project};

use super::Kata;
use super::event::{Event, RunEvent, Start};
use crate::error::KataError;
use crate::prompt::Files;
use crate::runner::Runner;
use crate::suite::{Bench, BenchOptions};
use crate::text_file::TextFile;

/// Everything around the state of one run, in this process.
pub struct World {
    pub(crate) run: Run,
    pub(crate) log: Log<Kata>,
    pub(crate) desk: Arc<Desk>,
    pub(crate) env: Env,
    pub(crate) passed: Passed,
    pub(crate) shim: Option<std::path::PathBuf>,
    pub(crate) progress: Arc<dyn Progress + Send + Sync>,
    pub(crate) cancel: Cancel,
    /// Opened when it is first needed in this process.
    pub(crate) project: Option<Project>,
    pub(crate) bench: Option<Bench>,
}

/// Tokens that an answer should need.
const NEED: u64 = 6_000;
/// A larger file is data, and not shown.
const LARGEST: u64 = 1 << 20;

impl World {
    pub(crate) fn project(&mut self, start: &Start) -> Result<&Project, KataError> {
        let project = match self.project.take() {
            Some(project) => project,
            None => Project::open(&start.place, &self.env, &self.cancel)?,
        };
        Ok(self.project.insert(project))
    }

    pub(crate) fn bench(&mut self, start: &Start) -> Result<&mut Bench, KataError> {
        let bench = match self.bench.take() {
            Some(bench) => bench,
            None => self.new_bench(start)?,
        };
        Ok(self.bench.insert(bench))
    }

    fn new_bench(&self, start: &Start) -> Result<Bench, KataError> {
        let checkout = match &start.place {
            Place::NewRepository { .. } => None,
            Place::Worktree { checkout, .. } => Some(checkout.clone()),
        };
        Bench::open(BenchOptions {
            runner: start.runner,
            folder: start.place.folder().to_owned(),
            checkout,
            scratch: self.run.dir.join("scratch"),
            work: self.run.dir.join("verify"),
            env: self.env.clone(),
            passed: self.passed.clone(),
            shim: self.shim.clone(),
            verify: start.verify.clone(),
            cancel: self.cancel.clone(),
            progress: Arc::clone(&self.progress),
        })
    }

    /// Brings the project to a tree, and says what had to make way.
    pub(crate) fn restore(&mut self, start: &Start, tree: &str) -> Result<(), KataError> {
        let aside = self.run.dir.join("aside");
        let moved = self.project(start)?.restore(tree, &aside)?;
        if !moved.is_empty() {
            let names: Vec<String> = moved.iter().take(5).map(ToString::to_string).collect();
            let text = format!(
                "files that no agent proposed were moved out of the project to {}: {}",
                aside.display(),
                names.join(", ")
            );
            self.log.write(RunEvent::Noted { text })?;
        }
        Ok(())
    }

    /// The text files of the project, sorted by path.
    pub(crate) fn files(&mut self, start: &Start) -> Result<Vec<TextFile>, KataError> {
        let project = self.project(start)?;
        let mut files = Vec::new();
        for path in project.paths()? {
            let Some(bytes) = fs::read_plain(project.folder(), &path, LARGEST)? else { continue };
            if let (Ok(path), Ok(text)) =
                (String::from_utf8(path.as_bytes().to_vec()), String::from_utf8(bytes))
            {
                files.push(TextFile { path, text });
            }
        }
        Ok(files)
    }

    /// Asks one of the agents. A model that cannot be asked any more ends the process; the run can be resumed.
    pub(crate) fn ask<A: Answer>(
        &self,
        number: u32,
        prompt: impl Fn(&Fence) -> Result<String, FenceError>,
    ) -> Result<Result<A, String>, KataError> {
        self.send(self.query(number, prompt)?)
    }

    /// Asks one of the agents, with a narrower schema than that of its role.
    pub(crate) fn ask_by_schema<A: Answer>(
        &self,
        number: u32,
        schema: Schema,
        prompt: impl Fn(&Fence) -> Result<String, FenceError>,
    ) -> Result<Result<A, String>, KataError> {
        self.send(Query { schema: Some(schema), ..self.query(number, prompt)? })
    }

    fn query(
        &self,
        number: u32,
        prompt: impl Fn(&Fence) -> Result<String, FenceError>,
    ) -> Result<Query, KataError> {
        let (user, fence) = fence::enclosed::<KataError>(&self.run.dir, prompt)?;
        Ok(Query { attempt: number, need: Some(NEED), ..Query::new(user, fence) })
    }

    fn send<A: Answer>(&self, query: Query) -> Result<Result<A, String>, KataError> {
        match self.desk.ask::<A, Kata>(&self.log, vec![query])?.pop() {
            Some(Reply::Answer(answer)) => Ok(Ok(answer)),
            Some(Reply::Unusable(why)) => Ok(Err(why)),
            Some(Reply::Stopped(error)) => Err(error.into()),
            None => Ok(Err("there was no reply".to_owned())),
        }
    }

    pub(crate) fn write(&self, event: impl Into<Event>) -> Result<(), KataError> {
        Ok(self.log.write(event)?)
    }
}

/// The files of a project by who may write them.
pub(crate) struct SortedFiles {
    pub(crate) sources: Vec<TextFile>,
    pub(crate) tests: Vec<TextFile>,
    pub(crate) others: Vec<String>,
}

impl SortedFiles {
    pub(crate) fn of(runner: Runner, files: Vec<TextFile>) -> SortedFiles {
        let (tests, rest): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|file| runner.is_test(&file.path));
        let (sources, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|file| runner.is_source(&file.path));
        let others = others.into_iter().map(|file| file.path).collect();
        SortedFiles { sources, tests, others }
    }

    pub(crate) fn view(&self) -> Files<'_> {
        Files { sources: &self.sources, tests: &self.tests, others: &self.others }
    }
}

/// A path of the repository as text.
pub(crate) fn text_of(path: &RepoPath) -> String {
    String::from_utf8_lossy(path.as_bytes()).into_owned()
}

impl rb_flow::World<Kata> for World {
    fn run(&self) -> &Run {
        &self.run
    }

    fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}
