//! From an expression to what its value may be.

use oxc_ast::ast::{
    BinaryOperator, BindingPattern, CallExpression, Expression, LogicalOperator, UnaryOperator,
};
use oxc_semantic::SymbolId;

use super::Types;
use crate::functions::Func;
use crate::module::Module;

const DEPTH: u32 = 8;

impl<'a> Module<'a> {
    /// What the value of an expression may be.
    pub fn types(&self, expression: &Expression<'a>) -> Types {
        self.value(expression, DEPTH)
    }

    /// What the value of a name may be.
    pub fn types_of_symbol(&self, symbol: SymbolId) -> Types {
        self.symbol_value(symbol, DEPTH)
    }

    fn value(&self, expression: &Expression<'a>, depth: u32) -> Types {
        let Some(depth) = depth.checked_sub(1) else { return Types::UNKNOWN };
        if let Some(written) = self.declared_type(expression) {
            let types = self.types_of_written(written);
            if types.is_known() {
                let asserted = matches!(expression, Expression::TSNonNullExpression(_));
                return if asserted { types.without(Types::NULLISH) } else { types };
            }
        }
        match expression {
            Expression::NumericLiteral(_) => Types::NUMBER,
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Types::STRING,
            Expression::BooleanLiteral(_) => Types::BOOLEAN,
            Expression::BigIntLiteral(_) => Types::BIGINT,
            Expression::NullLiteral(_) => Types::NULL,
            Expression::RegExpLiteral(_) | Expression::ObjectExpression(_) => Types::OBJECT,
            Expression::ArrayExpression(_) => Types::ARRAY,
            Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_) => Types::FUNCTION,
            Expression::JSXElement(_) | Expression::JSXFragment(_) => Types::ELEMENT,
            Expression::NewExpression(it) => match it.callee.get_identifier_reference() {
                Some(name) if name.name == "Array" => Types::ARRAY,
                Some(name) if name.name == "Promise" => Types::PROMISE,
                Some(name) if name.name == "Function" => Types::FUNCTION,
                _ => Types::OBJECT,
            },
            Expression::UnaryExpression(it) => match it.operator {
                UnaryOperator::LogicalNot | UnaryOperator::Delete => Types::BOOLEAN,
                UnaryOperator::Typeof => Types::STRING,
                UnaryOperator::Void => Types::UNDEFINED,
                UnaryOperator::UnaryPlus => Types::NUMBER,
                UnaryOperator::UnaryNegation | UnaryOperator::BitwiseNot => {
                    arithmetic(self.value(&it.argument, depth))
                }
            },
            Expression::BinaryExpression(it) => {
                self.binary(it.operator, &it.left, &it.right, depth)
            }
            Expression::LogicalExpression(it) => {
                let (left, right) = (self.value(&it.left, depth), self.value(&it.right, depth));
                match it.operator {
                    LogicalOperator::And => left | right,
                    LogicalOperator::Or | LogicalOperator::Coalesce => {
                        left.without(Types::NULLISH) | right
                    }
                }
            }
            Expression::ConditionalExpression(it) => {
                self.value(&it.consequent, depth) | self.value(&it.alternate, depth)
            }
            Expression::AssignmentExpression(it) if it.operator.is_assign() => {
                self.value(&it.right, depth)
            }
            Expression::SequenceExpression(it) => {
                it.expressions.last().map_or(Types::UNKNOWN, |last| self.value(last, depth))
            }
            Expression::Identifier(name) => match self.symbol(name) {
                Some(symbol) => self.symbol_value(symbol, depth),
                None => global_value(name.name.as_str()),
            },
            Expression::StaticMemberExpression(member) => {
                self.member_value(&member.object, member.property.name.as_str(), depth)
            }
            Expression::CallExpression(call) => self.call_value(call, depth),
            Expression::TSAsExpression(it) => match &it.type_annotation {
                written if is_const_assertion(written) => self.value(&it.expression, depth),
                _ => Types::UNKNOWN,
            },
            Expression::TSNonNullExpression(it) => {
                self.value(&it.expression, depth).without(Types::NULLISH)
            }
            Expression::TSSatisfiesExpression(it) => self.value(&it.expression, depth),
            _ => Types::UNKNOWN,
        }
    }

    fn binary(
        &self,
        operator: BinaryOperator,
        left: &Expression<'a>,
        right: &Expression<'a>,
        depth: u32,
    ) -> Types {
        if operator.is_equality() || operator.is_compare() || operator.is_relational() {
            return Types::BOOLEAN;
        }
        let (left, right) = (self.value(left, depth), self.value(right, depth));
        if operator == BinaryOperator::Addition {
            if left.is_only(Types::STRING) || right.is_only(Types::STRING) {
                return Types::STRING;
            }
            let numeric = Types::NUMBER | Types::BOOLEAN | Types::NULLISH;
            let both = left.is_only(numeric) && right.is_only(numeric);
            return if both { Types::NUMBER } else { Types::UNKNOWN };
        }
        arithmetic(left | right)
    }

    fn symbol_value(&self, symbol: SymbolId, depth: u32) -> Types {
        if let Some(written) = self.declared_type_of(symbol) {
            let types = self.types_of_written(written);
            if types.is_known() {
                return types;
            }
        }
        if let Some(initializer) = self.initializer(symbol) {
            return self.value(initializer, depth);
        }
        if let Some(initial) = self.initial_state(symbol) {
            return self.state_value(initial, depth);
        }
        match self.declaration(symbol) {
            oxc_ast::AstKind::Function(_) | oxc_ast::AstKind::Class(_) => Types::FUNCTION,
            _ => Types::UNKNOWN,
        }
    }

    /// What the state of `useState(x)` begins with, where the symbol is that state and no type is written.
    pub fn initial_state(&self, symbol: SymbolId) -> Option<&'a Expression<'a>> {
        let declarator = self.declarator(symbol)?;
        let BindingPattern::ArrayPattern(pair) = &declarator.id else { return None };
        let first = pair.elements.first()?.as_ref()?.get_binding_identifier()?;
        if first.symbol_id.get() != Some(symbol) {
            return None;
        }
        let Expression::CallExpression(call) = declarator.init.as_ref()?.get_inner_expression()
        else {
            return None;
        };
        if !self.is_react_call(call, "useState") || call.type_arguments.is_some() {
            return None;
        }
        call.arguments.first()?.as_expression()
    }

    /// Without a written type the state keeps the type that it begins with, as a compiler would have it.
    fn state_value(&self, initial: &'a Expression<'a>, depth: u32) -> Types {
        let types = match Func::of_expression(initial) {
            Some(func) => func.returned().map_or(Types::UNKNOWN, |it| self.value(it, depth)),
            None => self.value(initial, depth),
        };
        let settled = Types::PRIMITIVE | Types::ARRAY | Types::OBJECT;
        if types.is_only(settled) { types } else { Types::UNKNOWN }
    }

    fn member_value(&self, object: &Expression<'a>, name: &str, depth: u32) -> Types {
        let owner = self.value(object, depth);
        match name {
            "length" if !owner.is_known() || owner.is_only(Types::ARRAY | Types::STRING) => {
                // A type that is written elsewhere may call anything `length`; hardly anybody does.
                Types::NUMBER
            }
            "size" if self.is_collection(object) => Types::NUMBER,
            "PI" | "E" | "EPSILON" | "MAX_SAFE_INTEGER" | "MAX_VALUE"
                if self.is_global_named(object, "Math")
                    || self.is_global_named(object, "Number") =>
            {
                Types::NUMBER
            }
            _ => Types::UNKNOWN,
        }
    }

    /// Is it a `Map` or a `Set`, by its type or by how it is made?
    pub fn is_collection(&self, expression: &Expression<'a>) -> bool {
        const NAMES: &[&str] = &["Map", "Set", "ReadonlyMap", "ReadonlySet", "WeakMap", "WeakSet"];
        if let Expression::NewExpression(it) = self.resolved(expression) {
            return it
                .callee
                .get_identifier_reference()
                .is_some_and(|name| NAMES.contains(&name.name.as_str()) && self.is_global(name));
        }
        let Some(written) = self.declared_type(expression) else { return false };
        self.type_argument(written, NAMES).is_some()
    }

    fn call_value(&self, call: &CallExpression<'a>, depth: u32) -> Types {
        if let Some(name) = self.react_call(call) {
            return self.react_value(name, call, depth);
        }
        if let Some(name) = call.callee.get_identifier_reference()
            && self.is_global(name)
        {
            return match name.name.as_str() {
                "Number" | "parseInt" | "parseFloat" => Types::NUMBER,
                "String" | "encodeURIComponent" | "decodeURIComponent" => Types::STRING,
                "Boolean" | "isNaN" | "isFinite" => Types::BOOLEAN,
                "BigInt" => Types::BIGINT,
                "Array" => Types::ARRAY,
                "fetch" => Types::PROMISE,
                _ => Types::UNKNOWN,
            };
        }
        if let Some(member) = call.callee.get_inner_expression().as_member_expression()
            && let Some(name) = member.static_property_name()
        {
            return self.method_value(member.object(), name, depth);
        }
        let Some(func) = self.function_of(&call.callee) else { return Types::UNKNOWN };
        if func.is_async() {
            return Types::PROMISE;
        }
        if func.is_generator() {
            return Types::OBJECT;
        }
        func.returned().map_or(Types::UNKNOWN, |it| self.value(it, depth))
    }

    fn react_value(&self, name: &str, call: &CallExpression<'a>, depth: u32) -> Types {
        let given = || {
            let argument = call.arguments.first()?.as_expression()?;
            self.function_of(argument)?.returned()
        };
        match name {
            "useMemo" => given().map_or(Types::UNKNOWN, |it| self.value(it, depth)),
            "useCallback" | "useEffectEvent" | "memo" | "forwardRef" | "lazy" => Types::FUNCTION,
            "useRef" | "createContext" => Types::OBJECT,
            "useId" => Types::STRING,
            "useState" | "useReducer" | "useTransition" => Types::ARRAY,
            "createElement" | "cloneElement" => Types::ELEMENT,
            _ => Types::UNKNOWN,
        }
    }

    fn method_value(&self, object: &Expression<'a>, name: &str, depth: u32) -> Types {
        if let Some(types) = self.static_value(object, name) {
            return types;
        }
        let owner = self.value(object, depth);
        match name {
            "trim" | "trimStart" | "trimEnd" | "toLowerCase" | "toUpperCase" | "padStart"
            | "padEnd" | "repeat" | "replace" | "replaceAll" | "substring" | "charAt"
            | "normalize" | "toFixed" | "toISOString" | "toLocaleString" | "toLocaleDateString"
            | "toLocaleTimeString" | "toString" | "join" | "toLocaleUpperCase" => Types::STRING,
            "startsWith" | "endsWith" | "includes" | "some" | "every" | "has" | "test"
            | "hasOwnProperty" => Types::BOOLEAN,
            "indexOf" | "lastIndexOf" | "findIndex" | "findLastIndex" | "charCodeAt"
            | "localeCompare" | "getTime" | "getFullYear" | "getMonth" | "getDate" => Types::NUMBER,
            "filter" | "map" | "flatMap" | "flat" | "toSorted" | "toReversed" | "toSpliced"
            | "split" => {
                if owner.is_known() && !owner.includes(Types::ARRAY | Types::STRING) {
                    Types::UNKNOWN
                } else {
                    Types::ARRAY
                }
            }
            "slice" | "concat" | "sort" | "reverse" if owner.is_only(Types::ARRAY) => Types::ARRAY,
            "slice" | "concat" if owner.is_only(Types::STRING) => Types::STRING,
            "getItem" if self.is_storage(object) => Types::STRING | Types::NULL,
            "json" | "text" | "then" | "catch" | "finally" if owner.is_only(Types::PROMISE) => {
                Types::PROMISE
            }
            _ => Types::UNKNOWN,
        }
    }

    pub fn is_storage(&self, object: &Expression<'a>) -> bool {
        const NAMES: &[&str] = &["localStorage", "sessionStorage"];
        match object.get_inner_expression() {
            Expression::Identifier(name) => {
                NAMES.contains(&name.name.as_str()) && self.is_global(name)
            }
            Expression::StaticMemberExpression(member) => {
                NAMES.contains(&member.property.name.as_str())
                    && (self.is_global_named(&member.object, "window")
                        || self.is_global_named(&member.object, "globalThis"))
            }
            _ => false,
        }
    }

    /// `Object.keys(…)` and its like.
    fn static_value(&self, object: &Expression<'a>, name: &str) -> Option<Types> {
        let owner = object.get_identifier_reference().filter(|it| self.is_global(it))?;
        Some(match (owner.name.as_str(), name) {
            ("Math", _) | ("Date", "now" | "parse" | "UTC") | ("performance", "now") => {
                Types::NUMBER
            }
            ("Number", "parseInt" | "parseFloat") => Types::NUMBER,
            ("Number", _) | ("Array", "isArray") | ("Object", "is" | "isFrozen" | "hasOwn") => {
                Types::BOOLEAN
            }
            ("Object", "keys" | "values" | "entries") | ("Array", "from" | "of") => Types::ARRAY,
            ("Object", "fromEntries" | "assign" | "create" | "freeze") => Types::OBJECT,
            ("JSON", "stringify") => Types::STRING | Types::UNDEFINED,
            ("String", _) => Types::STRING,
            ("Promise", _) => Types::PROMISE,
            _ => return None,
        })
    }
}

/// Anything but `+` gives a number, or a bigint of bigints.
fn arithmetic(operands: Types) -> Types {
    if operands.may_be(Types::BIGINT) && !operands.includes(Types::NUMBER) {
        Types::NUMBER | Types::BIGINT
    } else {
        Types::NUMBER
    }
}

fn is_const_assertion(written: &oxc_ast::ast::TSType<'_>) -> bool {
    matches!(written, oxc_ast::ast::TSType::TSTypeReference(it)
        if matches!(&it.type_name, oxc_ast::ast::TSTypeName::IdentifierReference(name) if name.name == "const"))
}

fn global_value(name: &str) -> Types {
    match name {
        "undefined" => Types::UNDEFINED,
        "NaN" | "Infinity" => Types::NUMBER,
        "window" | "document" | "navigator" | "console" | "localStorage" | "sessionStorage" => {
            Types::OBJECT
        }
        _ => Types::UNKNOWN,
    }
}
