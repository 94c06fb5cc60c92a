//! The languages that katas can be developed in, one file each in `runners/`.
//!
//! A runner says what a new project looks like, which files are tests, and how tests are run where the manifests do not say it.
//! It starts no process itself.

use rb_lang::Language;
use rb_toolchains::{Command, Detected, Toolchain};
use serde::{Deserialize, Serialize};

use crate::runners;
use crate::text_file::TextFile;

/// What a language brings. Each file in `runners/` has one as `RUNNER`.
pub(crate) struct Spec {
    /// As on the command line and in file names: "rust".
    pub(crate) name: &'static str,
    /// As people write it: "Rust".
    pub(crate) title: &'static str,
    /// Other names, in lower case: "rs".
    pub(crate) aliases: &'static [&'static str],
    pub(crate) language: Language,
    /// Programs that must be on `PATH`, each with what to install: ("cargo", "install Rust with rustup").
    pub(crate) needs: &'static [(&'static str, &'static str)],
    /// The files of a new project, `.gitignore` among them, without any test. They use nothing that would have to be downloaded
    /// where that can be avoided.
    pub(crate) skeleton: fn(&NewProject<'_>) -> Vec<TextFile>,
    /// Whether a path, relative to the root, is a test file: only the Tester writes those.
    pub(crate) is_test: fn(&str) -> bool,
    /// Whether a path is part of the implementation: Implementer and Refactorer write those. Never true for a test, a manifest
    /// or a file whose name begins with a dot.
    pub(crate) is_source: fn(&str) -> bool,
    /// The test command, where `detect` cannot find it from the manifests; `None` takes the detected one.
    pub(crate) test_command: Option<fn(&Detected) -> Command>,
    /// Where files go and how a test looks, in a few lines for the agents' prompts. The argument is the slug of the kata.
    pub(crate) conventions: fn(&str) -> String,
    /// The smallest test file with one passing and, if wanted, one failing test, for `tests/it`.
    pub(crate) sample: fn(&str, Sample) -> Vec<TextFile>,
}

/// What a skeleton may depend on.
pub(crate) struct NewProject<'a> {
    pub(crate) slug: &'a str,
    pub(crate) title: &'a str,
    /// Whether a program is on `PATH`.
    pub(crate) have: &'a dyn Fn(&str) -> bool,
    /// Major and minor version of node, where it is known.
    pub(crate) node: Option<(u32, u32)>,
}

/// What a sample test does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// An implementation and a test that passes.
    Green,
    /// The same implementation and a test whose assertion fails.
    AssertionFails,
    /// No implementation: the test names something that does not exist.
    MissingSymbol,
    /// The test file has a syntax error.
    SyntaxError,
}

macro_rules! runners {
    ($($file:ident $runner:ident,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Runner {
            $($runner,)*
        }

        impl Runner {
            pub const ALL: &[Runner] = &[$(Runner::$runner,)*];

            fn spec(self) -> &'static Spec {
                match self {
                    $(Runner::$runner => &runners::$file::RUNNER,)*
                }
            }
        }
    };
}

// In the order in which they are listed to people.
runners! {
    rust Rust,
    python Python,
    typescript Typescript,
    javascript Javascript,
    go Go,
    java Java,
    ruby Ruby,
}

impl Runner {
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    pub fn title(self) -> &'static str {
        self.spec().title
    }

    pub fn language(self) -> Language {
        self.spec().language
    }

    /// What its commands need of a hidden home.
    pub fn toolchain(self) -> Toolchain {
        match self {
            Runner::Rust => Toolchain::Rust,
            Runner::Python => Toolchain::Python,
            Runner::Typescript | Runner::Javascript => Toolchain::Javascript,
            Runner::Go => Toolchain::Go,
            Runner::Java => Toolchain::Java,
            Runner::Ruby => Toolchain::Ruby,
        }
    }

    /// By name or alias; case does not matter.
    pub fn parse(text: &str) -> Option<Runner> {
        let text = text.trim().to_lowercase();
        let is_named = |runner: &&Runner| {
            let spec = runner.spec();
            spec.name == text || spec.aliases.contains(&text.as_str())
        };
        Runner::ALL.iter().find(is_named).copied()
    }

    /// All names, for messages: "rust, python, …".
    pub fn names() -> String {
        Runner::ALL.iter().map(|runner| runner.name()).collect::<Vec<_>>().join(", ")
    }

    /// The programs that are missing, each with what to install.
    pub fn missing(self, have: &dyn Fn(&str) -> bool) -> Vec<(&'static str, &'static str)> {
        self.spec().needs.iter().copied().filter(|(program, _)| !have(program)).collect()
    }

    pub fn is_test(self, path: &str) -> bool {
        (self.spec().is_test)(path)
    }

    pub fn is_source(self, path: &str) -> bool {
        (self.spec().is_source)(path)
    }

    pub fn conventions(self, slug: &str) -> String {
        (self.spec().conventions)(slug)
    }

    /// The files of a new project, sorted by path.
    pub fn skeleton(
        self,
        slug: &str,
        title: &str,
        have: &dyn Fn(&str) -> bool,
        node: Option<(u32, u32)>,
    ) -> Vec<TextFile> {
        let mut files = (self.spec().skeleton)(&NewProject { slug, title, have, node });
        files.sort();
        files
    }

    /// The command that runs all tests.
    pub fn test_command(self, detected: &Detected) -> Option<Command> {
        match self.spec().test_command {
            Some(command) => Some(command(detected)),
            None => detected.commands(rb_toolchains::Purpose::Test).next().cloned(),
        }
    }

    #[doc(hidden)]
    pub fn sample(self, slug: &str, sample: Sample) -> Vec<TextFile> {
        (self.spec().sample)(slug, sample)
    }
}
