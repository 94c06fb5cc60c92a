//! Who a name belongs to: symbols, their uses, what was imported under them.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, CallExpression, Expression, IdentifierReference, ImportDeclaration,
    ImportDeclarationSpecifier, VariableDeclarator,
};
use oxc_semantic::{NodeId, ReferenceFlags, ScopeId, SymbolFlags, SymbolId};
use oxc_span::Span;
use rustc_hash::FxHashMap;

use crate::module::Module;

/// What is taken from another module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported<'a> {
    Default,
    Namespace,
    Named(&'a str),
}

/// A name that an import binds.
#[derive(Debug, Clone, Copy)]
pub struct ImportBinding<'a> {
    pub symbol: SymbolId,
    pub local: &'a str,
    pub source: &'a str,
    pub imported: Imported<'a>,
    /// `import type`, or `type` before the name.
    pub is_type: bool,
    pub declaration: &'a ImportDeclaration<'a>,
    /// Of the specifier.
    pub span: Span,
}

/// One place where a symbol is used.
#[derive(Debug, Clone, Copy)]
pub struct Use<'a> {
    pub identifier: &'a IdentifierReference<'a>,
    pub node: NodeId,
    pub span: Span,
    pub flags: ReferenceFlags,
}

impl Use<'_> {
    pub fn is_read(&self) -> bool {
        self.flags.is_read()
    }

    pub fn is_write(&self) -> bool {
        self.flags.is_write()
    }

    /// In a type annotation, where nothing is read when the program runs.
    pub fn is_type(&self) -> bool {
        self.flags.is_type()
    }
}

impl<'a> Module<'a> {
    /// The symbol behind a name; `None` for a global.
    pub fn symbol(&self, name: &IdentifierReference<'a>) -> Option<SymbolId> {
        self.scoping().get_reference(name.reference_id.get()?).symbol_id()
    }

    /// The symbol behind an expression that is a bare name.
    pub fn symbol_of(&self, expression: &Expression<'a>) -> Option<SymbolId> {
        self.symbol(expression.get_inner_expression().get_identifier_reference()?)
    }

    /// A name that nothing in the file binds: `window`, `fetch`.
    pub fn is_global(&self, name: &IdentifierReference<'a>) -> bool {
        self.symbol(name).is_none()
    }

    /// Is it this name, and bound by nothing in the file?
    pub fn is_global_named(&self, expression: &Expression<'a>, name: &str) -> bool {
        expression
            .get_inner_expression()
            .get_identifier_reference()
            .is_some_and(|it| it.name == name && self.is_global(it))
    }

    pub fn name(&self, symbol: SymbolId) -> &str {
        self.scoping().symbol_name(symbol)
    }

    /// Every use of a symbol, in the order of the text. The declaration is not among them.
    pub fn uses(&self, symbol: SymbolId) -> impl Iterator<Item = Use<'a>> + '_ {
        let references = self.scoping().get_resolved_references(symbol);
        references.filter_map(|reference| {
            let node = reference.node_id();
            let AstKind::IdentifierReference(identifier) = self.nodes().kind(node) else {
                return None;
            };
            Some(Use { identifier, node, span: identifier.span, flags: reference.flags() })
        })
    }

    /// Uses that are there when the program runs.
    pub fn value_uses(&self, symbol: SymbolId) -> impl Iterator<Item = Use<'a>> + '_ {
        self.uses(symbol).filter(|it| !it.is_type())
    }

    /// Is it bound once, and never assigned to again? True of `let` and parameters that nobody writes, too.
    pub fn is_stable(&self, symbol: SymbolId) -> bool {
        !self.scoping().symbol_is_mutated(symbol)
            && self.scoping().symbol_redeclarations(symbol).is_empty()
    }

    pub fn is_const(&self, symbol: SymbolId) -> bool {
        self.scoping().symbol_flags(symbol).contains(SymbolFlags::ConstVariable)
    }

    /// Is it declared at the top of the file?
    pub fn is_top_level(&self, symbol: SymbolId) -> bool {
        self.scoping().symbol_scope_id(symbol) == self.scoping().root_scope_id()
    }

    /// What is declared or imported under a name at the top of the file.
    ///
    /// Names are compared by their text: one made from a string does not hash as those of the parser do.
    pub fn top_level(&self, name: &str) -> Option<SymbolId> {
        let bindings = self.scoping().get_bindings(self.scoping().root_scope_id());
        bindings.iter().find(|(it, _)| it.as_str() == name).map(|(_, symbol)| *symbol)
    }

    /// The node that declares it: a declarator, function, parameter, import specifier, class …
    pub fn declaration(&self, symbol: SymbolId) -> AstKind<'a> {
        self.nodes().kind(self.scoping().symbol_declaration(symbol))
    }

    /// The `x = …` that declares it, by itself or as a part of its pattern; none for a parameter.
    pub fn declarator(&self, symbol: SymbolId) -> Option<&'a VariableDeclarator<'a>> {
        match self.declaration(symbol) {
            AstKind::VariableDeclarator(declarator) => Some(declarator),
            _ => None,
        }
    }

    /// What a name is bound to by `const x = …`, where it stays bound to it.
    pub fn initializer(&self, symbol: SymbolId) -> Option<&'a Expression<'a>> {
        let AstKind::VariableDeclarator(declarator) = self.declaration(symbol) else { return None };
        let is_plain = matches!(declarator.id, BindingPattern::BindingIdentifier(_));
        (is_plain && self.is_stable(symbol)).then_some(declarator.init.as_ref()).flatten()
    }

    /// A name, followed through `const a = b` to what it stands for.
    pub fn resolved<'e>(&self, expression: &'e Expression<'a>) -> &'e Expression<'a>
    where
        'a: 'e,
    {
        let mut inner = expression.get_inner_expression();
        for _ in 0..8 {
            let Some(symbol) = self.symbol_of(inner) else { break };
            let Some(initializer) = self.initializer(symbol) else { break };
            inner = initializer.get_inner_expression();
        }
        inner
    }

    /// Every name in the file that is a use, in the order of the text.
    pub fn identifiers(&self) -> &[&'a IdentifierReference<'a>] {
        self.identifiers.get_or_init(|| {
            let mut found: Vec<&'a IdentifierReference<'a>> = self
                .nodes()
                .iter()
                .filter_map(|node| match node.kind() {
                    AstKind::IdentifierReference(identifier) => Some(identifier),
                    _ => None,
                })
                .collect();
            found.sort_by_key(|identifier| identifier.span.start);
            found
        })
    }

    /// The names used in a piece of the text.
    pub fn identifiers_in(&self, span: Span) -> &[&'a IdentifierReference<'a>] {
        let all = self.identifiers();
        let first = all.partition_point(|it| it.span.start < span.start);
        let last = all.partition_point(|it| it.span.start < span.end);
        &all[first..last.max(first)]
    }

    pub fn mentions(&self, span: Span, symbol: SymbolId) -> bool {
        self.identifiers_in(span).iter().any(|it| self.symbol(it) == Some(symbol))
    }

    /// Symbols that a piece of the text uses and that are declared outside of it, sorted; types and globals are not among
    /// them.
    pub fn captures(&self, span: Span) -> Vec<SymbolId> {
        let mut found: Vec<SymbolId> = self
            .identifiers_in(span)
            .iter()
            .filter(|it| {
                let id = it.reference_id.get();
                id.is_none_or(|id| !self.scoping().get_reference(id).flags().is_type())
            })
            .filter_map(|it| self.symbol(it))
            .filter(|&symbol| {
                let at = self.scoping().symbol_span(symbol);
                !(span.start <= at.start && at.end <= span.end)
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Everything that imports bind, by symbol.
    pub fn imports(&self) -> &FxHashMap<SymbolId, ImportBinding<'a>> {
        self.imports.get_or_init(|| self.collect_imports())
    }

    /// The import behind a symbol.
    pub fn import(&self, symbol: SymbolId) -> Option<&ImportBinding<'a>> {
        self.imports().get(&symbol)
    }

    fn collect_imports(&self) -> FxHashMap<SymbolId, ImportBinding<'a>> {
        let mut found = FxHashMap::default();
        for statement in &self.program().body {
            let oxc_ast::ast::Statement::ImportDeclaration(declaration) = statement else {
                continue;
            };
            for specifier in declaration.specifiers.iter().flatten() {
                if let Some(binding) = import_binding(declaration, specifier) {
                    found.insert(binding.symbol, binding);
                }
            }
        }
        found
    }

    /// The name under which `source` exports what the expression is: `useState` for `useState`, for an alias of it, and
    /// for `React.useState`.
    pub fn export_name(&self, expression: &Expression<'a>, source: &str) -> Option<&'a str> {
        match expression.get_inner_expression() {
            Expression::Identifier(identifier) => {
                let import = self.import(self.symbol(identifier)?)?;
                match import.imported {
                    Imported::Named(name) if import.source == source => Some(name),
                    _ => None,
                }
            }
            Expression::StaticMemberExpression(member) => {
                let import = self.import(self.symbol_of(&member.object)?)?;
                let is_whole = matches!(import.imported, Imported::Default | Imported::Namespace);
                (is_whole && import.source == source).then_some(member.property.name.as_str())
            }
            _ => None,
        }
    }

    /// The name of the React function that is called: `useState`, `memo`.
    pub fn react_call(&self, call: &CallExpression<'a>) -> Option<&'a str> {
        self.export_name(&call.callee, "react")
    }

    pub fn is_react_call(&self, call: &CallExpression<'a>, name: &str) -> bool {
        self.react_call(call) == Some(name)
    }

    /// The innermost scope around a node.
    pub fn scope_of(&self, node: NodeId) -> ScopeId {
        self.nodes().get_node(node).scope_id()
    }
}

fn import_binding<'a>(
    declaration: &'a ImportDeclaration<'a>,
    specifier: &'a ImportDeclarationSpecifier<'a>,
) -> Option<ImportBinding<'a>> {
    let all_types = declaration.import_kind.is_type();
    let (local, imported, is_type, span) = match specifier {
        ImportDeclarationSpecifier::ImportSpecifier(it) => {
            let name = it.imported.name().as_str();
            let imported =
                if name == "default" { Imported::Default } else { Imported::Named(name) };
            (&it.local, imported, it.import_kind.is_type(), it.span)
        }
        ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
            (&it.local, Imported::Default, false, it.span)
        }
        ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
            (&it.local, Imported::Namespace, false, it.span)
        }
    };
    Some(ImportBinding {
        symbol: local.symbol_id.get()?,
        local: local.name.as_str(),
        source: declaration.source.value.as_str(),
        imported,
        is_type: all_types || is_type,
        declaration,
        span,
    })
}
