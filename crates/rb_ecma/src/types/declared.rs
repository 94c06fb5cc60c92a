//! From a name or expression to the type that somebody wrote for it.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, Expression, FormalParameter, TSLiteral, TSSignature, TSType, TSTypeName,
    TSTypeOperatorOperator, VariableDeclarator,
};
use oxc_semantic::SymbolId;

use super::Types;
use crate::functions::Func;
use crate::module::Module;

/// Aliases are followed so far; more are a circle.
const DEPTH: u32 = 12;

/// One step into a value that is taken apart.
enum Step<'a> {
    Property(&'a str),
    Element(usize),
}

impl<'a> Module<'a> {
    /// What a written type says of its values.
    pub fn types_of_written(&self, written: &'a TSType<'a>) -> Types {
        self.written(written, DEPTH)
    }

    fn written(&self, written: &'a TSType<'a>, depth: u32) -> Types {
        if depth == 0 {
            return Types::UNKNOWN;
        }
        match written {
            TSType::TSNumberKeyword(_) => Types::NUMBER,
            TSType::TSStringKeyword(_) | TSType::TSTemplateLiteralType(_) => Types::STRING,
            TSType::TSBooleanKeyword(_) | TSType::TSTypePredicate(_) => Types::BOOLEAN,
            TSType::TSBigIntKeyword(_) => Types::BIGINT,
            TSType::TSNullKeyword(_) => Types::NULL,
            TSType::TSUndefinedKeyword(_) | TSType::TSVoidKeyword(_) => Types::UNDEFINED,
            TSType::TSSymbolKeyword(_) => Types::SYMBOL,
            TSType::TSArrayType(_) | TSType::TSTupleType(_) => Types::ARRAY,
            TSType::TSFunctionType(_) | TSType::TSConstructorType(_) => Types::FUNCTION,
            TSType::TSTypeLiteral(literal) => {
                let callable = literal
                    .members
                    .iter()
                    .any(|it| matches!(it, TSSignature::TSCallSignatureDeclaration(_)));
                if callable { Types::FUNCTION } else { Types::OBJECT }
            }
            TSType::TSMappedType(_) | TSType::TSObjectKeyword(_) => Types::OBJECT,
            TSType::TSLiteralType(literal) => match &literal.literal {
                TSLiteral::BooleanLiteral(_) => Types::BOOLEAN,
                TSLiteral::NumericLiteral(_) | TSLiteral::UnaryExpression(_) => Types::NUMBER,
                TSLiteral::BigIntLiteral(_) => Types::BIGINT,
                TSLiteral::StringLiteral(_) | TSLiteral::TemplateLiteral(_) => Types::STRING,
            },
            TSType::TSUnionType(union) => {
                union.types.iter().fold(Types::NONE, |all, it| all | self.written(it, depth - 1))
            }
            TSType::TSParenthesizedType(inner) => self.written(&inner.type_annotation, depth - 1),
            TSType::TSTypeOperatorType(it) if it.operator == TSTypeOperatorOperator::Readonly => {
                self.written(&it.type_annotation, depth - 1)
            }
            TSType::TSTypeReference(reference) => self.reference(reference, depth),
            _ => Types::UNKNOWN,
        }
    }

    fn reference(&self, reference: &'a oxc_ast::ast::TSTypeReference<'a>, depth: u32) -> Types {
        let TSTypeName::IdentifierReference(name) = &reference.type_name else {
            return qualified(reference);
        };
        if let Some(symbol) = self.symbol(name) {
            return match self.declaration(symbol) {
                AstKind::TSTypeAliasDeclaration(alias) if alias.type_parameters.is_none() => {
                    self.written(&alias.type_annotation, depth - 1)
                }
                AstKind::TSInterfaceDeclaration(it) => {
                    let callable = it
                        .body
                        .body
                        .iter()
                        .any(|it| matches!(it, TSSignature::TSCallSignatureDeclaration(_)));
                    let open = !it.extends.is_empty();
                    match (callable, open) {
                        (true, _) => Types::FUNCTION,
                        (false, true) => Types::UNKNOWN,
                        (false, false) => Types::OBJECT,
                    }
                }
                AstKind::Class(_) => Types::OBJECT,
                AstKind::TSEnumDeclaration(_) => Types::NUMBER | Types::STRING,
                _ => self.known_import(symbol).unwrap_or(Types::UNKNOWN),
            };
        }
        global_type(name.name.as_str())
    }

    /// Types of `react` that are often written by their bare name.
    fn known_import(&self, symbol: SymbolId) -> Option<Types> {
        let import = self.import(symbol)?;
        let crate::bindings::Imported::Named(name) = import.imported else { return None };
        (import.source == "react").then(|| react_type(name))
    }

    /// The type that was written for a value, or for what it was taken from.
    pub fn declared_type(&self, expression: &Expression<'a>) -> Option<&'a TSType<'a>> {
        self.declared(expression, DEPTH)
    }

    fn declared(&self, expression: &Expression<'a>, depth: u32) -> Option<&'a TSType<'a>> {
        let depth = depth.checked_sub(1)?;
        match expression {
            Expression::TSAsExpression(it) => match self.nodes().kind(it.node_id.get()) {
                AstKind::TSAsExpression(it) => Some(&it.type_annotation),
                _ => None,
            },
            Expression::TSSatisfiesExpression(it) => self.declared(&it.expression, depth),
            Expression::TSNonNullExpression(it) => self.declared(&it.expression, depth),
            Expression::Identifier(name) => self.declared_of(self.symbol(name)?, depth),
            Expression::StaticMemberExpression(member) => {
                let object = self.declared(&member.object, depth)?;
                self.member_type(object, member.property.name.as_str())
            }
            Expression::ChainExpression(chain) => match &chain.expression {
                oxc_ast::ast::ChainElement::StaticMemberExpression(member) => {
                    let object = self.declared(&member.object, depth)?;
                    self.member_type(object, member.property.name.as_str())
                }
                _ => None,
            },
            Expression::CallExpression(call) => {
                let func = self.function_of(&call.callee)?;
                Some(&func.return_type()?.type_annotation)
            }
            Expression::AwaitExpression(it) => {
                let promise = self.declared(&it.argument, depth)?;
                self.type_argument(promise, &["Promise", "PromiseLike"])
            }
            _ => None,
        }
    }

    /// The type that was written for a symbol.
    pub fn declared_type_of(&self, symbol: SymbolId) -> Option<&'a TSType<'a>> {
        self.declared_of(symbol, DEPTH)
    }

    fn declared_of(&self, symbol: SymbolId, depth: u32) -> Option<&'a TSType<'a>> {
        let depth = depth.checked_sub(1)?;
        let node = self.scoping().symbol_declaration(symbol);
        let chain = std::iter::once(self.nodes().kind(node)).chain(self.ancestors(node));
        for kind in chain.take(12) {
            match kind {
                AstKind::VariableDeclarator(it) => return self.of_declarator(it, symbol, depth),
                AstKind::FormalParameter(it) => return self.of_parameter(it, symbol, depth),
                AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => return None,
                _ => {}
            }
        }
        None
    }

    fn of_declarator(
        &self,
        declarator: &'a VariableDeclarator<'a>,
        symbol: SymbolId,
        depth: u32,
    ) -> Option<&'a TSType<'a>> {
        let path = path_to(&declarator.id, symbol)?;
        if let Some(annotation) = &declarator.type_annotation {
            return self.follow(&annotation.type_annotation, &path);
        }
        if let Some(init) = &declarator.init {
            if let (Some(state), [Step::Element(0)]) = (self.state_type(init), &*path) {
                return Some(state);
            }
            let whole = self.declared(init, depth)?;
            return self.follow(whole, &path);
        }
        // `for (const x of xs)`
        let parent = self.parent(declarator.node_id.get());
        let AstKind::VariableDeclaration(declaration) = parent else { return None };
        let AstKind::ForOfStatement(each) = self.parent(declaration.node_id.get()) else {
            return None;
        };
        let element = self.element_type(self.declared(&each.right, depth)?)?;
        self.follow(element, &path)
    }

    /// `T` of `useState<T>(…)`.
    fn state_type(&self, init: &'a Expression<'a>) -> Option<&'a TSType<'a>> {
        let Expression::CallExpression(call) = init.get_inner_expression() else { return None };
        if !self.is_react_call(call, "useState") {
            return None;
        }
        call.type_arguments.as_ref()?.params.first()
    }

    fn of_parameter(
        &self,
        parameter: &'a FormalParameter<'a>,
        symbol: SymbolId,
        depth: u32,
    ) -> Option<&'a TSType<'a>> {
        let path = path_to(&parameter.pattern, symbol)?;
        if parameter.optional && parameter.initializer.is_none() {
            // It may be undefined, which is not part of what is written.
            return None;
        }
        if let Some(annotation) = &parameter.type_annotation {
            return self.follow(&annotation.type_annotation, &path);
        }
        let node = parameter.node_id.get();
        let func = self.function_around(node)?;
        let at = func.params().items.iter().position(|it| it.span == parameter.span)?;
        self.parameter_from_use(func, at, depth).and_then(|whole| self.follow(whole, &path))
    }

    /// The element of an array that is gone through, and the props of `React.FC<P>`.
    fn parameter_from_use(&self, func: Func<'a>, at: usize, depth: u32) -> Option<&'a TSType<'a>> {
        const BY_ELEMENT: &[&str] = &[
            "map",
            "filter",
            "forEach",
            "some",
            "every",
            "find",
            "findIndex",
            "flatMap",
            "findLast",
        ];
        match self.parent(func.node()) {
            AstKind::CallExpression(call) if at == 0 => {
                let member = call.callee.get_inner_expression().as_member_expression()?;
                if !BY_ELEMENT.contains(&member.static_property_name()?) {
                    return None;
                }
                self.element_type(self.declared(member.object(), depth)?)
            }
            AstKind::VariableDeclarator(declarator) if at == 0 => {
                let written = &declarator.type_annotation.as_ref()?.type_annotation;
                self.type_argument(written, &["FC", "FunctionComponent", "VFC"])
            }
            _ => None,
        }
    }

    fn follow(&self, mut written: &'a TSType<'a>, path: &[Step<'a>]) -> Option<&'a TSType<'a>> {
        for step in path {
            written = match step {
                Step::Property(name) => self.member_type(written, name)?,
                Step::Element(at) => match self.plain(written)? {
                    TSType::TSTupleType(tuple) => tuple.element_types.get(*at)?.as_ts_type()?,
                    other => self.element_type(other)?,
                },
            };
        }
        Some(written)
    }

    /// The type behind aliases of the file.
    pub fn plain(&self, mut written: &'a TSType<'a>) -> Option<&'a TSType<'a>> {
        for _ in 0..DEPTH {
            written = match written {
                TSType::TSParenthesizedType(inner) => &inner.type_annotation,
                TSType::TSTypeOperatorType(it)
                    if it.operator == TSTypeOperatorOperator::Readonly =>
                {
                    &it.type_annotation
                }
                TSType::TSTypeReference(reference) => {
                    if let Some(props) = wrapped_props(reference) {
                        props
                    } else {
                        let TSTypeName::IdentifierReference(name) = &reference.type_name else {
                            return Some(written);
                        };
                        let Some(symbol) = self.symbol(name) else { return Some(written) };
                        match self.declaration(symbol) {
                            AstKind::TSTypeAliasDeclaration(alias)
                                if alias.type_parameters.is_none() =>
                            {
                                &alias.type_annotation
                            }
                            _ => return Some(written),
                        }
                    }
                }
                _ => return Some(written),
            };
        }
        None
    }

    /// The type of a member, where the object's type is written in this file and the member cannot be missing.
    ///
    /// An optional member gives none: what it is without `undefined` is not the whole of it.
    pub fn member_type(&self, written: &'a TSType<'a>, name: &str) -> Option<&'a TSType<'a>> {
        match self.plain(written)? {
            TSType::TSTypeLiteral(literal) => member(&literal.members, name),
            TSType::TSIntersectionType(all) => {
                all.types.iter().find_map(|it| self.member_type(it, name))
            }
            TSType::TSTypeReference(reference) => {
                let TSTypeName::IdentifierReference(id) = &reference.type_name else { return None };
                let AstKind::TSInterfaceDeclaration(interface) = self.declaration(self.symbol(id)?)
                else {
                    return None;
                };
                member(&interface.body.body, name)
            }
            _ => None,
        }
    }

    /// `T` of `T[]`, `Array<T>`, `readonly T[]`.
    pub fn element_type(&self, written: &'a TSType<'a>) -> Option<&'a TSType<'a>> {
        match self.plain(written)? {
            TSType::TSArrayType(array) => Some(&array.element_type),
            plain => self.type_argument(plain, &["Array", "ReadonlyArray"]),
        }
    }

    /// The first argument of a type with one of these names: `T` of `Promise<T>`, `React.FC<T>`.
    pub fn type_argument(&self, written: &'a TSType<'a>, names: &[&str]) -> Option<&'a TSType<'a>> {
        let TSType::TSTypeReference(reference) = self.plain(written)? else { return None };
        let name = match &reference.type_name {
            TSTypeName::IdentifierReference(name) => name.name.as_str(),
            TSTypeName::QualifiedName(name) => name.right.name.as_str(),
            TSTypeName::ThisExpression(_) => return None,
        };
        if !names.contains(&name) {
            return None;
        }
        reference.type_arguments.as_ref()?.params.first()
    }
}

/// `PropsWithChildren<P>`, `Readonly<P>`, `Required<P>`: members are those of `P`.
fn wrapped_props<'a>(reference: &'a oxc_ast::ast::TSTypeReference<'a>) -> Option<&'a TSType<'a>> {
    let name = match &reference.type_name {
        TSTypeName::IdentifierReference(name) => name.name.as_str(),
        TSTypeName::QualifiedName(name) => name.right.name.as_str(),
        TSTypeName::ThisExpression(_) => return None,
    };
    if !["PropsWithChildren", "Readonly"].contains(&name) {
        return None;
    }
    reference.type_arguments.as_ref()?.params.first()
}

fn member<'a>(
    members: &'a oxc_allocator::Vec<'a, TSSignature<'a>>,
    name: &str,
) -> Option<&'a TSType<'a>> {
    members.iter().find_map(|it| match it {
        TSSignature::TSPropertySignature(property)
            if !property.optional && property.key.is_specific_static_name(name) =>
        {
            property.type_annotation.as_ref().map(|it| &it.type_annotation)
        }
        _ => None,
    })
}

/// The steps from a pattern to the name in it; none where a default or a rest stands in between.
fn path_to<'a>(pattern: &'a BindingPattern<'a>, symbol: SymbolId) -> Option<Vec<Step<'a>>> {
    match pattern {
        BindingPattern::BindingIdentifier(id) => {
            (id.symbol_id.get() == Some(symbol)).then(Vec::new)
        }
        BindingPattern::ObjectPattern(object) => object.properties.iter().find_map(|property| {
            let mut path = path_to(&property.value, symbol)?;
            let name = match &property.key {
                oxc_ast::ast::PropertyKey::StaticIdentifier(id) => id.name.as_str(),
                oxc_ast::ast::PropertyKey::StringLiteral(text) => text.value.as_str(),
                _ => return None,
            };
            path.insert(0, Step::Property(name));
            Some(path)
        }),
        BindingPattern::ArrayPattern(array) => {
            array.elements.iter().enumerate().find_map(|(at, element)| {
                let mut path = path_to(element.as_ref()?, symbol)?;
                path.insert(0, Step::Element(at));
                Some(path)
            })
        }
        BindingPattern::AssignmentPattern(_) => None,
    }
}

fn qualified(reference: &oxc_ast::ast::TSTypeReference<'_>) -> Types {
    match &reference.type_name {
        TSTypeName::QualifiedName(name) => match &name.left {
            TSTypeName::IdentifierReference(left) if left.name == "React" => {
                react_type(name.right.name.as_str())
            }
            TSTypeName::IdentifierReference(left) if left.name == "JSX" => Types::ELEMENT,
            _ => Types::UNKNOWN,
        },
        _ => Types::UNKNOWN,
    }
}

fn react_type(name: &str) -> Types {
    match name {
        "ReactElement" => Types::ELEMENT,
        "FC" | "FunctionComponent" | "Dispatch" | "ComponentType" => Types::FUNCTION,
        "MouseEvent" | "ChangeEvent" | "KeyboardEvent" | "RefObject" | "MutableRefObject"
        | "CSSProperties" => Types::OBJECT,
        _ => Types::UNKNOWN,
    }
}

fn global_type(name: &str) -> Types {
    match name {
        "Array" | "ReadonlyArray" => Types::ARRAY,
        "Promise" | "PromiseLike" => Types::PROMISE,
        "Function" => Types::FUNCTION,
        "Map" | "Set" | "WeakMap" | "WeakSet" | "ReadonlyMap" | "ReadonlySet" | "Date"
        | "RegExp" | "URL" | "URLSearchParams" | "Error" | "Record" | "HTMLElement" | "Element"
        | "Response" | "Request" | "FormData" | "File" | "Blob" | "Uint8Array" | "ArrayBuffer" => {
            Types::OBJECT
        }
        _ => Types::UNKNOWN,
    }
}
