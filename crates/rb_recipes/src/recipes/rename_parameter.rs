//! `rename-parameter`: a parameter gets another name, and keyword arguments follow.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "rename-parameter",
    title: "Rename a parameter of a function",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Renames a parameter, its uses in the function, and the keyword arguments of all calls.",
        before: "def load(p):\n    return read(p)\n\nload(p='a')",
        after: "def load(path):\n    return read(path)\n\nload(path='a')",
        safe: "Every call with keyword arguments is known, and the new name is free.",
        leaves: "Everything, with the places, if a call cannot be followed or the name is taken.",
    },
    wants: &[],
    needs: &["function", "parameter", "to"],
    takes: &[],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let function = operations::symbol(planning.argument("function")?)?;
    let parameter = planning.argument("parameter")?.to_owned();
    let to = planning.argument("to")?.to_owned();
    operations::plan(planning, &[Operation::RenameParameter { function, parameter, to }])
}
