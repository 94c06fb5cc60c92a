//! Rules as their authors see them: a file goes in, findings, fixes and complaints come out.

mod docs;
mod faults;
mod find;
mod fuzz;
mod hostile;
mod languages;
mod results;

use rb_patterns::Rules;

/// Files are looked at on several threads at once.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Rules>();
};

/// Rules from one file that has no faults.
#[track_caller]
fn load(text: &str) -> Rules {
    let (rules, errors) = Rules::load(&[("rules/a.yml", text)], &|_| false);
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    rules
}
