//! `merge`: modules become one, and the old ones are removed.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "merge",
    title: "Merge modules into one",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Moves everything of some modules into one, which is created if it does not exist, removes them, and updates all imports. With `merge-tests=true` their test files are merged, too.",
        before: "# dates.py\nDAYS = 7\n\n# report.py\nfrom dates import DAYS",
        after: "# calendar_data.py\nDAYS = 7\n\n# report.py\nfrom calendar_data import DAYS",
        safe: "Every use of the modules is known, and no two names are the same.",
        leaves: "Everything, with the places, if a use cannot be followed or names collide. Mentions in prose are listed.",
    },
    wants: &[],
    needs: &["modules", "into"],
    takes: &["merge-tests"],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let modules = planning.list("modules").iter().map(|path| operations::path(path)).collect();
    let into = operations::path(planning.argument("into")?);
    let merge_tests = planning.flag("merge-tests")?;
    operations::plan(planning, &[Operation::Merge { modules, into, merge_tests }])
}
