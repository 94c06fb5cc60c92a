//! Repositories in languages that recipes and rules do not read.

use crate::support::{Repo, many, shown};

const SQL: &str = "Replace raw SQL string interpolation with parameterized queries";

/// Files of each language.
fn fixture(python: usize, go: usize, scripts: usize) -> String {
    let text = many(scripts, |at| format!("//- src/f{at}.js\nexport const f{at} = {at};\n"));
    let python = (0..python).map(|at| {
        format!(
            "//- app/p{at}.py\ndef find(db, name):\n    return db.execute(f\"SELECT * FROM t WHERE n = '{{name}}'\")\n"
        )
    });
    let go = (0..go).map(|at| {
        format!("//- cmd/g{at}.go\npackage main\n\nfunc g{at}() int {{ return {at} }}\n")
    });
    let text: String = std::iter::once(text).chain(python).chain(go).collect();
    text + "//- build.sh\necho built\n//- README.md\n# It\n"
}

#[test]
fn rf3_files_of_other_languages_are_no_all_clear() {
    let plan = Repo::asked(&fixture(12, 2, 3), SQL).plan();
    assert_eq!(
        plan.notes,
        [
            "looked for values in SQL strings: nothing found in 3 JavaScript files; 12 Python and 2 Go files were not searched (supported: JavaScript and TypeScript)"
        ]
    );
    assert_eq!(plan.unserved, None);
    // All of them are read.
    let plan = Repo::asked(&fixture(0, 0, 3), SQL).plan();
    assert_eq!(plan.notes, ["looked for values in SQL strings: nothing found"]);
}

#[test]
fn rf3_where_nothing_can_be_read_the_directive_is_not_served() {
    let repo = Repo::asked(&fixture(2, 0, 0), &format!("{SQL} and remove dead code"));
    let plan = repo.plan();
    let unserved = plan.unserved.as_ref().unwrap_or_else(|| panic!("{}", shown(&plan)));
    assert_eq!(
        unserved.why,
        "the search for unused code and values in SQL strings only supports JavaScript and TypeScript, and there are no such files; 2 Python files were not searched"
    );
    assert!(!unserved.settings.is_empty() && plan.matched.is_empty() && plan.notes.is_empty());
    // A model reads it.
    let mut repo = repo.with_model();
    repo.found = vec!["app/p0.py".to_owned()];
    let plan = repo.plan();
    assert_eq!((plan.tasks.len(), plan.unserved), (1, None));
    // One place of a repository that has scripts elsewhere.
    let plan = Repo::asked(&fixture(2, 0, 3), &format!("{SQL} in app/p1.py")).plan();
    assert!(
        plan.unserved
            .expect("the directive is not served")
            .why
            .ends_with("1 Python file was not searched")
    );
}

#[test]
fn rf3_a_rule_of_the_project_reads_its_language() {
    let rule = "id: no-execute\nlanguage: Python\nmessage: no\nrule:\n  pattern: exec($A)\n";
    let mut repo = Repo::asked(&fixture(2, 1, 3), "apply no-execute");
    repo.own = vec![(".refactor-bot/rules/e.yml".to_owned(), rule.to_owned())];
    let note = "looked for `no-execute`: nothing found in 2 Python files; 3 JavaScript and 1 Go files were not searched (supported: Python)";
    assert_eq!(repo.plan().notes, [note]);
    repo.directive = None;
    let note =
        "1 Go file was skipped: recipes and rules only support JavaScript, TypeScript and Python";
    assert_eq!(repo.plan().notes, [note]);
}

#[test]
fn rf3_a_whole_repository_says_what_nothing_reads() {
    let plan = Repo::new(&fixture(12, 2, 3)).plan();
    assert_eq!(
        plan.notes,
        [
            "12 Python and 2 Go files were skipped: recipes and rules only support JavaScript and TypeScript"
        ]
    );
    assert_eq!(Repo::new(&fixture(0, 0, 3)).plan().notes, [""; 0]);
}
