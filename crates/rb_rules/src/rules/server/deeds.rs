//! What calls do on a server: read a database, write to it, check who asks.
//!
//! Deeds are told by the ways of the usual clients, checks by their names. A call that is neither is looked into where it
//! leads to a function of the project; what leads out of it does nothing that is known.

use std::cell::RefCell;

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, TaggedTemplateExpression};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Imported, Module};
use rustc_hash::FxHashMap;

use super::entries::function_behind;
use super::names::{calls_in, path_of, words};
use crate::world::{Target, World};

/// A table that is not named where it is written to.
pub(super) const UNNAMED: &str = "the database";

/// How far functions are followed.
const STEPS: u32 = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Deed {
    /// The model or table, as far as it can be told.
    Read(String),
    Write(String),
    Check,
}

/// A deed and where it is done.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) deed: Deed,
    pub(super) span: Span,
    pub(super) node: oxc_semantic::NodeId,
    /// Done by what stands here, and not by a function that is called here.
    pub(super) is_direct: bool,
}

/// A module, and where it stands in the project.
pub(super) struct ModuleInProject<'c, 'a> {
    module: &'c Module<'a>,
    path: &'c str,
    world: &'c dyn World,
    /// What functions of the module do, by where they begin and how far was looked.
    known: RefCell<FxHashMap<(u32, u32), Summary>>,
}

/// What a function does, all in all.
#[derive(Debug, Clone, Default)]
pub(super) struct Summary {
    pub(super) checks: bool,
    pub(super) write: Option<String>,
    pub(super) read: Option<String>,
}

impl<'c, 'a> ModuleInProject<'c, 'a> {
    pub(super) fn new(module: &'c Module<'a>, path: &'c str, world: &'c dyn World) -> Self {
        ModuleInProject { module, path, world, known: RefCell::default() }
    }

    /// What is done in a function, in the order of the text; functions of the project are looked into.
    pub(super) fn events(&self, func: Func<'a>) -> Vec<Event> {
        self.events_within(func, STEPS)
    }

    /// What is done in the function itself.
    pub(super) fn own_events(&self, func: Func<'a>) -> Vec<Event> {
        self.events_within(func, 0)
    }

    fn events_within(&self, func: Func<'a>, steps: u32) -> Vec<Event> {
        let mut events: Vec<Event> = calls_in(self.module, func.span())
            .filter_map(|call| {
                let (deed, is_direct) = self.deed(call, steps)?;
                Some(Event { deed, span: call.span, node: call.node_id.get(), is_direct })
            })
            .collect();
        events.extend(queries(func));
        events.sort_by_key(|it| it.span.end);
        events
    }

    fn deed(&self, call: &CallExpression<'a>, steps: u32) -> Option<(Deed, bool)> {
        let path = path_of(&call.callee);
        if is_check(&path) {
            return Some((Deed::Check, true));
        }
        if let Some(deed) = database(self.module, call, &path) {
            return Some((deed, true));
        }
        let summary = self.called(call, steps);
        let may_check = path.last().is_some_and(|name| may_be_check(name));
        let deed = match summary {
            Some(it) if it.checks => Some(Deed::Check),
            Some(it) => it.write.map(Deed::Write).or(it.read.map(Deed::Read)),
            // Nobody knows what it does: its name decides.
            None => (may_check || self.is_lost(call)).then_some(Deed::Check),
        };
        deed.map(|it| (it, false))
    }

    /// What a function does that is called here.
    fn called(&self, call: &CallExpression<'a>, steps: u32) -> Option<Summary> {
        let steps = steps.checked_sub(1)?;
        if let Some(func) = self.module.function_of(&call.callee) {
            return Some(self.summary(func, steps));
        }
        let import = self.module.import(self.module.symbol_of(&call.callee)?)?;
        let Target::File(file) = self.world.resolve(self.path, import.source) else { return None };
        let name = match import.imported {
            Imported::Default => "default",
            Imported::Named(name) => name,
            Imported::Namespace => return None,
        };
        let (file, name) = self.world.origin(&file, name)?;
        deeds_of(self.world, &file, &name, steps)
    }

    fn summary(&self, func: Func<'a>, steps: u32) -> Summary {
        let key = (func.span().start, steps);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let mut summary = Summary::default();
        for event in self.events_within(func, steps) {
            match event.deed {
                Deed::Check => summary.checks = true,
                Deed::Write(what) => summary.write = summary.write.or(Some(what)),
                Deed::Read(what) => summary.read = summary.read.or(Some(what)),
            }
        }
        self.known.borrow_mut().insert(key, summary.clone());
        summary
    }

    /// Does it lead to a file that cannot be found?
    fn is_lost(&self, call: &CallExpression<'a>) -> bool {
        let Some(import) =
            self.module.symbol_of(&call.callee).and_then(|it| self.module.import(it))
        else {
            return false;
        };
        self.world.resolve(self.path, import.source) == Target::Unknown
    }
}

/// `` sql`insert …` `` and its like in a function.
fn queries(func: Func<'_>) -> Vec<Event> {
    let mut look = Queries(Vec::new());
    match func {
        Func::Function(it) => {
            if let Some(body) = &it.body {
                look.visit_function_body(body);
            }
        }
        Func::Arrow(it) => look.visit_arrow_function_body(&it.body),
    }
    look.0
}

struct Queries(Vec<Event>);

impl<'a> Visit<'a> for Queries {
    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        let (span, node) = (it.span, it.node_id.get());
        let event = query(it).map(|deed| Event { deed, span, node, is_direct: true });
        self.0.extend(event);
        oxc_ast_visit::walk::walk_tagged_template_expression(self, it);
    }
}

fn query(it: &TaggedTemplateExpression<'_>) -> Option<Deed> {
    let tag = path_of(&it.tag);
    if !tag.iter().any(|name| ["sql", "$executeRaw", "$queryRaw"].contains(name)) {
        return None;
    }
    let text = it.quasi.quasis.first()?.value.raw.trim_start().to_lowercase();
    let mut words = text.split_whitespace();
    let table = |name: Option<&str>| name.unwrap_or(UNNAMED).trim_matches('"').to_owned();
    match words.next()? {
        "insert" | "delete" => Some(Deed::Write(table(words.nth(1)))),
        "update" | "truncate" => Some(Deed::Write(table(words.next()))),
        "select" => Some(Deed::Read(table(words.skip_while(|it| *it != "from").nth(1)))),
        _ => None,
    }
}

/// What an exported function of a file does.
pub(super) fn deeds_of(world: &dyn World, path: &str, name: &str, steps: u32) -> Option<Summary> {
    // How far is looked is part of the question: who asks first must not decide for the others.
    let key = format!("{name} {steps}");
    world
        .ask("server deeds", path, &key, |module| {
            let func = function_behind(module, name)?;
            Some(ModuleInProject::new(module, path, world).summary(func, steps))
        })
        .flatten()
}

const WRITES: &[&str] = &[
    "create",
    "createMany",
    "createManyAndReturn",
    "update",
    "updateMany",
    "upsert",
    "delete",
    "deleteMany",
    "insert",
    "insertInto",
    "updateTable",
    "deleteFrom",
    "insertOne",
    "insertMany",
    "updateOne",
    "replaceOne",
    "deleteOne",
    "findOneAndUpdate",
    "findOneAndDelete",
    "findByIdAndUpdate",
    "findByIdAndDelete",
    "$executeRaw",
    "$executeRawUnsafe",
];

const READS: &[&str] = &[
    "findUnique",
    "findUniqueOrThrow",
    "findFirst",
    "findFirstOrThrow",
    "findMany",
    "findOne",
    "count",
    "aggregate",
    "groupBy",
    "select",
    "selectFrom",
    "selectDistinct",
];

/// A call of a database client: `prisma.note.delete(…)`, `db.insert(notes)`.
pub(super) fn database(
    module: &Module<'_>,
    call: &CallExpression<'_>,
    path: &[&str],
) -> Option<Deed> {
    let (&method, rest) = path.split_last()?;
    let at = rest.iter().position(|name| is_client(name))?;
    let is_write = WRITES.contains(&method);
    if !is_write && !READS.contains(&method) {
        return None;
    }
    // `db.insert(notes).values(…)`: the step that names the table is the one that counts.
    if rest[at + 1..].iter().any(|step| WRITES.contains(step) || READS.contains(step)) {
        return None;
    }
    let named = rest[at + 1..].iter().rfind(|it| !["query", "collection"].contains(it));
    let model = match (named, call.arguments.first().and_then(|it| it.as_expression())) {
        (Some(model), _) => (*model).to_owned(),
        (None, Some(table)) if !matches!(table, Expression::ObjectExpression(_)) => {
            module.slice(table.span()).trim_matches(['\'', '"']).to_owned()
        }
        (None, _) => selected(module, call).unwrap_or_else(|| UNNAMED.to_owned()),
    };
    Some(if is_write { Deed::Write(model) } else { Deed::Read(model) })
}

/// `notes` of `db.select().from(notes)`.
fn selected(module: &Module<'_>, call: &CallExpression<'_>) -> Option<String> {
    let mut around = module.ancestors(call.node_id.get());
    let AstKind::StaticMemberExpression(member) = around.next()? else { return None };
    let AstKind::CallExpression(from) = around.next()? else { return None };
    let table = from.arguments.first()?.as_expression()?.get_identifier_reference()?;
    (member.property.name == "from").then(|| table.name.to_string())
}

pub(super) fn is_client(name: &str) -> bool {
    const CLIENTS: &[&str] = &["prisma", "db", "database", "orm", "tx", "trx", "drizzle", "kysely"];
    words(name).last().is_some_and(|it| CLIENTS.contains(&it.as_str()))
}

const WHO: &[&str] = &[
    "session",
    "sessions",
    "permission",
    "permissions",
    "protect",
    "protected",
    "guard",
    "admin",
    "viewer",
    "whoami",
    "jwt",
    "token",
    "clerk",
    "kinde",
    "ability",
    "acl",
    "rbac",
    "policy",
    "captcha",
    "recaptcha",
    "turnstile",
    "botid",
    "signature",
    "hmac",
    "cookies",
    "headers",
    "allowed",
    "access",
    "forbidden",
    "unauthorized",
    "ownership",
    "membership",
    "role",
    "roles",
    "identity",
    "principal",
    "actor",
    "login",
];

const ASKING: &[&str] = &[
    "get", "require", "current", "fetch", "load", "verify", "validate", "ensure", "assert",
    "check", "logged", "authed", "must", "with",
];

/// A name that speaks of who asks, and whether they may.
pub(super) fn is_check(path: &[&str]) -> bool {
    let spoken: Vec<String> = path.iter().flat_map(|name| words(name)).collect();
    let is = |word: &str| spoken.iter().any(|it| it == word);
    let is_auth = |word: &String| {
        word.starts_with("auth") && (!word.starts_with("author") || word.starts_with("authori"))
            || word.starts_with("unauth")
            || word.starts_with("oauth")
    };
    // A write to a table of sessions is no check of one.
    if path.iter().any(|name| is_client(name)) {
        return spoken.iter().any(is_auth);
    }
    spoken.iter().any(|word| WHO.contains(&word.as_str()) || is_auth(word))
        || (["user", "me", "account", "member", "owner", "customer"].iter().any(|it| is(it))
            && ASKING.iter().any(|it| is(it)))
        || is("validate") && is("request")
        || is("rate") && is("limit")
        || is("ratelimit")
}

/// A name that may well hide a check, where nobody can look into it.
fn may_be_check(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "verify", "ensure", "assert", "require", "check", "can", "context", "ctx", "caller",
        "viewer", "secure", "user", "me",
    ];
    words(name).iter().any(|word| WORDS.contains(&word.as_str()))
}
