//! Where references lead: every one to a definition, and none in a circle that never goes into the value.

use std::collections::BTreeMap;

use crate::error::Refusal;
use crate::node::{Definitions, Node};
use crate::parse::Refused;

/// Refuses a reference to nothing, and one that comes back to itself on the same value.
pub(crate) fn check(root: &Node, definitions: &Definitions) -> Result<(), Refused> {
    for node in definitions.values().chain([root]) {
        all_known(node, definitions)?;
    }
    let mut state = BTreeMap::new();
    for name in definitions.keys() {
        circle_from(name, definitions, &mut state)?;
    }
    Ok(())
}

fn all_known(node: &Node, definitions: &Definitions) -> Result<(), Refused> {
    if let Some(reference) = &node.reference
        && !definitions.contains_key(&reference.to)
    {
        return Err((reference.pointer.clone(), Refusal::NoSuchDefinition));
    }
    node.in_place().chain(node.inside()).try_for_each(|node| all_known(node, definitions))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Done,
}

/// Depth first, without recursion: a chain of definitions may be as long as the schema.
fn circle_from<'d>(
    start: &'d str,
    definitions: &'d Definitions,
    state: &mut BTreeMap<&'d str, State>,
) -> Result<(), Refused> {
    let mut open = vec![(start, Visit::Enter)];
    while let Some((name, visit)) = open.pop() {
        match (visit, state.get(name)) {
            (Visit::Leave, _) => {
                state.insert(name, State::Done);
            }
            (Visit::Enter, Some(State::Done)) => {}
            (Visit::Enter, Some(State::Open)) => {
                return Err((name.trim_start_matches('#').to_owned(), Refusal::Circle));
            }
            (Visit::Enter, None) => {
                state.insert(name, State::Open);
                open.push((name, Visit::Leave));
                let mut names = Vec::new();
                definitions.get(name).into_iter().for_each(|node| same_place(node, &mut names));
                open.extend(names.into_iter().map(|name| (name, Visit::Enter)));
            }
        }
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Visit {
    Enter,
    Leave,
}

/// The definitions that look at the same value as `node`.
fn same_place<'d>(node: &'d Node, names: &mut Vec<&'d str>) {
    names.extend(node.reference.iter().map(|reference| reference.to.as_str()));
    node.in_place().for_each(|node| same_place(node, names));
}
