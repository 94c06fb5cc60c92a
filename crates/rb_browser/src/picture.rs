//! PNG pictures compared in Chromium itself, on an empty page of its own.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base64;
use crate::clean;
use crate::error::BrowserError;
use crate::page::Page;

const SCRIPT: &str = include_str!("picture.js");

/// How one picture differs from another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Of the pixels, from 0 to 1. Where only one of the pictures is, all differ.
    pub share: f64,
    pub same_size: bool,
    /// A PNG: the actual picture in pale grey, what differs in red.
    #[serde(skip)]
    pub picture: Vec<u8>,
}

pub(crate) fn difference(
    page: &Page,
    expected: &[u8],
    actual: &[u8],
) -> Result<Difference, BrowserError> {
    for (which, png) in [("expected", expected), ("actual", actual)] {
        png_size(png).ok_or(BrowserError::Picture { which })?;
    }
    let function = "difference";
    let found = call(page, function, &[base64::encode(expected), base64::encode(actual)])?;
    let picture = found["picture"].as_str().and_then(base64::decode);
    match (found["share"].as_f64(), found["same_size"].as_bool(), picture) {
        (Some(share), Some(same_size), Some(picture)) => {
            Ok(Difference { share, same_size, picture })
        }
        _ => Err(BrowserError::Unreadable { method: function.to_owned() }),
    }
}

pub(crate) fn is_of_one_colour(page: &Page, png: &[u8]) -> Result<bool, BrowserError> {
    Ok(call(page, "oneColour", &[base64::encode(png)])? == true)
}

/// Width and height of a PNG, or none where it is not one.
pub fn png_size(png: &[u8]) -> Option<(u32, u32)> {
    let header = png.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    (header.get(4..8)? == b"IHDR").then_some(())?;
    Some((number(8)?, number(12)?))
}

fn call(page: &Page, function: &str, args: &[String]) -> Result<Value, BrowserError> {
    let args: Vec<Value> = args.iter().map(|arg| json!(arg)).collect();
    let params = json!({
        "expression": format!("{SCRIPT}.{function}(...{})", Value::from(args)),
        "returnByValue": true,
        "awaitPromise": true,
    });
    let mut answer = page.call("Runtime.evaluate", params)?;
    if let Some(details) = answer.get("exceptionDetails") {
        let text = details["exception"]["description"].as_str().or(details["text"].as_str());
        let message = clean::line(text.unwrap_or("it failed"), clean::LINE);
        return Err(BrowserError::Refused { method: function.to_owned(), message });
    }
    Ok(answer["result"]["value"].take())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk4_the_size_of_a_png_is_in_its_header() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x77\0\0\0\x02rest";
        assert_eq!(png_size(png), Some((375, 2)));
        assert_eq!(png_size(&png[..20]), None);
        assert_eq!(png_size(b"GIF89a"), None);
    }
}
