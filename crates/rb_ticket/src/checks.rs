//! Checks: what a browser does and what it must then see, as plain data.
//!
//! [`derive`] makes them from the criteria of a ticket without a model; a model may answer with more of the same shape. Each step and
//! expectation has a `Display` in plain English, which becomes the text of an issue. Nothing here opens a browser.

mod always;
mod derive;
mod grammar;
mod limits;
mod sentence;
mod words;

use serde::{Deserialize, Serialize};

pub use always::with_page_checks;
pub use derive::{Derived, Unchecked, derive};
pub use limits::BadCheck;
pub use rb_browser::Target;
pub(crate) use words::times;

/// One visit to a page: what to do there, and what must then be true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The id of the criterion that it decides, such as `C1`.
    #[serde(default)]
    pub criterion: Option<String>,
    /// What is checked, in a sentence.
    pub says: String,
    /// Relative to the preview URL, such as `/cart`.
    pub path: String,
    #[serde(default)]
    pub viewport: Option<Viewport>,
    #[serde(default)]
    pub steps: Vec<Step>,
    pub expect: Vec<Expectation>,
    /// An answer of a model cannot claim to be something else: see [`Check::from_model`].
    #[serde(default)]
    pub by: By,
}

/// The size of the window, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Viewport {
    pub width: u32,
    pub height: u32,
}

impl Viewport {
    pub const DESKTOP: Viewport = Viewport { width: 1280, height: 800 };
    pub const TABLET: Viewport = Viewport { width: 768, height: 1024 };
    pub const PHONE: Viewport = Viewport { width: 375, height: 667 };
}

/// Who wants a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Read from the words of a criterion, without a model.
    Criterion,
    #[default]
    Model,
    /// Holds for every page, whatever the ticket wants.
    Always,
}

/// Something that a person could do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A path, relative to the preview URL.
    Goto(String),
    Click(Target),
    Type {
        into: Target,
        text: String,
    },
    Select {
        #[serde(rename = "in")]
        target: Target,
        option: String,
    },
    Hover(Target),
    /// A key by its name: `Enter`, `Escape`, `ArrowDown`.
    Press(String),
    WaitForText(String),
}

/// Something that must be true after the steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    TextPresent(String),
    TextAbsent(String),
    Exists(Target),
    Absent(Target),
    Count {
        target: Target,
        count: usize,
    },
    Enabled(Target),
    Disabled(Target),
    ValueIs {
        target: Target,
        value: String,
    },
    /// Of the page that the check opens first.
    Status(u16),
    /// A status below 400.
    Loads,
    /// Path, query and fragment, relative to the preview URL.
    UrlIs(String),
    TitleIs(String),
    NoConsoleErrors,
    NoFailedRequests,
    NotBlank,
    /// Nothing sticks out of the window to the side.
    NoOverflow,
    LooksLike {
        /// The name of an attachment of the ticket.
        picture: String,
        /// How many of 100 pixels may differ.
        #[serde(default = "one_percent")]
        tolerance_percent: u8,
    },
}

fn one_percent() -> u8 {
    1
}
