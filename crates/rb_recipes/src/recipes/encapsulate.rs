//! `encapsulate`: functions become static methods of a new class, and calls follow.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "encapsulate",
    title: "Put functions into a class as static methods",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Makes functions of one module static methods of a new class in it, and rewrites all calls. Several are separated by commas: `a.py#f, g`.",
        before: "def area(side):\n    return side ** 2\n\narea(2)",
        after: "class Shapes:\n    @staticmethod\n    def area(side):\n        return side ** 2\n\nShapes.area(2)",
        safe: "Every use is known, and the name of the class is free.",
        leaves: "Everything, with the places, if a use cannot be followed or the name is taken. Mentions in prose are listed.",
    },
    wants: &[],
    needs: &["functions", "class"],
    takes: &[],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let functions = operations::symbols(&planning.list("functions"))?;
    let class = planning.argument("class")?.to_owned();
    operations::plan(planning, &[Operation::Encapsulate { functions, class }])
}
