//! Functions of one module become static methods of a new class in it; calls, imports and re-exports follow.
//!
//! The class stands where the first of the functions stood. Functions are there before anything runs and a class is not: a use before the
//! class is evaluated is refused.

mod method_text;
#[cfg(test)]
mod tests;
mod users;

use std::collections::{BTreeMap, BTreeSet};

use rb_core::{Edit, plural};
use rb_ecma::links::{ByteRange, Exporting};
use rb_operations::{ApiChange, Operation, Outcome, Place, Refusal};

use self::method_text::Method;
use crate::check::check;
use crate::cycles::cycle_through;
use crate::edits::{FileEdits, applied, deletion};
use crate::import_edits::ImportEdits;
use crate::project::{Declaration, DeclarationKind, ModuleFacts, Project};
use crate::signatures::refusal;
use crate::signatures::source::check_identifier;

struct Request<'o> {
    path: &'o str,
    class: &'o str,
    /// The names of the functions, in the order of the text.
    functions: Vec<&'o str>,
}

pub(crate) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::Encapsulate { functions, class } = operation else {
        return Err(Refusal::new("this is not an encapsulation", "ask for another operation"));
    };
    check_identifier(class)?;
    let Some(first) = functions.first() else {
        return Err(Refusal::new("no functions are named", "name some functions of one file"));
    };
    if functions.iter().any(|it| it.path != first.path) {
        let reason = "the functions are in several files";
        return Err(Refusal::new(reason, "move them into one file first"));
    }
    let facts = project.required(&first.path)?;
    let mut starts = BTreeMap::new();
    for function in functions {
        let declaration = project.declaration(function)?;
        starts.insert(declaration.start(), function.name.as_str());
    }
    let functions = starts.into_values().collect();
    let request = Request { path: &first.path, class, functions };
    request.plan(project, &facts)
}

impl Request<'_> {
    fn plan(&self, project: &Project<'_>, facts: &ModuleFacts) -> Result<Outcome, Refusal> {
        let declarations = self.declarations(facts)?;
        self.check_name(facts, self.path)?;
        self.check_load(project, facts, &declarations)?;
        let exported = self.exported(facts)?;
        let mut edits = FileEdits::default();
        let uses = self.own_uses(project, facts)?;
        let methods = self.methods(project, &declarations)?;
        let class = self.class_text(facts, &declarations, &methods, &uses, !exported.is_empty())?;
        self.replace(facts, &declarations, &class, &mut edits);
        let is_inside = |edit: &Edit| {
            pieces(&declarations).any(|it| it.start <= edit.start && edit.end <= it.end)
        };
        edits.extend(self.path, uses.into_iter().filter(|edit| !is_inside(edit)));
        self.unlist(facts, &mut edits)?;
        let changed = users::follow(project, self, &exported, &mut edits)?;
        let files = edits.apply(project.files)?;
        check(project, &files)?;
        let names: Vec<String> = self.functions.iter().map(|it| format!("`{it}`")).collect();
        let what = format!("class `{}`", self.class);
        let api = self.functions.iter().filter(|_| !exported.is_empty()).map(|name| ApiChange {
            path: self.path.to_owned(),
            before: (*name).to_owned(),
            after: format!("{}.{name}", self.class),
        });
        Ok(Outcome {
            title: format!(
                "{} moved into `{}`, with {}",
                names.join(", "),
                self.class,
                plural(changed, "file")
            ),
            files,
            sites: vec![project.place(self.path, declarations[0].start(), what)],
            api: api.collect(),
            ..Outcome::default()
        })
    }

    fn declarations<'f>(&self, facts: &'f ModuleFacts) -> Result<Vec<&'f Declaration>, Refusal> {
        let mut found = Vec::new();
        for name in &self.functions {
            let Some(declaration) = facts.declaration(name) else { continue };
            let is_function =
                matches!(declaration.kind, DeclarationKind::Function | DeclarationKind::Constant);
            let is_alone = declaration.pieces.iter().all(|it| it.names.len() == 1);
            let is_default = declaration.pieces.iter().any(|it| it.is_default);
            let problem = if !is_function {
                "it is not a function"
            } else if !is_alone || declaration.pieces.iter().any(|it| it.is_ambient) {
                "its declaration is more than the function"
            } else if is_default {
                "it is declared as the default export"
            } else {
                found.push(declaration);
                continue;
            };
            return Err(self.refused(facts, declaration.start(), name, problem));
        }
        Ok(found)
    }

    fn refused(&self, facts: &ModuleFacts, at: u32, name: &str, problem: &str) -> Refusal {
        let line = rb_ecma::links::line_of(&facts.text, at);
        let path = self.path.to_owned();
        let places = vec![Place { path, line, what: problem.to_owned() }];
        refusal(
            format!("`{name}` cannot become a static method: {problem}"),
            places,
            "leave it out",
        )
    }

    fn check_name(&self, facts: &ModuleFacts, path: &str) -> Result<(), Refusal> {
        if !facts.names.contains(self.class) && facts.links.export(self.class).is_none() {
            return Ok(());
        }
        let reason = format!("`{}` means something in {path} already", self.class);
        Err(Refusal::new(reason, "choose another name"))
    }

    /// Nothing uses the functions before the class is there.
    fn check_load(
        &self,
        project: &Project<'_>,
        facts: &ModuleFacts,
        declarations: &[&Declaration],
    ) -> Result<(), Refusal> {
        let start = declarations.iter().map(|it| it.start()).min().unwrap_or(0);
        let early = facts.names_at_load_in(&[ByteRange { start: 0, end: start }]);
        if let Some(name) = self.functions.iter().find(|name| early.contains(**name)) {
            let problem = "it is called while the file is loaded, before the class would be there";
            return Err(self.refused(facts, start, name, problem));
        }
        let is_hoisted = declarations.iter().any(|it| it.kind == DeclarationKind::Function);
        if is_hoisted && cycle_through(project, self.path).is_some() {
            let name = self.functions.first().copied().unwrap_or_default();
            let problem = "its file is part of an import cycle, which may need it early";
            return Err(self.refused(facts, start, name, problem));
        }
        Ok(())
    }

    /// The names under which others take each function.
    fn exported(&self, facts: &ModuleFacts) -> Result<BTreeSet<(String, String)>, Refusal> {
        let mut names = BTreeSet::new();
        for name in &self.functions {
            for export in facts.links.names_of(name) {
                match export.how {
                    Exporting::Declared | Exporting::Listed if export.name != "default" => {
                        names.insert(((*name).to_owned(), export.name.clone()));
                    }
                    // `export default f` becomes `export default Class.f`.
                    Exporting::Default => {}
                    Exporting::Declared
                    | Exporting::Listed
                    | Exporting::Assigned
                    | Exporting::Member
                    | Exporting::Whole => {
                        let problem = "it is exported in a way that is not followed";
                        return Err(self.refused(facts, export.place.start, name, problem));
                    }
                }
            }
        }
        Ok(names)
    }

    /// Uses in its own file; `export { f }` is not among them.
    fn own_uses(&self, project: &Project<'_>, facts: &ModuleFacts) -> Result<Vec<Edit>, Refusal> {
        let mut edits = Vec::new();
        for name in &self.functions {
            for used in facts.uses_of(name) {
                let is_listed = facts.statements.iter().any(|it| {
                    it.is_list
                        && it.range.start <= used.range.start
                        && used.range.end <= it.range.end
                });
                if is_listed {
                    continue;
                }
                users::check_use(project, self.path, used.range, used.kind)?;
                let text = if used.is_shorthand {
                    format!("{name}: {}.{name}", self.class)
                } else {
                    format!("{}.{name}", self.class)
                };
                edits.push(Edit::replace(used.range.start, used.range.end, text));
            }
        }
        Ok(edits)
    }

    /// What each function needs to become a method.
    fn methods(
        &self,
        project: &Project<'_>,
        declarations: &[&Declaration],
    ) -> Result<Vec<Method>, Refusal> {
        let facts = project.required(self.path)?;
        let mut all = Vec::new();
        for declaration in declarations {
            let name = &declaration.name;
            let read = project.parsed(self.path, |module| method_text::read(module, name));
            match read.unwrap_or(Err("the file does not parse")) {
                Ok(method) if method.heads.len() == declaration.pieces.len() => all.push(method),
                Ok(_) => {
                    let problem = "its declaration is more than the function";
                    return Err(self.refused(&facts, declaration.start(), name, problem));
                }
                Err(problem) => {
                    return Err(self.refused(&facts, declaration.start(), name, problem));
                }
            }
        }
        Ok(all)
    }

    fn class_text(
        &self,
        facts: &ModuleFacts,
        declarations: &[&Declaration],
        methods: &[Method],
        uses: &[Edit],
        is_exported: bool,
    ) -> Result<String, Refusal> {
        let eol = facts.style.line_end;
        let export = if is_exported { "export " } else { "" };
        let mut members = Vec::new();
        for (declaration, method) in declarations.iter().zip(methods) {
            let mut texts = Vec::new();
            for piece in &declaration.pieces {
                let range = piece.full;
                let inside = uses.iter().chain(&method.edits);
                let own = inside.filter(|it| range.start <= it.start && it.end <= range.end);
                let mut shifted: Vec<Edit> = own
                    .map(|it| {
                        Edit::replace(it.start - range.start, it.end - range.start, it.text.clone())
                    })
                    .collect();
                let kept = method.kept_lines(&facts.text, range, &mut shifted, facts.style.indent);
                let text = applied(self.path, facts.slice(range), &shifted)?;
                let first = if kept { facts.style.indent } else { "" };
                texts.push(format!("{first}{}", text.trim_end()));
            }
            members.push(texts.join(eol));
        }
        let body = members.join(&format!("{eol}{eol}"));
        Ok(format!("{export}class {} {{{eol}{body}{eol}}}", self.class))
    }

    /// Puts the class where the first function stood, and removes the other functions.
    fn replace(
        &self,
        facts: &ModuleFacts,
        declarations: &[&Declaration],
        class: &str,
        edits: &mut FileEdits,
    ) {
        let mut all = pieces(declarations);
        let Some(first) = all.next() else { return };
        edits.add(self.path, Edit::replace(first.start, first.end, class));
        // What stands side by side goes as one, so that one gap is left.
        let mut gone: Vec<ByteRange> = Vec::new();
        for range in all {
            match gone.last_mut() {
                Some(last) if is_gap(facts, last.end, range.start) => last.end = range.end,
                _ => gone.push(range),
            }
        }
        for mut range in gone {
            // Overloads right behind the class leave no gap at all.
            if is_gap(facts, first.end, range.start) {
                range.start = first.end;
                edits.add(self.path, Edit::delete(range.start, range.end));
            } else {
                edits.add(self.path, deletion(&facts.text, range));
            }
        }
    }

    /// Takes the functions out of `export { … }`.
    fn unlist(&self, facts: &ModuleFacts, edits: &mut FileEdits) -> Result<(), Refusal> {
        let mut lists = ImportEdits::new(facts);
        for (index, statement) in facts.statements.iter().enumerate().filter(|(_, it)| it.is_list) {
            for (at, name) in statement.names.iter().enumerate() {
                if self.functions.contains(&name.imported.as_str()) {
                    lists.remove(index, at);
                }
            }
        }
        match lists.finish() {
            Ok(new) => edits.extend(self.path, new),
            Err(statement) => {
                let problem = "a comment stands in the list that exports it";
                let name = self.functions.first().copied().unwrap_or_default();
                return Err(self.refused(facts, statement.range.start, name, problem));
            }
        }
        Ok(())
    }
}

fn pieces<'d>(declarations: &'d [&Declaration]) -> impl Iterator<Item = ByteRange> + 'd {
    declarations.iter().flat_map(|it| it.pieces.iter().map(|piece| piece.full))
}

/// Is there nothing but white space between two offsets?
fn is_gap(facts: &ModuleFacts, from: u32, to: u32) -> bool {
    facts.text.get(from as usize..to as usize).is_some_and(|text| text.trim().is_empty())
}
