//! `const a = require('a')` at the top of a file, of which nothing is used.

use oxc_ast::ast::{BindingPattern, VariableDeclaration, VariableDeclarator};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;

use super::names::tool_comment;
use super::removal::{File, Loading, Whole};
use crate::cleaning::deletion;
use crate::cleaning::quiet::required;

/// What is unused of one `x = require('x')`.
enum Unused {
    Nothing,
    All,
    /// Of the names in its braces.
    Some(Vec<bool>),
}

impl<'a> File<'_, 'a> {
    pub(super) fn requires(
        &mut self,
        it: &'a VariableDeclaration<'a>,
        at: usize,
        deleted: &mut Vec<Whole>,
    ) {
        let mut gone = Vec::new();
        for declarator in &it.declarations {
            let source = declarator.init.as_ref().and_then(|it| required(self.module, it));
            let Some((source, _)) = source else {
                gone.push(false);
                continue;
            };
            let unused = self.unused(declarator);
            if !matches!(unused, Unused::Nothing)
                && let Some(comment) = tool_comment(self.module, it.span)
            {
                let reason = format!("the comment `{comment}` applies to it");
                let code = self.module.slice(it.span);
                self.leave(it.span, code, reason, "delete both if neither is needed");
                return;
            }
            gone.push(match unused {
                Unused::Nothing => false,
                Unused::Some(names) => {
                    self.some_names(declarator, source, &names);
                    false
                }
                Unused::All => self.may_go(declarator, source, it.declarations.len() == 1, it.span),
            });
        }
        let sites: Vec<(Span, String)> = it
            .declarations
            .iter()
            .zip(&gone)
            .filter(|(_, gone)| **gone)
            .flat_map(|(it, _)| it.id.get_binding_identifiers())
            .map(|it| (it.span, format!("`{}`, which was required", it.name)))
            .collect();
        if sites.is_empty() {
            return;
        }
        if !gone.contains(&false) {
            deleted.push(Whole { at, span: it.span, is_import: false, sites });
            return;
        }
        match deletion::declarators(self.module, it, &gone) {
            Ok(edits) => {
                self.out.edits.extend(edits);
                for (span, what) in sites {
                    self.site(span, what);
                }
            }
            Err(reason) => {
                self.leave(it.span, self.module.slice(it.span), reason, "delete it by hand");
            }
        }
    }

    fn unused(&mut self, declarator: &'a VariableDeclarator<'a>) -> Unused {
        match &declarator.id {
            BindingPattern::BindingIdentifier(id) => {
                let symbol = id.symbol_id.get();
                let is_gone =
                    symbol.is_some_and(|it| self.is_unused(it) && !self.is_doubted(it, id.span));
                if is_gone { Unused::All } else { Unused::Nothing }
            }
            BindingPattern::ObjectPattern(pattern) => {
                let is_plain = pattern.rest.is_none() && !pattern.properties.is_empty();
                let mut gone = Vec::new();
                for property in &pattern.properties {
                    let BindingPattern::BindingIdentifier(id) = &property.value else {
                        return Unused::Nothing;
                    };
                    if property.computed || !is_plain {
                        return Unused::Nothing;
                    }
                    let symbol = id.symbol_id.get();
                    gone.push(symbol.is_some_and(|it| {
                        self.is_unused(it) && !self.is_doubted(it, property.span)
                    }));
                }
                match (gone.contains(&true), gone.contains(&false)) {
                    (false, _) => Unused::Nothing,
                    (true, false) => Unused::All,
                    (true, true) => Unused::Some(gone),
                }
            }
            _ => Unused::Nothing,
        }
    }

    /// Reading a name of a module is quiet, as long as nobody makes it otherwise.
    fn some_names(&mut self, declarator: &'a VariableDeclarator<'a>, source: &str, gone: &[bool]) {
        let BindingPattern::ObjectPattern(pattern) = &declarator.id else { return };
        let spans: Vec<Span> = pattern.properties.iter().map(GetSpan::span).collect();
        let edits = deletion::of_list(&spans, gone);
        if self.module.has_comment(pattern.span) {
            let reason = "there is a comment among the names".to_owned();
            let code = self.module.slice(declarator.span);
            self.leave(declarator.span, code, reason, "delete the unused names by hand");
            return;
        }
        self.out.edits.extend(edits);
        for (property, _) in pattern.properties.iter().zip(gone).filter(|(_, gone)| **gone) {
            let names = property.value.get_binding_identifiers();
            let name = names.first().map_or("", |it| it.name.as_str());
            self.site(property.span, format!("`{name}` of `{source}`"));
        }
    }

    /// May the call go as well? Where it does something, it stays alone, and nothing else is to be done.
    fn may_go(
        &mut self,
        declarator: &'a VariableDeclarator<'a>,
        source: &'a str,
        is_alone: bool,
        statement: Span,
    ) -> bool {
        let code = self.module.slice(statement);
        match self.loading(source) {
            Loading::Quiet => true,
            Loading::Loud(why) if is_alone && !self.module.has_comment(statement) => {
                let Some(init) = &declarator.init else { return false };
                self.out.edits.push(Edit::delete(statement.start, init.span().start));
                self.out.notes.push(format!("`{source}` is still run: {why}"));
                let names = declarator.id.get_binding_identifiers();
                for id in names {
                    self.site(id.span, format!("`{}` of `{source}`", id.name));
                }
                false
            }
            Loading::Loud(why) | Loading::Unknown(why) => {
                let advice = format!(
                    "delete it if its side effects are not needed, or keep only `require('{source}')`"
                );
                self.leave(declarator.span, code, why, &advice);
                false
            }
        }
    }
}
