//! A component that is defined while another renders is another one each time.
//! What the inner component takes from the outer one is named, but not turned into props.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, VariableDeclarationKind};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, FunctionKind, FunctionView, Module};

use super::hooks::is_declared_in;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-no-inline-components",
    title: "A component is defined inside of another one",
    category: Category::Rerender,
    impact: Impact::High,
    fix: FixKind::AssistWithAuto,
    level: Level::Default,
    repairs: true,
    doc: Doc {
        what: "A component is defined in the body of another component or a hook, and used there as an element. Each \
               render creates a different component type for React.",
        why: "Everything below it is unmounted and rebuilt on each render of the outer component: state, focus, \
              scroll position and typed text are lost, and effects run again.",
        wrong: "const Page = ({ user }) => {\n  const Name = () => <b>{user.name}</b>;\n  return <Name />;\n};",
        right: "const Name = ({ user }) => <b>{user.name}</b>;\nconst Page = ({ user }) => <Name user={user} />;",
        safe: "Fixed automatically if the inner component uses nothing of the outer one: it moves in front of it \
               unchanged, and keeps its state from then on. Otherwise what it uses must become props, which is left \
               to you.",
        leave: "The function is called as a function, and not used as an element.",
        given: &[],
    },
    wants: &["<"],
    applies: |facts| facts.package.uses_react,
    check,
};

/// A component inside of another.
struct Inner<'a> {
    name: &'a str,
    symbol: SymbolId,
    /// The statement that defines it.
    statement: Span,
    /// What is defined, without the name.
    value: Span,
    /// It is a plain function, and nothing is called to make it.
    is_plain: bool,
    /// The call that makes it, where what it gives is not known: `motion.create`.
    maker: Option<&'a str>,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for inner in inner_functions(module).into_iter().chain(inner_values(module)) {
        let Some(owner) = owner_of(module, inner.symbol) else { continue };
        let is_tag = module.uses(inner.symbol).any(|it| {
            owner.func.span().contains_inclusive(it.span)
                && matches!(module.parent(it.node), AstKind::JSXOpeningElement(_))
        });
        if is_tag && !is_mail(cx, &owner) {
            report(cx, &inner, &owner);
        }
    }
}

/// A mail is rendered once, to a text.
fn is_mail(cx: &Cx<'_, '_>, owner: &FunctionView<'_>) -> bool {
    let mut folders = cx.facts.path.split('/');
    owner.name.is_some_and(|it| it.ends_with("Email"))
        || folders.any(|it| matches!(it, "emails" | "email-templates" | "email_templates"))
}

fn report<'a>(cx: &mut Cx<'_, 'a>, inner: &Inner<'a>, owner: &FunctionView<'a>) {
    let module = cx.module;
    let outer = owner.name.unwrap_or("the component");
    let taken = taken_from(module, inner);
    let name = inner.name;
    let advice = match taken.as_slice() {
        [] => format!("move it out of `{outer}`"),
        [one] => format!("move it out and pass `{one}` as a prop"),
        [one, two] => format!("move it out and pass `{one}` and `{two}` as props"),
        more => format!("move it out and pass what it uses ({}) as props", more.join(", ")),
    };
    let message = format!(
        "`{name}` is redefined on every render of `{outer}`, so its subtree remounts; {advice}"
    );
    let hit = Hit::at(module.scoping().symbol_span(inner.symbol), message);
    if let Some(maker) = inner.maker {
        cx.report(hit.likely(format!("`{maker}` may return the same component every time")));
        return;
    }
    let edits = if taken.is_empty() { lifted(module, inner, owner.func) } else { None };
    cx.report(match edits {
        Some(edits) => hit.auto_unless(doubt(module, inner), "move it to module scope", edits),
        None => hit,
    });
}

fn inner_functions<'a>(module: &Module<'a>) -> Vec<Inner<'a>> {
    let named = module.functions().iter().filter(|it| it.kind == FunctionKind::Component);
    named
        .filter_map(|view| {
            let (name, symbol) = (view.name?, view.symbol?);
            let value = view.wrapper.map_or(view.func.span(), |call| call.span);
            let statement = match module.declaration(symbol) {
                AstKind::Function(it) => it.span,
                _ => declaration_of(module, symbol)?,
            };
            Some(Inner {
                name,
                symbol,
                statement,
                value,
                is_plain: view.wrapper.is_none(),
                maker: None,
            })
        })
        .collect()
}

/// Classes, and what `styled` and `lazy` make.
fn inner_values<'a>(module: &Module<'a>) -> Vec<Inner<'a>> {
    let found = module.declarators().iter().filter_map(|&declarator| {
        let id = declarator.id.get_binding_identifier()?;
        let value = declarator.init.as_ref()?;
        let maker = maker(module, value);
        let is_component = makes_component(module, value) || maker.is_some();
        if !id.name.starts_with(|c: char| c.is_uppercase()) || !is_component {
            return None;
        }
        Some(Inner {
            name: id.name.as_str(),
            symbol: id.symbol_id(),
            statement: declaration_of(module, id.symbol_id())?,
            value: value.span(),
            is_plain: false,
            maker,
        })
    });
    found.collect()
}

fn makes_component<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    match value.get_inner_expression() {
        Expression::ClassExpression(it) => it.heritage.is_some(),
        Expression::TaggedTemplateExpression(it) => is_styled(module, &it.tag),
        Expression::CallExpression(call) => module.is_react_call(call, "lazy"),
        _ => false,
    }
}

/// The call of a function of a package that is named as one that makes components: `motion.create(Link)`, `withTheme(Box)`.
fn maker<'a>(module: &Module<'a>, value: &Expression<'a>) -> Option<&'a str> {
    const MAKERS: &[&str] = &["animated", "connect", "dynamic", "motion", "observer", "styled"];
    let Expression::CallExpression(call) = value.get_inner_expression() else { return None };
    let callee = call.callee.get_inner_expression();
    let root = match callee {
        Expression::StaticMemberExpression(it) => it.object.get_identifier_reference()?,
        other => other.get_identifier_reference()?,
    };
    module.import(module.symbol(root)?)?;
    let name = root.name.as_str();
    let is_wrapper =
        name.strip_prefix("with").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()));
    let makes = match callee {
        Expression::StaticMemberExpression(it) => {
            MAKERS.contains(&name) && ["create", "custom"].contains(&it.property.name.as_str())
        }
        _ => MAKERS.contains(&name) || is_wrapper,
    };
    makes.then(|| module.slice(callee.span()))
}

/// `styled.div`, `styled(X)`, `styled.div.attrs(…)`.
fn is_styled<'a>(module: &Module<'a>, tag: &Expression<'a>) -> bool {
    match tag.get_inner_expression() {
        Expression::Identifier(name) => {
            let import = module.symbol(name).and_then(|it| module.import(it));
            name.name == "styled" && import.is_some()
        }
        Expression::StaticMemberExpression(it) => is_styled(module, &it.object),
        Expression::CallExpression(it) => is_styled(module, &it.callee),
        _ => false,
    }
}

/// The statement of a name that is the only one of its declaration.
fn declaration_of(module: &Module<'_>, symbol: SymbolId) -> Option<Span> {
    let declarator = module.declarator(symbol)?;
    match module.parent(declarator.node_id.get()) {
        AstKind::VariableDeclaration(it)
            if it.declarations.len() == 1 && it.kind == VariableDeclarationKind::Const =>
        {
            Some(it.span)
        }
        _ => None,
    }
}

/// The component or hook in whose body the name is declared, not in a function inside of it.
fn owner_of<'a>(module: &Module<'a>, symbol: SymbolId) -> Option<FunctionView<'a>> {
    let node = module.scoping().symbol_declaration(symbol);
    let func = module.function_around(node)?;
    let view = module.function_view(func)?;
    (view.kind != FunctionKind::Other).then_some(*view)
}

/// Names of the components around that the inner one uses, types among them.
fn taken_from<'a>(module: &Module<'a>, inner: &Inner<'a>) -> Vec<String> {
    let mut found: Vec<String> = module
        .identifiers_in(inner.value)
        .iter()
        .filter_map(|it| module.symbol(it))
        .filter(|&symbol| {
            symbol != inner.symbol
                && !module.is_top_level(symbol)
                && !is_declared_in(module, symbol, inner.value)
        })
        .map(|symbol| module.name(symbol).to_owned())
        .collect();
    found.sort();
    found.dedup();
    found
}

fn doubt(module: &Module<'_>, inner: &Inner<'_>) -> Option<&'static str> {
    if !inner.is_plain {
        return Some("its definition may have side effects");
    }
    let text = module.slice(inner.statement);
    if text.contains('`') && text.contains('\n') {
        return Some("the indentation of a multi-line template would change");
    }
    (text.contains("this") || text.contains("arguments"))
        .then_some("it may read `this` or `arguments`")
}

/// The definition in front of the outer component.
fn lifted<'a>(module: &Module<'a>, inner: &Inner<'a>, owner: Func<'a>) -> Option<Vec<Edit>> {
    let top =
        module.program().body.iter().find(|it| it.span().contains_inclusive(owner.span()))?.span();
    let is_alone = module.scoping().symbol_names().filter(|it| *it == inner.name).count() == 1
        && !module.identifiers().iter().any(|it| it.name == inner.name && module.is_global(it));
    // What is said about it goes with it.
    let whole = Span::new(above_comments(module, inner.statement.start), inner.statement.end);
    let line = module.line_start(whole.start);
    let text = module.text();
    let rest = text[inner.statement.end as usize..].split('\n').next().unwrap_or_default();
    let is_own_line = text[line as usize..whole.start as usize].trim().is_empty()
        && rest.trim_start_matches(';').trim().is_empty();
    if !is_alone || !is_own_line {
        return None;
    }
    let at = above_comments(module, top.start);
    let eol = module.style().line_end;
    let end = inner.statement.end + u32::try_from(rest.len()).ok()? + 1;
    let end = end.min(u32::try_from(text.len()).ok()?);
    // With the empty line that set it apart.
    let blank = text[end as usize..].split('\n').next().unwrap_or_default();
    let above = text[..line as usize].trim_end_matches([' ', '\t', '\r', '\n']);
    let opens = above.ends_with('{') || text[above.len()..line as usize].matches('\n').count() > 1;
    let has_blank = opens && blank.trim().is_empty() && !text[end as usize..].is_empty();
    let end = if has_blank { end + u32::try_from(blank.len()).ok()? + 1 } else { end };
    let indent = module.indent_at(whole.start);
    let code = module.slice(whole).replace(&format!("\n{indent}"), "\n");
    Some(vec![Edit::insert(at, format!("{code}{eol}{eol}")), Edit::delete(line, end)])
}

/// Where a statement begins, with the comments that stand right above it.
fn above_comments(module: &Module<'_>, start: u32) -> u32 {
    let mut at = start;
    for comment in module.comments().iter().rev().filter(|it| it.span.end <= start) {
        let gap = &module.text()[comment.span.end as usize..at as usize];
        let is_own_line = module.line_start(comment.span.start)
            + u32::try_from(module.indent_at(comment.span.start).len()).unwrap_or(0)
            == comment.span.start;
        if gap.trim().is_empty() && gap.matches('\n').count() <= 1 && is_own_line {
            at = comment.span.start;
        } else {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_no_inline_components_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_no_inline_components_is_fixed() {
        Setup::new().check(
            &RULE,
            "import { memo, useState } from 'react';

const LABEL = 'x';

/** The page. */
export function Page({ user }: { user: string }) {
  const Dot = () => {
    const [on, setOn] = useState(false);
    return (
      <i onClick={() => setOn(!on)}>{LABEL}</i>
    );
  };

  function Name() {
    return <b>{user}</b>;
  }
  const Kept = memo(() => <i />);

  return <p><Dot /><Name /><Kept /></p>;
}
",
            expect![[r#"
                7:9 warning: `Dot` is redefined on every render of `Page`, so its subtree remounts; move it out of `Page` [auto: move it to module scope]
                14:12 warning: `Name` is redefined on every render of `Page`, so its subtree remounts; move it out and pass `user` as a prop
                17:9 warning: `Kept` is redefined on every render of `Page`, so its subtree remounts; move it out of `Page` [assist: move it to module scope] (not proved: its definition may have side effects)
                --- auto
                import { memo, useState } from 'react';

                const LABEL = 'x';

                const Dot = () => {
                  const [on, setOn] = useState(false);
                  return (
                    <i onClick={() => setOn(!on)}>{LABEL}</i>
                  );
                };

                /** The page. */
                export function Page({ user }: { user: string }) {
                  function Name() {
                    return <b>{user}</b>;
                  }
                  const Kept = memo(() => <i />);

                  return <p><Dot /><Name /><Kept /></p>;
                }

                --- assist
                import { memo, useState } from 'react';

                const LABEL = 'x';

                const Kept = memo(() => <i />);

                /** The page. */
                export function Page({ user }: { user: string }) {
                  const Dot = () => {
                    const [on, setOn] = useState(false);
                    return (
                      <i onClick={() => setOn(!on)}>{LABEL}</i>
                    );
                  };

                  function Name() {
                    return <b>{user}</b>;
                  }

                  return <p><Dot /><Name /><Kept /></p>;
                }

            "#]],
        );
    }

    #[test]
    fn ru1_rerender_no_inline_components_takes_its_comments_along() {
        Setup::new().fixes(
            &RULE,
            "function Page() {
  const [a] = useState(1);

  /**
   * A dot, for now.
   */
  // eslint-disable-next-line react/no-unstable-nested-components
  const Dot = () => <i />;

  const b = a; // kept
  const Bar = () => <b />;
  return <p title={b}><Dot /><Bar /></p>;
}
",
            "/**
 * A dot, for now.
 */
// eslint-disable-next-line react/no-unstable-nested-components
const Dot = () => <i />;

const Bar = () => <b />;

function Page() {
  const [a] = useState(1);

  const b = a; // kept
  return <p title={b}><Dot /><Bar /></p>;
}
",
        );
    }

    #[test]
    fn ru1_rerender_no_inline_components_in_hooks_and_classes() {
        Setup::new().check(
            &RULE,
            "import React from 'react'
import styled from 'styled-components'
const useDialog = (open) => {
  const Dialog = () => <dialog open={open} />
  return <Dialog />
}
const List = ({ rows, wide }) => {
  const Box = styled.div`width: ${wide};`
  const Old = class extends React.Component { render() { return <i /> } }
  return rows.map((row) => <Box key={row}><Old /></Box>)
}",
            expect![[r#"
                4:9 warning: `Dialog` is redefined on every render of `useDialog`, so its subtree remounts; move it out and pass `open` as a prop
                8:9 warning: `Box` is redefined on every render of `List`, so its subtree remounts; move it out and pass `wide` as a prop
                9:9 warning: `Old` is redefined on every render of `List`, so its subtree remounts; move it out of `List` [assist: move it to module scope] (not proved: its definition may have side effects)
                --- assist
                import React from 'react'
                import styled from 'styled-components'
                const useDialog = (open) => {
                  const Dialog = () => <dialog open={open} />
                  return <Dialog />
                }
                const Old = class extends React.Component { render() { return <i /> } }

                const List = ({ rows, wide }) => {
                  const Box = styled.div`width: ${wide};`
                  return rows.map((row) => <Box key={row}><Old /></Box>)
                }
            "#]],
        );
    }

    #[test]
    fn ru1_rerender_no_inline_components_leaves_others() {
        let setup = Setup::new();
        // A mail is rendered once.
        setup.silent(&RULE, &RULE.doc.wrong.replace("Page", "WelcomeEmail"));
        Setup::new().path("packages/emails/src/welcome.tsx").silent(&RULE, RULE.doc.wrong);
        for body in [
            // Called as a function.
            "const Name = () => <b>{user}</b>; return <p>{Name()}</p>;",
            "const renderName = () => <b>{user}</b>; return <List renderItem={renderName} />;",
            // A map of components.
            "return <Markdown components={{ H1: () => <b>{user}</b> }} />;",
            // Made once.
            "const Name = useMemo(() => () => <b>{user}</b>, []); return <Name />;",
            "const [Name] = useState(() => () => <b>{user}</b>); return <Name />;",
            "const Name = useRef(() => <b>{user}</b>).current; return <Name />;",
            // A choice, not a definition.
            "const Tag = user ? A : B; return <Tag />;",
        ] {
            setup.silent(&RULE, &format!("import {{ useMemo, useRef, useState }} from 'react';\nconst Page = ({{ user }}) => {{ {body} }};"));
        }
        // A factory of components.
        setup.silent(&RULE, "const withUser = (Inner) => { const Outer = (props) => <Inner {...props} />; return Outer; };");
        setup.silent(&RULE, "const create = () => { const Item = () => <i />; const List = () => <Item />; return List; };");
    }

    #[test]
    fn ru1_rerender_no_inline_components_needs_a_proof() {
        let setup = Setup::new();
        for body in [
            "const Name = () => <b>{user}</b>;\nreturn <Name />;",
            "type T = { a: string };\nconst Name = (props: T) => <b>{props.a}</b>;\nreturn <Name a=\"x\" />;",
            // It uses what is two components further out.
            "const Box = () => {\nconst Name = () => <b>{user}</b>;\nreturn <p><Name /></p>;\n};\nreturn <Box />;",
            "const Name = memo(() => <b />);\nreturn <Name />;",
            "const Name = () => <b title={`\n`} />;\nreturn <Name />;",
            // The name is taken outside.
            "const Image = () => <b />;\nreturn <Image />;",
            "const Other = () => <b />;\nreturn <Other />;",
        ] {
            setup.no_auto(&RULE, &format!("import {{ memo }} from 'react';\nconst Page = ({{ user }}) => {{\n{body}\n}};\nconst Away = () => {{ const Other = 1; new Image(); return <i>{{Other}}</i>; }};"));
        }
    }

    #[test]
    fn ru1_rerender_no_inline_components_candidates() {
        let text = "import { motion } from 'motion/react';
import Link from 'next/link';
export function Card({ href }) {
  const MotionLink = motion.create(Link);
  return <MotionLink href={href} />;
}";
        let setup = Setup::new();
        setup.check(
            &RULE,
            text,
            expect![[r#"
                4:9 note: `MotionLink` is redefined on every render of `Card`, so its subtree remounts; move it out of `Card` (not proved: `motion.create` may return the same component every time)
            "#]],
        );
        // What picks a component makes none.
        setup.silent(&RULE, &text.replace("motion.create(Link)", "motion.pick(Link)"));
        setup.silent(&RULE, &text.replace("motion.create(Link)", "iconFor(href)"));
    }
}
