//! `replace-duplicate`: a copy of a definition is removed and the original imported.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "replace-duplicate",
    title: "Replace a copy of a definition by an import",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Removes a definition that is the same as another one, and imports that one where the copy stood.",
        before: "# a.py\ndef clean(text):\n    return text.strip()\n\n# b.py\ndef clean(text):\n    return text.strip()",
        after: "# a.py\ndef clean(text):\n    return text.strip()\n\n# b.py\nfrom a import clean",
        safe: "Both definitions do the same, and the import makes no cycle.",
        leaves: "Everything, with the places, if the definitions differ or a use cannot be followed.",
    },
    wants: &[],
    needs: &["keep", "remove"],
    takes: &[],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let keep = operations::symbol(planning.argument("keep")?)?;
    let remove = operations::symbol(planning.argument("remove")?)?;
    operations::plan(planning, &[Operation::ReplaceDuplicate { keep, remove }])
}
