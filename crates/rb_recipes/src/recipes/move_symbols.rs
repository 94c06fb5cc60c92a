//! `move`: top-level symbols go to another module, methods out of their class.

use rb_operations::Operation;

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "move",
    title: "Move functions, classes and constants to another module",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Moves top-level symbols to another module, which is created if it does not exist, or methods out of their class. The code takes the imports that it needs along; all imports and uses in the project follow. Several symbols are separated by commas: `a.py#f, g`.",
        before: "# a.py\ndef area(side):\n    return side ** 2\n\n# b.py\nfrom a import area",
        after: "# shapes.py\ndef area(side):\n    return side ** 2\n\n# b.py\nfrom shapes import area",
        safe: "Every use is known, and the move makes no import cycle that breaks the program.",
        leaves: "Everything, with the places, if a use cannot be followed or a name is taken. Mentions in prose are listed.",
    },
    wants: &[],
    needs: &["symbol", "to"],
    takes: &[],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let symbols = operations::symbols(&planning.list("symbol"))?;
    let to = operations::path(planning.argument("to")?);
    let of_class = symbols.iter().filter(|symbol| symbol.name.contains('.')).count();
    if symbols.is_empty() || (of_class > 0 && of_class < symbols.len()) {
        let message = "`symbol` names top-level symbols or methods of classes, not both";
        return Err(PlanError::Argument(message.to_owned()));
    }
    let operation = if of_class > 0 {
        Operation::MoveMethod { methods: symbols, to }
    } else {
        Operation::Move { symbols, to }
    };
    operations::plan(planning, &[operation])
}
