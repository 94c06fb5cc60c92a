//! GraphQL's schema language: types, fields, arguments, inputs, enums, unions. Queries of clients are passed over.

use super::lexer::{Comments, Token, tokens};
use crate::model::{Element, ElementKind, Side};

pub(super) fn read(text: &str) -> Vec<Element> {
    let tokens = tokens(text, Comments::Hash);
    let mut reader = Reader { tokens: &tokens, at: 0, elements: Vec::new() };
    while let Some(token) = reader.next() {
        match token.text {
            "type" | "interface" => reader.fields(Side::Output),
            "input" => reader.fields(Side::Input),
            "enum" => reader.values(),
            "union" => reader.union(),
            "scalar" => {
                if let Some(name) = reader.next() {
                    reader.push(name.text.to_owned(), ElementKind::Type, "scalar", name.line);
                }
            }
            // What a client sends, and what only names the roots.
            "query" | "mutation" | "subscription" | "fragment" | "schema" | "directive" => {
                reader.skip_definition();
            }
            "{" => reader.skip_block(),
            _ => {}
        }
    }
    reader.elements
}

struct Reader<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    elements: Vec<Element>,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).map(|token| token.text)
    }

    fn next(&mut self) -> Option<Token<'t>> {
        let token = self.tokens.get(self.at).copied()?;
        self.at += 1;
        Some(token)
    }

    fn takes(&mut self, text: &str) -> bool {
        let is_it = self.peek() == Some(text);
        self.at += usize::from(is_it);
        is_it
    }

    fn push(&mut self, name: String, kind: ElementKind, ty: &str, line: u32) {
        let (ty, side) = (ty.to_owned(), Side::Both);
        self.elements.push(Element { name, kind, ty, side, required: false, number: None, line });
    }

    /// To the end of a definition that does not matter: its block, or what stands before the next one.
    fn skip_definition(&mut self) {
        while let Some(text) = self.peek() {
            if is_definition(text) {
                return;
            }
            self.at += 1;
            if text == "{" {
                self.skip_block();
                return;
            }
        }
    }

    /// To the end of a block that was entered.
    fn skip_block(&mut self) {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.next().map(|token| token.text) {
                Some("{") => depth += 1,
                Some("}") => depth -= 1,
                Some(_) => {}
                None => return,
            }
        }
    }

    /// The name of a type that has a block, which is entered.
    fn header(&mut self) -> Option<&'t str> {
        let name = self.next()?;
        self.push(name.text.to_owned(), ElementKind::Type, "", name.line);
        while let Some(text) = self.peek().filter(|text| !is_definition(text)) {
            self.at += 1;
            if text == "{" {
                return Some(name.text);
            }
        }
        None
    }

    fn fields(&mut self, side: Side) {
        let Some(owner) = self.header() else { return };
        while let Some(token) = self.next() {
            match token.text {
                "}" => return,
                "@" => self.directive(),
                text if is_name(text) => self.field(owner, token, side),
                _ => {}
            }
        }
    }

    fn field(&mut self, owner: &str, field: Token<'t>, side: Side) {
        let name = format!("{owner}.{}", field.text);
        if self.takes("(") {
            self.parameters(&name);
        }
        if self.takes(":") {
            let (ty, required) = self.typed();
            let (kind, line) = (ElementKind::Field, field.line);
            self.elements.push(Element { name, kind, ty, side, required, number: None, line });
        }
    }

    fn parameters(&mut self, field: &str) {
        while let Some(token) = self.next() {
            match token.text {
                ")" => return,
                "@" => self.directive(),
                text if is_name(text) && self.takes(":") => {
                    let (ty, required) = self.typed();
                    let name = format!("{field}({text})");
                    let (kind, side, line) = (ElementKind::Parameter, Side::Input, token.line);
                    self.elements.push(Element {
                        name,
                        kind,
                        ty,
                        side,
                        required,
                        number: None,
                        line,
                    });
                }
                _ => {}
            }
        }
    }

    /// A type without its last `!`, and whether the value must be there; a default makes it optional.
    fn typed(&mut self) -> (String, bool) {
        let mut ty = String::new();
        let mut depth = 0_usize;
        while let Some(text) = self.peek() {
            match text {
                "[" => depth += 1,
                "]" => depth = depth.saturating_sub(1),
                "!" => {}
                text if is_name(text) && (ty.is_empty() || ty.ends_with('[')) => {}
                _ => break,
            }
            ty.push_str(text);
            self.at += 1;
            if depth == 0 && self.peek() != Some("!") {
                break;
            }
        }
        let required = ty.ends_with('!');
        if required {
            ty.pop();
        }
        let has_default = self.takes("=");
        if has_default {
            self.value();
        }
        (ty, required && !has_default)
    }

    fn value(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.next() {
            match token.text {
                "[" | "{" => depth += 1,
                "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// `@deprecated(reason: "…")`
    fn directive(&mut self) {
        self.at += 1;
        if self.takes("(") {
            while self.next().is_some_and(|token| token.text != ")") {}
        }
    }

    fn values(&mut self) {
        let Some(owner) = self.header() else { return };
        while let Some(token) = self.next() {
            match token.text {
                "}" => return,
                "@" => self.directive(),
                text if is_name(text) => {
                    let name = format!("{owner}.{text}");
                    self.push(name, ElementKind::EnumValue, "", token.line);
                }
                _ => {}
            }
        }
    }

    /// `union A = B | C`
    fn union(&mut self) {
        let Some(name) = self.next() else { return };
        self.push(name.text.to_owned(), ElementKind::Type, "union", name.line);
        let mut wants_name = false;
        while let Some(text) = self.peek() {
            match text {
                "=" | "|" => wants_name = true,
                text if is_name(text) && wants_name => {
                    let line = self.tokens[self.at].line;
                    self.push(format!("{}.{text}", name.text), ElementKind::EnumValue, "", line);
                    wants_name = false;
                }
                _ => return,
            }
            self.at += 1;
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn is_definition(text: &str) -> bool {
    matches!(
        text,
        "type"
            | "interface"
            | "input"
            | "enum"
            | "union"
            | "scalar"
            | "extend"
            | "directive"
            | "schema"
    )
}
