//! `reorder-parameters`: the parameters of a function get another order, and calls follow.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "reorder-parameters",
    title: "Reorder the parameters of a function",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Puts all parameters into the order given, and the positional arguments of all calls.",
        before: "def copy(to, source):\n    ...\n\ncopy('b', 'a')",
        after: "def copy(source, to):\n    ...\n\ncopy('a', 'b')",
        safe: "Every call is known, and the order is valid.",
        leaves: "Everything, with the places, if a call cannot be followed.",
    },
    wants: &[],
    needs: &["function", "order"],
    takes: &[],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let function = operations::symbol(planning.argument("function")?)?;
    let order = planning.list("order");
    operations::plan(planning, &[Operation::ReorderParameters { function, order }])
}
