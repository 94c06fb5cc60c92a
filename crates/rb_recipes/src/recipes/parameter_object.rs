//! `parameter-object`: parameters of a function become one object, and calls pass it.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "parameter-object",
    title: "Wrap parameters of a function in an object",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Declares a dataclass with the parameters, in the file of the function or in `module`, and rewrites the function and all calls. `parameters` names those to wrap; all but `self` and `cls` otherwise.",
        before: "def draw(x, y):\n    return x + y\n\ndraw(1, 2)",
        after: "@dataclass\nclass Point:\n    x: Any\n    y: Any\n\ndef draw(point):\n    return point.x + point.y\n\ndraw(Point(1, 2))",
        safe: "Every call is known, and no parameter is variadic.",
        leaves: "Everything, with the places, if a call cannot be followed or a name is taken.",
    },
    wants: &[],
    needs: &["function", "class"],
    takes: &["module", "parameters"],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let operation = Operation::ParameterObject {
        function: operations::symbol(planning.argument("function")?)?,
        class: planning.argument("class")?.to_owned(),
        module: planning.optional("module").map(operations::path).unwrap_or_default(),
        parameters: planning.list("parameters"),
    };
    operations::plan(planning, &[operation])
}
