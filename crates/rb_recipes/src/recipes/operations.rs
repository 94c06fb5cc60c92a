//! `operations`: a chain of operations as one change, each over what the ones before it made.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "operations",
    title: "Structural changes of Python, JavaScript and TypeScript",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Carries out operations one after the other, as one change. `operations` is their list as JSON: `[{\"operation\": \"move\", \"symbols\": [\"a.py#f\"], \"to\": \"b.py\"}]`. Directives become such lists.",
        before: "# a.py\ndef area(side):\n    return side ** 2",
        after: "# shapes.py\ndef square_area(side):\n    return side ** 2",
        safe: "Each operation is complete.",
        leaves: "Everything, with the places, if one of them cannot be complete.",
    },
    wants: &[],
    needs: &["operations"],
    takes: &[],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let text = planning.argument("operations")?;
    let chain: Vec<Operation> = serde_json::from_str(text).map_err(|error| {
        PlanError::Argument(format!("`operations` is no list of operations: {error}"))
    })?;
    operations::plan(planning, &chain)
}
