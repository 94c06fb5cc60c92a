//! What a person does to an element, by real input events: a click lands on whatever is there.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::Page;
use crate::clean;
use crate::error::{BrowserError, ElementError};
use crate::keys;
use crate::target::Target;

/// Between two looks at an element that must not have moved.
const STABLE: Duration = Duration::from_millis(30);

/// What the helper says of the first visible element.
#[derive(Debug, Clone, Deserialize)]
struct Seen {
    count: u64,
    #[serde(default)]
    rect: Option<[f64; 4]>,
    #[serde(default)]
    point: [f64; 2],
    #[serde(default)]
    covered: Option<String>,
    #[serde(default)]
    disabled: bool,
    #[serde(default)]
    typing: String,
    #[serde(default)]
    element: String,
}

/// An element that an action can be done to.
struct Ready {
    object: String,
    seen: Seen,
}

/// What an action needs of its element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Nothing is in the way of the pointer.
    Reachable,
    /// It takes input as well.
    Enabled,
}

impl Page {
    pub fn click(&self, target: &Target) -> Result<(), BrowserError> {
        self.act(target, Need::Enabled, |ready| self.press_at(ready.seen.point))
    }

    pub fn hover(&self, target: &Target) -> Result<(), BrowserError> {
        self.act(target, Need::Reachable, |ready| self.mouse("mouseMoved", ready.seen.point))
    }

    /// Replaces the content of a field.
    pub fn type_text(&self, target: &Target, text: &str) -> Result<(), BrowserError> {
        self.act(target, Need::Enabled, |ready| {
            let target = target.clone();
            match ready.seen.typing.as_str() {
                "typed" => {
                    self.press_at(ready.seen.point)?;
                    self.ask_of(&ready.object, "selectAll", &[])?;
                    if text.is_empty() {
                        self.key("Delete")
                    } else {
                        self.call("Input.insertText", json!({ "text": text })).map(drop)
                    }
                }
                // Fields with parts of their own, such as a date.
                "set" => self.ask_of(&ready.object, "set", &[json!(text)]).map(drop),
                "read-only" => Err(ElementError::ReadOnly { target }.into()),
                _ => {
                    let element = clean::line(&ready.seen.element, clean::LINE);
                    Err(ElementError::NotEditable { target, element }.into())
                }
            }
        })
    }

    /// Selects an option by what it says, or by its value.
    pub fn select(&self, target: &Target, option: &str) -> Result<(), BrowserError> {
        self.act(target, Need::Enabled, |ready| {
            let chosen = self.ask_of(&ready.object, "choose", &[json!(option)])?;
            if chosen["done"] == true {
                return Ok(());
            }
            let target = target.clone();
            Err(match chosen["options"].as_array() {
                Some(options) => {
                    let options: Vec<&str> = options.iter().filter_map(Value::as_str).collect();
                    let options = clean::line(&options.join(", "), clean::LINE);
                    ElementError::NoOption { target, option: option.to_owned(), options }
                }
                None => {
                    let element = chosen["element"].as_str().unwrap_or_default();
                    ElementError::NotSelect { target, element: clean::line(element, clean::LINE) }
                }
            }
            .into())
        })
    }

    /// Presses a key such as `Enter`, `a` or `Control+a`, on an element or on what has the focus.
    pub fn press(&self, target: Option<&Target>, key: &str) -> Result<(), BrowserError> {
        // An unknown key is an error before anything is done.
        keys::events(key)?;
        match target {
            None => {
                self.key(key)?;
                self.settle()
            }
            Some(target) => self.act(target, Need::Enabled, |ready| {
                self.ask_of(&ready.object, "focus", &[])?;
                self.key(key)
            }),
        }
    }

    /// Waits until an element is there and visible.
    pub fn wait_for(&self, target: &Target, limit: Duration) -> Result<(), BrowserError> {
        let until = Instant::now() + limit;
        loop {
            match self.look(target, false) {
                Ok((_, Seen { rect: Some(_), .. })) => return self.release(),
                Ok((_, seen)) if Instant::now() >= until => {
                    return Err(self.absent(target, &seen));
                }
                Err(error) if !error.is_stale() || Instant::now() >= until => return Err(error),
                Ok(_) | Err(_) => self.pause(until)?,
            }
        }
    }

    /// How many elements match, visible or not.
    pub fn count(&self, target: &Target) -> Result<usize, BrowserError> {
        let count = self.ask_now(target, "count", &[])?;
        Ok(usize::try_from(count.as_u64().unwrap_or(0)).unwrap_or(usize::MAX))
    }

    pub fn is_visible(&self, target: &Target) -> Result<bool, BrowserError> {
        Ok(self.ask_now(target, "isVisible", &[])? == true)
    }

    /// What a field holds; `checked` or `unchecked` for a box.
    pub fn value(&self, target: &Target) -> Result<String, BrowserError> {
        let value = self.ask_of_present(target, "value", &[])?;
        Ok(clean::text(value.as_str().unwrap_or_default(), super::LONGEST_TEXT))
    }

    pub fn attribute(&self, target: &Target, name: &str) -> Result<Option<String>, BrowserError> {
        let value = self.ask_of_present(target, "attribute", &[json!(name)])?;
        Ok(value.as_str().map(|value| clean::text(value, super::LONGEST_TEXT)))
    }

    /// Asks about the elements that match at this moment, be there any or not.
    fn ask_now(
        &self,
        target: &Target,
        function: &str,
        args: &[Value],
    ) -> Result<Value, BrowserError> {
        let until = Instant::now() + self.shared.limits.action;
        loop {
            match self.locate(target).and_then(|object| self.ask_of(&object, function, args)) {
                Err(error) if error.is_stale() && Instant::now() < until => self.pause(until)?,
                other => {
                    self.release()?;
                    return other;
                }
            }
        }
    }

    /// Asks about an element as soon as it is there.
    pub(super) fn ask_of_present(
        &self,
        target: &Target,
        function: &str,
        args: &[Value],
    ) -> Result<Value, BrowserError> {
        let until = Instant::now() + self.shared.limits.action;
        loop {
            if self.count(target)? > 0 {
                return self.ask_now(target, function, args);
            }
            if Instant::now() >= until {
                return Err(self.no_match(target));
            }
            self.pause(until)?;
        }
    }

    /// Waits for the element, acts, and waits for what the page makes of it.
    fn act(
        &self,
        target: &Target,
        need: Need,
        action: impl FnOnce(&Ready) -> Result<(), BrowserError>,
    ) -> Result<(), BrowserError> {
        let ready = self.ready(target, need)?;
        action(&ready)?;
        self.settle()?;
        self.release()
    }

    fn ready(&self, target: &Target, need: Need) -> Result<Ready, BrowserError> {
        let until = Instant::now() + self.shared.limits.action;
        let mut before = None;
        loop {
            let is_last = Instant::now() >= until;
            let (object, seen) = match self.look(target, true) {
                Ok(found) => found,
                Err(error) if error.is_stale() && !is_last => {
                    self.pause(until)?;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let rect = seen.rect;
            let obstacle = match rect {
                None => None,
                Some(_) => obstacle(target, need, &seen),
            };
            if rect.is_some() && obstacle.is_none() && before == rect {
                return Ok(Ready { object, seen });
            }
            if is_last {
                return Err(match obstacle {
                    Some(obstacle) => obstacle.into(),
                    None if rect.is_none() => self.absent(target, &seen),
                    None => ElementError::Moving { target: target.clone() }.into(),
                });
            }
            before = rect.filter(|_| obstacle.is_none());
            self.shared.connection().wait(Instant::now() + STABLE, |_| false)?;
        }
    }

    fn look(&self, target: &Target, scroll: bool) -> Result<(String, Seen), BrowserError> {
        let object = self.locate(target)?;
        let seen = self.ask_of(&object, "inspect", &[json!(scroll)])?;
        let seen = serde_json::from_value(seen)
            .map_err(|_| BrowserError::Unreadable { method: "inspect".to_owned() })?;
        Ok((object, seen))
    }

    fn absent(&self, target: &Target, seen: &Seen) -> BrowserError {
        match seen.count {
            0 => self.no_match(target),
            count => ElementError::Hidden { target: target.clone(), count }.into(),
        }
    }

    fn press_at(&self, point: [f64; 2]) -> Result<(), BrowserError> {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(kind, point)?;
        }
        Ok(())
    }

    fn mouse(&self, kind: &str, [x, y]: [f64; 2]) -> Result<(), BrowserError> {
        let mut params = json!({ "type": kind, "x": x, "y": y });
        if kind != "mouseMoved" {
            params["button"] = "left".into();
            params["clickCount"] = 1.into();
        }
        self.call("Input.dispatchMouseEvent", params).map(drop)
    }

    fn key(&self, key: &str) -> Result<(), BrowserError> {
        for event in keys::events(key)? {
            self.call("Input.dispatchKeyEvent", event)?;
        }
        Ok(())
    }
}

fn obstacle(target: &Target, need: Need, seen: &Seen) -> Option<ElementError> {
    let target = target.clone();
    if need == Need::Enabled && seen.disabled {
        return Some(ElementError::Disabled { target });
    }
    let by = clean::line(seen.covered.as_ref()?, clean::LINE);
    Some(ElementError::Covered { target, by })
}
