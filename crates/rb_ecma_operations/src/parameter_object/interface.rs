//! The interface of the object, in the file of the function or in another one.

use std::collections::BTreeMap;

use rb_core::Edit;
use rb_operations::{FileChange, Place, Refusal};

use super::Request;
use crate::edits::FileEdits;
use crate::import_edits::{Added, ImportEdits, TypeKind};
use crate::project::{ModuleFacts, Project, is_typescript};
use crate::relocation::style_of;
use crate::signatures::refusal;
use crate::signatures::signature::Signature;
use crate::signatures::source::{Source, words};

/// Types that mean the same in every file.
const KNOWN_TYPES: &[&str] = &[
    "Array",
    "Date",
    "Error",
    "Function",
    "Map",
    "Promise",
    "Readonly",
    "Record",
    "RegExp",
    "Set",
    "any",
    "bigint",
    "boolean",
    "false",
    "keyof",
    "never",
    "null",
    "number",
    "object",
    "readonly",
    "string",
    "symbol",
    "true",
    "undefined",
    "unknown",
    "void",
];

impl Request<'_> {
    /// Writes the interface, in the file of the function or in another one.
    pub(super) fn declare(
        &self,
        project: &Project<'_>,
        facts: &ModuleFacts,
        main: &Signature,
        edits: &mut FileEdits,
        created: &mut BTreeMap<String, FileChange>,
    ) -> Result<(), Refusal> {
        let path = &self.function.path;
        let fields = self.fields(facts, main)?;
        let top = self.function.name.split('.').next().unwrap_or_default();
        let is_exported = facts.links.names_of(top).next().is_some();
        let export = if is_exported || self.module != path { "export " } else { "" };
        let eol = facts.style.line_end;
        let lines: Vec<String> =
            fields.iter().map(|(_, text)| format!("{}{text}{eol}", facts.style.indent)).collect();
        let body = lines.concat();
        let text = format!("{export}interface {} {{{eol}{body}}}{eol}", self.class);
        self.check_name(facts, path)?;
        if self.module == path {
            let at =
                facts.declaration(top).and_then(|it| it.pieces.first()).map(|it| it.full.start);
            edits.add(path, Edit::insert(at.unwrap_or(0), format!("{text}{eol}")));
            return Ok(());
        }
        if !is_typescript(self.module) {
            let reason = format!("{} cannot declare an interface", self.module);
            return Err(Refusal::new(reason, "name a TypeScript file"));
        }
        let is_known = |word: &str| KNOWN_TYPES.contains(&word) || word.parse::<f64>().is_ok();
        if let Some((_, text)) = fields.iter().find(|(types, _)| !words(types).all(is_known)) {
            let reason = format!("the types of `{text}` would have to be imported there");
            return Err(Refusal::new(reason, "declare the interface in the file of the function"));
        }
        match project.files.text(self.module) {
            Some(old) => {
                let there = project.required(self.module)?;
                self.check_name(&there, self.module)?;
                let end = u32::try_from(old.len()).unwrap_or(u32::MAX);
                let gap = if old.trim().is_empty() {
                    ""
                } else if old.ends_with('\n') {
                    eol
                } else {
                    &format!("{eol}{eol}")
                };
                edits.add(self.module, Edit::insert(end, format!("{gap}{text}")));
            }
            None => drop(created.insert(self.module.to_owned(), FileChange::Created(text.into()))),
        }
        self.import(project, facts, edits)
    }

    fn import(
        &self,
        project: &Project<'_>,
        facts: &ModuleFacts,
        edits: &mut FileEdits,
    ) -> Result<(), Refusal> {
        let path = &self.function.path;
        let (source, named) = style_of(project, &[path]);
        let changes = BTreeMap::from([(self.module.to_owned(), FileChange::Created("".into()))]);
        let files = crate::check::after(project.files, &changes);
        let tree = crate::project::tree_of(&files);
        let there = Project::new(&files, &tree);
        let Some(specifier) = there.specifier(path, self.module, (&source, &named)) else {
            let reason = format!("{path} has no way to import {}", self.module);
            return Err(Refusal::new(reason, "declare the interface in the file of the function"));
        };
        let mut imports = ImportEdits::new(facts);
        imports.add(Added {
            specifier,
            file: Some(self.module.to_owned()),
            imported: self.class.to_owned(),
            local: self.class.to_owned(),
            kind: TypeKind::Whole,
            is_reexport: false,
            anchor: None,
        });
        match imports.finish() {
            Ok(new) => edits.extend(path, new),
            Err(statement) => {
                let place = project.place(path, statement.range.start, "a comment stands here");
                let reason = "a comment stands in an import that has to change";
                return Err(refusal(reason, vec![place], "move the comment first"));
            }
        }
        Ok(())
    }

    fn check_name(&self, facts: &ModuleFacts, path: &str) -> Result<(), Refusal> {
        let is_exported = facts.links.export(self.class).is_some();
        if !is_exported && !facts.names.contains(self.class) {
            return Ok(());
        }
        let reason = format!("`{}` means something in {path} already", self.class);
        Err(Refusal::new(reason, "choose another name"))
    }

    /// The type of each property, and its line.
    fn fields(
        &self,
        facts: &ModuleFacts,
        main: &Signature,
    ) -> Result<Vec<(String, String)>, Refusal> {
        let mut fields = Vec::new();
        for &index in &self.wrapped {
            let parameter = &main.parameters[index];
            let name = parameter.name.as_deref().unwrap_or_default();
            let slice = |span: oxc_span::Span| {
                facts.text.get(span.start as usize..span.end as usize).unwrap_or_default()
            };
            let literal = || {
                let default = Source::read(slice(parameter.default.as_ref()?.span)).ok()?;
                default.literal_type.map(str::to_owned)
            };
            let written = parameter.annotation.map(|span| slice(span).to_owned());
            let place = || Place {
                path: self.function.path.clone(),
                line: main.line,
                what: format!("`{name}`"),
            };
            let Some(written) = written.or_else(literal) else {
                let reason = format!("the type of `{name}` is not written");
                return Err(refusal(reason, vec![place()], "annotate it first"));
            };
            if words(&written).any(|word| main.type_parameters.contains(word)) {
                let reason = format!("the type of `{name}` depends on a type parameter");
                return Err(refusal(reason, vec![place()], "name the other parameters"));
            }
            let mark = if parameter.is_optional() { "?" } else { "" };
            let text = format!("{name}{mark}: {written}{}", facts.style.semicolon());
            fields.push((written, text));
        }
        Ok(fields)
    }
}
