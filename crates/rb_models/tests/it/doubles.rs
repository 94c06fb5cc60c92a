//! Programs that tests put on a `PATH` of their own, and what became of calls in one line each.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rb_core::Cancel;
use rb_core::process::Env;
use rb_models::{Advice, Answer, Calling, Cost, Host, ModelError, Request};
use rb_schema::Schema;
use tempfile::TempDir;

/// A key that must be seen nowhere.
pub(crate) const KEY: &str = "swordfish";

/// A folder with programs, a scratch folder and a home.
pub(crate) struct Place {
    dir: TempDir,
}

impl Place {
    /// With one program of that name, written in Python.
    pub(crate) fn with(name: &str, script: &str) -> Self {
        let place = Place::empty();
        place.program(name, &format!("#!{}\n{script}", python()));
        place
    }

    pub(crate) fn empty() -> Self {
        let place = Place { dir: tempfile::tempdir().unwrap() };
        for folder in ["bin", "scratch", "home", "folder"] {
            std::fs::create_dir(place.at(folder)).unwrap();
        }
        place
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Another process writes it: a file that this one has open, a program that another test starts at that moment would
    /// have open too, and then it could not be run.
    pub(crate) fn program(&self, name: &str, text: &str) {
        let path = self.at("bin").join(name);
        let mut writer = Command::new("sh")
            .args(["-c", "cat > \"$1\" && chmod 755 \"$1\"", "sh"])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        writer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(writer.wait().unwrap().success());
    }

    /// The user has a key in the environment; programs must not see it.
    pub(crate) fn host(&self, vars: &[(&str, &str)]) -> Host {
        let path = format!("{}:/usr/bin:/bin", self.at("bin").display());
        let mut env = Env::default()
            .with("PATH", path)
            .with("HOME", self.at("home"))
            .with("FAKE_CLAUDE_LOG", self.at("log"));
        for (name, value) in vars {
            env = env.with(name, value);
        }
        let outside = [
            ("ANTHROPIC_API_KEY", KEY),
            ("ANTHROPIC_AUTH_TOKEN", KEY),
            ("CLAUDE_CODE_OAUTH_TOKEN", KEY),
            ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
            ("OPENAI_API_KEY", KEY),
            ("HTTPS_PROXY", "http://127.0.0.1:9"),
            ("NO_PROXY", "127.0.0.1"),
            ("NODE_EXTRA_CA_CERTS", "/no/such/file"),
        ];
        Host::new(
            &env,
            outside.map(|(name, value)| (name.into(), value.into())),
            self.at("scratch"),
        )
    }

    /// Nothing of a call is left.
    pub(crate) fn assert_swept(&self) {
        let left: Vec<_> = std::fs::read_dir(self.at("scratch")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

fn python() -> &'static str {
    static FOUND: OnceLock<String> = OnceLock::new();
    FOUND.get_or_init(|| {
        let say = ["-c", "import sys; print(sys.executable)"];
        let out = Command::new("python3").args(say).output().unwrap();
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    })
}

pub(crate) fn schema() -> Arc<Schema> {
    let text = r#"{"type": "object", "properties": {"ok": {"type": "boolean"}, "note": {"type": "string"}}, "required": ["ok"], "additionalProperties": false}"#;
    Arc::new(Schema::parse("reply", text).unwrap())
}

/// A question with a schema.
pub(crate) fn question() -> Request {
    let mut request = Request::new("patcher", "You patch.", "Is it well?");
    request.schema = Some(schema());
    "sonnet".clone_into(&mut request.model);
    request
}

/// Runs with a flag that nobody raises.
pub(crate) fn calling<T>(work: impl FnOnce(&Calling<'_>) -> T) -> T {
    let cancel = Cancel::new();
    work(&Calling { cancel: &cancel, heard: &|_| {} })
}

/// One line; the planted key is in none of it.
pub(crate) fn shown(result: &Result<Answer, ModelError>) -> String {
    let everything = format!("{result:?}");
    assert!(!everything.contains(KEY), "{everything}");
    match result {
        Ok(answer) => shown_answer(answer),
        Err(error) => shown_error(error),
    }
}

fn shown_answer(answer: &Answer) -> String {
    let Answer { text, value, tool_calls, stop, usage, cost, facts, timing } = answer;
    assert_eq!(facts.tries, 1);
    assert!(timing.first_ms <= timing.whole_ms, "{timing:?}");
    let text = if text.len() > 60 { format!("{} bytes", text.len()) } else { format!("{text:?}") };
    let mut line = format!("{text} {stop:?}, {} of {}", facts.model, facts.provider);
    if let Some(value) = value {
        let value = value.to_string();
        write!(line, ", value {}", &value[..value.len().min(60)]).unwrap();
    }
    for call in tool_calls {
        write!(line, ", calls {} {} {}", call.id, call.name, call.input).unwrap();
    }
    let counts = [usage.input, usage.output, usage.cache_read, usage.cache_write, usage.reasoning];
    write!(line, ", {counts:?} {:?}, {}", usage.counted, shown_cost(*cost)).unwrap();
    for note in &facts.notes {
        write!(line, ", note: {note}").unwrap();
    }
    line
}

fn shown_cost(cost: Cost) -> String {
    match cost {
        Cost::Reported(usd) => usd.to_string(),
        other => format!("{other:?}"),
    }
}

fn shown_error(error: &ModelError) -> String {
    let kind = format!("{:?}", error.fault);
    let kind = kind.split([' ', '(']).next().unwrap();
    let advice = match error.fault.advice() {
        Advice::Retry { after: None } => "retry".to_owned(),
        Advice::Retry { after: Some(after) } => format!("retry after {after:?}"),
        Advice::TellModel(_) => "tell the model".to_owned(),
        Advice::Stop(halt) => format!("stop, {halt:?}"),
    };
    let mut line = format!("{kind}: {error} → {advice}");
    if let Some(hint) = &error.hint {
        write!(line, " ({hint})").unwrap();
    }
    if let Some(spent) = &error.spent {
        write!(line, " [{} tokens, {}]", spent.usage.total(), shown_cost(spent.cost)).unwrap();
    }
    line
}

/// Without what is different each time.
pub(crate) fn filtered(text: &str, place: &Place) -> String {
    text.replace(&place.dir.path().display().to_string(), "[place]")
}

pub(crate) fn wait_for(condition: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_mins(2);
    while !condition() {
        assert!(Instant::now() < until, "it never came");
        std::thread::yield_now();
    }
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
