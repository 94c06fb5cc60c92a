//! A graph as a picture: Mermaid text, an SVG without any program, a listing for a terminal.
//!
//! `Drawing` is plain data of a graph. The picture is made of ranks from top to bottom: an edge to the next rank goes straight
//! down, one that skips ranks runs at the left, one that leads back at the right, and all that lead to one node share a line.
//! The same graph gives the same bytes. It knows nothing of a run: where one stands is `Position`'s.

mod layout;
mod lines;
mod mermaid;
mod ranks;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod words;

/// Plain data of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    pub name: &'static str,
    /// In the order in which a run meets them.
    pub nodes: Vec<DrawnNode>,
    pub edges: Vec<DrawnEdge>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnNode {
    pub name: &'static str,
    pub does: &'static str,
    /// A person may have to say something here.
    pub waits: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnEdge {
    pub from: &'static str,
    pub to: &'static str,
    pub when: Option<&'static str>,
    /// It leads back, and may be taken only so often.
    pub is_limited: bool,
}

impl Drawing {
    /// A flowchart in Mermaid's language.
    pub fn mermaid(&self) -> String {
        mermaid::write(self)
    }

    /// A picture that needs nothing beside itself, light or dark as its reader has it.
    pub fn svg(&self) -> String {
        svg::write(self.name, &layout::of(&ranks::of(self)), svg::Form::File)
    }

    /// The same as a part of a page, which brings the style, with the node marked where a run is.
    pub fn svg_at(&self, node: Option<&str>) -> String {
        svg::write(self.name, &layout::of(&ranks::of(self)), svg::Form::Part { at: node })
    }

    /// Each node with what it does, and below it where it leads.
    pub fn text(&self) -> String {
        text::write(self)
    }
}
