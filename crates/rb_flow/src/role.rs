//! A role's call: its system prompt, its schema, the question, all foreign text behind a fence.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_models::{Purpose, Request, Volatile};
use rb_schema::{Prompt, PromptError, Role, Schema, SchemaError};
use thiserror::Error;

use crate::ask::Query;

/// Prompts and schemas that the user put in the place of those that come with the program, by the role's name.
#[derive(Debug, Clone, Default)]
pub struct OwnTexts {
    pub prompts: BTreeMap<String, String>,
    pub schemas: BTreeMap<String, String>,
}

#[derive(Debug, Error)]
pub enum RoleError {
    #[error("your own prompt of the {role}: {source}")]
    Prompt { role: &'static str, source: PromptError },
    #[error("your own schema of the {role}: {source}")]
    Schema { role: &'static str, source: SchemaError },
}

impl OwnTexts {
    /// Whether those of `roles` can be used.
    pub fn check(&self, roles: &[Role]) -> Result<(), RoleError> {
        roles.iter().try_for_each(|&role| self.texts(role).map(|_| ()))
    }

    fn texts(&self, role: Role) -> Result<(Prompt, Schema), RoleError> {
        let own = |texts: &BTreeMap<String, String>| texts.get(role.name).cloned();
        let prompt = role
            .prompt(own(&self.prompts).as_deref())
            .map_err(|source| RoleError::Prompt { role: role.name, source })?;
        let schema = role
            .schema(own(&self.schemas).as_deref())
            .map_err(|source| RoleError::Schema { role: role.name, source })?;
        Ok((prompt, schema))
    }

    /// The request to send. Everything in it that differs from run to run without a meaning is named, so that a recording fits again.
    pub(crate) fn request(&self, role: Role, query: Query) -> Result<Request, RoleError> {
        let Query { purpose, user, fence, schema: narrow, folder, mcp, limits, need, attempt: _ } =
            query;
        let (prompt, schema) = self.texts(role)?;
        let narrow = narrow.filter(|_| !self.schemas.contains_key(role.name));
        let system = format!("{}\n\n{}", prompt.text().trim_end(), fence.explanation());
        let mut request = Request::new(role.name, system, user);
        request.purpose = Purpose { role: role.name.to_owned(), ..purpose };
        request.schema = Some(Arc::new(narrow.unwrap_or(schema)));
        (request.limits, request.need) = (limits, need);
        request.volatile.push(Volatile { text: fence.mark().to_owned(), stands_for: "fence" });
        if let Some(folder) = &folder {
            let text = folder.display().to_string();
            request.volatile.push(Volatile { text, stands_for: "worktree" });
        }
        (request.folder, request.mcp) = (folder, mcp);
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use rb_schema::roles::supervisor::{self, Decision};
    use rb_trust::Fence;

    use super::*;

    /// A user's own schema is sent as it is.
    #[test]
    fn mo5_a_question_may_have_a_narrower_schema() {
        let narrow = supervisor::schema(&[Decision::Done]);
        let check = |own: &OwnTexts, schema: Option<&Schema>, expected: &Schema| {
            let query = Query::new("Decide.".to_owned(), Fence::new([7; 16]));
            let query = Query { schema: schema.cloned(), ..query };
            let request = own.request(supervisor::ROLE, query).unwrap();
            assert_eq!(request.schema.unwrap().text(), expected.text());
        };
        let whole = supervisor::ROLE.schema(None).unwrap();
        check(&OwnTexts::default(), None, &whole);
        check(&OwnTexts::default(), Some(&narrow), &narrow);
        let own = supervisor::schema(&[Decision::Done, Decision::Stop]);
        let schemas = BTreeMap::from([("supervisor".to_owned(), own.text().to_owned())]);
        check(&OwnTexts { schemas, ..OwnTexts::default() }, Some(&narrow), &own);
    }
}
