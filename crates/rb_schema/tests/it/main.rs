//! Schemas, answers and prompts, from outside.

mod alternatives;
mod answers;
mod corpus;
mod mutations;
mod parse;
mod prompts;
mod properties;
mod roles;
mod strict;
mod texts;

use rb_schema::roles::{
    critic, explorer, fix_agent, impl_agent, implementer, patcher, planner, pr_agent, refactorer,
    supervisor, tester, translator, verify_agent,
};
use rb_schema::{Role, Schema};

/// The roles of all workflows.
pub(crate) const ROLES: [Role; 13] = [
    planner::ROLE,
    patcher::ROLE,
    critic::ROLE,
    explorer::ROLE,
    tester::ROLE,
    implementer::ROLE,
    refactorer::ROLE,
    supervisor::ROLE,
    impl_agent::ROLE,
    verify_agent::ROLE,
    fix_agent::ROLE,
    pr_agent::ROLE,
    translator::ROLE,
];

/// A schema of the test.
pub(crate) fn schema(text: &str) -> Schema {
    Schema::parse("test", text).unwrap_or_else(|error| panic!("{error}"))
}

/// One in which the key `v` has the schema `inner`.
pub(crate) fn schema_of(inner: &str) -> Schema {
    schema(&format!(r#"{{"type": "object", "properties": {{"v": {inner}}}, "required": ["v"]}}"#))
}
