//! Rules on files in memory: what is found, what the fix makes of it, and that it ends there.
//!
//! `check` shows findings and the fixed text as one snapshot, and holds every fix to what all fixes must keep: the result
//! parses, edits do not overlap, and a second run has nothing left to do.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use expect_test::Expect;
use rb_core::Edit;
use rb_ecma::with_module;
use rb_lang::Language;

use crate::cx::Cx;
use crate::facts::{Directive, Facts, FileKind, PackageFacts, Realm, Route};
use crate::finding::{Applicability, Certainty, Finding};
use crate::rule::{Given, Rule};
use crate::version::Version;
use crate::world::{Condition, Target, World};

/// A project in memory. A plain client-side React 19.2 project unless something else is said.
#[derive(Clone)]
pub struct Setup {
    path: String,
    files: BTreeMap<String, String>,
    package: PackageFacts,
    route: Option<Route>,
    realm: Realm,
    realms: BTreeMap<String, Realm>,
    routes: BTreeMap<String, Route>,
    is_root: bool,
    mocked: BTreeSet<String>,
    optimized: BTreeSet<String>,
    loading: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Setup::new()
    }
}

impl Setup {
    pub fn new() -> Self {
        let package = PackageFacts {
            react: Some(Version::new(19, 2, 0)),
            uses_react: true,
            strict: true,
            ..PackageFacts::default()
        };
        Setup {
            path: "src/example.tsx".to_owned(),
            files: BTreeMap::new(),
            package,
            route: None,
            realm: Realm::Client,
            realms: BTreeMap::new(),
            routes: BTreeMap::new(),
            is_root: false,
            mocked: BTreeSet::new(),
            optimized: BTreeSet::new(),
            loading: false,
        }
    }

    /// The path of the file that is looked at.
    pub fn path(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// Another file; `node_modules/x/package.json` and its like are installed packages.
    pub fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.to_owned(), text.to_owned());
        self
    }

    pub fn package(mut self, change: impl FnOnce(&mut PackageFacts)) -> Self {
        change(&mut self.package);
        self
    }

    pub fn react(self, major: u32, minor: u32) -> Self {
        self.package(|it| it.react = Some(Version::new(major, minor, 0)))
    }

    pub fn next(self, major: u32, minor: u32) -> Self {
        self.package(|it| {
            it.next = Some(Version::new(major, minor, 0));
            it.uses_next = true;
            it.ssr = true;
            it.app_router = true;
        })
    }

    pub fn compiler(self) -> Self {
        self.package(|it| it.compiler = true)
    }

    pub fn ssr(self) -> Self {
        self.package(|it| it.ssr = true)
    }

    /// Of the file that is looked at.
    pub fn realm(mut self, realm: Realm) -> Self {
        self.realm = realm;
        self
    }

    /// Of another file.
    pub fn realm_of(mut self, path: &str, realm: Realm) -> Self {
        self.realms.insert(path.to_owned(), realm);
        self
    }

    pub fn route(mut self, route: Route) -> Self {
        self.route = Some(route);
        self
    }

    pub fn route_of(mut self, path: &str, route: Route) -> Self {
        self.routes.insert(path.to_owned(), route);
        self
    }

    pub fn root(mut self) -> Self {
        self.is_root = true;
        self
    }

    pub fn mocked(mut self, specifier: &str) -> Self {
        self.mocked.insert(specifier.to_owned());
        self
    }

    pub fn optimized(mut self, package: &str) -> Self {
        self.optimized.insert(package.to_owned());
        self
    }

    pub fn loading(mut self) -> Self {
        self.loading = true;
        self
    }

    pub fn given(mut self, given: &[Given]) -> Self {
        for it in given {
            self = match *it {
                Given::Path(path) => self.path(path),
                Given::React(major, minor) => self.react(major, minor),
                Given::Next(major, minor) => self.next(major, minor),
                Given::Ssr => self.ssr(),
                Given::Realm(realm) => self.realm(realm),
                Given::Route(route) => self.route(route),
                Given::UseServer => self.realm(Realm::Server),
                Given::Root => self.root(),
                Given::EsYear(year) => self.package(|it| it.es_year = Some(year)),
                Given::Depends(name) => self.package(|it| {
                    it.dependencies.insert(name.into());
                }),
                Given::File(path, text) => self.file(path, text),
            };
        }
        self
    }

    /// Everything the rule finds in the text.
    pub fn findings(&self, rule: &'static Rule, text: &str) -> Vec<Finding> {
        let memory = self.memory(text);
        let facts = memory.facts(&self.path).expect("the file is there");
        if !(rule.applies)(&facts) {
            return Vec::new();
        }
        let wanted = rule.wants.is_empty() || rule.wants.iter().any(|word| text.contains(word));
        let language = Language::of_path(self.path.as_bytes()).expect("a script");
        let found = with_module(language, text, |module| {
            let mut cx = Cx::new(module, &facts, &memory, rule);
            (rule.check)(&mut cx);
            cx.finish()
        });
        let found = found.unwrap_or_else(|| panic!("it does not parse:\n{text}"));
        assert!(wanted || found.is_empty(), "{rule:?} finds what its `wants` leaves out");
        found
    }

    fn memory(&self, text: &str) -> Memory {
        let mut files = self.files.clone();
        files.insert(self.path.clone(), text.to_owned());
        Memory { setup: self.clone(), files, answers: Mutex::default() }
    }

    /// Findings and fixes as one text.
    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "snapshots are written in place")]
    pub fn check(&self, rule: &'static Rule, text: &str, expected: Expect) {
        expected.assert_eq(&self.shown(rule, text));
    }

    #[track_caller]
    pub fn silent(&self, rule: &'static Rule, text: &str) {
        let found = self.findings(rule, text);
        let shown: Vec<String> = found.iter().map(line).collect();
        assert!(found.is_empty(), "expected silence, found:\n{}\nin\n{text}", shown.join("\n"));
    }

    /// Found, and nothing of it is proved.
    #[track_caller]
    pub fn likely(&self, rule: &'static Rule, text: &str) {
        let found = self.findings(rule, text);
        let shown: Vec<String> = found.iter().map(line).collect();
        let is_likely = found.iter().all(|it| it.certainty == Certainty::Likely);
        let is_drafted = found.iter().all(|it| applicability(it) != Some(Applicability::Auto));
        assert!(
            !found.is_empty() && is_likely && is_drafted,
            "expected candidates, found:\n{}\nin\n{text}",
            shown.join("\n")
        );
    }

    /// The one finding has a proved fix that gives `after`.
    #[track_caller]
    pub fn fixes(&self, rule: &'static Rule, before: &str, after: &str) {
        let shown: Vec<String> = self.findings(rule, before).iter().map(line).collect();
        let fixed = self.fixed(rule, before, Applicability::Auto);
        assert_eq!(fixed.as_deref(), Some(after), "found:\n{}", shown.join("\n"));
    }

    /// Found, and no proved fix is offered; a draft may be.
    #[track_caller]
    pub fn no_auto(&self, rule: &'static Rule, text: &str) {
        let found = self.findings(rule, text);
        assert!(!found.is_empty(), "nothing is found in\n{text}");
        let autos: Vec<String> = found
            .iter()
            .filter(|it| applicability(it) == Some(Applicability::Auto))
            .map(line)
            .collect();
        assert!(autos.is_empty(), "proved:\n{}", autos.join("\n"));
    }

    fn shown(&self, rule: &'static Rule, text: &str) -> String {
        let found = self.findings(rule, text);
        let mut shown = String::new();
        for finding in &found {
            writeln!(shown, "{}", line(finding)).expect("a string takes it");
        }
        for which in [Applicability::Auto, Applicability::Assist] {
            if let Some(fixed) = self.fixed(rule, text, which) {
                let name = if which == Applicability::Auto { "auto" } else { "assist" };
                writeln!(shown, "--- {name}\n{fixed}").expect("a string takes it");
            }
        }
        if found.is_empty() { "silent\n".to_owned() } else { shown }
    }

    /// The text after all fixes of one kind, made one after the other until none is left.
    #[track_caller]
    pub fn fixed(&self, rule: &'static Rule, text: &str, which: Applicability) -> Option<String> {
        let mut current = text.to_owned();
        for round in 0..20 {
            let found = self.findings(rule, &current);
            let mut edits: Vec<Edit> = Vec::new();
            for finding in found.iter().filter(|it| applicability(it) == Some(which)) {
                let fix = finding.fix.as_ref().expect("it has one");
                assert!(!fix.edits.is_empty() || !fix.elsewhere.is_empty(), "a fix without edits");
                let clash = fix.edits.iter().any(|it| edits.iter().any(|other| it.touches(other)));
                if !clash {
                    edits.extend(fix.edits.iter().cloned());
                }
            }
            if edits.is_empty() {
                return (round > 0).then_some(current);
            }
            let next = rb_core::edit::apply(&current, &edits).expect("edits fit");
            assert_ne!(next, current, "a fix that changes nothing");
            let language = Language::of_path(self.path.as_bytes()).expect("a script");
            let parses = with_module(language, &next, |_| ()).is_some();
            assert!(parses, "the fixed text does not parse:\n{next}");
            current = next;
            if which == Applicability::Assist {
                return Some(current);
            }
        }
        panic!("fixes do not come to an end:\n{current}");
    }
}

/// Of the examples in the rule's own documentation: the wrong one is found, the right one is not.
#[track_caller]
pub fn check_doc(rule: &'static Rule) {
    let setup = Setup::new().given(rule.doc.given);
    assert!(
        !setup.findings(rule, rule.doc.wrong).is_empty(),
        "{rule:?}: the wrong form is not found"
    );
    setup.silent(rule, rule.doc.right);
    setup.shown(rule, rule.doc.wrong);
    for part in [rule.title, rule.doc.what, rule.doc.why, rule.doc.safe, rule.doc.leave] {
        assert!(!part.trim().is_empty(), "{rule:?}: a part of the documentation is missing");
    }
    assert!(rule.id.starts_with(rule.category.prefix()), "{rule:?} is in the wrong category");
}

fn applicability(finding: &Finding) -> Option<Applicability> {
    finding.fix.as_ref().map(|fix| fix.applicability)
}

fn line(finding: &Finding) -> String {
    let mut line = format!(
        "{}:{} {}: {}",
        finding.line,
        finding.column,
        finding.severity.name(),
        finding.message
    );
    if let Some(fix) = &finding.fix {
        let kind = match fix.applicability {
            Applicability::Auto => "auto",
            Applicability::Assist => "assist",
        };
        write!(line, " [{kind}: {}]", fix.title).expect("a string takes it");
        if let Some(doubt) = &fix.doubt {
            write!(line, " (not proved: {doubt})").expect("a string takes it");
        }
        for (path, edits) in &fix.elsewhere {
            write!(line, " +{path} ({} edits)", edits.len()).expect("a string takes it");
        }
    }
    line
}

type Answers = BTreeMap<(&'static str, String, String), Arc<dyn Any + Send + Sync>>;

struct Memory {
    setup: Setup,
    files: BTreeMap<String, String>,
    answers: Mutex<Answers>,
}

impl Memory {
    fn file_at(&self, path: &str) -> Option<String> {
        let path = tidy(path);
        let endings = ["", ".ts", ".tsx", ".js", ".jsx", "/index.ts", "/index.tsx", "/index.js"];
        endings
            .iter()
            .map(|ending| format!("{path}{ending}"))
            .find(|it| self.files.contains_key(it))
    }
}

/// Without `.` and `..`.
fn tidy(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `a/b` of `a/b/c`, `@s/a` of `@s/a/b`.
fn package_name(specifier: &str) -> String {
    let parts = if specifier.starts_with('@') { 2 } else { 1 };
    specifier.split('/').take(parts).collect::<Vec<_>>().join("/")
}

impl World for Memory {
    fn facts(&self, path: &str) -> Option<Facts> {
        let text = self.files.get(path)?;
        let is_main = path == self.setup.path;
        let head = text.trim_start();
        let starts = |directive: &str| {
            head.starts_with(&format!("'{directive}'"))
                || head.starts_with(&format!("\"{directive}\""))
        };
        let directive = if starts("use client") {
            Some(Directive::UseClient)
        } else if starts("use server") {
            Some(Directive::UseServer)
        } else {
            None
        };
        let realm = match (directive, self.setup.realms.get(path)) {
            (_, Some(&realm)) => realm,
            (Some(Directive::UseClient), None) => Realm::Client,
            (Some(Directive::UseServer), None) => Realm::Server,
            (None, None) => self.setup.realm,
        };
        let route = if is_main { self.setup.route } else { self.setup.routes.get(path).copied() };
        Some(Facts {
            path: path.into(),
            kind: FileKind::Source,
            route,
            directive,
            realm,
            is_root: is_main && self.setup.is_root,
            package: Arc::new(self.setup.package.clone()),
        })
    }

    fn text(&self, path: &str) -> Option<Arc<str>> {
        self.files.get(path).map(|text| text.as_str().into())
    }

    fn size(&self, path: &str) -> Option<u64> {
        self.files.get(path).map(|text| text.len() as u64)
    }

    fn resolve(&self, from: &str, specifier: &str) -> Target {
        if let Some(rest) = specifier.strip_prefix("@/") {
            return self.file_at(&format!("src/{rest}")).map_or(Target::Unknown, Target::File);
        }
        if specifier.starts_with('.') {
            let path = format!("{}/{specifier}", folder(from));
            return self.file_at(&path).map_or(Target::Unknown, Target::File);
        }
        if specifier.starts_with("node:") || ["fs", "path", "os"].contains(&specifier) {
            return Target::Builtin;
        }
        Target::Package(package_name(specifier))
    }

    fn importers(&self, path: &str) -> Vec<String> {
        let own: Vec<(&String, &String)> =
            self.files.iter().filter(|(it, _)| !it.starts_with("node_modules/")).collect();
        let imports = |from: &str, text: &str| {
            let language = Language::of_path(from.as_bytes())?;
            with_module(language, text, |module| {
                module.import_declarations().any(|it| {
                    self.resolve(from, it.source.value.as_str()) == Target::File(path.to_owned())
                })
            })
        };
        own.into_iter()
            .filter(|(from, text)| imports(from, text) == Some(true))
            .map(|(from, _)| from.clone())
            .collect()
    }

    fn users(&self, path: &str) -> Vec<String> {
        self.importers(path)
    }

    fn paths(&self) -> Vec<String> {
        let own = self.files.keys().filter(|it| !it.starts_with("node_modules/"));
        own.filter(|it| Language::of_path(it.as_bytes()).is_some()).cloned().collect()
    }

    fn all_paths(&self) -> Vec<String> {
        let own = self.files.keys().filter(|it| !it.starts_with("node_modules/"));
        own.cloned().collect()
    }

    fn is_mocked(&self, specifier: &str) -> bool {
        self.setup.mocked.contains(specifier)
    }

    fn has_loading(&self, _: &str) -> bool {
        self.setup.loading
    }

    fn is_optimized(&self, _: &str, package: &str) -> bool {
        self.setup.optimized.contains(package)
    }

    fn installed(&self, _: &str, specifier: &str, condition: Condition) -> Option<PathBuf> {
        // As plain as can be: `exports` with exact keys and conditions, else the path itself.
        let name = package_name(specifier);
        let manifest = self.manifest("", &name)?;
        let inner = specifier[name.len()..].trim_start_matches('/');
        let key = if inner.is_empty() { ".".to_owned() } else { format!("./{inner}") };
        let under = |value: &serde_json::Value| {
            let condition = match condition {
                Condition::Import => "import",
                Condition::Require => "require",
                Condition::Types => "types",
            };
            let value = value.get(condition).or_else(|| value.get("default")).unwrap_or(value);
            value.as_str().map(str::to_owned)
        };
        let target = match manifest.get("exports") {
            Some(exports) => under(exports.get(&key)?)?,
            None if inner.is_empty() => under(manifest.get("main")?)?,
            None => inner.to_owned(),
        };
        self.file_at(&format!("node_modules/{name}/{target}")).map(PathBuf::from)
    }

    fn manifest(&self, _: &str, package: &str) -> Option<Arc<serde_json::Value>> {
        let text = self.files.get(&format!("node_modules/{package}/package.json"))?;
        serde_json::from_str(text).ok().map(Arc::new)
    }

    fn installed_text(&self, file: &Path) -> Option<Arc<str>> {
        self.files.get(file.to_str()?).map(|text| text.as_str().into())
    }

    fn recall(
        &self,
        question: &'static str,
        path: &str,
        key: &str,
    ) -> Option<Arc<dyn Any + Send + Sync>> {
        let answers = self.answers.lock().expect("nobody panics with it");
        answers.get(&(question, path.to_owned(), key.to_owned())).cloned()
    }

    fn remember(
        &self,
        question: &'static str,
        path: &str,
        key: &str,
        answer: Arc<dyn Any + Send + Sync>,
    ) {
        let mut answers = self.answers.lock().expect("nobody panics with it");
        answers.insert((question, path.to_owned(), key.to_owned()), answer);
    }
}
