//! What a test file holds: its tests, and what they may lean on. The language says what each node is (`rules`); this collects.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use super::WrittenTest;
use super::assertion::judge;
use super::normal_text::normal_text;
use super::rules::{GroupMember, Member, Rules, TestMember};
use super::syntax::{NodeId, Syntax};

pub(super) struct Outline {
    pub(super) path: String,
    /// The file itself is the first.
    pub(super) scopes: Vec<Scope>,
    /// In the order of the text.
    pub(super) tests: Vec<TestItem>,
    pub(super) units: Vec<Unit>,
    /// The names that imports mention.
    pub(super) imports: BTreeSet<String>,
}

/// A file, class or group of tests.
pub(super) struct Scope {
    /// By its name and those around it.
    pub(super) key: u64,
    pub(super) parent: Option<usize>,
    pub(super) class: Option<String>,
    /// What its head mentions, the class itself among it.
    pub(super) names: BTreeSet<String>,
    pub(super) is_skipped: bool,
    /// What its head says about its tests; part of their text.
    marks: String,
    depth: u32,
}

pub(super) struct TestItem {
    pub(super) test: WrittenTest,
    pub(super) scope: usize,
    pub(super) names: BTreeSet<String>,
}

/// A helper, constant, fixture or hook.
pub(super) struct Unit {
    pub(super) kind: UnitKind,
    pub(super) name: String,
    pub(super) scope: usize,
    pub(super) text: Rc<str>,
    pub(super) names: Rc<BTreeSet<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum UnitKind {
    Definition,
    /// It runs around the tests of its scope.
    Hook,
}

/// Deeper groups are not looked into.
const MAX_DEPTH: u32 = 32;
/// More names in one statement are not written by hand.
const MAX_NAMES: usize = 64;
/// Longer marks are told by their hash.
const MAX_MARKS: usize = 2000;

pub(super) fn outline(
    path: &str,
    syntax: &Syntax<'_>,
    rules: &Rules,
    helpers: &BTreeSet<String>,
) -> Outline {
    let file = Scope {
        key: 0,
        parent: None,
        class: None,
        names: BTreeSet::new(),
        is_skipped: false,
        marks: String::new(),
        depth: 0,
    };
    let outline = Outline {
        path: path.to_owned(),
        scopes: vec![file],
        tests: Vec::new(),
        units: Vec::new(),
        imports: BTreeSet::new(),
    };
    let mut builder = Builder { syntax, rules, helpers, outline, open: vec![(0, 0)] };
    while let Some((body, scope)) = builder.open.pop() {
        builder.members(body, scope);
    }
    let mut outline = builder.outline;
    outline.tests.sort_by_key(|item| item.test.line);
    outline
}

struct Builder<'s, 't> {
    syntax: &'s Syntax<'t>,
    rules: &'s Rules,
    helpers: &'s BTreeSet<String>,
    outline: Outline,
    /// Bodies that are still to be read, with their scopes.
    open: Vec<(NodeId, usize)>,
}

impl Builder<'_, '_> {
    fn members(&mut self, body: NodeId, scope: usize) {
        let syntax = self.syntax;
        let mut marks: Vec<NodeId> = Vec::new();
        for id in syntax.named(body) {
            let member = (self.rules.member)(syntax, id, &marks);
            if matches!(member, Member::Mark) {
                marks.push(id);
                continue;
            }
            self.take(id, member, &marks, scope);
            marks.clear();
        }
    }

    fn take(&mut self, id: NodeId, member: Member, marks: &[NodeId], scope: usize) {
        let subtree = self.syntax.subtree(id);
        match member {
            Member::Mark => {}
            Member::Import => self.outline.imports.extend(self.syntax.names(subtree)),
            Member::Test(test) => self.test(id, test, marks, scope),
            Member::Group(group) => self.group(id, group, scope),
            Member::Definition(names) => {
                let text: Rc<str> = normal_text(self.syntax, subtree.clone()).into();
                let mentions = Rc::new(self.syntax.names(subtree));
                for name in names.into_iter().take(MAX_NAMES) {
                    self.outline.units.push(Unit {
                        kind: UnitKind::Definition,
                        name,
                        scope,
                        text: Rc::clone(&text),
                        names: Rc::clone(&mentions),
                    });
                }
            }
            Member::Hook(name) => self.outline.units.push(Unit {
                kind: UnitKind::Hook,
                name,
                scope,
                text: normal_text(self.syntax, subtree.clone()).into(),
                names: Rc::new(self.syntax.names(subtree)),
            }),
            Member::Other => self.nested(id, scope),
        }
    }

    fn test(&mut self, id: NodeId, member: TestMember, marks: &[NodeId], scope: usize) {
        let syntax = self.syntax;
        // A test that the parser had to guess at is none.
        if syntax.has_error(id) {
            return;
        }
        let judged = member.body.map(|body| judge(syntax, self.rules, self.helpers, body));
        let verdict = judged.unwrap_or_default();
        let around = &self.outline.scopes[scope];
        let mut texts = Vec::new();
        if !around.marks.is_empty() {
            texts.push(around.marks.clone());
        }
        let mut names = BTreeSet::new();
        for &part in marks.iter().chain([&id]) {
            texts.push(normal_text(syntax, syntax.subtree(part)));
            names.extend(syntax.names(syntax.subtree(part)));
        }
        let test = WrittenTest {
            path: self.outline.path.clone(),
            name: member.name,
            line: syntax.line(id),
            text: texts.join(" "),
            asserts: member.asserts || verdict.asserts,
            is_skipped: member.is_skipped || verdict.is_skipped || around.is_skipped,
        };
        self.outline.tests.push(TestItem { test, scope, names });
    }

    fn group(&mut self, id: NodeId, group: GroupMember, scope: usize) {
        let head = id..group.body;
        let names = if group.is_class { self.syntax.names(head.clone()) } else { BTreeSet::new() };
        if group.is_class {
            self.outline.units.push(Unit {
                kind: UnitKind::Definition,
                name: group.name.clone(),
                scope,
                text: normal_text(self.syntax, head).into(),
                names: Rc::new(names.clone()),
            });
        }
        let marks = if group.is_skipped { "(skipped)" } else { "" };
        if let Some(inner) = self.scope(scope, &group.name, marks, names) {
            let opened = &mut self.outline.scopes[inner];
            opened.is_skipped |= group.is_skipped;
            opened.class = group.is_class.then_some(group.name);
            self.open.push((group.body, inner));
        }
    }

    /// A new scope in another; `None` if that is too deep.
    fn scope(
        &mut self,
        parent: usize,
        name: &str,
        marks: &str,
        names: BTreeSet<String>,
    ) -> Option<usize> {
        let around = &self.outline.scopes[parent];
        if around.depth >= MAX_DEPTH {
            return None;
        }
        let marks = match (around.marks.as_str(), marks) {
            (outer, "") => outer.to_owned(),
            ("", inner) => inner.to_owned(),
            (outer, inner) => format!("{outer} {inner}"),
        };
        let marks = if marks.len() > MAX_MARKS { format!("#{:x}", hash(0, &marks)) } else { marks };
        let scope = Scope {
            key: hash(around.key, name),
            parent: Some(parent),
            class: None,
            names,
            is_skipped: around.is_skipped,
            marks,
            depth: around.depth + 1,
        };
        self.outline.scopes.push(scope);
        Some(self.outline.scopes.len() - 1)
    }

    /// Tests inside of a statement, as in `for (const row of table) { test(…) }`. What stands in front of the first of them is
    /// part of all.
    fn nested(&mut self, id: NodeId, scope: usize) {
        let syntax = self.syntax;
        let mut inner = None;
        let mut at = id + 1;
        while at < syntax.end(id) {
            let member = (self.rules.member)(syntax, at, &[]);
            if !matches!(member, Member::Test(_) | Member::Group(_)) {
                at += 1;
                continue;
            }
            let head = id..at;
            let inner = *inner.get_or_insert_with(|| {
                let marks = normal_text(syntax, head.clone());
                self.scope(scope, &marks, &marks, syntax.names(head))
            });
            if let Some(inner) = inner {
                self.take(at, member, &[], inner);
            }
            at = syntax.end(at);
        }
    }
}

fn hash(outer: u64, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (outer, text).hash(&mut hasher);
    hasher.finish()
}
