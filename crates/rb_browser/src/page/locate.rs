//! From a target to the elements that it names.

use serde_json::{Value, json};

use super::Page;
use crate::clean;
use crate::error::{BrowserError, ElementError};
use crate::target::Target;

/// Of elements with one role and name.
const MOST: usize = 200;

/// Names that a message lists.
const LISTED: usize = 12;

impl Page {
    /// A reference to the list of all elements that match, in the order of the document.
    pub(super) fn locate(&self, target: &Target) -> Result<String, BrowserError> {
        let missing = |method: &str| BrowserError::Unreadable { method: method.to_owned() };
        match target {
            Target::Css(css) => match self.ask_for_object("css", &[json!(css)])? {
                Some(object) => Ok(object),
                None => Err(ElementError::Selector { css: css.clone() }.into()),
            },
            Target::Text(text) => {
                self.ask_for_object("text", &[json!(text)])?.ok_or_else(|| missing("text"))
            }
            Target::Label(label) => {
                self.ask_for_object("label", &[json!(label)])?.ok_or_else(|| missing("label"))
            }
            Target::Role { role, name } => {
                let world = self.world()?;
                let mut elements = Vec::new();
                for node in self.by_role(role, name)?.into_iter().take(MOST) {
                    let params = json!({
                        "backendNodeId": node, "executionContextId": world, "objectGroup": "found",
                    });
                    let answer = self.call("DOM.resolveNode", params)?;
                    elements.push(json!({ "objectId": answer["object"]["objectId"] }));
                }
                self.ask_for_object("list", &elements)?.ok_or_else(|| missing("list"))
            }
        }
    }

    /// A part of a name is not enough: an element that comes later may have all of it.
    fn by_role(&self, role: &str, name: &str) -> Result<Vec<i64>, BrowserError> {
        let simple = |text: &str| clean::line(text, usize::MAX).to_lowercase();
        let wanted = simple(name);
        let named = self.nodes_of(role)?.into_iter();
        let fitting = named.filter(|(_, name)| wanted.is_empty() || simple(name) == wanted);
        Ok(fitting.map(|(node, _)| node).collect())
    }

    /// By the accessibility tree that Chromium itself makes.
    fn nodes_of(&self, role: &str) -> Result<Vec<(i64, String)>, BrowserError> {
        let root = self.call("DOM.getDocument", json!({ "depth": 0 }))?;
        let params = json!({ "backendNodeId": root["root"]["backendNodeId"], "role": role });
        let answer = self.call("Accessibility.queryAXTree", params)?;
        let nodes = answer["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let named = |node: &Value| {
            let name = node["name"]["value"].as_str().unwrap_or_default();
            Some((node["backendDOMNodeId"].as_i64()?, name.to_owned()))
        };
        Ok(nodes.iter().filter(|node| node["ignored"] != true).filter_map(named).collect())
    }

    pub(super) fn no_match(&self, target: &Target) -> BrowserError {
        let others = match target {
            Target::Role { role, .. } => self.names_of(role).map(|names| (plural(role), names)),
            Target::Label(_) => self.labels().map(|names| ("fields".to_owned(), names)),
            Target::Text(_) | Target::Css(_) => {
                self.names_of("button").map(|names| ("buttons".to_owned(), names))
            }
        };
        let others = others.ok().map(|(what, names)| match names.len() {
            0 => format!("there are no {what} on the page"),
            _ => format!("{what} on the page: {}", names.join(", ")),
        });
        ElementError::NoMatch { target: target.clone(), others }.into()
    }

    fn names_of(&self, role: &str) -> Result<Vec<String>, BrowserError> {
        let names = self.nodes_of(role)?;
        Ok(rb_core::at_most(LISTED, names.iter().map(|(_, name)| quoted(name))))
    }

    fn labels(&self) -> Result<Vec<String>, BrowserError> {
        let labels = self.ask("labels", &[])?;
        let labels = labels.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(labels.iter().filter_map(Value::as_str).map(quoted).collect())
    }
}

fn plural(role: &str) -> String {
    rb_core::plural_of(&clean::line(role, 40))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", clean::line(name, 60))
}
