//! A part of a command line that a toolchain recognised, and the command made of it.

use crate::args::Args;
use crate::command::{
    Ask, Command, CommandOrigin, Purpose, ReportKind, ReportLocation, Runner, Select, Step, Unit,
};
use crate::shell::Part;
use crate::toolchains::Toolchain;

/// What a runner's flags hang on and a command line does not show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Hints {
    /// Mocha before 9.2 writes its JSON to standard output only.
    pub(crate) old_mocha: bool,
    /// The runner's settings name test files, to which those of the command line are added.
    pub(crate) files_in_settings: bool,
    /// Members of the cargo workspace: folder and name.
    pub(crate) crates: Vec<(String, String)>,
}

#[derive(Debug, Clone)]
pub(crate) struct KnownCommand {
    /// `None` fits a package of any toolchain: `make test`.
    pub(crate) toolchain: Option<Toolchain>,
    pub(crate) purpose: Purpose,
    pub(crate) runner: Option<Runner>,
    pub(crate) run: Part,
    pub(crate) ask: Option<ReportRequest>,
    pub(crate) select: Option<(Unit, Part)>,
}

#[derive(Debug, Clone)]
pub(crate) struct ReportRequest {
    pub(crate) kind: ReportKind,
    pub(crate) part: Part,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) place: ReportLocation,
}

impl KnownCommand {
    /// A program that reports by its exit code alone.
    pub(crate) fn plain(toolchain: Toolchain, purpose: Purpose, run: Part) -> Self {
        KnownCommand {
            toolchain: Some(toolchain),
            purpose,
            runner: None,
            run,
            ask: None,
            select: None,
        }
    }

    /// A line that no toolchain explains.
    pub(crate) fn foreign(purpose: Purpose, run: Part) -> Self {
        KnownCommand { toolchain: None, purpose, runner: None, run, ask: None, select: None }
    }

    pub(crate) fn runner(toolchain: Toolchain, runner: Runner, run: Part) -> Self {
        KnownCommand {
            toolchain: Some(toolchain),
            purpose: Purpose::Test,
            runner: Some(runner),
            run,
            ask: None,
            select: None,
        }
    }

    pub(crate) fn asking(mut self, kind: ReportKind, asked: Args, place: ReportLocation) -> Self {
        self.ask = Some(ReportRequest { kind, part: asked.part, env: Vec::new(), place });
        self
    }

    pub(crate) fn selecting(mut self, unit: Unit, selected: Args) -> Self {
        self.select = Some((unit, selected.part));
        self
    }

    pub(crate) fn into_command(
        self,
        folder: &str,
        path: Vec<String>,
        found: CommandOrigin,
    ) -> Command {
        let ask = self.ask.map(|asked| Ask {
            kind: asked.kind,
            argv: asked.part.argv(),
            env: asked.env,
            place: asked.place,
        });
        let select = self.select.map(|(unit, part)| Select { unit, argv: part.argv() });
        Command {
            purpose: self.purpose,
            line: self.run.line(),
            argv: self.run.argv(),
            env: self.run.plain_env(),
            path,
            folder: folder.to_owned(),
            before: Vec::new(),
            after: Vec::new(),
            found,
            runner: self.runner,
            report: ask,
            select,
            optional: false,
            needs: self.run.words.first().map(|word| word.text.clone()).into_iter().collect(),
        }
    }
}

impl Command {
    /// Adds what the project runs around it, and the programs that this needs.
    pub(crate) fn with_steps(mut self, before: Vec<Step>, after: Vec<Step>) -> Self {
        self.before = before;
        self.after = after;
        self
    }
}
