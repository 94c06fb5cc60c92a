//! `add-parameter`: a function gets another parameter, and calls pass it.

use rb_operations::{CallPlace, CallValue, Operation};

use crate::operations;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "add-parameter",
    title: "Add a parameter to a function",
    doc: Doc {
        language: DocLanguage::Python,
        what: "Adds a parameter with its default and annotation. `value` is what all calls pass, or those in the files, folders and functions (`path/to/file.py#Class.method`) of `calls-in`; `value-in-tests` and `value-outside-tests` are for the calls there. `logs=true` also logs a line if the parameter is true.",
        before: "def load(path):\n    return read(path)\n\nload('a')",
        after: "def load(path, strict=False):\n    return read(path)\n\nload('a', strict=True)",
        safe: "Every call that is to pass a value is known, and the name is free.",
        leaves: "Everything, with the places, if a call cannot be followed or the name is taken.",
    },
    wants: &[],
    needs: &["function", "name"],
    takes: &[
        "default",
        "annotation",
        "value",
        "calls-in",
        "value-in-tests",
        "value-outside-tests",
        "logs",
    ],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let owned = |name: &str| planning.optional(name).map(str::to_owned);
    let places = [
        ("value", CallPlace::All),
        ("value-in-tests", CallPlace::Tests),
        ("value-outside-tests", CallPlace::NotTests),
    ];
    let values = places.into_iter().filter_map(|(name, calls)| {
        let value = planning.optional(name)?.to_owned();
        let within = if name == "value" { planning.list("calls-in") } else { Vec::new() };
        Some(CallValue { value, calls, within })
    });
    let operation = Operation::AddParameter {
        function: operations::symbol(planning.argument("function")?)?,
        name: planning.argument("name")?.to_owned(),
        default: owned("default"),
        annotation: owned("annotation"),
        values: values.collect(),
        logs: planning.flag("logs")?,
    };
    operations::plan(planning, &[operation])
}
