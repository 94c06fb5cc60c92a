//! The list of recipes, and the page that is made of it.

use expect_test::expect_file;
use rb_recipes::ALL;
use rb_recipes::explain::{explain, markdown};

#[test]
fn ru3_every_recipe_is_documented() {
    let mut page = String::from(
        "# Recipes\n\nRefactorings that are planned over a whole project, and need no model. `refactor-bot rules fix --recipe NAME`\n\
         runs one: `--plan` prints what it would do and what it would leave, `--dry-run` adds the diff. Edits that need each other form\n\
         a chain, which is made as a whole or not at all.\n",
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
