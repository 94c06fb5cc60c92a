//! A client component is sent a whole record, and reads two fields of it.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    CallExpression, Declaration, Expression, ObjectPropertyKind, Statement, TSType, TSTypeName,
};
use rb_ecma::{Func, Imported, Module, PURE_METHODS};

use super::client::{client_component, fields_read, props};
use super::deeds::{Deed, database};
use super::entries::{function_behind, is_server_source};
use super::names::path_of;
use crate::cx::{Cx, Hit};
use crate::facts::Realm;
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};
use crate::world::{Target, World};

pub static RULE: Rule = Rule {
    id: "server-serialization",
    title: "More is sent to a client component than it reads",
    category: Category::Server,
    impact: Impact::High,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A server component passes a record to a client component: a database row, or an object of a type with \
               many fields. The client component reads a few of its fields and does not pass the record on.",
        why: "All fields of a prop are serialized into the page, where everybody can read them. That adds weight, \
              and often exposes data that was never meant to leave the server.",
        wrong: "import { db } from '@/lib/db';
import { Badge } from './badge';

export default async function Page() {
  const user = await db.user.findFirst();
  return <Badge user={user} />;
}",
        right: "import { db } from '@/lib/db';
import { Badge } from './badge';

export default async function Page() {
  const user = await db.user.findFirst({ select: { name: true } });
  return <Badge user={user} />;
}",
        safe: "No fix is offered: the props of the component change for everything that uses it.",
        leave: "The component is about to read more fields, or the record is small.",
        given: &[
            Given::Next(15, 1),
            Given::Path("src/app/page.tsx"),
            Given::Realm(Realm::Server),
            Given::File(
                "src/app/badge.tsx",
                "'use client';\nexport const Badge = ({ user }) => <b>{user.name}</b>;",
            ),
        ],
    },
    wants: &[],
    applies: is_server_source,
    check,
};

/// As many fields make a type wide.
const WIDE: usize = 8;
/// A component that reads more fields than this needs most of the record.
const FEW: usize = 3;
const STEPS: u32 = 6;

/// What is known of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    /// All columns of a table.
    Row(String),
    Type(String, usize),
}

fn check(cx: &mut Cx<'_, '_>) {
    for &element in cx.module.elements() {
        let props = props(element);
        if props.is_empty() {
            continue;
        }
        let Some((file, component)) = client_component(cx, element) else { continue };
        for (name, attribute, value) in props {
            let place =
                ModuleInProject { module: cx.module, path: &cx.facts.path, world: cx.world };
            let shape = place.shape(value, STEPS);
            if shape.is_none() && !is_fetched_elsewhere(cx.module, value) {
                continue;
            }
            let key = format!("{component} {name}");
            let read = cx
                .world
                .ask("fields read", &file, &key, |module| fields_read(module, &component, name));
            let Some(Some(fields)) = read else { continue };
            let is_wide = shape.as_ref().is_none_or(|it| is_wide(it, fields.len()));
            // What is gone through is a list, whose elements are read elsewhere.
            let is_list = fields.iter().any(|it| it == "length" || PURE_METHODS.contains(&&**it));
            if fields.is_empty() || fields.len() > FEW || !is_wide || is_list {
                continue;
            }
            let fields: Vec<String> = fields.iter().map(|it| format!("`{it}`")).collect();
            let shown = if component == "default" {
                "the component".to_owned()
            } else {
                format!("`{component}`")
            };
            let sent = match &shape {
                Some(Shape::Row(model)) => {
                    format!("the whole `{model}` row is sent to the browser")
                }
                Some(Shape::Type(name, count)) => {
                    format!("all {count} fields of `{name}` are sent to the browser")
                }
                None => "the whole object is sent to the browser".to_owned(),
            };
            let message = format!(
                "{shown} uses only {} of `{name}`, but {sent}; pass only those fields",
                fields.join(", ")
            );
            let hit = Hit::at(attribute.span, message);
            cx.report(if shape.is_some() {
                hit
            } else {
                hit.likely(format!("`{name}` may have no other fields"))
            });
        }
    }
}

/// Was it waited for, from something else than a query that names its columns?
fn is_fetched_elsewhere<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    let given = match value.get_inner_expression() {
        Expression::Identifier(name) => {
            let initializer = module.symbol(name).and_then(|it| module.initializer(it));
            initializer.map(Expression::get_inner_expression)
        }
        _ => None,
    };
    let Some(Expression::AwaitExpression(it)) = given else { return false };
    let Expression::CallExpression(call) = it.argument.get_inner_expression() else { return false };
    database(module, call, &path_of(&call.callee)).is_none()
        && module.symbol_of(&call.callee).is_some_and(|it| module.import(it).is_some())
}

fn is_wide(shape: &Shape, read: usize) -> bool {
    match shape {
        Shape::Row(_) => true,
        Shape::Type(_, count) => *count >= WIDE && *count >= 3 * read,
    }
}

/// A module, and where it stands in the project.
#[derive(Clone, Copy)]
struct ModuleInProject<'c, 'a> {
    module: &'c Module<'a>,
    path: &'c str,
    world: &'c dyn World,
}

impl<'a> ModuleInProject<'_, 'a> {
    fn shape(&self, expression: &Expression<'a>, steps: u32) -> Option<Shape> {
        let steps = steps.checked_sub(1)?;
        if let Some(written) = self.module.declared_type(expression) {
            return self.of_type(written, steps);
        }
        match expression.get_inner_expression() {
            Expression::Identifier(name) => {
                self.shape(self.module.initializer(self.module.symbol(name)?)?, steps)
            }
            Expression::AwaitExpression(it) => self.shape(&it.argument, steps),
            Expression::CallExpression(call) => {
                whole_row(self.module, call).or_else(|| self.of_call(call, steps))
            }
            _ => None,
        }
    }

    fn of_call(&self, call: &CallExpression<'a>, steps: u32) -> Option<Shape> {
        if let Some(func) = self.module.function_of(&call.callee) {
            return self.of_function(func, steps);
        }
        let import = self.module.import(self.module.symbol_of(&call.callee)?)?;
        let (file, name) = self.elsewhere(import.source, import.imported)?;
        let world = self.world;
        // How far is looked is part of the question: who asks first must not decide for the others.
        let key = format!("{name} {steps}");
        let answer = world.ask("server shape", &file, &key, |module| {
            let func = function_behind(module, &name)?;
            ModuleInProject { module, path: &file, world }.of_function(func, steps)
        });
        answer.flatten()
    }

    fn elsewhere(&self, source: &str, imported: Imported<'_>) -> Option<(String, String)> {
        let Target::File(file) = self.world.resolve(self.path, source) else { return None };
        let name = match imported {
            Imported::Default => "default",
            Imported::Named(name) => name,
            Imported::Namespace => return None,
        };
        self.world.origin(&file, name)
    }

    /// What a function gives, by its type or by its last line.
    fn of_function(&self, func: Func<'a>, steps: u32) -> Option<Shape> {
        if let Some(written) = func.return_type() {
            return self.of_type(&written.type_annotation, steps);
        }
        let value = func.returned().or_else(|| match func.statements().last()? {
            Statement::ReturnStatement(it) => it.argument.as_ref(),
            _ => None,
        })?;
        self.shape(value, steps)
    }

    fn of_type(&self, written: &'a TSType<'a>, steps: u32) -> Option<Shape> {
        let steps = steps.checked_sub(1)?;
        match written {
            TSType::TSUnionType(union) => {
                let mut given = union.types.iter().filter(|it| {
                    !matches!(it, TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_))
                });
                let only = given.next()?;
                given.next().is_none().then(|| self.of_type(only, steps)).flatten()
            }
            TSType::TSTypeReference(reference) => {
                let TSTypeName::IdentifierReference(name) = &reference.type_name else {
                    return None;
                };
                if name.name == "Promise" {
                    let inner = reference.type_arguments.as_ref()?.params.first()?;
                    return self.of_type(inner, steps);
                }
                if reference.type_arguments.is_some() {
                    return None;
                }
                self.of_name(name, steps)
            }
            _ => None,
        }
    }

    fn of_name(&self, name: &oxc_ast::ast::IdentifierReference<'a>, steps: u32) -> Option<Shape> {
        let symbol = self.module.symbol(name)?;
        let Some(import) = self.module.import(symbol) else {
            return match self.module.declaration(symbol) {
                AstKind::TSInterfaceDeclaration(it) => {
                    Some(Shape::Type(name.name.to_string(), it.body.body.len()))
                }
                AstKind::TSTypeAliasDeclaration(it) => match &it.type_annotation {
                    TSType::TSTypeLiteral(literal) => {
                        Some(Shape::Type(name.name.to_string(), literal.members.len()))
                    }
                    other => self.of_type(other, steps),
                },
                _ => None,
            };
        };
        if let ("@prisma/client", Imported::Named(model)) = (import.source, import.imported) {
            return (model != "Prisma").then(|| Shape::Row(model.to_owned()));
        }
        let (file, name) = self.elsewhere(import.source, import.imported)?;
        let width = self.world.ask("width of a type", &file, &name, |module| width(module, &name));
        width.flatten().map(|count| Shape::Type(name, count))
    }
}

/// How many fields an exported type has.
fn width(module: &Module<'_>, name: &str) -> Option<usize> {
    module.program().body.iter().find_map(|statement| {
        let declaration = match statement {
            Statement::ExportDeclaration(it) => &it.declaration,
            other => other.as_declaration()?,
        };
        match declaration {
            Declaration::TSInterfaceDeclaration(it) if it.id.name == name => {
                Some(it.body.body.len())
            }
            Declaration::TSTypeAliasDeclaration(it) if it.id.name == name => {
                match &it.type_annotation {
                    TSType::TSTypeLiteral(literal) => Some(literal.members.len()),
                    _ => None,
                }
            }
            _ => None,
        }
    })
}

/// `db.user.findUnique(…)` that does not say which columns.
fn whole_row(module: &Module<'_>, call: &CallExpression<'_>) -> Option<Shape> {
    const ONE: &[&str] = &["findUnique", "findFirst", "findUniqueOrThrow", "findFirstOrThrow"];
    let path = path_of(&call.callee);
    if !path.last().is_some_and(|it| ONE.contains(it)) {
        return None;
    }
    let Deed::Read(model) = database(module, call, &path)? else { return None };
    let is_whole = match call.arguments.first().map(|it| it.as_expression()) {
        None => true,
        Some(Some(Expression::ObjectExpression(it))) => it.properties.iter().all(|it| match it {
            ObjectPropertyKind::ObjectProperty(it) => {
                !["select", "omit", "columns"].iter().any(|key| it.key.is_specific_static_name(key))
            }
            ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        Some(_) => false,
    };
    is_whole.then_some(Shape::Row(model))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    const TYPES: &str = "export interface User { id: string; name: string; mail: string; a: 1; b: 1; c: 1; d: 1; e: 1; f: 1; hash: string }
export type Small = { id: string; name: string };";

    fn setup(client: &str) -> Setup {
        Setup::new()
            .next(15, 1)
            .realm(Realm::Server)
            .path("src/app/page.tsx")
            .file(
                "src/app/badge.tsx",
                &format!("'use client';\nimport {{ memo }} from 'react';\n{client}"),
            )
            .file("src/lib/types.ts", TYPES)
            .file(
                "src/lib/read.ts",
                "import type { User } from './types';
export async function readUser(): Promise<User | null> { return query(); }
export const readRow = async (id) => prisma.account.findUnique({ where: { id } });",
            )
    }

    const PAGE: &str = "import { Badge } from './badge';
import { readUser, readRow } from '@/lib/read';
import type { User, Small } from '@/lib/types';
";

    #[test]
    fn ru1_server_serialization_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_server_serialization_finds_wide_props() {
        let page = format!(
            "{PAGE}export default async function Page() {{
  const row = await readRow(1);
  return <><Badge user={{await readUser()}} /><Badge user={{row}} /></>;
}}
const Other = ({{ user }}: {{ user: User }}) => <Badge user={{user}} />;"
        );
        setup("export const Badge = ({ user }) => <b title={user.id}>{user?.name}</b>;").check(
            &RULE,
            &page,
            expect![[r#"
                6:19 warning: `Badge` uses only `id`, `name` of `user`, but all 10 fields of `User` are sent to the browser; pass only those fields
                6:52 warning: `Badge` uses only `id`, `name` of `user`, but the whole `account` row is sent to the browser; pass only those fields
                8:52 warning: `Badge` uses only `id`, `name` of `user`, but all 10 fields of `User` are sent to the browser; pass only those fields
            "#]],
        );
        for client in [
            "export const Badge = memo((props) => <b>{props.user.name}</b>);",
            "export function Badge({ user }) { const { name } = user; return user ? <b>{name}</b> : null; }",
        ] {
            assert_eq!(setup(client).findings(&RULE, &page).len(), 3, "{client}");
        }
    }

    #[test]
    fn ru1_server_serialization_leaves_false_positives() {
        let page = |element: &str| {
            format!(
                "{PAGE}export default async function Page() {{ const user = await readUser(); return {element}; }}"
            )
        };
        let usual = page("<Badge user={user} />");
        for client in [
            // The object escapes: passed on, spread, stored, written, turned to text.
            "export const Badge = ({ user }) => <Inner user={user} />;",
            "export const Badge = ({ user }) => <Inner {...user} />;",
            "export const Badge = ({ user }) => { const [it] = useState(user); return it.name; };",
            "export const Badge = ({ user }) => { console.log(user); return user.name; };",
            "export const Badge = ({ user }) => JSON.stringify(user);",
            "export const Badge = ({ user }) => { const { name, ...rest } = user; return name; };",
            "export const Badge = (props) => <Inner {...props} />;",
            "export const Badge = ({ ...rest }) => rest.user.name;",
            // Used by children.
            "export const Badge = ({ user }) => <Context value={user}>{user.name}</Context>;",
            // Much of it is read.
            "export const Badge = ({ user }) => [user.id, user.name, user.mail, user.a];",
            // Nothing is known of it.
            "export { Badge } from 'elsewhere';",
        ] {
            setup(client).silent(&RULE, &usual);
        }
        let reads = "export const Badge = ({ user }) => user.name;";
        assert!(!setup(reads).findings(&RULE, &usual).is_empty());
        for code in [
            // `Pick` and small types.
            format!(
                "{PAGE}const A = ({{ user }}: {{ user: Pick<User, 'name'> }}) => <Badge user={{user}} />;"
            ),
            format!("{PAGE}const A = ({{ user }}: {{ user: Small }}) => <Badge user={{user}} />;"),
            format!("{PAGE}const A = ({{ user }}) => <Badge user={{user}} />;"),
            // Columns are named.
            format!(
                "{PAGE}const A = async () => <Badge user={{await db.user.findFirst({{ select: {{ name: true }} }})}} />;"
            ),
            // What is read already.
            page("<Badge user={{ name: user.name }} />"),
        ] {
            setup(reads).silent(&RULE, &code);
        }
        // In the browser nothing is sent, and components of the server get what they like.
        setup(reads).realm(Realm::Client).silent(&RULE, &usual);
        setup(reads).file("src/app/badge.tsx", reads).silent(&RULE, &usual);
    }

    #[test]
    fn ru1_server_serialization_candidates() {
        let text = "import { Badge } from './badge';
import { loadUser } from '@/lib/unknown';
export default async function Page() { const user = await loadUser(); return <Badge user={user} />; }";
        let setup = setup("export const Badge = ({ user }) => user.name;");
        setup.likely(&RULE, text);
        setup.silent(&RULE, &text.replace("user={user}", "user={user.name}"));
    }
}
