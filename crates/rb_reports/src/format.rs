//! The formats that are read. What is written by a machine for a machine comes first; the `…Text` formats are
//! the terminal output of a runner and the fallback.

use serde::Serialize;

/// One way in which a runner tells its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Of pytest, Surefire, Gradle, vitest, nextest, `PHPUnit`, node, gotestsum and others. jest-junit leaves out
    /// suites that could not be loaded unless `reportTestSuiteErrors` is set: ask jest for its JSON.
    JunitXml,
    Trx,
    Tap,
    /// Also of vitest.
    JestJson,
    MochaJson,
    RspecJson,
    GoTestJson,
    /// `libtest-json` and `libtest-json-plus`, of nextest or of libtest itself.
    NextestJson,
    LibtestText,
    JestText,
    VitestText,
    MochaText,
    AvaText,
    NodeText,
    PytestText,
    UnittestText,
    NextestText,
    GoTestText,
    MavenText,
    GradleText,
    RspecText,
    MinitestText,
    PhpunitText,
    DotnetText,
}

/// Where a runner prints its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

impl Format {
    pub const ALL: &[Format] = &[
        Format::JunitXml,
        Format::Trx,
        Format::Tap,
        Format::JestJson,
        Format::MochaJson,
        Format::RspecJson,
        Format::GoTestJson,
        Format::NextestJson,
        Format::LibtestText,
        Format::JestText,
        Format::VitestText,
        Format::MochaText,
        Format::AvaText,
        Format::NodeText,
        Format::PytestText,
        Format::UnittestText,
        Format::NextestText,
        Format::GoTestText,
        Format::MavenText,
        Format::GradleText,
        Format::RspecText,
        Format::MinitestText,
        Format::PhpunitText,
        Format::DotnetText,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Format::JunitXml => "junit-xml",
            Format::Trx => "trx",
            Format::Tap => "tap",
            Format::JestJson => "jest-json",
            Format::MochaJson => "mocha-json",
            Format::RspecJson => "rspec-json",
            Format::GoTestJson => "go-test-json",
            Format::NextestJson => "nextest-json",
            Format::LibtestText => "libtest-text",
            Format::JestText => "jest-text",
            Format::VitestText => "vitest-text",
            Format::MochaText => "mocha-text",
            Format::AvaText => "ava-text",
            Format::NodeText => "node-text",
            Format::PytestText => "pytest-text",
            Format::UnittestText => "unittest-text",
            Format::NextestText => "nextest-text",
            Format::GoTestText => "go-test-text",
            Format::MavenText => "maven-text",
            Format::GradleText => "gradle-text",
            Format::RspecText => "rspec-text",
            Format::MinitestText => "minitest-text",
            Format::PhpunitText => "phpunit-text",
            Format::DotnetText => "dotnet-text",
        }
    }

    /// A test can print what it likes to the other stream; the runner's own is read first.
    pub(crate) fn stream(self) -> Stream {
        match self {
            Format::JestText | Format::UnittestText | Format::NextestText => Stream::Stderr,
            Format::JunitXml
            | Format::Trx
            | Format::Tap
            | Format::JestJson
            | Format::MochaJson
            | Format::RspecJson
            | Format::GoTestJson
            | Format::NextestJson
            | Format::LibtestText
            | Format::VitestText
            | Format::MochaText
            | Format::AvaText
            | Format::NodeText
            | Format::PytestText
            | Format::GoTestText
            | Format::MavenText
            | Format::GradleText
            | Format::RspecText
            | Format::MinitestText
            | Format::PhpunitText
            | Format::DotnetText => Stream::Stdout,
        }
    }
}
