//! A role's call: its system prompt, its schema, the question, all foreign text behind a fence.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rb_models::{Limits, Purpose, Request, Volatile};
use rb_schema::{Prompt, PromptError, Role, Schema, SchemaError};
use rb_trust::Fence;
use thiserror::Error;

/// Prompts and schemas that the user put in the place of those that come with the program, by the role's name.
#[derive(Debug, Clone, Default)]
pub struct OwnTexts {
    pub prompts: BTreeMap<String, String>,
    pub schemas: BTreeMap<String, String>,
}

#[derive(Debug, Error)]
pub enum RoleError {
    #[error("your own prompt of the {}: {source}", role.name())]
    Prompt { role: Role, source: PromptError },
    #[error("your own schema of the {}: {source}", role.name())]
    Schema { role: Role, source: SchemaError },
}

/// One question to a role.
pub struct RoleCall<'c> {
    pub role: Role,
    pub purpose: Purpose,
    /// The question, with foreign text between the marks of `fence`.
    pub user: String,
    pub fence: &'c Fence,
    /// Where a provider that reads files by itself may look.
    pub folder: Option<PathBuf>,
    pub limits: Limits,
}

impl OwnTexts {
    /// Whether all of them can be used.
    pub fn check(&self) -> Result<(), RoleError> {
        Role::ALL.iter().try_for_each(|&role| self.texts(role).map(|_| ()))
    }

    fn texts(&self, role: Role) -> Result<(Prompt, Schema), RoleError> {
        let own = |texts: &BTreeMap<String, String>| texts.get(role.name()).cloned();
        let prompt = role
            .prompt(own(&self.prompts).as_deref())
            .map_err(|source| RoleError::Prompt { role, source })?;
        let schema = role
            .schema(own(&self.schemas).as_deref())
            .map_err(|source| RoleError::Schema { role, source })?;
        Ok((prompt, schema))
    }

    /// The request to send. Everything in it that differs from run to run without a meaning is named, so that a recording fits again.
    pub fn request(&self, call: RoleCall<'_>) -> Result<Request, RoleError> {
        let RoleCall { role, purpose, user, fence, folder, limits } = call;
        let (prompt, schema) = self.texts(role)?;
        let system = format!("{}\n\n{}", prompt.text().trim_end(), fence.explanation());
        let mut request = Request::new(role.name(), system, user);
        request.purpose = Purpose { role: role.name().to_owned(), ..purpose };
        request.schema = Some(Arc::new(schema));
        request.limits = limits;
        request.volatile.push(Volatile { text: fence.mark().to_owned(), stands_for: "fence" });
        if let Some(folder) = &folder {
            let text = folder.display().to_string();
            request.volatile.push(Volatile { text, stands_for: "worktree" });
        }
        request.folder = folder;
        Ok(request)
    }
}
