//! Python: one module or package at the root, its tests in `tests/`, run by the standard library's `unittest`.
//!
//! Python looks for modules in the root first. A file there with the name of a standard module would take its place, so no agent
//! may write one.

use rb_lang::Language;
use rb_toolchains::{Command, Detected, ReportKind, ReportLocation, Runner, Toolchain};

use super::{TestCommand, detected_test, is_word_of, parts, pascal_case, readme, snake_case, stem};
use crate::runner::{NewProject, Sample, Spec};
use crate::text_file::TextFile;

pub(crate) static RUNNER: Spec = Spec {
    name: "python",
    title: "Python",
    aliases: &["py", "python3"],
    language: Language::Python,
    needs: &[("python3", "install Python 3")],
    skeleton,
    is_test,
    is_source,
    test_command: Some(test_command),
    conventions,
    sample,
};

/// Modules of the standard library, keywords, and what test runners and build tools load by its name.
const RESERVED: &str = "\
    abc aifc and annotationlib antigravity argparse array as assert ast async asynchat asyncio \
    asyncore atexit audioop await base64 bdb binascii bisect break builtins bz2 calendar cgi cgitb \
    chunk class cmath cmd code codecs codeop collections colorsys compileall compression \
    concurrent configparser conftest contextlib contextvars continue copy copyreg cProfile crypt \
    csv ctypes curses dataclasses datetime dbm decimal def del difflib dis distutils doctest elif \
    else email encodings ensurepip enum errno except False faulthandler fcntl filecmp fileinput \
    finally fnmatch for fractions from ftplib functools gc genericpath getopt getpass gettext glob \
    global graphlib grp gzip hashlib heapq hmac html http idlelib if imaplib imghdr imp import \
    importlib in inspect io ipaddress is itertools json keyword lambda lib2to3 linecache locale \
    logging lzma mailbox mailcap manage marshal math mimetypes mmap modulefinder msilib msvcrt \
    multiprocessing netrc nis nntplib None nonlocal not noxfile nt ntpath nturl2path numbers \
    opcode operator optparse or os ossaudiodev pass pathlib pdb pickle pickletools pip pipes \
    pkg_resources pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd \
    py_compile pyclbr pydoc pydoc_data pyexpat pytest queue quopri raise random re readline \
    reprlib resource return rlcompleter runpy runtests sched secrets select selectors setup \
    setuptools shelve shlex shutil signal site sitecustomize smtpd smtplib sndhdr socket \
    socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string \
    stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib \
    tempfile termios test tests textwrap this threading time timeit tkinter token tokenize tomllib \
    trace traceback tracemalloc True try tty turtle turtledemo types typing unicodedata unittest \
    urllib usercustomize uu uuid venv warnings wave weakref webbrowser wheel while winreg winsound \
    with wsgiref xdrlib xml xmlrpc yield zipapp zipfile zipimport zlib zoneinfo";

/// As in `from fizz_buzz import …`. Test runners take a name that begins or ends with `test` for a test.
fn module(slug: &str) -> String {
    let mut name = snake_case(slug);
    if is_word_of(RESERVED, &name) || name.ends_with("_test") {
        name.push_str("_kata");
    }
    if name.starts_with("test_") { format!("kata_{name}") } else { name }
}

const TESTS: &str = "Run the tests with `python3 -m unittest discover -s tests -t .`.";

fn skeleton(project: &NewProject<'_>) -> Vec<TextFile> {
    let slug = project.slug;
    let doc = format!("\"\"\"The kata {slug}.\"\"\"\n");
    vec![
        TextFile::new(".gitignore", "__pycache__/\n"),
        readme(project, "Python", TESTS),
        TextFile::new(format!("{}.py", module(slug)), doc),
        // Discovery goes only into packages.
        TextFile::new("tests/__init__.py", format!("\"\"\"Tests of the kata {slug}.\"\"\"\n")),
    ]
}

/// Before there is a test, nothing shows how tests are run.
fn test_command(detected: &Detected) -> Command {
    let unittest = TestCommand {
        argv: &["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."],
        reporting: &["python3", "-m", "unittest", "discover", "-s", "tests", "-t", ".", "-v"],
        kind: ReportKind::UnittestText,
        place: ReportLocation::Printed,
        runner: Some(Runner::Unittest),
        needs: &["python3"],
        origin: "tests",
    };
    detected_test(detected, Toolchain::Python).unwrap_or_else(|| unittest.into_command())
}

/// Neither `conftest.py` nor `__init__.py`: both can change how tests are run.
fn is_test(path: &str) -> bool {
    let Some(parts) = parts(path) else { return false };
    let is_folder = matches!(parts.as_slice(), ["tests" | "test", _, ..]);
    let name = parts.last().and_then(|name| stem(name, "py"));
    is_folder && name.is_some_and(|name| name.starts_with("test_"))
}

fn is_source(path: &str) -> bool {
    let Some(parts) = parts(path) else { return false };
    let Some(name) = parts.last().and_then(|name| stem(name, "py")) else { return false };
    // Case does not matter on every disk.
    let name = name.to_ascii_lowercase();
    let is_for_tests = name == "conftest" || name.starts_with("test_") || name.ends_with("_test");
    // Python looks for modules in the root, and in `src` where there is one.
    let first = match parts.as_slice() {
        ["src", first, ..] | [first, ..] => *first,
        [] => return false,
    };
    let first = stem(first, "py").unwrap_or(first);
    let is_taken = first.starts_with('_')
        || RESERVED.split_whitespace().any(|word| word.eq_ignore_ascii_case(first));
    !is_for_tests && !is_taken
}

fn conventions(slug: &str) -> String {
    let (module, class) = (module(slug), pascal_case(slug));
    format!(
        "\
- Tests are in `tests/test_{module}.py`; further test files are `tests/test_NAME.py`.
- The implementation is in `{module}.py`; further modules lie beside it. None has the name of a standard module.
- A test file begins with `import unittest` and imports the code with `from {module} import …`.
- A test is a method `test_…` of a class `{class}Test(unittest.TestCase)`.
- It asserts with the methods of `TestCase`: `assertEqual`, `assertTrue`, `assertRaises`.
- A test is named for the behaviour, in snake case: `test_multiples_of_three_are_fizz`.
- Only the standard library is there, without pytest; nothing can be installed.
"
    )
}

fn sample(slug: &str, sample: Sample) -> Vec<TextFile> {
    let (module, class) = (module(slug), pascal_case(slug));
    let source = "def double(number):\n    return 2 * number\n";
    let source = TextFile::new(format!("{module}.py"), source);
    let test = |assertion: &str| {
        let text = format!(
            "\
import unittest

from {module} import double


class {class}Test(unittest.TestCase):
    def test_doubles_a_number(self):
        {assertion}
"
        );
        TextFile::new(format!("tests/test_{module}.py"), text)
    };
    match sample {
        Sample::Green => vec![source, test("self.assertEqual(double(2), 4)")],
        Sample::AssertionFails => vec![source, test("self.assertEqual(double(2), 5)")],
        Sample::MissingSymbol => vec![test("self.assertEqual(double(2), 4)")],
        Sample::SyntaxError => vec![source, test("self.assertEqual(double(2), 4")],
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::module;
    use crate::runner::Runner;
    use crate::runners::checks;

    #[test]
    fn ka7_python_paths() {
        checks::paths(
            Runner::Python,
            &["tests/test_fizz_buzz.py", "tests/unit/test_a.py", "test/test_a.py"],
            &["fizz_buzz.py", "bank/__init__.py", "bank/account.py", "src/bank/account.py"],
            &[
                "tests/__init__.py",
                "tests/conftest.py",
                "tests/runtests.py",
                "tests/helpers.py",
                "conftest.py",
                "bank/conftest.py",
                "setup.py",
                "noxfile.py",
                "sitecustomize.py",
                "__init__.py",
                "__main__.py",
                "_private.py",
                "pyproject.toml",
                "setup.cfg",
                "requirements.txt",
                "test_fizz_buzz.py",
                "fizz_buzz_test.py",
                "Tests/test_a.py",
                "bank/data.json",
                "bank.pyc",
                "test",
                // They would take the place of what tests stand on.
                "unittest.py",
                "unittest/__init__.py",
                "Unittest.py",
                "traceback.py",
                "re.py",
                "json/decoder.py",
                "src/unittest.py",
                "src/test_fizz_buzz.py",
            ],
        );
    }

    #[test]
    fn ka7_no_python_kata_takes_the_name_of_a_module_that_exists() {
        let check = |slug: &str, name: &str| assert_eq!(module(slug), name);
        check("fizz-buzz", "fizz_buzz");
        check("calendar", "calendar_kata");
        check("string", "string_kata");
        check("lambda", "lambda_kata");
        check("tests", "tests_kata");
        check("test-run", "kata_test_run");
        check("unit-test", "unit_test_kata");
    }

    #[test]
    fn ka7_python_project() {
        checks::skeleton(
            Runner::Python,
            "fizz-buzz",
            &["python3"],
            None,
            &expect![[r#"
            === .gitignore
            __pycache__/

            === README.md
            # Fizz Buzz

            A code kata in Python, developed test-first.

            Run the tests with `python3 -m unittest discover -s tests -t .`.

            === fizz_buzz.py
            """The kata fizz-buzz."""

            === tests/__init__.py
            """Tests of the kata fizz-buzz."""

        "#]],
        );
    }
}
