//! XML as events with plain text: entities resolved where XML itself defines them, nothing fetched or expanded,
//! nesting bounded. A document that breaks off keeps what stood before.

use std::borrow::Cow;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::report::ReportError;

const MAX_DEPTH: usize = 128;

/// What a reader of one XML format does with a document.
pub(crate) trait Visitor {
    fn open(&mut self, element: &Element);
    fn text(&mut self, text: &str);
    fn close(&mut self, name: &str);
}

pub(crate) struct Element<'a> {
    start: &'a BytesStart<'a>,
}

impl Element<'_> {
    /// Without its namespace prefix.
    pub(crate) fn name(&self) -> String {
        self.start.local_name().as_ref().to_owned()
    }

    pub(crate) fn attribute(&self, key: &str) -> Option<String> {
        let found = self.start.attributes().flatten().find(|a| a.key.as_ref() == key)?;
        let value = found.normalized_value(XmlVersion::Implicit1_0);
        Some(value.map_or_else(|_| found.value.to_string(), Cow::into_owned))
    }

    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        self.attribute(key)?.trim().parse().ok()
    }
}

/// Whether the document was whole.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Whole,
    BrokenOff(String),
}

/// Walks the document. An error only where nothing at all could be read.
pub(crate) fn walk(text: &str, visitor: &mut impl Visitor) -> Result<Ended, ReportError> {
    let mut reader = Reader::from_str(text.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']));
    let mut depth = 0_usize;
    let mut any = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(ReportError::TooDeep { limit: MAX_DEPTH });
                }
                any = true;
                visitor.open(&Element { start: &start });
            }
            Ok(Event::Empty(start)) => {
                any = true;
                let element = Element { start: &start };
                visitor.open(&element);
                visitor.close(&element.name());
            }
            Ok(Event::End(end)) => {
                depth = depth.saturating_sub(1);
                visitor.close(end.local_name().as_ref());
            }
            Ok(Event::Text(text)) => visitor.text(&text.xml_content(XmlVersion::Implicit1_0)),
            Ok(Event::CData(text)) => visitor.text(&text.xml_content(XmlVersion::Implicit1_0)),
            Ok(Event::GeneralRef(entity)) => match entity.resolve_char_ref() {
                Ok(Some(c)) => visitor.text(c.encode_utf8(&mut [0; 4])),
                Ok(None) | Err(_) => visitor.text(predefined(&entity)),
            },
            Ok(Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Comment(_)) => {}
            Ok(Event::Eof) if depth > 0 => return Ok(Ended::BrokenOff("it has no end".to_owned())),
            Ok(Event::Eof) => return Ok(Ended::Whole),
            Err(error) if any => return Ok(Ended::BrokenOff(error.to_string())),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Only what XML itself defines; an entity of the document's own is dropped.
fn predefined(name: &str) -> &'static str {
    match name {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "apos" => "'",
        "quot" => "\"",
        _ => "",
    }
}
