//! `remove-parameter`: a function loses a parameter, and calls no longer pass it.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "remove-parameter",
    title: "Remove a parameter of a function",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Removes a parameter that the function does not use, and its argument in all calls.",
        before: "def load(path, mode):\n    return read(path)\n\nload('a', 'r')",
        after: "def load(path):\n    return read(path)\n\nload('a')",
        safe: "The function does not use it, every call is known, and its arguments have no effects.",
        leaves: "Everything, with the places, if the parameter is used or a call cannot be followed.",
    },
    wants: &[],
    needs: &["function", "name"],
    takes: &[],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let function = operations::symbol(planning.argument("function")?)?;
    let name = planning.argument("name")?.to_owned();
    operations::plan(planning, &[Operation::RemoveParameter { function, name }])
}
