//! The servers that are known: for which files, how they are started, and what keeps them safe and offline.
//!
//! All of them run in the sandbox, without network, and can read the project but not write to it. Nothing of the project is built or
//! run for a rename: build scripts and procedural macros are off.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_core::Cancel;
use rb_core::process::{Cmd, Env, Output};
use rb_toolchains::Toolchain;
use serde_json::{Value, json};

/// A language server, and how it is used.
#[derive(Debug)]
pub struct Server {
    /// As people call it.
    pub name: &'static str,
    pub language: &'static str,
    /// Any of these; the first one on `PATH` is taken.
    pub programs: &'static [&'static str],
    /// The program that it asks about the project, and does nothing without.
    pub(crate) asks: Option<&'static str>,
    /// How it is installed, as a sentence without its full stop.
    pub install: &'static str,
    /// `{job}` stands for a folder that it may write to.
    pub(crate) args: &'static [&'static str],
    pub(crate) version_arg: &'static str,
    /// Extension, and the id of the language in the protocol.
    pub(crate) extensions: &'static [(&'static str, &'static str)],
    /// Its own files, beside the folder of its program.
    pub(crate) parts: &'static [&'static str],
    /// Whose caches in the home it needs.
    pub(crate) toolchain: Option<Toolchain>,
    pub(crate) loaded: LoadedSign,
    /// What code the server may not see, as the end of a sentence.
    pub(crate) unseen: &'static str,
    /// How long it may take until its answers follow a change of several files.
    pub(crate) settles: Duration,
    /// Whether a file may be moved along with what it declares. Seen of rust-analyzer: with a module that is a file, variables of the
    /// same name are renamed, too.
    pub(crate) moves_files: bool,
    /// Without the compiler's command lines it does not know all files.
    pub(crate) needs_compile_commands: bool,
    /// The section of its settings.
    pub(crate) section: &'static str,
    pub(crate) settings: fn() -> Value,
}

/// How a server says that it has read the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoadedSign {
    /// rust-analyzer's `experimental/serverStatus`.
    Status,
    /// `ServiceReady` of the Eclipse server.
    ServiceReady,
    /// All work that it announced is done.
    Progress,
}

pub static SERVERS: &[Server] = &[
    Server {
        name: "gopls",
        language: "Go",
        programs: &["gopls"],
        asks: Some("go"),
        install: "Install it with `go install golang.org/x/tools/gopls@latest`",
        args: &["serve"],
        version_arg: "version",
        extensions: &[("go", "go")],
        parts: &[],
        toolchain: Some(Toolchain::Go),
        loaded: LoadedSign::Progress,
        unseen: "code for another system or behind a build tag",
        settles: Duration::ZERO,
        moves_files: false,
        needs_compile_commands: false,
        section: "gopls",
        settings: || json!({}),
    },
    Server {
        name: "rust-analyzer",
        language: "Rust",
        programs: &["rust-analyzer"],
        asks: Some("cargo"),
        install: "Install it with `rustup component add rust-analyzer rust-src`",
        args: &[],
        version_arg: "--version",
        extensions: &[("rs", "rust")],
        parts: &[],
        toolchain: Some(Toolchain::Rust),
        loaded: LoadedSign::Status,
        unseen: "code for another system, behind a feature or in a macro",
        settles: Duration::ZERO,
        moves_files: false,
        needs_compile_commands: false,
        section: "rust-analyzer",
        settings: || {
            json!({
                "cargo": { "buildScripts": { "enable": false }, "features": "all" },
                "procMacro": { "enable": false },
                "checkOnSave": false,
                "cachePriming": { "enable": false },
                "files": { "watcher": "client" },
            })
        },
    },
    Server {
        name: "jdtls",
        language: "Java",
        programs: &["jdtls"],
        asks: None,
        install: "Install the Eclipse JDT language server",
        args: &[
            // Its own files of a project go to its data.
            "--jvm-arg=-Djava.import.generatesMetadataFilesAtProjectRoot=false",
            "-configuration",
            "{job}/configuration",
            "-data",
            "{job}/data",
        ],
        version_arg: "--help",
        extensions: &[("java", "java")],
        parts: &[
            "plugins",
            "features",
            "config_linux",
            "config_ss_linux",
            "config_mac",
            "config_ss_mac",
        ],
        toolchain: Some(Toolchain::Java),
        loaded: LoadedSign::ServiceReady,
        unseen: "code outside of the build that it has loaded",
        settles: Duration::from_secs(10),
        moves_files: true,
        needs_compile_commands: false,
        section: "java",
        settings: || {
            json!({
                "autobuild": { "enabled": false },
                // They would be written into the project.
                "project": { "resourceFilters": [] },
                "import": { "gradle": { "offline": { "enabled": true } }, "maven": { "offline": { "enabled": true } } },
            })
        },
    },
    Server {
        name: "csharp-ls",
        language: "C#",
        programs: &["csharp-ls"],
        asks: None,
        install: "Install it with `dotnet tool install --global csharp-ls`",
        args: &[],
        version_arg: "--version",
        extensions: &[("cs", "csharp")],
        parts: &[],
        toolchain: Some(Toolchain::Dotnet),
        loaded: LoadedSign::Progress,
        unseen: "code outside of the build that it has loaded",
        settles: Duration::from_secs(10),
        moves_files: false,
        needs_compile_commands: false,
        section: "csharp",
        settings: || json!({}),
    },
    Server {
        name: "clangd",
        language: "C and C++",
        programs: &["clangd"],
        asks: None,
        install: "Install the package `clangd`",
        args: &[
            "--background-index",
            "--log=error",
            "--compile-commands-dir={job}",
            "--use-dirty-headers",
        ],
        version_arg: "--version",
        extensions: &[
            ("c", "c"),
            ("h", "cpp"),
            ("cc", "cpp"),
            ("cpp", "cpp"),
            ("cxx", "cpp"),
            ("hh", "cpp"),
            ("hpp", "cpp"),
            ("hxx", "cpp"),
        ],
        parts: &[],
        toolchain: None,
        loaded: LoadedSign::Progress,
        unseen: "code for another system or in a macro",
        settles: Duration::from_secs(10),
        moves_files: false,
        needs_compile_commands: true,
        section: "clangd",
        settings: || json!({}),
    },
];

/// A program that does not say its version in this time does not work.
const PATIENCE: Duration = Duration::from_secs(10);

impl Server {
    /// The server for a file, by its extension.
    pub fn for_path(path: &str) -> Option<&'static Server> {
        let extension = Path::new(path).extension()?.to_str()?;
        SERVERS.iter().find(|server| server.language_id(extension).is_some())
    }

    fn language_id(&self, extension: &str) -> Option<&'static str> {
        let known = self.extensions.iter().find(|(known, _)| *known == extension);
        known.map(|(_, id)| *id)
    }

    /// As the protocol calls the language of a file.
    pub(crate) fn language_of(&self, path: &str) -> &'static str {
        let extension = Path::new(path).extension().and_then(|it| it.to_str());
        extension.and_then(|it| self.language_id(it)).unwrap_or("plaintext")
    }

    /// Does it read files like this one?
    pub fn reads(&self, path: &str) -> bool {
        let extension = Path::new(path).extension().and_then(|it| it.to_str());
        extension.is_some_and(|it| self.language_id(it).is_some())
    }

    /// The options of the `initialize` request. jdtls expects the settings of an editor here.
    pub(crate) fn options(&self) -> Value {
        match self.loaded {
            LoadedSign::ServiceReady => json!({ "settings": { self.section: (self.settings)() } }),
            LoadedSign::Status | LoadedSign::Progress => (self.settings)(),
        }
    }

    pub fn program(&self, env: &Env) -> Option<PathBuf> {
        self.programs.iter().find_map(|name| env.find(name))
    }

    /// What it cannot do without, in words.
    pub(crate) fn lacks(&self, env: &Env) -> Option<String> {
        let asked = self.asks.filter(|program| env.find(program).is_none())?;
        Some(format!("it needs `{asked}`, which was not found"))
    }

    /// What the program says of its version: the first line of its words. None where it is not there, and an error in its own words
    /// where it does not start: rustup has a stand-in for each of its components, installed or not.
    pub fn version(&self, env: &Env, cancel: &Cancel) -> Option<Result<String, String>> {
        let program = self.program(env)?;
        if let Some(why) = self.lacks(env) {
            return Some(Err(why));
        }
        let asked = Cmd::new(program, env).arg(self.version_arg).timeout(PATIENCE).limit(64 << 10);
        let first = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
        };
        let words =
            |out: &Output| first(&out.stdout).or_else(|| first(&out.stderr)).unwrap_or_default();
        Some(match asked.run(cancel) {
            Ok(out) if out.success() => Ok(words(&out)),
            Ok(out) => Err(words(&out)),
            Err(error) => Err(error.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st5_a_server_without_what_it_asks_does_not_work() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("gopls");
        rb_core::fs::write_with_mode(
            &program,
            b"#!/bin/sh\necho gopls v9\n",
            0o755,
            rb_core::fs::Durability::Relaxed,
        )
        .unwrap();
        let path = std::env::join_paths([folder.path()]).unwrap();
        let env = Env::default().with("PATH", path);
        let server = Server::for_path("a.go").unwrap();
        let said = server.version(&env, &Cancel::default());
        assert_eq!(said, Some(Err("it needs `go`, which was not found".to_owned())));
    }

    #[test]
    fn st5_a_file_has_the_server_of_its_language() {
        for (path, expected) in [
            ("a/b.go", Some("gopls")),
            ("src/lib.rs", Some("rust-analyzer")),
            ("A.java", Some("jdtls")),
            ("A.cs", Some("csharp-ls")),
            ("a.h", Some("clangd")),
            ("a.py", None),
            ("go", None),
            ("", None),
        ] {
            assert_eq!(Server::for_path(path).map(|it| it.name), expected, "{path}");
        }
    }
}
