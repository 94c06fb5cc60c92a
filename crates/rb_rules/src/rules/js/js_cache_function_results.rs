//! A costly function without effects is called for each element of a list, in each render.

use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, AwaitExpression, CallExpression, Expression,
    ForInStatement, ForOfStatement, ForStatement, IdentifierReference, NewExpression,
    RegExpLiteral, SimpleAssignmentTarget, ThisExpression, UpdateExpression, WhileStatement,
    YieldExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use rb_ecma::{Func, Module, Types, is_quiet_method};

use super::hot::{Heat, heat, is_each, kind_of, round};
use crate::cx::{Cx, Hit};
use crate::exports::exported_function;
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-cache-function-results",
    title: "A costly function runs for each element in each render",
    category: Category::JavaScript,
    impact: Impact::Medium,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A pure project function with a loop or a regular expression is called with a string or number for \
               each element of a rendered list.",
        why: "Each render computes the same results again for every element.",
        wrong: "const slugify = (text: string) => text.toLowerCase().replace(/[^a-z]+/g, '-');
const Rows = ({ rows }: { rows: { name: string }[] }) => rows.map((row) => <Row slug={slugify(row.name)} />);",
        right: "const slugify = (text: string) => text.toLowerCase().replace(/[^a-z]+/g, '-');
const slugs = new Map<string, string>();
const slugOf = (text: string) => {
  let slug = slugs.get(text);
  if (slug === undefined) slugs.set(text, (slug = slugify(text)));
  return slug;
};
const Rows = ({ rows }: { rows: { name: string }[] }) => rows.map((row) => <Row slug={slugOf(row.name)} />);",
        safe: "No fix is offered: a cache needs a limit, and on a server it would be shared by all users.",
        leave: "Inputs rarely repeat, the list is short, or it rarely renders; `useMemo` around the list works as \
                well.",
        given: &[],
    },
    wants: &["map", "flatMap", "filter"],
    applies: |facts| {
        facts.kind == FileKind::Source && facts.package.uses_react && !facts.package.compiler
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for call in module.calls() {
        let Expression::Identifier(callee) = &call.callee else { continue };
        let Some(argument) = argument(call).filter(|_| is_in_rendered_list(module, call)) else {
            continue;
        };
        let types = module.types(argument);
        let is_plain = types.is_only(Types::STRING | Types::NUMBER);
        if !is_plain && types.is_known() || !is_costly(cx, callee) {
            continue;
        }
        let name = callee.name.as_str();
        let message = format!(
            "`{name}` recomputes the same results for every element on every render; memoize it by its arguments"
        );
        let hit = Hit::at(call.span, message).low();
        let value = module.slice(argument.span());
        cx.report(if is_plain {
            hit
        } else {
            hit.likely(format!(
                "`{value}` may not be a string or number, so it may not work as a cache key"
            ))
        });
    }
}

/// Is it in the callback of a `map` or its like that runs while a component renders, not kept by `useMemo`?
fn is_in_rendered_list<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let node = call.node_id.get();
    let Some(round) = round(module, node) else { return false };
    let oxc_ast::AstKind::CallExpression(each) = module.nodes().kind(round.node) else {
        return false;
    };
    let is_list = matches!(&each.callee, Expression::StaticMemberExpression(it)
        if ["map", "flatMap", "filter"].contains(&it.property.name.as_str()));
    if !is_each(each) || !is_list || heat(module, node) != Some(Heat::Loop) {
        return false;
    }
    // The function that runs the list: that of a component itself.
    let mut outer = module.ancestors(round.node).filter_map(Func::of);
    outer.next().is_some_and(|func| kind_of(module, func) == rb_ecma::FunctionKind::Component)
}

/// The one value that is handed over; what is named as unique will not come twice.
fn argument<'a>(call: &'a CallExpression<'a>) -> Option<&'a Expression<'a>> {
    const UNIQUE: &[&str] = &["id", "key", "uuid", "index", "idx", "i", "url", "href", "slug"];
    let [only] = call.arguments.as_slice() else { return None };
    let argument = Argument::as_expression(only)?;
    let last = match argument {
        Expression::StaticMemberExpression(it) => it.property.name.as_str(),
        Expression::Identifier(it) => it.name.as_str(),
        _ => return None,
    };
    let is_unique = UNIQUE.contains(&last) || last.ends_with("Id") || last.ends_with("Url");
    (!is_unique).then_some(argument)
}

/// Is it a function of the project that computes, and not in no time?
fn is_costly<'a>(cx: &Cx<'_, 'a>, callee: &IdentifierReference<'a>) -> bool {
    let module = cx.module;
    let Some(symbol) = module.symbol(callee) else { return false };
    if let Some(import) = module.import(symbol) {
        let Some((file, name)) = cx.origin(import) else { return false };
        let answer = cx.world.ask("costly function", &file, &name, |module| {
            exported_function(module, &name).is_some_and(|func| computes(module, func))
        });
        return answer.unwrap_or(false);
    }
    let func = match module.declaration(symbol) {
        oxc_ast::AstKind::Function(it) => Some(Func::Function(it)),
        _ => module.initializer(symbol).and_then(Func::of_expression),
    };
    module.is_top_level(symbol) && func.is_some_and(|func| computes(module, func))
}

/// Does the function touch nothing but its own names, and hold a loop or a regular expression?
fn computes<'a>(module: &Module<'a>, func: Func<'a>) -> bool {
    if func.is_async() || func.is_generator() {
        return false;
    }
    let mut look = Computes { module, func, is_pure: true, is_costly: false };
    match func {
        Func::Function(it) => {
            if let Some(body) = &it.body {
                look.visit_function_body(body);
            }
        }
        Func::Arrow(it) => look.visit_arrow_function_body(&it.body),
    }
    look.is_pure && look.is_costly
}

struct Computes<'m, 'a> {
    module: &'m Module<'a>,
    func: Func<'a>,
    is_pure: bool,
    is_costly: bool,
}

impl<'a> Computes<'_, 'a> {
    /// Declared in the function.
    fn is_own(&self, name: &IdentifierReference<'a>) -> bool {
        self.module.symbol(name).is_some_and(|symbol| {
            self.func.span().contains_inclusive(self.module.scoping().symbol_span(symbol))
        })
    }

    fn call(&mut self, call: &CallExpression<'a>) -> bool {
        match call.callee.get_inner_expression() {
            Expression::Identifier(name) => {
                self.module.is_global(name)
                    && ["String", "Number", "Boolean", "parseInt", "parseFloat"]
                        .contains(&name.name.as_str())
            }
            Expression::StaticMemberExpression(member) => {
                let name = member.property.name.as_str();
                let owner = member.object.get_identifier_reference();
                let is_mine = owner.is_some_and(|it| self.is_own(it));
                self.is_costly |= ["reduce", "flatMap"].contains(&name);
                match owner.filter(|it| self.module.is_global(it)).map(|it| it.name.as_str()) {
                    Some("Math") => name != "random",
                    Some("Object") => ["keys", "values", "entries"].contains(&name),
                    Some("String" | "Number" | "Array" | "JSON") => true,
                    Some(_) => false,
                    None => is_quiet_method(name) || (is_mine && name == "push"),
                }
            }
            _ => false,
        }
    }
}

impl<'a> Visit<'a> for Computes<'_, 'a> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        // What is read from outside must be a constant of the file or of the language.
        let known = match self.module.symbol(it) {
            Some(symbol) => {
                self.is_own(it) || self.module.is_top_level(symbol) && self.module.is_stable(symbol)
            }
            None => [
                "undefined",
                "NaN",
                "Infinity",
                "Math",
                "Object",
                "String",
                "Number",
                "Array",
                "JSON",
                "Boolean",
                "parseInt",
                "parseFloat",
            ]
            .contains(&it.name.as_str()),
        };
        self.is_pure &= known;
    }

    fn visit_reg_exp_literal(&mut self, _: &RegExpLiteral<'a>) {
        self.is_costly = true;
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        self.is_costly = true;
        walk::walk_for_statement(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.is_costly = true;
        walk::walk_for_of_statement(self, it);
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.is_costly = true;
        walk::walk_for_in_statement(self, it);
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.is_costly = true;
        walk::walk_while_statement(self, it);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.is_pure &= self.call(call);
        walk::walk_call_expression(self, call);
    }

    fn visit_new_expression(&mut self, _: &NewExpression<'a>) {
        self.is_pure = false;
    }

    fn visit_await_expression(&mut self, _: &AwaitExpression<'a>) {
        self.is_pure = false;
    }

    fn visit_yield_expression(&mut self, _: &YieldExpression<'a>) {
        self.is_pure = false;
    }

    fn visit_this_expression(&mut self, _: &ThisExpression) {
        self.is_pure = false;
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.is_pure &= matches!(&it.left,
            AssignmentTarget::AssignmentTargetIdentifier(name) if self.is_own(name));
        walk::walk_assignment_expression(self, it);
    }

    fn visit_update_expression(&mut self, it: &UpdateExpression<'a>) {
        self.is_pure &= matches!(&it.argument,
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) if self.is_own(name));
        walk::walk_update_expression(self, it);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    const LIST: &str = "const A = ({ xs }: { xs: { name: string; id: string }[] }) => <b>{xs.map((x) => <i>{hash(x.name)}</i>)}</b>;";

    #[test]
    fn ru1_js_cache_function_results_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_js_cache_function_results_finds() {
        let setup = Setup::new();
        setup.check(
            &RULE,
            &format!(
                "function hash(text) {{ let sum = 0; for (let i = 0; i < text.length; i++) sum = sum * 31 + text.charCodeAt(i); return sum; }}\n{LIST}"
            ),
            expect![[r#"
                2:85 note: `hash` recomputes the same results for every element on every render; memoize it by its arguments
            "#]],
        );
        setup
            .file("src/hash.ts", "export const hash = (text: string) => text.split('').reduce((a, b) => a + b.length, 0);")
            .check(
                &RULE,
                &format!("import {{ hash }} from './hash'; // for each\n{LIST}"),
                expect![[r#"
                    2:85 note: `hash` recomputes the same results for every element on every render; memoize it by its arguments
                "#]],
            );
    }

    #[test]
    fn ru1_js_cache_function_results_silent() {
        let setup = Setup::new();
        for hash in [
            // Cheap.
            "const hash = (text) => text.length + 1; for (;;) {}",
            // Not known; not pure; of the time; of a place; that changes something.
            "import { hash } from 'hash'; /a/;",
            "let last; function hash(text) { last = text.replace(/a/, ''); return last; }",
            "const hash = (text) => text.replace(/a/, Date.now());",
            "const hash = (text) => new Intl.Collator().compare(text, text.replace(/a/, ''));",
            "function hash(text) { for (const x of text) text.y = x; return text; }",
        ] {
            setup.silent(&RULE, &format!("{hash}\n{LIST}"));
        }
        let hash = "const hash = (text) => text.replace(/[a-z]+/g, '-');";
        for list in [
            // Inputs that are unique, not in a list, not while rendering, kept already.
            "const A = ({ xs }: { xs: { id: string }[] }) => <b>{xs.map((x) => hash(x.id))}</b>;",
            "const A = ({ x }: { x: string }) => <b>{hash(x)}</b>;",
            "const f = (xs: string[]) => xs.map((x: string) => hash(x));",
            "const A = ({ xs }: { xs: string[] }) => { const a = useMemo(() => xs.map((x) => hash(x)), [xs]); return <b>{a}</b>; };",
            "const A = ({ xs }: { xs: string[] }) => <b>{xs.map((x) => <i onClick={() => hash(x)} />)}</b>;",
        ] {
            setup.silent(&RULE, &format!("import {{ useMemo }} from 'react';\n{hash}\n{list}"));
        }
        // Of an unknown type.
        let list = "const A = ({ xs }) => <b>{xs.map((x) => hash(x.name))}</b>;";
        setup.likely(&RULE, &format!("{hash}\n{list}"));
        // The compiler keeps results.
        setup.compiler().silent(&RULE, &format!("{hash}\n{LIST}"));
    }
}
