//! Pictures of a page, and whether there is anything on it.

use std::time::Instant;

use serde_json::{Value, json};

use super::Page;
use crate::base64;
use crate::error::{BrowserError, ElementError};
use crate::picture;
use crate::target::Target;

/// Of the longest picture, in pixels. Pages that grow as they are scrolled have no end.
const HIGHEST: f64 = 8000.0;

impl Page {
    /// A PNG of the whole page, at least as high as the window, or of one element.
    pub fn screenshot(&self, target: Option<&Target>) -> Result<Vec<u8>, BrowserError> {
        let (width, height) = self.state().viewport;
        let clip = match target {
            None => {
                let metrics = self.call("Page.getLayoutMetrics", json!({}))?;
                let content = metrics["cssContentSize"]["height"].as_f64().unwrap_or(0.0);
                [0.0, 0.0, f64::from(width), content.max(f64::from(height))]
            }
            Some(target) => self.place(target)?,
        };
        let [x, y, width, height] = clip;
        let method = "Page.captureScreenshot";
        let params = json!({
            "format": "png",
            "captureBeyondViewport": true,
            "clip": {
                "x": x, "y": y, "scale": 1,
                "width": width.clamp(1.0, HIGHEST), "height": height.clamp(1.0, HIGHEST),
            },
        });
        let answer = self.call(method, params)?;
        let data = answer["data"].as_str().and_then(base64::decode);
        data.ok_or_else(|| BrowserError::Unreadable { method: method.to_owned() })
    }

    /// Nothing to read, no picture and no field, and all of one colour.
    pub fn is_blank(&self) -> Result<bool, BrowserError> {
        if self.ask("hasContent", &[])? == true {
            return Ok(false);
        }
        let png = self.screenshot(None)?;
        picture::is_of_one_colour(&Page::open(&self.shared)?, &png)
    }

    fn place(&self, target: &Target) -> Result<[f64; 4], BrowserError> {
        let until = Instant::now() + self.shared.limits.action;
        loop {
            let seen = self.ask_of_present(target, "box", &[])?;
            let number = |at: usize| seen["rect"][at].as_f64();
            if let (Some(x), Some(y), Some(width), Some(height)) =
                (number(0), number(1), number(2), number(3))
            {
                return Ok([x, y, width, height]);
            }
            if Instant::now() >= until {
                let count = seen.get("count").and_then(Value::as_u64).unwrap_or(0);
                return Err(ElementError::Hidden { target: target.clone(), count }.into());
            }
            self.pause(until)?;
        }
    }
}
