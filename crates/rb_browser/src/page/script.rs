//! Questions to the document, asked by our own script in a context that the page's scripts cannot reach.

use serde_json::{Value, json};

use super::Page;
use crate::clean;
use crate::error::BrowserError;

const HELPER: &str = include_str!("helper.js");

/// A document may be replaced under our hands so often.
const TRIES: usize = 5;

/// What the answer should be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Value,
    /// A reference to what lives in the page.
    Object,
}

impl Page {
    /// Runs the body of an async function on the page, out of reach of the page's own scripts. What it returns is plain data.
    pub fn script(&self, body: &str) -> Result<Value, BrowserError> {
        let code = format!("async function() {{ {body}\n}}");
        self.retried(|world| self.call_function(world, "script", &code, &[], Wanted::Value))
    }

    /// Calls a function of the helper; the answer is plain data.
    pub(super) fn ask(&self, function: &str, args: &[Value]) -> Result<Value, BrowserError> {
        self.retried(|world| self.call_helper(world, function, args, Wanted::Value))
    }

    /// As `ask`, with the list of elements that `object` stands for.
    pub(super) fn ask_of(
        &self,
        object: &str,
        function: &str,
        args: &[Value],
    ) -> Result<Value, BrowserError> {
        self.call_helper(json!({ "objectId": object }), function, args, Wanted::Value)
    }

    /// As `ask`; the answer is a reference, or none where the function gives `null`.
    pub(super) fn ask_for_object(
        &self,
        function: &str,
        args: &[Value],
    ) -> Result<Option<String>, BrowserError> {
        let answer =
            self.retried(|world| self.call_helper(world, function, args, Wanted::Object))?;
        Ok(answer.as_str().map(str::to_owned))
    }

    /// Gives back what `ask_for_object` took hold of.
    pub(super) fn release(&self) -> Result<(), BrowserError> {
        self.call("Runtime.releaseObjectGroup", json!({ "objectGroup": "found" })).map(drop)
    }

    fn retried(
        &self,
        mut attempt: impl FnMut(Value) -> Result<Value, BrowserError>,
    ) -> Result<Value, BrowserError> {
        for _ in 1..TRIES {
            match self.world().and_then(|world| attempt(json!({ "executionContextId": world }))) {
                Err(error) if error.is_stale() => self.with_session(|session| session.world = None),
                other => return other,
            }
        }
        attempt(json!({ "executionContextId": self.world()? }))
    }

    /// Our script context in the present document.
    pub(super) fn world(&self) -> Result<i64, BrowserError> {
        if let Some(world) = self.with_session(|session| session.world) {
            return Ok(world);
        }
        let method = "Page.createIsolatedWorld";
        let params = json!({ "frameId": self.state().tab, "worldName": "refactor-bot" });
        let answer = self.call(method, params)?;
        let world = answer["executionContextId"]
            .as_i64()
            .ok_or_else(|| BrowserError::Unreadable { method: method.to_owned() })?;
        self.with_session(|session| session.world = Some(world));
        Ok(world)
    }

    fn call_helper(
        &self,
        on: Value,
        function: &str,
        args: &[Value],
        wanted: Wanted,
    ) -> Result<Value, BrowserError> {
        let code =
            format!("function(...args) {{ return ({HELPER}).{function}.apply(this, args) }}");
        self.call_function(on, function, &code, args, wanted)
    }

    fn call_function(
        &self,
        on: Value,
        name: &str,
        code: &str,
        args: &[Value],
        wanted: Wanted,
    ) -> Result<Value, BrowserError> {
        let as_argument = |arg: &Value| match arg.get("objectId") {
            Some(_) => arg.clone(),
            None => json!({ "value": arg }),
        };
        let mut params = on;
        params["functionDeclaration"] = code.into();
        params["arguments"] = args.iter().map(as_argument).collect();
        params["returnByValue"] = (wanted == Wanted::Value).into();
        params["awaitPromise"] = true.into();
        params["objectGroup"] = "found".into();
        let mut answer = self.call("Runtime.callFunctionOn", params)?;
        if let Some(details) = answer.get("exceptionDetails") {
            let text = details["exception"]["description"].as_str().or(details["text"].as_str());
            let message = clean::line(text.unwrap_or("it failed"), clean::LINE);
            return Err(BrowserError::Refused { method: name.to_owned(), message });
        }
        let field = if wanted == Wanted::Value { "value" } else { "objectId" };
        Ok(answer["result"][field].take())
    }
}
