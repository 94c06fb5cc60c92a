//! `rename-module`: a module or package gets another name or folder.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "rename-module",
    title: "Rename or move a module, package or folder",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Gives a module or package another name or folder, and updates all imports and strings that name it.",
        before: "# shop/data.py\n\n# shop/cart.py\nfrom shop.data import load",
        after: "# shop/orders.py\n\n# shop/cart.py\nfrom shop.orders import load",
        safe: "Every use of the module is known, and the new name is free.",
        leaves: "Everything, with the places, if a use cannot be followed or the name is taken. Mentions in prose are listed.",
    },
    wants: &[],
    needs: &["path", "to"],
    takes: &[],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let path = operations::path(planning.argument("path")?);
    let to = operations::path(planning.argument("to")?);
    operations::plan(planning, &[Operation::RenameModule { path, to }])
}
