//! Does it make no difference that the index, and what lies behind it, is not loaded any more?

use std::collections::BTreeSet;
use std::sync::Arc;

use oxc_ast::ast::ImportDeclaration;
use rb_ecma::Module;
use rb_rules::{Facts, Target, World};

use crate::cleaning::{drops_unused_imports, loads, own_effect};

/// What one file loads is looked through so far.
const MAX_FILES: usize = 3000;

/// All that a file loads, itself with it.
#[derive(Debug, Default)]
struct Loaded {
    /// Those that do something when they are loaded, in their order.
    loud: Vec<String>,
    /// A file that loads itself in the end.
    circle: Option<String>,
    /// A file that uses what it imports while it is loaded.
    reader: Option<String>,
    too_many: bool,
}

/// `Err` says what may be missed. `targets` are the files that are loaded in the place of the index, in their order.
pub(super) fn check(
    world: &dyn World,
    facts: &Facts,
    module: &Module<'_>,
    it: &ImportDeclaration<'_>,
    barrel: &str,
    targets: &[String],
) -> Result<(), String> {
    if is_for_types(world, facts, module, it) {
        return Ok(());
    }
    let loaded = of_barrel(world, barrel);
    if loaded.too_many {
        return Err(format!("`{barrel}` loads too many files to check"));
    }
    if let Some(circle) = &loaded.circle {
        let matters = loaded.reader.as_ref().or(loaded.loud.first());
        return match matters {
            None => Ok(()),
            Some(file) => Err(format!(
                "`{circle}` is part of an import cycle, and `{file}` depends on the load order"
            )),
        };
    }
    if loaded.loud.is_empty() {
        return Ok(());
    }
    let place = it.span.into();
    let before = order(world, &facts.path, None);
    let after = order(world, &facts.path, Some((place, targets)));
    if before.circle.is_some() || before.too_many || before.loud != after.loud {
        let missed =
            loaded.loud.iter().find(|it| !after.loud.contains(it)).unwrap_or(&loaded.loud[0]);
        let why = own_effect(world, missed).map_or_else(String::new, |it| it.words());
        return Err(why);
    }
    Ok(())
}

/// Nothing is loaded by it when the program runs.
fn is_for_types(
    world: &dyn World,
    facts: &Facts,
    module: &Module<'_>,
    it: &ImportDeclaration<'_>,
) -> bool {
    it.import_kind.is_type()
        || (drops_unused_imports(world, &facts.path)
            && !module
                .imports()
                .values()
                .filter(|import| import.declaration.span == it.span)
                .any(|import| !import.is_type && module.value_uses(import.symbol).next().is_some()))
}

fn of_barrel(world: &dyn World, barrel: &str) -> Arc<Loaded> {
    const QUESTION: &str = "all that an index loads";
    if let Some(known) = world.recall(QUESTION, barrel, "")
        && let Ok(known) = known.downcast::<Loaded>()
    {
        return known;
    }
    let found = Arc::new(order(world, barrel, None));
    world.remember(QUESTION, barrel, "", found.clone());
    found
}

/// A file that is being loaded, and what it still has to load, the next one last.
struct Open {
    file: String,
    rest: Vec<String>,
}

/// Files in the order in which they are run. Of the first file one import may be replaced by others.
fn order(
    world: &dyn World,
    first: &str,
    instead: Option<(crate::links::ByteRange, &[String])>,
) -> Loaded {
    let mut loaded = Loaded::default();
    let mut done: BTreeSet<String> = BTreeSet::new();
    let mut entered: BTreeSet<String> = BTreeSet::from([first.to_owned()]);
    let mut open = vec![Open { file: first.to_owned(), rest: next(world, first, instead) }];
    while let Some(top) = open.last_mut() {
        let Some(file) = top.rest.pop() else {
            let file = std::mem::take(&mut top.file);
            open.pop();
            if own_effect(world, &file).is_some() {
                loaded.loud.push(file.clone());
            }
            if loaded.reader.is_none() && loads(world, &file).is_some_and(|it| it.reads_imports) {
                loaded.reader = Some(file.clone());
            }
            done.insert(file);
            continue;
        };
        if done.contains(&file) {
            continue;
        }
        if !entered.insert(file.clone()) {
            loaded.circle.get_or_insert(file);
            continue;
        }
        if entered.len() > MAX_FILES {
            loaded.too_many = true;
            return loaded;
        }
        let rest = next(world, &file, None);
        open.push(Open { file, rest });
    }
    loaded
}

/// What a file loads, the first one last.
fn next(
    world: &dyn World,
    file: &str,
    instead: Option<(crate::links::ByteRange, &[String])>,
) -> Vec<String> {
    let mut found = Vec::new();
    for edge in loads(world, file).iter().flat_map(|it| it.edges.iter()) {
        match (&edge.target, instead) {
            (_, Some((place, targets))) if place == edge.place => {
                found.extend(targets.iter().cloned());
            }
            (Target::File(next), _) => found.push(next.clone()),
            _ => {}
        }
    }
    found.reverse();
    found
}
