//! A component that was imported, loaded when it is first drawn. Always a draft: it brings a moment of waiting, a way to fail,
//! and perhaps other output from the server.

use oxc_ast::ast::JSXElement;
use rb_core::Edit;
use rb_ecma::{ImportBinding, Imported, Module};

/// What loads components later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loader {
    /// `lazy` of React, which needs a `Suspense` around.
    React,
    /// `dynamic` of Next.
    Next { ssr: bool },
}

/// What the code needs: names added to an import that is there, or an import of its own.
#[derive(Default)]
struct Needs {
    edits: Vec<Edit>,
    import: Option<String>,
}

pub(super) fn lazily<'a>(
    module: &Module<'a>,
    binding: &ImportBinding<'a>,
    elements: &[&'a JSXElement<'a>],
    loader: Loader,
) -> Option<Vec<Edit>> {
    if binding.imported == Imported::Namespace || module.has_comment(binding.declaration.span) {
        return None;
    }
    let mut needs = Needs::default();
    let made = match loader {
        Loader::React => by_react(module, binding, elements, &mut needs)?,
        Loader::Next { ssr } => by_next(module, binding, ssr, &mut needs),
    };
    let code = format!("const {} = {made}{}", binding.local, module.style().semicolon());
    placed(module, binding, needs, &code)
}

fn by_react<'a>(
    module: &Module<'a>,
    binding: &ImportBinding<'a>,
    elements: &[&'a JSXElement<'a>],
    needs: &mut Needs,
) -> Option<String> {
    let (lazy, suspense) = react_names(module, needs)?;
    for element in elements {
        let open = format!("<{suspense} fallback={{null}}>");
        needs.edits.push(Edit::insert(element.span.start, open));
        needs.edits.push(Edit::insert(element.span.end, format!("</{suspense}>")));
    }
    let part = match binding.imported {
        Imported::Named(name) => format!(".then((m) => ({{ default: m.{name} }}))"),
        Imported::Default | Imported::Namespace => String::new(),
    };
    Some(format!("{lazy}(() => import({}){part})", module.style().quoted(binding.source)))
}

fn by_next<'a>(
    module: &Module<'a>,
    binding: &ImportBinding<'a>,
    ssr: bool,
    needs: &mut Needs,
) -> String {
    let known = module
        .imports()
        .values()
        .find(|it| it.source == "next/dynamic" && it.imported == Imported::Default);
    let dynamic = known.map_or_else(
        || {
            let name = module.fresh_name("dynamic");
            needs.import = Some(import_line(module, &name, "next/dynamic"));
            name
        },
        |it| it.local.to_owned(),
    );
    let part = match binding.imported {
        Imported::Named(name) => format!(".then((m) => m.{name})"),
        Imported::Default | Imported::Namespace => String::new(),
    };
    let options = if ssr { "" } else { ", { ssr: false }" };
    format!("{dynamic}(() => import({}){part}{options})", module.style().quoted(binding.source))
}

fn react_names(module: &Module<'_>, needs: &mut Needs) -> Option<(String, String)> {
    let mut all = module.import_declarations();
    if !all.any(|it| it.source.value == "react" && !it.import_kind.is_type()) {
        needs.import = Some(import_line(module, &module.style().braced("lazy, Suspense"), "react"));
        return Some(("lazy".to_owned(), "Suspense".to_owned()));
    }
    let lazy = module.import_name("react", "lazy")?;
    let suspense = module.import_name("react", "Suspense")?;
    needs.edits.extend(lazy.edits);
    needs.edits.extend(suspense.edits);
    Some((lazy.name, suspense.name))
}

fn import_line(module: &Module<'_>, what: &str, source: &str) -> String {
    let style = module.style();
    format!("import {what} from {}{}", style.quoted(source), style.semicolon())
}

/// Puts the code behind the imports and takes the old import away; that may be the last of them.
fn placed(
    module: &Module<'_>,
    binding: &ImportBinding<'_>,
    needs: Needs,
    code: &str,
) -> Option<Vec<Edit>> {
    let eol = module.style().line_end;
    let Needs { mut edits, import } = needs;
    let span = binding.declaration.span;
    let is_last = module.import_declarations().last().is_some_and(|it| it.span == span);
    let is_alone = binding.declaration.specifiers.as_ref().is_some_and(|it| it.len() == 1);
    if is_last && is_alone {
        let head = import.map_or_else(|| eol.to_owned(), |it| format!("{it}{eol}{eol}"));
        let mut below = module.text()[span.end as usize..].lines().skip(1);
        let gap = if below.next().is_some_and(|it| !it.trim().is_empty()) { eol } else { "" };
        edits.push(Edit::replace(span.start, span.end, format!("{head}{code}{gap}")));
        return Some(edits);
    }
    let at = module.insert_at_top(code);
    if let Some(import) = import {
        edits.push(Edit::insert(at.start, format!("{eol}{import}")));
    }
    edits.push(at);
    edits.push(module.remove_import(binding.symbol)?);
    Some(edits)
}
