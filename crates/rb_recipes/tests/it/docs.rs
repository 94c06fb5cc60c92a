//! The list of recipes, and the page that is made of it.

use expect_test::expect_file;
use rb_recipes::ALL;
use rb_recipes::explain::{explain, markdown};

#[test]
fn ru3_every_recipe_is_documented() {
    let mut page = String::from(
        "# Recipes\n\nRefactorings over a whole project that need no model. `refactor-bot rules fix --recipe NAME` runs one: `--plan` prints\n\
         what it would change and what it would not, `--dry-run` adds the diff. Edits that depend on each other form a chain, which\n\
         is applied completely or not at all.\n",
    );
    for recipe in ALL {
        page.push('\n');
        page.push_str(&markdown(recipe));
        let text = explain(recipe);
        for part in [recipe.title, recipe.doc.what, recipe.doc.safe, recipe.doc.leaves] {
            assert!(!part.trim().is_empty() && text.contains(part), "{}: {text}", recipe.id);
        }
    }
    expect_file!["../../../../docs/recipes.md"].assert_eq(&page);
}

#[test]
fn ru3_names_are_told_apart() {
    let mut ids: Vec<&str> = ALL.iter().map(|it| it.id).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    assert!(ids.iter().all(|id| rb_recipes::recipes::find(id).is_some()));
    assert!(rb_recipes::recipes::find("no-such").is_none());
}
