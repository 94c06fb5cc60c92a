//! The imports that a change left without a use.

use std::collections::BTreeSet;

use rb_ecma::{Module, with_module};
use rb_lang::Language;
use rb_rules::World;

use super::removal::{Cleaned, clean_names};
use crate::cleaning::is_fixture;

/// Takes away what the file used when its text was `before` and does not use in `after`; what was unused before stays. `world` is the project
/// around the file. `None` for what is no script or does not parse.
pub fn clean_after_change(
    world: &dyn World,
    path: &str,
    before: &str,
    after: &str,
) -> Option<Cleaned> {
    let language = Language::of_path(path.as_bytes())?;
    let facts = world.facts(path)?;
    let used = with_module(language, before, used_names)?;
    with_module(language, after, |module| {
        let is_shown = is_fixture(world, &facts, after);
        (!is_shown).then(|| clean_names(world, &facts, module, &used))
    })?
}

/// The names at the top of a file that something in it uses.
fn used_names(module: &Module<'_>) -> BTreeSet<String> {
    let scoping = module.scoping();
    let top = scoping.get_bindings(scoping.root_scope_id()).iter();
    let used = top.filter(|(_, symbol)| module.uses(**symbol).next().is_some());
    used.map(|(name, _)| name.as_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Project;

    #[track_caller]
    fn check(before: &str, after: &str, expected: &str) {
        let fixture = format!(
            "//- src/a.ts\n{before}//- src/b.ts\nexport const one = 1, two = 2;\n//- src/loud.ts\nexport const x = 1;\nstart();\n"
        );
        Project::new(&fixture).with_world(|planning| {
            let found = clean_after_change(planning.world, "src/a.ts", before, after).unwrap();
            let text = rb_core::edit::apply(after, &found.edits).unwrap();
            assert_eq!(text, expected);
        });
    }

    #[test]
    fn st5_an_import_whose_last_use_went_goes() {
        let before = "import { one, two } from './b';\nexport const x = one + two;\n";
        let after = "import { one, two } from './b';\nexport const x = two;\n";
        check(before, after, "import { two } from './b';\nexport const x = two;\n");
    }

    #[test]
    fn st5_an_import_that_was_unused_before_stays() {
        let before = "import { one, two } from './b';\nexport const x = one;\n";
        check(before, before, before);
        // Written by the change, and used by nothing.
        let after = "import { one, two } from './b';\nexport const x = 1;\n";
        check("export const x = 1;\n", after, after);
    }
}
