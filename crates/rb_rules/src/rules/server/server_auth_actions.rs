//! A server action that changes data for whoever calls it.

mod helpers;
mod public;

use oxc_ast::AstKind;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module};

use self::helpers::is_helper;
use self::public::{is_meant_for_all, is_public, is_public_name};
use super::deeds::{Deed, Event, ModuleInProject, UNNAMED, deeds_of};
use super::entries::{EntryKind, Exported, entries, exports, is_action_file};
use super::names::has_word;
use crate::cx::{Cx, Hit};
use crate::facts::{FileKind, Realm};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};
use crate::world::Target;

pub static RULE: Rule = Rule {
    id: "server-auth-actions",
    title: "A server action does not check who calls it",
    category: Category::Server,
    impact: Impact::Critical,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A function that clients can call through `\"use server\"` writes to the database, and not every path \
               checks the caller first, neither in the function nor in the project functions it calls. Reading \
               private records without a check is also reported. A function that only server code calls is less \
               serious, and belongs in a file without the directive.",
        why: "Every server action is a public endpoint with its own address. The page around it may require a login; \
              the action can be called without the page.",
        wrong: "'use server';
import { db } from '@/lib/db';

export async function removeNote(id: string) {
  await db.note.delete({ where: { id } });
}",
        right: "'use server';
import { db } from '@/lib/db';
import { requireUser } from '@/lib/session';

export async function removeNote(id: string) {
  const me = await requireUser();
  await db.note.delete({ where: { id, ownerId: me.id } });
}",
        safe: "No fix is offered: which check, which role and which error are decisions.",
        leave: "The action is meant for everybody. Say so with `@public` in a comment above it.",
        given: &[Given::Next(15, 1), Given::Realm(Realm::Server)],
    },
    wants: &["use server"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for entry in entries(cx.facts, module) {
        if entry.kind == EntryKind::Action && !is_public(module, entry.name, entry.func) {
            look_at(cx, entry.name, entry.func, entry.at);
        }
    }
    if is_action_file(cx.facts, module) {
        given_on(cx);
    }
}

fn look_at<'a>(cx: &mut Cx<'_, 'a>, name: &str, func: Func<'a>, at: Span) {
    let module = cx.module;
    let events = ModuleInProject::new(module, &cx.facts.path, cx.world).events(func);
    if is_bound_to_checked(cx, func) {
        return;
    }
    let checks: Vec<&Event> = events.iter().filter(|it| it.deed == Deed::Check).collect();
    let is_covered = |deed: &Event| checks.iter().any(|it| covers(module, it, deed, func.span()));
    let bare = events.iter().find_map(|it| match &it.deed {
        Deed::Write(what) if !is_covered(it) => Some((it, what)),
        Deed::Write(_) | Deed::Read(_) | Deed::Check => None,
    });
    match bare {
        Some((_, what)) if is_meant_for_all(what) => {}
        Some((_, what)) if is_helper(cx, name, func) => {
            let (name, what) = (shown(name), shown(what));
            let message = format!(
                "`\"use server\"` lets anyone call {name}, which changes {what}, but only server code calls it; move it to a file without the directive"
            );
            cx.report(Hit::at(at, message).low());
        }
        Some((deed, what)) => {
            let message = complaint(name, deed, what, &checks);
            cx.report(Hit::at(at, message));
        }
        None if checks.is_empty() => note_read(cx, name, func, at, &events),
        None => {}
    }
}

/// Says what is wrong with the checks that are there; those deep inside of other functions are not spoken of.
fn complaint(name: &str, deed: &Event, what: &str, checks: &[&Event]) -> String {
    let (name, what) = (shown(name), shown(what));
    let direct: Vec<&&Event> = checks.iter().filter(|it| it.is_direct).collect();
    if direct.is_empty() {
        format!("{name} changes {what} but anyone can call it; check authorization first")
    } else if direct.iter().all(|it| it.span.start > deed.span.end) {
        format!("{name} changes {what} before it checks authorization; move the check to the top")
    } else {
        format!(
            "{name} changes {what} on a path without an authorization check; check on every path"
        )
    }
}

/// Names of the code are marked, ours are not.
fn shown(name: &str) -> String {
    match name {
        "default" => "the default export".to_owned(),
        "action" => "the action".to_owned(),
        UNNAMED => name.to_owned(),
        _ => format!("`{name}`"),
    }
}

/// Reads alone are worth a word where what is read belongs to somebody, and the caller says whose.
fn note_read<'a>(cx: &mut Cx<'_, 'a>, name: &str, func: Func<'a>, at: Span, events: &[Event]) {
    const PRIVATE: &[&str] = &[
        "user",
        "users",
        "account",
        "accounts",
        "order",
        "orders",
        "invoice",
        "invoices",
        "payment",
        "payments",
        "customer",
        "customers",
        "message",
        "messages",
        "subscription",
        "subscriptions",
        "billing",
        "patient",
        "patients",
        "employee",
        "employees",
    ];
    let has_params = !func.params().items.is_empty();
    let private = events.iter().find_map(|it| match &it.deed {
        Deed::Read(what) if has_word(what, PRIVATE) => Some(what),
        Deed::Read(_) | Deed::Write(_) | Deed::Check => None,
    });
    if let Some(what) = private.filter(|_| has_params) {
        let message = format!(
            "anyone can call {} and read {} data of other users; check authorization unless it is public",
            shown(name),
            shown(what)
        );
        cx.report(Hit::at(at, message).low());
    }
}

/// `export { remove } from './impl'` makes actions of what is written elsewhere.
fn given_on(cx: &mut Cx<'_, '_>) {
    for export in exports(cx.module) {
        let Exported::From { source, name } = export.value else { continue };
        let Target::File(file) = cx.world.resolve(&cx.facts.path, source) else { continue };
        let Some((file, name)) = cx.world.origin(&file, name) else { continue };
        // A file of actions is looked at by itself.
        let is_looked_at = cx.world.with_module(&file, |it| it.has_directive("use server"));
        if is_looked_at == Some(true) || is_public_name(export.name) {
            continue;
        }
        let Some(summary) = deeds_of(cx.world, &file, &name, 3) else { continue };
        if let (false, Some(what)) = (summary.checks, summary.write) {
            let message = format!(
                "{} changes {} but anyone can call it; check authorization first",
                shown(export.name),
                shown(&what)
            );
            cx.report(Hit::at(export.at, message));
        }
    }
}

/// Is the check made on every path that leads to the deed?
fn covers(module: &Module<'_>, check: &Event, deed: &Event, within: Span) -> bool {
    if check.span.start >= deed.span.end {
        return false;
    }
    let mut inner = check.span;
    for kind in module.ancestors(check.node) {
        let span = kind.span();
        if !within.contains_inclusive(span) || span == within {
            break;
        }
        let is_branch = match kind {
            AstKind::IfStatement(it) => !it.test.span().contains_inclusive(inner),
            AstKind::ConditionalExpression(it) => !it.test.span().contains_inclusive(inner),
            AstKind::ForOfStatement(it) => it.body.span().contains_inclusive(inner),
            AstKind::ForInStatement(it) => it.body.span().contains_inclusive(inner),
            AstKind::ForStatement(it) => it.body.span().contains_inclusive(inner),
            AstKind::WhileStatement(it) => it.body.span().contains_inclusive(inner),
            AstKind::SwitchCase(_) | AstKind::CatchClause(_) => true,
            _ => false,
        };
        if is_branch && !inner.contains_inclusive(deed.span) {
            return false;
        }
        inner = span;
    }
    true
}

/// An action inside of a component that checked, and that works on what was checked.
fn is_bound_to_checked<'a>(cx: &Cx<'_, 'a>, func: Func<'a>) -> bool {
    let module = cx.module;
    let Some(outer) = module.function_around(func.node()) else { return false };
    let place = ModuleInProject::new(module, &cx.facts.path, cx.world);
    let checks = place
        .events(outer)
        .iter()
        .any(|it| it.deed == Deed::Check && !func.span().contains_inclusive(it.span));
    checks
        && module
            .captures(func.span())
            .iter()
            .any(|&it| outer.span().contains_inclusive(module.scoping().symbol_span(it)))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::RULE;
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    fn setup() -> Setup {
        Setup::new()
            .next(15, 1)
            .realm(Realm::Server)
            .path("src/app/actions.ts")
            .file("src/lib/db.ts", "export const db = make();")
    }

    fn check(text: &str, expected: Expect) {
        setup().check(&RULE, text, expected);
    }

    #[test]
    fn ru1_server_auth_actions_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_server_auth_actions_finds_every_shape_of_an_action() {
        check(
            "'use server';
import { db } from '@/lib/db';
export async function removeNote(id: string) { await db.note.delete({ where: { id } }); }
export const rename = async (id, title) => { await db.update(notes).set({ title }).where(eq(notes.id, id)); };
const hide = async (id) => { await sql`UPDATE notes SET hidden = true WHERE id = ${id}`; };
export { hide };
export default async function (id) { return db.collection('notes').deleteOne({ id }); }
export async function add(form) {
  const parsed = Schema.safeParse(form);
  await sql`
    INSERT INTO notes (title)
    VALUES (${parsed.data.title})
  `;
}
async function inner(id) { await db.note.delete({ where: { id } }); }",
            expect![[r#"
                3:23 error: `removeNote` changes `note` but anyone can call it; check authorization first
                4:14 error: `rename` changes `notes` but anyone can call it; check authorization first
                6:10 error: `hide` changes `notes` but anyone can call it; check authorization first
                7:1 error: the default export changes the database but anyone can call it; check authorization first
                8:23 error: `add` changes `notes` but anyone can call it; check authorization first
            "#]],
        );
    }

    #[test]
    fn ru1_server_auth_actions_finds_inline_actions() {
        check(
            "import { db } from '@/lib/db';
export default function Page({ id }) {
  async function save(form) {
    'use server';
    await db.note.update({ where: { id }, data: read(form) });
  }
  return <form action={save} />;
}",
            expect![[r#"
                3:18 error: `save` changes `note` but anyone can call it; check authorization first
            "#]],
        );
    }

    #[test]
    fn ru1_server_auth_actions_looks_into_other_files() {
        let text = "'use server';
import { drop } from '@/lib/notes';
export async function removeNote(id: string) { await drop(id); }
export { drop as dropNote } from '@/lib/notes';";
        let bare = "import { db } from './db';
export async function drop(id) { await db.note.delete({ where: { id } }); }";
        setup().file("src/lib/notes.ts", bare).check(&RULE, text, expect![[r#"
            3:23 error: `removeNote` changes `note` but anyone can call it; check authorization first
            4:10 error: `dropNote` changes `note` but anyone can call it; check authorization first
        "#]]);
        let checked = "import { db } from './db';
import { begin } from './deep';
export async function drop(id) { await begin(); await db.note.delete({ where: { id } }); }";
        let deep = "export const begin = async () => { return auth(); };";
        setup().file("src/lib/notes.ts", checked).file("src/lib/deep.ts", deep).silent(&RULE, text);
    }

    #[test]
    fn ru1_server_auth_actions_tells_helpers_from_actions() {
        let text = "'use server';
import { db } from '@/lib/db';
export const banAction = client.action(async ({ input }) => { await ban(input.id); });
export const ban = async (id: string) => { await db.user.update({ where: { id } }); };
export async function drop(id: string) { await db.note.delete({ where: { id } }); }
export async function hide(id: string) { await db.note.update({ where: { id } }); }
export async function lose(id: string) { await db.note.delete({ where: { id } }); }
export async function idle(id: string) { await db.note.delete({ where: { id } }); }";
        setup()
            .file("src/app/api/route.ts", "import { ban, lose } from '../actions';\nexport const POST = async () => { await ban('1'); await lose('1'); };")
            .file("src/app/page.tsx", "import { drop } from './actions';\nexport default () => <form action={drop} />;")
            .file("src/app/button.tsx", "import { hide, banAction } from './actions';\nexport const Hide = () => <b onClick={() => hide('1')} title={banAction} />;")
            .file("src/app/other.ts", "import { lose } from './actions';\nexport { lose };")
            .realm_of("src/app/button.tsx", Realm::Client)
            .check(&RULE, text, expect![[r#"
                4:14 warning: `"use server"` lets anyone call `ban`, which changes `user`, but only server code calls it; move it to a file without the directive
                5:23 error: `drop` changes `note` but anyone can call it; check authorization first
                6:23 error: `hide` changes `note` but anyone can call it; check authorization first
                7:23 error: `lose` changes `note` but anyone can call it; check authorization first
                8:23 error: `idle` changes `note` but anyone can call it; check authorization first
            "#]]);
    }

    #[test]
    fn ru1_server_auth_actions_wants_the_check_first_and_on_every_path() {
        check(
            "'use server';
import { db } from '@/lib/db';
export async function late(id: string) {
  await db.note.delete({ where: { id } });
  await auth();
}
export async function partly(id: string, soft: boolean) {
  if (soft) {
    await auth();
  }
  await db.note.delete({ where: { id } });
}
export async function inBranch(id: string, soft: boolean) {
  if (soft) {
    await auth();
    await db.note.delete({ where: { id } });
  }
}",
            expect![[r#"
                3:23 error: `late` changes `note` before it checks authorization; move the check to the top
                7:23 error: `partly` changes `note` on a path without an authorization check; check on every path
            "#]],
        );
    }

    #[test]
    fn ru1_server_auth_actions_notes_private_reads() {
        check(
            "'use server';
import { db } from '@/lib/db';
export async function readOrder(id: string) { return db.order.findUnique({ where: { id } }); }
export async function readPost(id: string) { return db.post.findUnique({ where: { id } }); }",
            expect![[r#"
                3:23 warning: anyone can call `readOrder` and read `order` data of other users; check authorization unless it is public
            "#]],
        );
    }

    #[test]
    fn ru1_server_auth_actions_leaves_false_positives() {
        let body = "await db.note.create({ data });";
        for action in [
            // Public actions.
            format!("export async function subscribeToNewsletter(data) {{ {body} }}"),
            format!("export async function signUp(data) {{ {body} }}"),
            format!("export async function sendContactForm(data) {{ {body} }}"),
            "export async function setTheme(t) { cookies().set('theme', t); }".to_owned(),
            // The marker.
            format!("/** @public */\nexport async function open(data) {{ {body} }}"),
            // Wrapped by a builder or a middleware.
            format!("export const add = authedAction(async (data) => {{ {body} }});"),
            format!("export const add = client.schema(s).action(async (data) => {{ {body} }});"),
            // A check, by each of the usual names.
            format!(
                "export async function add(data) {{ const s = await getServerSession(); {body} }}"
            ),
            format!("export async function add(data) {{ await currentUser(); {body} }}"),
            format!("export async function add(data) {{ await authClient.whoever(); {body} }}"),
            format!(
                "export async function add(data) {{ const {{ user }} = await validateRequest(); {body} }}"
            ),
            format!(
                "export async function add(data) {{ if (!(await isAdmin())) throw 1; {body} }}"
            ),
            // A helper two hops away.
            format!(
                "const one = async () => two();\nconst two = async () => auth();\nexport async function add(data) {{ await one(); {body} }}"
            ),
            // A helper that cannot be found.
            format!(
                "import {{ start }} from './gone';\nexport async function add(data) {{ await start(); {body} }}"
            ),
            // Who has the token may.
            format!("export async function accept(token: string, data) {{ {body} }}"),
            // Nothing is changed.
            "export async function posts() { return db.post.findMany(); }".to_owned(),
            // Not exported, not asynchronous.
            format!("async function add(data) {{ {body} }}"),
        ] {
            setup().silent(
                &RULE,
                &format!("'use server';\nimport {{ db }} from '@/lib/db';\n{action}"),
            );
        }
        // An action that is bound to what the page has checked.
        setup().path("src/app/page.tsx").silent(
            &RULE,
            "import { db } from '@/lib/db';
export default async function Page() {
  const user = await requireUser();
  async function save() {
    'use server';
    await db.note.create({ data: { owner: user.id } });
  }
  return <form action={save} />;
}",
        );
    }
}
