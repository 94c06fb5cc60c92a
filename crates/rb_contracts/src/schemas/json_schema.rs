//! JSON Schema: properties, what is required, types, enums and bounds. Definitions count where something refers to them.

use serde_json::Value;

use super::shape::Shapes;
use crate::model::{Element, Side};

pub(super) fn read(document: &Value) -> Vec<Element> {
    let mut shapes = Shapes::new(document);
    shapes.walk("", document, Side::Both);
    shapes.elements
}
