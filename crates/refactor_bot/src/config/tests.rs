//! The layers as tables: what was said where, and which value or message comes of it.

use std::fmt::Write as _;

use expect_test::expect;
use rb_core::Home;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::file::{MAX_LEN, PROJECT_FILE, ProjectFile};
use super::keys::{Key, Kind, Untrusted};
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

/// Every key says what an untrusted project may do with it; a new one has to be thought about here.
#[test]
fn ux3_sa7_these_are_the_keys_that_need_trust() {
    let mut table = String::new();
    for key in super::KEYS.iter().filter(|key| key.untrusted != Untrusted::Ignored) {
        writeln!(table, "{} needs trust {}", key.name, needs_trust(key)).unwrap();
    }
    expect![[r#"
        diff_budget_loc needs trust to raise it
        max_batches needs trust to raise it
        retry_per_batch needs trust to raise it
        run_full_verifier_every needs trust to raise it
        scope_excludes needs trust to replace it
        allow_public_api_changes needs trust to turn it on
        claude.max_turns_patcher needs trust to raise it
        claude.max_turns_planner needs trust to raise it
        models.max_cents needs trust to raise it
        verify.install needs trust to turn it on
        verify.optional_checks needs trust to turn it on
        verify.timeout_s needs trust to raise it
        verify.memory_mb needs trust to raise it
        verify.processes needs trust to raise it
        verify.confirm_runs needs trust to raise it
        verify.pass_rate_wanted needs trust to lower it
        verify.pass_rate_abort needs trust to lower it
        verify.broken_unstable needs trust to raise it
        verify.allow_failing_baseline needs trust to turn it on
        verify.max_residue needs trust to raise or remove it
        verify.benchmark_threshold needs trust to raise it
        search.max_cents needs trust to raise it
        kata.max_cycles needs trust to raise it
        ticket.max_rounds needs trust to raise it
    "#]]
    .assert_eq(&table);
}

/// What a project needs trust for, in words.
fn needs_trust(key: &Key) -> &'static str {
    match key.untrusted {
        Untrusted::Ignored => "yes",
        Untrusted::AtMost if matches!(key.kind, Kind::Switch { .. }) => "to turn it on",
        Untrusted::AtMost => "to raise it",
        Untrusted::AtMostOrUnlimited => "to raise or remove it",
        Untrusted::AtLeast => "to lower it",
        Untrusted::Added => "to replace it",
    }
}

/// Whatever a key is, an untrusted project moves it from its default in the strict direction alone.
#[test]
fn ux3_sa7_an_untrusted_project_loosens_nothing() {
    for key in &super::KEYS {
        let default = key.default();
        let (strict, loose) = match key.untrusted {
            Untrusted::Ignored => (None, another(key)),
            Untrusted::AtMost => match key.kind {
                Kind::Switch { .. } => (Some(json!(false)), json!(true)),
                _ => (Some(json!(minimum(key))), json!(default.as_u64().unwrap() + 1)),
            },
            Untrusted::AtMostOrUnlimited => (Some(json!(5)), json!(1_000_000)),
            Untrusted::AtLeast => (Some(json!(100)), json!(0)),
            Untrusted::Added => (None, json!([])),
        };
        let load = |value: &Value, user: Option<Value>| {
            let document = |value| super::settings::nested([(key.name, value)]).to_string();
            let (project, user) = (document(value.clone()), user.map(document));
            let layers =
                Layers { project: Some(&project), user: user.as_deref(), ..Layers::default() };
            let config = World::new(&layers).load(&layers).unwrap();
            config.entries.into_iter().find(|entry| entry.key.name == key.name).unwrap().value
        };
        if let Some(strict) = strict {
            assert_eq!(load(&strict, None), strict, "{}", key.name);
            let user = Some(strict.clone());
            // Nor does it undo what the user made stricter.
            assert_eq!(load(&loose, user), strict, "{}", key.name);
        } else {
            assert_eq!(load(&loose, None), default, "{}", key.name);
        }
    }
}

/// A value that is not the default.
fn another(key: &Key) -> Value {
    match key.kind {
        Kind::Number { default, .. } => json!(default + 1),
        Kind::Switch { default } => json!(!default),
        Kind::Text { .. } => json!("other"),
        Kind::Texts { .. } => json!(["other"]),
    }
}

fn minimum(key: &Key) -> u32 {
    match key.kind {
        Kind::Number { min, .. } => min,
        Kind::Switch { .. } | Kind::Text { .. } | Kind::Texts { .. } => 0,
    }
}

#[test]
fn ux3_sa7_excludes_of_an_untrusted_project_are_added() {
    let project = r#"{"scope_excludes": ["vendor/**", "mine/**"]}"#;
    let user = r#"{"scope_excludes": ["mine/**"]}"#;
    let mut layers = Layers { project: Some(project), user: Some(user), ..Layers::default() };
    let from = "from project/.refactor-bot.config.json";
    check(&layers, "scope_excludes", &format!(r#"["mine/**","vendor/**"] {from}"#));
    layers.trusted = true;
    check(&layers, "scope_excludes", &format!(r#"["vendor/**","mine/**"] {from}"#));
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
    let mut page = include_str!("docs.head.md").to_owned();
    page.push_str("\n| key | variable | default | needs trust | what |\n|---|---|---|---|---|\n");
    for key in &super::KEYS {
        let trust = needs_trust(key);
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
