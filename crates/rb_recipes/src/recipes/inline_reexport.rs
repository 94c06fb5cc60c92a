//! `inline-reexport`: a name is imported from where it is defined.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "inline-reexport",
    title: "Import a name from the module that defines it",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Rewrites imports of a name through another module so that they name the module that defines it. `files` limits it to some files.",
        before: "# user.py\nfrom shop import total  # shop/__init__.py imports it from shop.cart",
        after: "# user.py\nfrom shop.cart import total",
        safe: "The module that defines the name is known.",
        leaves: "Everything, with the places, if an import cannot be followed.",
    },
    wants: &[],
    needs: &["symbol"],
    takes: &["files"],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let symbol = operations::symbol(planning.argument("symbol")?)?;
    let files = planning.list("files").iter().map(|path| operations::path(path)).collect();
    operations::plan(planning, &[Operation::InlineReexport { symbol, files }])
}
