//! The examples of the user documentation are rules that load and whose tests pass.

use rb_patterns::Rules;

#[test]
fn ru4_every_example_of_the_docs_works() {
    let page = include_str!("../../../../docs/custom-rules.md");
    let examples: Vec<&str> = page
        .split("```yaml\n")
        .skip(1)
        .map(|rest| rest.split("```").next().expect("split gives one piece at least"))
        .collect();
    assert!(examples.len() >= 3);
    for example in examples {
        let (rules, errors) = Rules::load(&[("docs/custom-rules.md", example)], &|_| false);
        assert!(errors.is_empty(), "{errors:?}\n{example}");
        for result in rules.test() {
            assert!(result.is_ok() && !result.code.is_empty(), "{result}\n{example}");
        }
    }
}
