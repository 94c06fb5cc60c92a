//! Python projects: which runner, which interpreter, which checkers.

use expect_test::expect;

use crate::check;

#[test]
fn ve1_pytest_is_found_by_its_settings() {
    check(
        "//- pyproject.toml\n[project]\nname = \"a\"\n[tool.pytest.ini_options]\ntestpaths = [\"t\"]\n//- a.py\n",
        &expect![[r#"
            .: a, python, pip
              test: python3 -m pytest  [pyproject.toml [tool.pytest.ini_options]]
                report: JunitXml File: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
                select files: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
        "#]],
    );
    check(
        "//- setup.cfg\n[tool:pytest]\n//- a.py\n",
        &expect![[r#"
        .: (no name), python, pip
          test: python3 -m pytest  [setup.cfg [tool:pytest]]
            report: JunitXml File: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
            select files: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
    "#]],
    );
    check(
        "//- tox.ini\n[testenv]\ndeps = pytest-cov\n//- a.py\n",
        &expect![[r#"
        .: (no name), python, pip
          test: python3 -m pytest  [tox.ini asks for pytest]
            report: JunitXml File: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
            select files: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
    "#]],
    );
    check(
        "//- setup.py\nsetup()\n//- tests/conftest.py\n",
        &expect![[r#"
        .: (no name), python, pip
          test: python3 -m pytest  [tests/conftest.py settings of pytest]
            report: JunitXml File: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
            select files: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
    "#]],
    );
    check(
        "//- requirements-dev.txt\npytest>=7\n//- setup.py\n",
        &expect![[r#"
        .: (no name), python, pip
          test: python3 -m pytest  [requirements-dev.txt asks for pytest]
            report: JunitXml File: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
            select files: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
    "#]],
    );
    check(
        "//- setup.py\n//- tests/test_a.py\nimport os\nimport pytest\n",
        &expect![[r#"
        .: (no name), python, pip
          test: python3 -m pytest  [tests/test_a.py imports pytest]
            report: JunitXml File: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
            select files: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
    "#]],
    );
}

#[test]
fn ve1_unittest_django_and_own_runners() {
    check(
        "//- setup.py\n//- tests/__init__.py\n//- tests/test_a.py\nimport unittest\n",
        &expect![[r#"
            .: (no name), python, pip
              test: python3 -m unittest discover -s tests -t .  [tests/test_a.py imports unittest]
                report: UnittestText Printed: python3 -m unittest discover -s tests -t . -v
        "#]],
    );
    check(
        "//- setup.py\n//- test/test_a.py\nfrom unittest import TestCase\n",
        &expect![[r#"
        .: (no name), python, pip
          test: python3 -m unittest discover -s test  [test/test_a.py imports unittest]
            report: UnittestText Printed: python3 -m unittest discover -s test -v
    "#]],
    );
    check(
        "//- setup.py\n//- pkg/test_a.py\nimport unittest\n",
        &expect![[r#"
            .: (no name), python, pip
              test: python3 -m unittest discover -s pkg  [pkg/test_a.py imports unittest]
                report: UnittestText Printed: python3 -m unittest discover -s pkg -v
        "#]],
    );
    check(
        "//- manage.py\nfrom django.core import x\n",
        &expect![[r#"
        .: (no name), python, pip
          test: python3 manage.py test  [manage.py Django]
            report: UnittestText Printed: python3 manage.py test -v 2
    "#]],
    );
    check(
        "//- setup.py\n//- tests/runtests.py\n",
        &expect![[r#"
        .: (no name), python, pip
          test: python3 runtests.py in tests  [tests/runtests.py the project's own runner]
            report: UnittestText Printed: python3 runtests.py -v 2
    "#]],
    );
    check(
        "//- setup.py\n",
        &expect![[r#"
        .: (no name), python, pip
        note: no command was found
    "#]],
    );
}

#[test]
fn ve1_unittest_begins_where_its_tests_are() {
    check(
        "//- setup.py\n//- a/__init__.py\n//- a/tests/__init__.py\n//- a/tests/x_test.py\nimport unittest\n",
        &expect![[r#"
            .: (no name), python, pip
              test: python3 -m unittest discover -p '*_test.py'  [a/tests/x_test.py imports unittest]
                report: UnittestText Printed: python3 -m unittest discover -p *_test.py -v
        "#]],
    );
    check(
        "//- setup.py\n//- src/a/__init__.py\n//- src/a/test_x.py\nimport unittest\n",
        &expect![[r#"
            .: (no name), python, pip
              test: python3 -m unittest discover -s src  [src/a/test_x.py imports unittest]
                report: UnittestText Printed: python3 -m unittest discover -s src -v
        "#]],
    );
    check(
        "//- lib/setup.py\n//- lib/one/two/test_x.py\nimport unittest\n",
        &expect![[r#"
            lib: (no name), python, pip
              test: python3 -m unittest discover -s one/two  [lib/one/two/test_x.py imports unittest]
                report: UnittestText Printed: python3 -m unittest discover -s one/two -v
        "#]],
    );
    check(
        "//- tox.ini\n[tox]\ncommands = no\n[testenv]\ncommands = python -m unittest discover -p *_test.py {posargs}\n//- a.py\n",
        &expect![[r#"
            .: (no name), python, pip
              test: python3 -m unittest discover -p '*_test.py'  [tox.ini [testenv]]
                report: UnittestText Printed: python3 -m unittest discover -p *_test.py -v
        "#]],
    );
    check(
        "//- tox.ini\n[testenv]\nchangedir = src\ncommands =\n    python setup.py build\n    {envpython} -W error -m unittest\n[testenv:x]\n//- src/a.py\n",
        &expect![[r#"
            .: (no name), python, pip
              test: python3 -W error -m unittest in src  [tox.ini [testenv]]
                report: UnittestText Printed: python3 -W error -m unittest -v
        "#]],
    );
    check(
        "//- tox.ini\n[testenv]\ncommands = python -m unittest {toxinidir}/x\n//- test_a.py\nimport unittest\n",
        &expect![[r#"
            .: (no name), python, pip
              test: python3 -m unittest discover  [test_a.py imports unittest]
                report: UnittestText Printed: python3 -m unittest discover -v
        "#]],
    );
}

#[test]
fn ve1_a_folder_of_tests_needs_no_manifest() {
    check(
        "//- bowling.py\n//- bowling_test.py\nimport unittest\n",
        &expect![[r#"
        .: (no name), python, pip
          test: python3 -m unittest discover -p '*_test.py'  [bowling_test.py imports unittest]
            report: UnittestText Printed: python3 -m unittest discover -p *_test.py -v
    "#]],
    );
    check(
        "//- a.py\n//- tests/test_a.py\nimport pytest\n",
        &expect![[r#"
        .: (no name), python, pip
          test: python3 -m pytest  [tests/test_a.py imports pytest]
            report: JunitXml File: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
            select files: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
    "#]],
    );
    check(
        "//- a.py\n//- tools/test_a.py\nimport pytest\n",
        &expect![[r#"
        note: no command was found
    "#]],
    );
}

#[test]
fn ve1_the_interpreter_is_the_projects_own() {
    let project = "//- pyproject.toml\n[project]\nname = \"a\"\ndependencies = []\n[tool.pytest]\n[tool.ruff]\n//- a.py\n";
    check(
        &format!("{project}//- .venv/bin/python\n"),
        &expect![[r#"
        .: a, python, pip
          lint: python -m ruff check .  [pyproject.toml [tool.ruff]]
          test: python -m pytest  [pyproject.toml [tool.pytest]]
            report: JunitXml File: python -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
            select files: python -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
    "#]],
    );
    check(
        &format!("{project}//- uv.lock\n"),
        &expect![[r#"
        .: a, python, uv
          lint: python3 -m ruff check .  [pyproject.toml [tool.ruff]]
          test: python3 -m pytest  [pyproject.toml [tool.pytest]]
            report: JunitXml File: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
            select files: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
    "#]],
    );
}

#[test]
fn ve1_python_checkers_where_they_are_configured() {
    check(
        r#"
//- pyproject.toml
[tool.mypy]
strict = true
[tool.ruff.format]
quote-style = "single"
[tool.black]
//- .flake8
[flake8]
//- a.py
"#,
        &expect![[r#"
            .: (no name), python, pip
              typecheck: python3 -m mypy .  [pyproject.toml [tool.mypy]]
              lint: python3 -m ruff check .  [pyproject.toml [tool.ruff]]
              format: python3 -m ruff format --check .  [pyproject.toml [tool.ruff.format]]
        "#]],
    );
}
