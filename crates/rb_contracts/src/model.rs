//! The contracts of one state of a repository, as plain data: `Snapshot` and its parts.
//!
//! Every list is sorted and every text normalised, so that the same contracts give the same bytes. Files and lines are
//! there for people; `compare` does not look at them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Of the format. A snapshot of another version is not compared but made anew.
pub const VERSION: u32 = 1;

/// All that others rely on. This is `CONTRACTS/public_api_snapshot.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    pub version: u32,
    pub exports: Vec<ExportedName>,
    /// Names that lead to an export under another entry. They keep a promise, yet are none themselves.
    pub aliases: Vec<Alias>,
    pub routes: Vec<Route>,
    pub schemas: Vec<Schema>,
    pub flags: Vec<Flag>,
    /// What should have been read and could not be: a gap in the snapshot, said instead of hidden.
    pub unread: Vec<Unread>,
}

/// A name that other packages can use. Members have names of their own: `Router.route`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExportedName {
    pub package: String,
    /// Under which it is imported: `.` and `./sub` in JavaScript, a module in Python and Rust, a package in Go and Java.
    pub entry: String,
    pub name: String,
    pub kind: Kind,
    pub signature: Signature,
    /// It can be reached, but by its name it is not meant for others. Nobody relies on it; it may stand in for what moved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    pub file: String,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Function,
    Method,
    Class,
    Struct,
    Interface,
    Trait,
    Enum,
    Type,
    Constant,
    Variable,
    Macro,
    Module,
    Field,
    Variant,
    /// A trait that a type implements.
    Implementation,
    /// Given on from a package elsewhere, or made in a way that the text does not tell.
    Value,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Function => "function",
            Kind::Method => "method",
            Kind::Class => "class",
            Kind::Struct => "struct",
            Kind::Interface => "interface",
            Kind::Trait => "trait",
            Kind::Enum => "enum",
            Kind::Type => "type",
            Kind::Constant => "constant",
            Kind::Variable => "variable",
            Kind::Macro => "macro",
            Kind::Module => "module",
            Kind::Field => "field",
            Kind::Variant => "variant",
            Kind::Implementation => "implementation",
            Kind::Value => "value",
        }
    }
}

/// How something is used, as far as its declaration says.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Signature {
    /// `None` for what is not called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<Vec<Param>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returns: Option<String>,
    /// Of a field or constant; what a type alias stands for.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub ty: Option<String>,
    /// Type parameters with their bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generics: Option<String>,
    /// Base classes, super traits, extended interfaces, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bases: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_async: bool,
    /// A member that need not be given: an optional property, a trait method with a body.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// Others cannot name all parts of it (`#[non_exhaustive]`, private fields), so that parts may be added.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// `static`, `const`, `unsafe`, `abstract`, `readonly`; sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Param {
    pub name: String,
    pub kind: ParamKind,
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub ty: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// The names that are taken out of an object parameter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParamKind {
    /// By its place; the name is the function's own business.
    Positional,
    /// By its place or its name (Python).
    Named,
    KeywordOnly,
    /// All further arguments.
    Rest,
    /// All further named arguments.
    RestNamed,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Alias {
    pub package: String,
    pub entry: String,
    pub name: String,
    pub to_entry: String,
    pub to_name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Route {
    /// Upper case; `ANY` where every method is answered.
    pub method: String,
    /// Parameters are `{}`, a rest of any length is `{*}`.
    pub path: String,
    pub framework: String,
    pub handler: String,
    pub file: String,
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Schema {
    pub file: String,
    pub kind: SchemaKind,
    pub elements: Vec<Element>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaKind {
    OpenApi,
    JsonSchema,
    GraphQl,
    Protobuf,
}

impl SchemaKind {
    pub fn name(self) -> &'static str {
        match self {
            SchemaKind::OpenApi => "OpenAPI",
            SchemaKind::JsonSchema => "JSON Schema",
            SchemaKind::GraphQl => "GraphQL",
            SchemaKind::Protobuf => "protobuf",
        }
    }
}

/// One part of a schema that data or a request can fit or miss.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Element {
    pub name: String,
    pub kind: ElementKind,
    #[serde(rename = "type")]
    pub ty: String,
    pub side: Side,
    /// It must be given (input), or is always there (output).
    pub required: bool,
    /// Of a protobuf field or enum value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElementKind {
    Operation,
    Parameter,
    Response,
    Type,
    Field,
    EnumValue,
    /// A bound on values: `maximum`, `pattern`.
    Constraint,
}

impl ElementKind {
    pub fn name(self) -> &'static str {
        match self {
            ElementKind::Operation => "operation",
            ElementKind::Parameter => "parameter",
            ElementKind::Response => "response",
            ElementKind::Type => "type",
            ElementKind::Field => "field",
            ElementKind::EnumValue => "enum value",
            ElementKind::Constraint => "constraint",
        }
    }
}

/// Who fills the element in, which decides what narrows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Input,
    Output,
    Both,
}

/// A word that a person types to start or to steer a program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Flag {
    /// The package, and the command of it where there are several.
    pub program: String,
    /// `--port`; a plain word for a positional argument, a command or a program.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short: Option<String>,
    /// Takes a value.
    pub value: bool,
    pub required: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    pub file: String,
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unread {
    pub file: String,
    pub words: String,
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ParamKind::Rest => f.write_str("...")?,
            ParamKind::RestNamed => f.write_str("**")?,
            ParamKind::KeywordOnly => f.write_str("*, ")?,
            ParamKind::Positional | ParamKind::Named => {}
        }
        if let Some(ty) = self.ty.as_ref().filter(|_| self.name == "self") {
            return f.write_str(ty);
        }
        if self.fields.is_empty() {
            f.write_str(&self.name)?;
        } else {
            write!(f, "{{{}}}", self.fields.join(", "))?;
        }
        if self.optional {
            f.write_str("?")?;
        }
        self.ty.as_ref().map_or(Ok(()), |ty| write!(f, ": {ty}"))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for mark in &self.marks {
            write!(f, "{mark} ")?;
        }
        if self.is_async {
            f.write_str("async ")?;
        }
        if self.optional {
            f.write_str("?")?;
        }
        f.write_str(self.generics.as_deref().unwrap_or_default())?;
        if let Some(params) = &self.params {
            let params: Vec<String> = params.iter().map(Param::to_string).collect();
            write!(f, "({})", params.join(", "))?;
        }
        if let Some(returns) = &self.returns {
            write!(f, " -> {returns}")?;
        }
        if let Some(ty) = &self.ty {
            write!(f, ": {ty}")?;
        }
        if !self.bases.is_empty() {
            write!(f, " of {}", self.bases.join(", "))?;
        }
        if self.open { f.write_str(" (open)") } else { Ok(()) }
    }
}
