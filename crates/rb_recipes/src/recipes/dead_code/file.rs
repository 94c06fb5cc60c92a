//! One file: what is dead in it, once nothing more can be found that has to live.

use oxc_ast::AstKind;
use oxc_ast::ast::Statement;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;
use rb_rules::{Facts, World};

use super::candidates::{Candidate, Where, all};
use super::doubts::{FileDoubts, Rewired};
use super::unreachable::{self, Zone};
use crate::cleaning::deletion::{self, Comments};
use crate::cleaning::manifest_of;
use crate::plan::{Left, Site, one_line};
use crate::recipes::unused_imports::{Cleaned, clean};

#[derive(Debug, Default)]
pub(super) struct FileResult {
    pub sites: Vec<Site>,
    pub edits: Vec<Edit>,
    pub left: Vec<Left>,
    pub notes: Vec<String>,
}

struct Look<'f, 'a> {
    world: &'f dyn World,
    facts: &'f Facts,
    module: &'f Module<'a>,
    doubts: FileDoubts,
    rewired: &'f Rewired,
    candidates: Vec<Candidate<'a>>,
    zones: Vec<Zone>,
    found: FileResult,
}

pub(super) fn look(
    world: &dyn World,
    facts: &Facts,
    module: &Module<'_>,
    rewired: &Rewired,
) -> FileResult {
    let (zones, left) = unreachable::find(facts, module);
    let doubts = FileDoubts::of(facts, module, is_module(world, facts, module));
    let candidates = all(module);
    let mut look = Look {
        world,
        facts,
        module,
        doubts,
        rewired,
        candidates,
        zones,
        found: FileResult::default(),
    };
    look.found.left = left;
    look.settle();
    look.found
}

/// Are the names at the top of the file its own?
fn is_module(world: &dyn World, facts: &Facts, module: &Module<'_>) -> bool {
    let path = &*facts.path;
    let common = |name: &str| matches!(name, "require" | "module" | "exports");
    module.program().body.iter().any(Statement::is_module_declaration)
        || [".mjs", ".cjs", ".mts", ".cts"].iter().any(|end| path.ends_with(end))
        || module.identifiers().iter().any(|it| common(it.name.as_str()) && module.is_global(it))
        || (path.rsplit('.').next() == Some("js")
            && manifest_of(world, path)
                .is_some_and(|(_, it)| it.get("type").is_some_and(|it| it == "module")))
}

impl<'a> Look<'_, 'a> {
    /// Which candidates are dead, as far as their doubts let them be: nothing that lives uses them.
    fn dead(&self, is_removable: impl Fn(&Candidate<'a>) -> bool) -> Vec<bool> {
        let mut dead: Vec<bool> = self.candidates.iter().map(is_removable).collect();
        let in_zone: Vec<Vec<bool>> = self
            .candidates
            .iter()
            .map(|it| it.uses.iter().map(|used| self.is_in_zone(*used)).collect())
            .collect();
        loop {
            let mut changed = false;
            for at in 0..dead.len() {
                if !dead[at] {
                    continue;
                }
                let lives = self.candidates[at]
                    .around
                    .iter()
                    .zip(&in_zone[at])
                    .any(|(around, in_zone)| !in_zone && !around.iter().any(|&it| dead[it]));
                if lives {
                    dead[at] = false;
                    changed = true;
                }
            }
            if !changed {
                return dead;
            }
        }
    }

    fn is_in_zone(&self, span: Span) -> bool {
        self.zones.iter().any(|it| it.span.contains_inclusive(span))
    }

    /// Finds doubts until there are no new ones, then says what goes and what stays.
    fn settle(&mut self) {
        for _ in 0..64 {
            let dead = self.dead(|it| it.doubt.is_none());
            let outer = self.outermost(&dead);
            let mut doubted = false;
            for &at in &outer {
                if let Some(doubt) =
                    self.doubts.about(self.module, &self.candidates[at], self.rewired)
                {
                    self.candidates[at].doubt = Some(doubt);
                    doubted = true;
                }
            }
            if doubted {
                continue;
            }
            match self.edits(&outer) {
                Err((numbers, why)) => {
                    for at in numbers {
                        self.candidates[at].doubt = Some((why.clone(), "delete it by hand"));
                    }
                }
                Ok((edits, cleaned)) => {
                    self.say(&dead, &outer, edits, cleaned);
                    return;
                }
            }
        }
    }

    /// Those that are dead, and not inside of something else that goes.
    fn outermost(&self, dead: &[bool]) -> Vec<usize> {
        let is_inside = |at: usize| {
            let own = self.candidates[at].span;
            self.is_in_zone(own)
                || (0..dead.len()).any(|it| {
                    let other = self.candidates[it].span;
                    it != at && dead[it] && other.contains_inclusive(own) && other != own
                })
        };
        (0..dead.len()).filter(|&at| dead[at] && !is_inside(at)).collect()
    }

    /// `Err` names those that have to stay after all, and why.
    fn edits(&self, outer: &[usize]) -> Result<(Vec<Edit>, Cleaned), (Vec<usize>, String)> {
        let mut edits: Vec<Edit> = self.zones.iter().map(|it| it.edit.clone()).collect();
        let mut done: Vec<Span> = Vec::new();
        let whole = self.gone(outer);
        for &at in outer {
            match self.candidates[at].place {
                Where::Statement { list, at: place, .. } => {
                    let edit = deletion::statements(
                        self.module,
                        list,
                        (place, place),
                        Comments::Take,
                        &whole,
                    );
                    edits.push(edit.map_err(|why| (vec![at], why))?);
                }
                Where::Member => {
                    let edit =
                        deletion::piece(self.module, self.candidates[at].span, Comments::Take);
                    edits.push(edit.map_err(|why| (vec![at], why))?);
                }
                Where::Variable { list, at: place, declaration, .. } => {
                    if done.contains(&declaration.span) {
                        continue;
                    }
                    done.push(declaration.span);
                    let group: Vec<usize> = outer
                        .iter()
                        .copied()
                        .filter(|&it| is_of(&self.candidates[it], declaration.span))
                        .collect();
                    let gone: Vec<bool> = (0..declaration.declarations.len())
                        .map(|number| {
                            group.iter().any(|&it| number_of(&self.candidates[it]) == Some(number))
                        })
                        .collect();
                    let edit = if gone.contains(&false) {
                        deletion::declarators(self.module, declaration, &gone)
                    } else {
                        deletion::statements(
                            self.module,
                            list,
                            (place, place),
                            Comments::Take,
                            &whole,
                        )
                        .map(|it| vec![it])
                    };
                    edits.extend(edit.map_err(|why| (group, why))?);
                }
            }
        }
        self.with_imports(outer, edits)
    }

    /// Statements that go as a whole.
    fn gone(&self, outer: &[usize]) -> Vec<Span> {
        let counts = |declaration: Span| {
            outer.iter().filter(|&&it| is_of(&self.candidates[it], declaration)).count()
        };
        let mut gone: Vec<Span> = outer
            .iter()
            .filter_map(|&at| match self.candidates[at].place {
                Where::Statement { .. } => Some(self.candidates[at].span),
                Where::Variable { declaration, .. } => (counts(declaration.span)
                    == declaration.declarations.len())
                .then_some(declaration.span),
                Where::Member => None,
            })
            .collect();
        gone.sort_by_key(|it| it.start);
        gone
    }

    /// Imports that only dead code used go as well.
    fn with_imports(
        &self,
        outer: &[usize],
        mut edits: Vec<Edit>,
    ) -> Result<(Vec<Edit>, Cleaned), (Vec<usize>, String)> {
        let mut spans: Vec<Span> = self.zones.iter().map(|it| it.span).collect();
        spans.extend(outer.iter().map(|&it| self.candidates[it].span));
        if spans.is_empty() {
            return Ok((edits, Cleaned::default()));
        }
        let cleaned = clean(self.world, self.facts, self.module, &spans);
        if let Some((import, why)) = cleaned.blocked.first() {
            let users: Vec<usize> = outer
                .iter()
                .copied()
                .filter(|&it| self.uses_import(*import, self.candidates[it].span))
                .collect();
            if !users.is_empty() {
                let why = format!(
                    "removing it would make the compiler drop `{}`: {why}",
                    one_line(self.module.slice(*import))
                );
                return Err((users, why));
            }
        }
        edits.extend(cleaned.edits.iter().cloned());
        if self.is_emptied(&edits) {
            return Err((outer.to_vec(), "the whole file is unused".to_owned()));
        }
        Ok((deletion::tidied(self.module.text(), edits), cleaned))
    }

    fn uses_import(&self, import: Span, span: Span) -> bool {
        let own = self.module.imports().values().filter(|it| it.declaration.span == import);
        own.into_iter()
            .any(|it| self.module.uses(it.symbol).any(|it| span.contains_inclusive(it.span)))
    }

    fn is_emptied(&self, edits: &[Edit]) -> bool {
        let goes = |span: Span| {
            edits
                .iter()
                .any(|it| it.text.is_empty() && it.start <= span.start && span.end <= it.end)
        };
        let body = &self.module.program().body;
        !body.is_empty() && body.iter().all(|it| goes(it.span()))
    }

    fn say(&mut self, dead: &[bool], outer: &[usize], edits: Vec<Edit>, cleaned: Cleaned) {
        let path = self.facts.path.to_string();
        for zone in &self.zones {
            let line = self.module.line(zone.span.start);
            let what = format!("unreachable code: `{}`", zone.code);
            self.found.sites.push(Site { path: path.clone(), line, what });
        }
        for &at in outer {
            let it = &self.candidates[at];
            let line = self.module.line(it.span.start);
            self.found.sites.push(Site {
                path: path.clone(),
                line,
                what: format!("{} `{}`", it.what, it.name),
            });
        }
        if !cleaned.sites.is_empty() {
            let names: Vec<&str> = cleaned.sites.iter().map(|it| it.what.as_str()).collect();
            self.found.notes.push(format!(
                "imports that nothing else used are removed too: {}",
                names.join(", ")
            ));
        }
        self.found.notes.extend(cleaned.notes);
        self.found.edits = edits;
        // Nothing that lives uses these, either; but they have to stay.
        let mut unused = self.dead(|_| true);
        for (at, it) in self.candidates.iter().enumerate() {
            unused[at] &= !dead[at] && it.doubt.is_some();
        }
        for at in self.outermost(&unused) {
            let it = &self.candidates[at];
            let Some((reason, suggestion)) = it.doubt.clone() else { continue };
            if !is_report_worthy(it) {
                continue;
            }
            let place = self.module.place(it.span.start);
            let code = match it.place {
                Where::Variable { .. } => one_line(self.module.slice(it.span)),
                Where::Statement { .. } | Where::Member => format!("{} {}", it.what, it.name),
            };
            self.found.left.push(Left {
                path: path.clone(),
                line: place.line,
                column: place.column,
                code,
                reason,
                suggestion: suggestion.to_owned(),
                through: Vec::new(),
            });
        }
    }
}

/// A variable inside of a function that a call computes is no dead code: the call is what counts.
fn is_report_worthy(it: &Candidate<'_>) -> bool {
    it.uses.is_empty() || it.what != "variable" || it.place.is_top()
}

fn is_of(candidate: &Candidate<'_>, declaration: Span) -> bool {
    matches!(candidate.place, Where::Variable { declaration: it, .. } if it.span == declaration)
}

fn number_of(candidate: &Candidate<'_>) -> Option<usize> {
    match candidate.place {
        Where::Variable { number, .. } => Some(number),
        Where::Statement { .. } | Where::Member => None,
    }
}

/// The function around a place.
pub(super) fn function_kind<'a>(
    module: &Module<'a>,
    node: oxc_semantic::NodeId,
) -> Option<AstKind<'a>> {
    module
        .ancestors(node)
        .find(|it| matches!(it, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_)))
}
