//! Ruby: code in `lib/`, tests in `test/`, run by minitest, which comes with Ruby.
//!
//! Neither Bundler nor rake is needed. Tests load the code with `require_relative`, so that no folder of the project is searched
//! for what Ruby brings itself.

use rb_lang::Language;
use rb_toolchains::{Command, Detected, ReportKind, ReportLocation, Runner, Toolchain};

use super::{TestCommand, detected_test, name_below, pascal_case, readme, snake_case, stem};
use crate::runner::{NewProject, Sample, Spec};
use crate::text_file::TextFile;

pub(crate) static RUNNER: Spec = Spec {
    name: "ruby",
    title: "Ruby",
    aliases: &["rb"],
    language: Language::Ruby,
    needs: &[("ruby", "install Ruby with minitest")],
    skeleton,
    is_test,
    is_source,
    test_command: Some(test_command),
    conventions,
    sample,
};

const LOAD_TESTS: &str = r#"Dir["./test/**/*_test.rb"].sort.each { |file| require file }"#;

/// Where rake searches `lib` first, a file of such a name would replace what runs the tests.
const TEST_LIBRARIES: [&str; 5] = ["bundler", "minitest", "rake", "rspec", "test"];

/// The name of the file without its extension.
fn file_name(slug: &str) -> String {
    let name = snake_case(slug);
    if TEST_LIBRARIES.contains(&name.as_str()) { format!("{name}_kata") } else { name }
}

fn skeleton(project: &NewProject<'_>) -> Vec<TextFile> {
    let slug = project.slug;
    let source = format!("# frozen_string_literal: true\n\n# The kata {slug}.\n");
    let tests = format!("Run the tests with `ruby -e '{LOAD_TESTS}'`.");
    vec![
        TextFile::new(".gitignore", "/.bundle/\n"),
        readme(project, "Ruby", &tests),
        TextFile::new(format!("lib/{}.rb", file_name(slug)), source),
    ]
}

/// Without a `Gemfile` nothing shows how tests are run. The seed keeps the order of the tests, and with it the output, the same.
fn test_command(detected: &Detected) -> Command {
    let minitest = TestCommand {
        argv: &["ruby", "-e", LOAD_TESTS],
        reporting: &["ruby", "-e", LOAD_TESTS, "--", "-v", "--seed", "0"],
        kind: ReportKind::MinitestText,
        place: ReportLocation::Printed,
        runner: Some(Runner::Minitest),
        needs: &["ruby"],
        origin: "test",
    };
    detected_test(detected, Toolchain::Ruby).unwrap_or_else(|| minitest.into_command())
}

fn is_test(path: &str) -> bool {
    let name = name_below(path, "test").and_then(|name| stem(name, "rb"));
    name.and_then(|name| name.strip_suffix("_test")).is_some_and(|name| !name.is_empty())
}

fn is_source(path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or_default().to_ascii_lowercase();
    let is_taken = TEST_LIBRARIES.contains(&first.split('.').next().unwrap_or_default());
    name_below(path, "lib").is_some_and(|name| stem(name, "rb").is_some()) && !is_taken
}

fn conventions(slug: &str) -> String {
    let (name, class) = (file_name(slug), pascal_case(slug));
    format!(
        "\
- Tests are in `test/{name}_test.rb`; further test files are `test/NAME_test.rb`.
- The implementation is in `lib/{name}.rb`; further files are `lib/NAME.rb`.
- A test file begins with `require \"minitest/autorun\"` and loads the code with `require_relative \"../lib/{name}\"`.
- A test is a method `test_…` of a class `{class}Test < Minitest::Test`.
- It asserts with `assert_equal`, `assert`, `assert_nil` or `assert_raises`; the expected value comes first.
- A test is named for the behaviour, in snake case: `test_multiples_of_three_are_fizz`.
- Only Ruby itself and minitest are there; nothing can be installed.
"
    )
}

fn sample(slug: &str, sample: Sample) -> Vec<TextFile> {
    let (name, class) = (file_name(slug), pascal_case(slug));
    let source = "# frozen_string_literal: true\n\ndef double(number)\n  2 * number\nend\n";
    let source = TextFile::new(format!("lib/{name}.rb"), source);
    let test = |assertion: &str| {
        let text = format!(
            "\
# frozen_string_literal: true

require \"minitest/autorun\"
require_relative \"../lib/{name}\"

class {class}Test < Minitest::Test
  def test_doubles_a_number
    {assertion}
  end
end
"
        );
        TextFile::new(format!("test/{name}_test.rb"), text)
    };
    match sample {
        Sample::Green => vec![source, test("assert_equal 4, double(2)")],
        Sample::AssertionFails => vec![source, test("assert_equal 5, double(2)")],
        Sample::MissingSymbol => vec![test("assert_equal 4, double(2)")],
        Sample::SyntaxError => vec![source, test("assert_equal 4, double(2")],
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::runner::Runner;
    use crate::runners::checks;

    #[test]
    fn ka7_ruby_paths() {
        checks::paths(
            Runner::Ruby,
            &["test/fizz_buzz_test.rb", "test/rules/fizz_test.rb"],
            &["lib/fizz_buzz.rb", "lib/rules/fizz.rb"],
            &[
                "Gemfile",
                "Rakefile",
                "fizz_buzz.gemspec",
                "config.ru",
                "fizz_buzz.rb",
                "test/test_helper.rb",
                "test/_test.rb",
                "test/data.yml",
                "lib/minitest.rb",
                "lib/minitest/autorun.rb",
                "lib/Minitest.rb",
                "lib/rake.rb",
                "lib/tasks.rake",
                "spec/fizz_buzz_spec.rb",
            ],
        );
    }

    #[test]
    fn ka7_ruby_project() {
        checks::skeleton(
            Runner::Ruby,
            "fizz-buzz",
            &["ruby"],
            None,
            &expect![[r#"
            === .gitignore
            /.bundle/

            === README.md
            # Fizz Buzz

            A code kata in Ruby, developed test-first.

            Run the tests with `ruby -e 'Dir["./test/**/*_test.rb"].sort.each { |file| require file }'`.

            === lib/fizz_buzz.rb
            # frozen_string_literal: true

            # The kata fizz-buzz.

        "#]],
        );
    }
}
