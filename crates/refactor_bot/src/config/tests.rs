//! The layers as tables: what was said where, and which value or message comes of it.

use rb_core::Home;
use tempfile::TempDir;

use super::file::{MAX_LEN, PROJECT_FILE, ProjectFile};
use super::trust::Trust;
use super::{Config, Flag, Sources};
use crate::environment::Environment;
use crate::error::CliError;

/// What is said in each layer. Files that are `None` do not exist.
#[derive(Default)]
struct Layers<'a> {
    set: &'a [&'a str],
    vars: &'a [(&'a str, &'a str)],
    project: Option<&'a str>,
    user: Option<&'a str>,
    trusted: bool,
}

/// A project and a home on disk.
struct World {
    temp: TempDir,
    home: Home,
}

impl World {
    fn new(layers: &Layers<'_>) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::new(temp.path().join("home"));
        let world = World { temp, home };
        rb_core::fs::create_dir_all(&world.project()).unwrap();
        rb_core::fs::create_dir_all(world.home.root()).unwrap();
        if let Some(text) = layers.project {
            write(&world.project().join(PROJECT_FILE), text);
        }
        if let Some(text) = layers.user {
            write(&world.home.config(), text);
        }
        if layers.trusted {
            world.trust();
        }
        world
    }

    fn project(&self) -> std::path::PathBuf {
        self.temp.path().canonicalize().unwrap().join("project")
    }

    fn trust(&self) {
        let file = ProjectFile::read(&self.project()).unwrap().unwrap();
        Trust::load(&self.home).unwrap().add(&file).unwrap();
    }

    fn load(&self, layers: &Layers<'_>) -> Result<Config, CliError> {
        let vars = layers.vars.iter().map(|(name, value)| (name.into(), value.into()));
        let flags = layers.set.iter().map(|text| Flag::parse_set(text).unwrap()).collect();
        let sources = Sources {
            flags,
            environment: &Environment::new(vars),
            project: Some(&self.project()),
            home: &self.home,
        };
        Ok(Config::load(sources)?)
    }

    /// With the temporary folder left out.
    fn shown(&self, text: &str) -> String {
        let canonical = self.temp.path().canonicalize().unwrap();
        let text = text.replace(&format!("{}/", canonical.display()), "");
        text.replace(&format!("{}/", self.temp.path().display()), "")
    }
}

fn write(path: &std::path::Path, text: &str) {
    rb_core::fs::write(path, text.as_bytes(), rb_core::fs::Durability::Relaxed).unwrap();
}

/// `expected` is the value and its origin.
#[track_caller]
fn check(layers: &Layers<'_>, key: &str, expected: &str) {
    let world = World::new(layers);
    let config = world.load(layers).unwrap();
    let entry = config.entries.iter().find(|entry| entry.key.name == key).unwrap();
    let ignored = if config.ignored.iter().any(|entry| entry.key.name == key) {
        ", project ignored"
    } else {
        ""
    };
    let shown = format!("{} from {}{ignored}", entry.value, entry.origin);
    assert_eq!(world.shown(&shown), expected);
}

/// `expected` is the exit code, the message and the hints.
#[track_caller]
fn check_error(layers: &Layers<'_>, expected: &str) {
    let world = World::new(layers);
    assert_eq!(error_of(&world, layers), expected);
}

#[track_caller]
fn error_of(world: &World, layers: &Layers<'_>) -> String {
    let error = world.load(layers).unwrap_err();
    let mut shown = format!("{}: {}", error.kind.exit_code(), error.message());
    for hint in &error.hints {
        shown = format!("{shown} | {hint}");
    }
    world.shown(&shown)
}

#[test]
fn ux3_flags_over_environment_over_project_over_user_over_defaults() {
    let mut layers = Layers {
        set: &["max_batches=1", "max_batches=2"],
        vars: &[("REFACTOR_BOT_MAX_BATCHES", "3")],
        project: Some(r#"{"max_batches": 4}"#),
        user: Some(r#"{"$schema": "x", "max_batches": 5}"#),
        trusted: false,
    };
    check(&layers, "max_batches", "2 from --set");
    layers.set = &[];
    check(&layers, "max_batches", "3 from REFACTOR_BOT_MAX_BATCHES");
    layers.vars = &[("REFACTOR_BOT_MAX_BATCHES", ""), ("REFACTOR_BOT_HOME", "x")];
    check(&layers, "max_batches", "4 from project/.refactor-bot.config.json");
    layers.project = None;
    check(&layers, "max_batches", "5 from home/config.json");
    layers.user = None;
    check(&layers, "max_batches", "200 from default");
}

#[test]
fn ux3_nested_keys_merge_one_by_one() {
    let layers = Layers {
        vars: &[("REFACTOR_BOT_CLAUDE_BINARY", "/opt/claude")],
        project: Some(r#"{"claude": {"max_turns_patcher": 3}}"#),
        user: Some(r#"{"claude": {"max_turns_planner": 4, "binary": "mine"}}"#),
        ..Layers::default()
    };
    check(&layers, "claude.binary", r#""/opt/claude" from REFACTOR_BOT_CLAUDE_BINARY"#);
    check(&layers, "claude.max_turns_patcher", "3 from project/.refactor-bot.config.json");
    check(&layers, "claude.max_turns_planner", "4 from home/config.json");
    check(&layers, "claude.tools", r#""Read,Edit,Bash,Grep,Glob" from default"#);
}

#[test]
fn ux3_a_project_chooses_commands_only_when_trusted() {
    let project = r#"{"fast_verifier": ["evil"], "max_batches": 7}"#;
    let user = r#"{"fast_verifier": ["mine"]}"#;
    let mut layers = Layers { project: Some(project), user: Some(user), ..Layers::default() };
    check(&layers, "fast_verifier", r#"["mine"] from home/config.json, project ignored"#);
    check(&layers, "max_batches", "7 from project/.refactor-bot.config.json");
    layers.trusted = true;
    check(&layers, "fast_verifier", r#"["evil"] from project/.refactor-bot.config.json"#);
}

#[test]
fn ux3_exactly_these_keys_need_trust() {
    let keys = super::KEYS.iter().filter(|key| key.chooses_command).map(|key| key.name);
    assert_eq!(
        keys.collect::<Vec<_>>(),
        [
            "fast_verifier",
            "full_verifier",
            "claude.binary",
            "claude.allowed_tools",
            "claude.tools",
            "models.provider",
            "models.model",
            "models.for",
            "models.base_url",
            "models.api_key_env",
            "models.command",
            "models.max_cents",
            "verify.sandbox",
            "verify.carry",
            "verify.env",
            "verify.install",
            "verify.benchmark",
            "search.model",
            "search.openai_url",
            "search.chroma",
        ]
    );
}

#[test]
fn ux3_trust_is_for_one_content_at_one_place() {
    let text = r#"{"claude": {"binary": "a"}}"#;
    let layers = Layers { project: Some(text), trusted: true, ..Layers::default() };
    let world = World::new(&layers);
    let ignored = |world: &World| world.load(&layers).unwrap().ignored.len();
    assert_eq!(ignored(&world), 0);

    write(&world.project().join(PROJECT_FILE), &format!("{text}\n"));
    assert_eq!(ignored(&world), 1, "a changed file is trusted");

    world.trust();
    assert_eq!(ignored(&world), 0);
    let moved = world.temp.path().join("moved");
    rb_core::fs::rename(&world.project(), &moved).unwrap();
    rb_core::fs::create_dir_all(&world.project()).unwrap();
    rb_core::fs::rename(&moved, &world.project().join("inner")).unwrap();
    let inner = ProjectFile::read(&world.project().join("inner")).unwrap().unwrap();
    assert!(!Trust::load(&world.home).unwrap().covers(&inner), "a moved file is trusted");
    assert!(Trust::load(&world.home).unwrap().remove(&world.project()).unwrap());
    assert!(!Trust::load(&world.home).unwrap().remove(&world.project()).unwrap());
}

#[test]
fn ux3_an_unknown_key_names_the_nearest_and_the_file() {
    let project = |text| Layers { project: Some(text), ..Layers::default() };
    check_error(
        &project(r#"{"max_batch": 1}"#),
        "6: unknown configuration key `max_batch` in project/.refactor-bot.config.json \
         | did you mean `max_batches`?",
    );
    check_error(
        &project(r#"{"claude": {"binry": "x"}}"#),
        "6: unknown configuration key `claude.binry` in project/.refactor-bot.config.json \
         | did you mean `binary` inside `claude`?",
    );
    check_error(
        &project(r#"{"claude.binary": "x"}"#),
        "6: unknown configuration key `claude.binary` in project/.refactor-bot.config.json \
         | did you mean `binary` inside `claude`?",
    );
    check_error(
        &project(r#"{"zzz": 1}"#),
        "6: unknown configuration key `zzz` in project/.refactor-bot.config.json \
         | `refactor-bot config schema` lists the known keys",
    );
    check_error(
        &Layers { vars: &[("REFACTOR_BOT_CLAUDE_BINRY", "x")], ..Layers::default() },
        "6: unknown configuration key `REFACTOR_BOT_CLAUDE_BINRY` in REFACTOR_BOT_CLAUDE_BINRY \
         | did you mean REFACTOR_BOT_CLAUDE_BINARY?",
    );
}

#[test]
fn ux3_a_wrong_type_names_key_place_expected_and_found() {
    let schema = "`refactor-bot config schema` describes every key";
    let user = |text| Layers { user: Some(text), ..Layers::default() };
    let check = |layers: &Layers<'_>, expected: &str| {
        check_error(layers, &format!("6: {expected} | {schema}"));
    };
    check(
        &user(r#"{"max_batches": "many"}"#),
        "`max_batches` in home/config.json must be a whole number from 1 to 1000000, \
         not a text: \"many\"",
    );
    check(
        &user(r#"{"fast_verifier": "npm test"}"#),
        "`fast_verifier` in home/config.json must be a list of texts, not a text: \"npm test\"",
    );
    check(&user(r#"{"claude": null}"#), "`claude` in home/config.json must be an object, not null");
    check(&user("[]"), "`the document` in home/config.json must be an object, not a list: []");
    check(
        &Layers { vars: &[("REFACTOR_BOT_RETRY_PER_BATCH", "-1")], ..Layers::default() },
        "`retry_per_batch` in REFACTOR_BOT_RETRY_PER_BATCH must be a whole number from 0 to 1000000, \
         not `-1`",
    );
}

#[test]
fn ux3_malformed_json_names_line_and_column() {
    let layers = Layers { project: Some("{\n  \"max_batches\": 1,\n}"), ..Layers::default() };
    check_error(&layers, "6: project/.refactor-bot.config.json:3:1: trailing comma");
    let layers = Layers { user: Some(""), ..Layers::default() };
    check_error(&layers, "6: home/config.json:1:0: EOF while parsing a value");
}

#[test]
fn ux3_a_linked_or_huge_project_file_is_refused() {
    let layers = Layers { user: Some("{}"), ..Layers::default() };
    let world = World::new(&layers);
    let file = world.project().join(PROJECT_FILE);
    rb_core::fs::symlink(&world.home.config(), &file).unwrap();
    assert_eq!(
        error_of(&world, &layers),
        "6: project/.refactor-bot.config.json is a symbolic link; a project's configuration must be \
         a plain file inside it"
    );
    rb_core::fs::remove_file(&file).unwrap();
    let fits = usize::try_from(MAX_LEN).unwrap();
    write(&file, &format!("{{}}{}", " ".repeat(fits - 2)));
    assert!(world.load(&layers).is_ok());
    write(&file, &format!("{{}}{}", " ".repeat(fits - 1)));
    assert_eq!(
        error_of(&world, &layers),
        "6: project/.refactor-bot.config.json is larger than 1048576 bytes"
    );
}

#[test]
fn ux3_a_broken_list_of_trust_trusts_nobody() {
    let layers = Layers { project: Some("{}"), ..Layers::default() };
    let world = World::new(&layers);
    write(&world.home.trust(), "{}");
    assert_eq!(
        error_of(&world, &layers),
        "6: the list of trusted projects in home/trust.json cannot be read: missing field `trusted` \
         at line 1 column 2 | remove that file; the projects it named must then be trusted again"
    );
}

#[test]
fn ux3_the_project_is_the_folder_with_git_above() {
    let layers = Layers { project: Some(r#"{"max_batches": 9}"#), ..Layers::default() };
    let world = World::new(&layers);
    let deep = world.project().join("src/deep");
    rb_core::fs::create_dir_all(&deep).unwrap();
    assert_eq!(super::file::project_root(&deep).unwrap(), deep);
    rb_core::fs::create_dir_all(&world.project().join(".git")).unwrap();
    assert_eq!(super::file::project_root(&deep).unwrap(), world.project());
    assert!(super::file::project_root(&world.project().join("none")).is_err());
}

/// The page of documentation is the table of keys. `UPDATE_EXPECT=1` writes it anew.
#[test]
fn ux3_the_page_of_documentation_is_the_table() {
    use std::fmt::Write as _;
    let mut page = include_str!("docs.head.md").to_owned();
    page.push_str("\n| key | variable | default | needs trust | what |\n|---|---|---|---|---|\n");
    for key in &super::KEYS {
        let trust = if key.chooses_command { "yes" } else { "" };
        writeln!(
            page,
            "| `{}` | `{}` | `{}` | {trust} | {} |",
            key.name,
            key.variable(),
            key.default(),
            key.doc
        )
        .unwrap();
    }
    expect_test::expect_file!["../../../../docs/configuration.md"].assert_eq(&page);
}
