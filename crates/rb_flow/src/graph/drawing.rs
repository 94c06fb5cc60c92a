//! A graph as a picture: Mermaid text, or an SVG without any program.

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
