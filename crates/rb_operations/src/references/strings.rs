//! Strings that name something by its path: `patch("a.b.name")`, `"a.b:name"`, entries of settings, tables of lazy imports.
//!
//! A path counts if it leads to the very thing, through any module that gives it on. The name alone in a string is only a mention.

use rb_python::ast::{self, Expr};
use rb_python::{Ranged, Source, StringLiteral, StringUse, TextRange, TextSize};

use super::walk::{last_part, string_content};
use super::{Found, ReferenceKind};
use crate::project::{Project, Value, entries, is_identifier, is_identifier_part, word_ranges};

/// A dotted path in a text: its parts with their offsets.
pub(super) struct DottedPath<'t> {
    pub(super) parts: Vec<(usize, &'t str)>,
}

/// Runs of identifiers with a full stop (or a colon, as in entry points) between each two, of two parts and more.
pub(super) fn dotted_paths(text: &str) -> Vec<DottedPath<'_>> {
    let mut paths = Vec::new();
    let mut parts: Vec<(usize, &str)> = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        if is_identifier_part(letter) {
            start.get_or_insert(at);
            continue;
        }
        let word = start.take().map(|start| (start, &text[start..at]));
        parts.extend(word);
        let next = text[at..].chars().nth(1);
        let goes_on = matches!(letter, '.' | ':') && next.is_some_and(is_identifier_part);
        if word.is_none() || !goes_on {
            let parts = std::mem::take(&mut parts);
            if parts.len() > 1 && parts.iter().all(|(_, part)| is_identifier(part)) {
                paths.push(DottedPath { parts });
            }
        }
    }
    paths
}

impl Project<'_> {
    /// What an absolute path in a string stands for. The longest module counts: `a.b` is the module, not a name in `a`.
    pub(super) fn value_of_path(&self, source: &Source, path: &str) -> Option<Value> {
        let parts: Vec<&str> = path.split(['.', ':']).collect();
        self.values_of_parts(source, &parts).pop().flatten()
    }

    /// What each beginning of a path stands for: `a`, `a.b`, `a.b.c`.
    pub(super) fn values_of_parts(&self, source: &Source, parts: &[&str]) -> Vec<Option<Value>> {
        let module = |length: usize| self.files.resolve(source.path(), &parts[..length].join("."));
        let Some((length, path)) =
            (1..=parts.len()).rev().find_map(|length| Some((length, module(length)?)))
        else {
            return vec![None; parts.len()];
        };
        let mut values: Vec<Option<Value>> =
            (1..length).map(|at| module(at).map(Value::Module)).collect();
        let mut value = Value::Module(path);
        values.push(Some(value.clone()));
        for part in &parts[length..] {
            value = self.attribute(source, value, part);
            values.push(Some(value.clone()));
        }
        values
    }

    /// Strings with a path whose part `name` is what is looked for.
    pub(super) fn add_strings(
        &self,
        source: &Source,
        name: &str,
        found: &mut Found,
        is_it: &dyn Fn(&Value) -> bool,
    ) {
        for literal in source.strings() {
            let content = source.slice(literal.content);
            if literal.has_escapes
                || literal.is_bytes
                || word_ranges(content, name).next().is_none()
            {
                continue;
            }
            match &literal.usage {
                StringUse::Docstring | StringUse::All => {}
                StringUse::Annotation => self.add_quoted(source, literal, name, found, is_it),
                StringUse::Argument { .. } | StringUse::Other => {
                    self.add_path(source, literal, name, found, is_it);
                }
            }
        }
        self.add_computed_paths(source, name, found, is_it);
    }

    fn add_path(
        &self,
        source: &Source,
        literal: &StringLiteral,
        name: &str,
        found: &mut Found,
        is_it: &dyn Fn(&Value) -> bool,
    ) {
        let content = source.slice(literal.content);
        for path in dotted_paths(content) {
            let parts: Vec<&str> = path.parts.iter().map(|(_, part)| *part).collect();
            if !parts.contains(&name) {
                continue;
            }
            let values = self.values_of_parts(source, &parts);
            for ((offset, part), value) in path.parts.iter().zip(values) {
                if *part != name || !value.is_some_and(|value| is_it(&value)) {
                    continue;
                }
                let range = part_range(literal, *offset, part);
                if !is_patch(&literal.usage) && self.is_registered_name(name, content) {
                    found.mention(source, range, "a name that something is registered by");
                } else {
                    found.add(source, range, ReferenceKind::String);
                }
            }
        }
        if content == name || content.strip_prefix('.') == Some(name) {
            found.mention(source, literal.content, "a string with this name");
        } else if content.contains("import ") || self.is_code(source, literal, name, is_it) {
            for word in word_ranges(content, name) {
                let range = part_range(literal, word.start, name);
                found.mention(source, range, "code in a string");
            }
        }
    }

    /// `"if module.name:"` in a file that has the module under this name: code that is put together, or a message.
    fn is_code(
        &self,
        source: &Source,
        literal: &StringLiteral,
        name: &str,
        is_it: &dyn Fn(&Value) -> bool,
    ) -> bool {
        let scope = source.scopes().scope_at(literal.range);
        dotted_paths(source.slice(literal.content)).iter().any(|path| {
            let parts: Vec<&str> = path.parts.iter().map(|(_, part)| *part).collect();
            let ends = (1..parts.len()).filter(|end| parts[*end] == name);
            ends.into_iter()
                .any(|end| is_it(&self.dotted_value(source, scope, &parts[..=end].join("."))))
        })
    }

    /// `task(name="a.f")`: a path that was chosen as a name by hand is a promise to others, wherever it stands.
    fn is_registered_name(&self, name: &str, content: &str) -> bool {
        let given = [format!("name='{content}'"), format!("name=\"{content}\"")];
        self.files_with(&[name]).iter().any(|path| {
            let text = self.files.text(path);
            text.is_some_and(|text| given.iter().any(|given| text.contains(given)))
        })
    }

    /// `"module.Class"` as an annotation. Plain names in it are names of the scope and found as such.
    fn add_quoted(
        &self,
        source: &Source,
        literal: &StringLiteral,
        name: &str,
        found: &mut Found,
        is_it: &dyn Fn(&Value) -> bool,
    ) {
        let scope = source.scopes().scope_at(literal.range);
        for path in dotted_paths(source.slice(literal.content)) {
            let parts: Vec<&str> = path.parts.iter().map(|(_, part)| *part).collect();
            for (index, (offset, part)) in path.parts.iter().enumerate().skip(1) {
                let is_named = *part == name
                    && is_it(&self.dotted_value(source, scope, &parts[..=index].join(".")));
                if is_named {
                    found.add(source, part_range(literal, *offset, part), ReferenceKind::Attribute);
                }
            }
        }
    }

    /// Tables that say where names come from: `{"a.b": ["name"]}`, `{"name": "a.b"}`, `{"name": ("a.b", "name")}`.
    pub(super) fn add_lazy_imports(
        &self,
        source: &Source,
        dict: &ast::ExprDict,
        name: &str,
        found: &mut Found,
        gives_it: &dyn Fn(Value) -> bool,
    ) {
        let module = |expression: &Expr| {
            let literal = expression.as_string_literal_expr()?;
            self.lazy_module(source, literal.value.to_str()).map(Value::Module)
        };
        let gives = |expression: &Expr| module(expression).is_some_and(gives_it);
        let named = |expression: &Expr| {
            string_content(source, expression).filter(|range| source.slice(*range) == name)
        };
        for item in &dict.items {
            let Some(key) = &item.key else { continue };
            let entries = entries(&item.value);
            if gives(key) || entries.iter().any(gives) {
                let strings = entries.iter().chain([key]).filter_map(named);
                strings.for_each(|range| found.add(source, range, ReferenceKind::String));
            }
        }
    }
}

/// `mock.patch("a.f")`, `self.patching("a.f")`, `monkeypatch.setattr("a.f", …)`.
fn is_patch(usage: &StringUse) -> bool {
    let StringUse::Argument { callee, position: Some(0) } = usage else { return false };
    let last = callee.rsplit('.').next().unwrap_or(callee);
    callee.contains("patch") || matches!(last, "import_string" | "import_module" | "symbol_by_name")
}

fn part_range(literal: &StringLiteral, offset: usize, part: &str) -> TextRange {
    let size = |length: usize| TextSize::try_from(length).expect("a file is smaller than 4 GiB");
    TextRange::at(literal.content.start() + size(offset), size(part.len()))
}

/// `patch.multiple(receiver, name=…)`: the receiver, and the range of the name.
pub(super) fn patched_keyword<'s>(
    call: &'s ast::ExprCall,
    name: &str,
) -> Option<(&'s Expr, TextRange)> {
    let Expr::Attribute(attribute) = &*call.func else { return None };
    let is_multiple =
        attribute.attr.as_str() == "multiple" && last_part(&attribute.value) == Some("patch");
    let receiver = call.arguments.args.first().filter(|_| is_multiple)?;
    let keyword = call.arguments.find_keyword(name)?;
    Some((receiver, keyword.arg.as_ref()?.range()))
}

/// `globals()`
pub(super) fn is_globals(expression: &Expr) -> bool {
    expression.as_call_expr().is_some_and(|call| last_part(&call.func) == Some("globals"))
}

/// `module` of `module.__dict__` and `vars(module)`.
pub(super) fn dictionary_owner(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::Attribute(attribute) if attribute.attr.as_str() == "__dict__" => {
            Some(&attribute.value)
        }
        Expr::Call(call) if last_part(&call.func) == Some("vars") => call.arguments.args.first(),
        _ => None,
    }
}
