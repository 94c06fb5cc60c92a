//! Protocol buffers: messages with their fields and numbers, enums, services with their methods. Options are passed over.

use super::lexer::{Comments, Token, tokens};
use crate::model::{Element, ElementKind, Side};

pub(super) fn read(text: &str) -> Vec<Element> {
    let mut reader = Reader { elements: Vec::new(), package: String::new(), open: Vec::new() };
    let mut statement: Vec<Token<'_>> = Vec::new();
    for token in tokens(text, Comments::Slashes) {
        match token.text {
            "{" => reader.begin(&std::mem::take(&mut statement)),
            "}" => {
                statement.clear();
                reader.open.pop();
            }
            ";" => reader.statement(&std::mem::take(&mut statement)),
            _ if statement.len() < MAX_STATEMENT => statement.push(token),
            _ => {}
        }
    }
    reader.elements
}

/// A longer statement is no field.
const MAX_STATEMENT: usize = 200;
/// A name that is nested deeper is not followed.
const MAX_DEPTH: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Message,
    /// Its fields are those of the message around it.
    OneOf,
    Enum,
    Service,
    Other,
}

struct Reader {
    elements: Vec<Element>,
    package: String,
    open: Vec<(Block, String)>,
}

impl Reader {
    fn begin(&mut self, statement: &[Token<'_>]) {
        let word = statement.first().map_or("", |token| token.text);
        let name = statement.get(1).map_or("", |token| token.text);
        let inside = self.open.last().map_or(Block::Other, |(block, _)| *block);
        let owner = self.open.last().map_or_else(|| self.package.clone(), |(_, name)| name.clone());
        let full = if owner.is_empty() { name.to_owned() } else { format!("{owner}.{name}") };
        let block = match word {
            _ if self.open.len() >= MAX_DEPTH => Block::Other,
            "message" => Block::Message,
            "enum" => Block::Enum,
            "service" => Block::Service,
            "oneof" => Block::OneOf,
            // `rpc A(B) returns (C) { … }`
            "rpc" if inside == Block::Service => {
                self.statement(statement);
                Block::Other
            }
            _ => Block::Other,
        };
        let opened = match block {
            Block::OneOf => owner,
            Block::Message | Block::Enum | Block::Service => full,
            Block::Other => String::new(),
        };
        if matches!(block, Block::Message | Block::Enum | Block::Service) {
            let line = statement.first().map_or(1, |token| token.line);
            self.push(opened.clone(), ElementKind::Type, word.to_owned(), None, line);
        }
        self.open.push((block, opened));
    }

    fn statement(&mut self, statement: &[Token<'_>]) {
        let Some(first) = statement.first() else { return };
        let Some((block, owner)) = self.open.last().cloned() else {
            if first.text == "package" {
                statement.get(1).map_or("", |token| token.text).clone_into(&mut self.package);
            }
            return;
        };
        if matches!(first.text, "option" | "reserved" | "extensions") {
            return;
        }
        match block {
            Block::Message | Block::OneOf => self.field(&owner, statement),
            Block::Enum => {
                let (number, name) = (number_of(statement), format!("{owner}.{}", first.text));
                self.push(name, ElementKind::EnumValue, String::new(), number, first.line);
            }
            Block::Service if first.text == "rpc" => {
                let name = statement.get(1).map_or("", |token| token.text);
                let ty: Vec<&str> = statement.iter().skip(2).map(|token| token.text).collect();
                let name = format!("{owner}.{name}");
                self.push(name, ElementKind::Operation, ty.join(" "), None, first.line);
            }
            Block::Service | Block::Other => {}
        }
    }

    /// `repeated string names = 3 [deprecated = true]`, `map<string, int32> m = 4`.
    fn field(&mut self, owner: &str, statement: &[Token<'_>]) {
        let equals = statement.iter().position(|token| token.text == "=");
        let before = &statement[..equals.unwrap_or(0)];
        let Some((name, before)) = before.split_last() else { return };
        let words = before.iter().map(|token| token.text).filter(|word| *word != "optional");
        let ty = words
            .collect::<Vec<_>>()
            .join(" ")
            .replace(" < ", "<")
            .replace(" , ", ", ")
            .replace(" >", ">");
        let (line, number) = (name.line, number_of(statement));
        self.push(format!("{owner}.{}", name.text), ElementKind::Field, ty, number, line);
        if let Some(element) = self.elements.last_mut() {
            element.required = element.ty.starts_with("required ");
        }
    }

    fn push(
        &mut self,
        name: String,
        kind: ElementKind,
        ty: String,
        number: Option<i64>,
        line: u32,
    ) {
        let side = Side::Both;
        self.elements.push(Element { name, kind, ty, side, required: false, number, line });
    }
}

fn number_of(statement: &[Token<'_>]) -> Option<i64> {
    let equals = statement.iter().position(|token| token.text == "=")?;
    statement.get(equals + 1)?.text.parse().ok()
}
