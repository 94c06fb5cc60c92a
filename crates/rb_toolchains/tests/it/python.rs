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
          test: python3 -m unittest discover  [pkg/test_a.py imports unittest]
            report: UnittestText Printed: python3 -m unittest discover -v
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
