//! What goes where, as operations: symbols move, methods leave their class; for files see `modules`.

use super::super::Unclear;
use super::super::definitions::DefinitionKind;
use super::super::dialect::is_source_name;
use super::super::phrase::{Link, Name, Phrase};
use super::super::resolve::Resolver;
use super::super::scope::Scope;
use super::super::sequence;
use super::super::vocabulary::Noun;
use super::modules::only_target;
use super::target::{Target, target_file};
use super::{Draft, Manner, What, users};
use crate::operation::{Operation, SymbolPath};

impl Draft {
    pub(in crate::directive) fn operations(
        &self,
        resolver: &Resolver<'_>,
        earlier: &[Operation],
        not_understood: &mut Vec<String>,
    ) -> Result<Vec<Operation>, Unclear> {
        let unclear = |why: &str| Err(Unclear::new(&self.text, why));
        if self.is_described {
            return unclear("what to move is described; name it");
        }
        let names_files = self.names.iter().any(|name| self.is_file(resolver, name));
        let names_symbols = self.what == What::Names && !self.names.is_empty() && !names_files;
        if self.manner == Manner::Merge && names_symbols {
            return unclear("the program combines files, not functions or classes");
        }
        let Some(target) = &self.target else {
            if self.manner == Manner::Remove {
                not_understood.push(self.text.clone());
                return Ok(Vec::new());
            }
            return unclear("where it goes is not said");
        };
        match self.what {
            What::Everything | What::Names if names_files || self.what == What::Everything => {
                if self.manner == Manner::Split {
                    return unclear("name what goes into which file");
                }
                self.modules(resolver, target)
            }
            What::Names | What::Everything => self.symbols(resolver, target, earlier),
            What::Functions | What::Classes | What::FunctionsAndClasses => {
                self.all_of_kind(resolver, target)
            }
        }
    }

    /// A merge is of files wherever a file has this name, a move only where no symbol has it.
    fn is_file(&self, resolver: &Resolver<'_>, name: &Name) -> bool {
        match name.noun {
            Some(Noun::Function | Noun::Method | Noun::Class | Noun::Value) => false,
            Some(Noun::File) => true,
            Some(Noun::Parameter | Noun::Folder | Noun::Project) | None => {
                let last = name.text.rsplit(['.', '#']).next().unwrap_or_default();
                let is_defined = !resolver.index.definitions(last).is_empty();
                let is_merge = self.manner == Manner::Merge && !name.text.contains('_');
                let has_file = || !resolver.files(name, &Scope::default()).is_empty();
                is_source_name(&name.text) || (is_merge || !is_defined) && has_file()
            }
        }
    }

    /// All functions or classes of a file; if nothing else is in it, the file is merged.
    fn all_of_kind(
        &self,
        resolver: &Resolver<'_>,
        target: &Target,
    ) -> Result<Vec<Operation>, Unclear> {
        let sources = self.source_files(resolver, target)?;
        let fits = |kind: DefinitionKind| match kind {
            DefinitionKind::Function => self.what != What::Classes,
            DefinitionKind::Class => self.what != What::Functions,
            DefinitionKind::Constant | DefinitionKind::Method | DefinitionKind::Attribute => false,
        };
        let defined: Vec<_> =
            sources.iter().flat_map(|path| resolver.index.defined_in(path)).collect();
        let is_all =
            defined.iter().all(|one| fits(one.kind) || one.kind == DefinitionKind::Constant);
        let fitting = defined.into_iter().filter(|one| fits(one.kind));
        let symbols: Vec<SymbolPath> =
            fitting.map(|one| SymbolPath { path: one.path, name: one.name }).collect();
        if symbols.is_empty() {
            let why = format!("{} has nothing of this kind", sources[0]);
            return Err(Unclear::new(&self.text, why));
        }
        let Target::Named(words) = target else {
            return Err(Unclear::new(&self.text, "where it goes is not said"));
        };
        let to = target_file(resolver, words, &sources[0])?;
        Ok(vec![if is_all && self.manner == Manner::Merge {
            Operation::Merge { modules: sources, into: to, merge_tests: self.merge_tests }
        } else {
            Operation::Move { symbols, to }
        }])
    }

    fn symbols(
        &self,
        resolver: &Resolver<'_>,
        target: &Target,
        earlier: &[Operation],
    ) -> Result<Vec<Operation>, Unclear> {
        let symbols = self.named_symbols(resolver, target, earlier)?;
        let Some(first) = symbols.first() else {
            return Err(Unclear::new(&self.text, "what to move is not named"));
        };
        let to = match target {
            Target::Named(words) => target_file(resolver, words, &first.path)?,
            Target::Users => users::user_of_symbols(resolver, &symbols)?,
        };
        let (methods, symbols): (Vec<SymbolPath>, Vec<SymbolPath>) =
            symbols.into_iter().partition(|symbol| symbol.name.contains('.'));
        let mut operations = Vec::new();
        if let Some(SymbolPath { name, .. }) = methods.first() {
            if !self.is_method {
                resolver.note(format!("`{name}` is a method; it becomes a function of {to}"));
            }
            operations.push(Operation::MoveMethod { methods, to: to.clone() });
        }
        if !symbols.is_empty() {
            operations.push(Operation::Move { symbols, to });
        }
        Ok(operations)
    }

    fn named_symbols(
        &self,
        resolver: &Resolver<'_>,
        target: &Target,
        earlier: &[Operation],
    ) -> Result<Vec<SymbolPath>, Unclear> {
        let (near, shared) = only_target(resolver, target);
        let mut scope = Scope::of(resolver.index, &self.places);
        for (name, places) in &self.sources {
            let own = Phrase { link: Link::In, items: Vec::new(), names: vec![name.clone()] };
            scope.merge(&Scope::of(resolver.index, std::iter::once(&own).chain(places)));
        }
        let mut symbols: Vec<SymbolPath> = Vec::new();
        for name in &self.names {
            let near = symbols.first().map(|symbol| symbol.path.clone()).or_else(|| near.clone());
            let symbol = match sequence::made_symbol(earlier, &name.text) {
                Some(symbol) => symbol,
                None => self.symbol(resolver, name, [&scope, &shared], near.as_deref())?,
            };
            symbols.push(symbol);
        }
        Ok(symbols)
    }

    /// A place named after the target may belong to the source instead.
    fn symbol(
        &self,
        resolver: &Resolver<'_>,
        name: &Name,
        [scope, shared]: [&Scope; 2],
        near: Option<&str>,
    ) -> Result<SymbolPath, Unclear> {
        let noun = if self.is_method { Some(Noun::Method) } else { name.noun };
        let name = Name { noun, ..name.clone() };
        resolver.symbol(&name, scope, near).or_else(|unclear| {
            let mut both = scope.clone();
            both.merge(shared);
            resolver.symbol(&name, &both, near).map_err(|_| unclear)
        })
    }
}
