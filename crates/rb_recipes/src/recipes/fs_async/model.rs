//! The parts of a chain, as plain data: uses of what gives a promise now, functions that have to wait, files that do.

use std::collections::BTreeSet;
use std::sync::Arc;

use oxc_span::Span;
use rb_core::Edit;

use crate::plan::ApiChange;

/// What a node stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// An expression that is a function which gives a promise now: what is called, or is handed on.
    Use,
    /// An object that has such a function under this name.
    Object(String),
    /// A function that becomes `async`.
    Func,
    /// The top level of a file.
    Top,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) path: Arc<str>,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: Kind,
}

impl Key {
    pub(super) fn new(path: &Arc<str>, span: Span, kind: Kind) -> Self {
        Key { path: Arc::clone(path), start: span.start, end: span.end, kind }
    }

    pub(super) fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// Why something cannot wait.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Barrier {
    pub(super) path: Arc<str>,
    pub(super) line: u32,
    pub(super) reason: String,
    pub(super) suggestion: String,
}

/// One part of a chain, and what has to follow from it.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// `src/a.js:3 load`
    pub(super) label: String,
    pub(super) edits: Vec<Put>,
    pub(super) ups: Vec<Key>,
    pub(super) barrier: Option<Barrier>,
    pub(super) api: Vec<ApiChange>,
    /// Calls in a function whose effects are not known, by what is called; `None` where it surely does more than read.
    pub(super) calls: Option<BTreeSet<(u32, u32)>>,
    /// The calls of this callback run side by side, which is right for readers alone.
    pub(super) parallel: Option<Parallel>,
    /// Assignments to what others see, too, that read it before they wait: the right side, the name, the line.
    pub(super) shared: Vec<(Span, String, u32)>,
    /// Edits that take the place of the others where this callback becomes a loop.
    pub(super) receiver: Option<(Key, Vec<Put>)>,
    /// A bare call that is the last thing its file does: it need not be awaited.
    pub(super) tail: bool,
    /// A function that is async already.
    pub(super) is_async: bool,
    /// It is called here, and not handed on.
    pub(super) is_call: bool,
    /// The function or the top level in which it stands.
    pub(super) within: Option<Key>,
    /// The whole call, where it is one.
    pub(super) call: Option<Span>,
    /// What the call is given, as paths.
    pub(super) arguments: Vec<String>,
    /// Functions of which callers take the twin that waits, in place of making this one wait.
    pub(super) twin: Option<Twin>,
    pub(super) notes: Vec<String>,
}

/// An edit. Of those at one place, the one with the lower rank comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Put {
    pub(super) path: Arc<str>,
    pub(super) edit: Edit,
    pub(super) rank: u32,
}

impl Put {
    /// At the beginning of something: what is around comes first.
    pub(super) fn open(path: &Arc<str>, span: Span, text: impl Into<String>) -> Self {
        let edit = Edit::insert(span.start, text);
        Put { path: Arc::clone(path), edit, rank: u32::MAX - span.end }
    }

    /// At the end of something: what is inside comes first.
    pub(super) fn close(path: &Arc<str>, span: Span, text: impl Into<String>) -> Self {
        let edit = Edit::insert(span.end, text);
        Put { path: Arc::clone(path), edit, rank: u32::MAX - span.start }
    }

    pub(super) fn replace(path: &Arc<str>, start: u32, end: u32, text: impl Into<String>) -> Self {
        Put { path: Arc::clone(path), edit: Edit::replace(start, end, text), rank: u32::MAX }
    }
}

/// What is said, or done, where a callback does more than read.
#[derive(Debug, Clone)]
pub(super) struct Parallel {
    /// The callback, or the function that is handed on as one.
    pub(super) of: Vec<Key>,
    /// One after the other, where there is a way to write it.
    pub(super) otherwise: Result<Sequence, Barrier>,
}

/// A loop in the place of `map`.
#[derive(Debug, Clone)]
pub(super) struct Sequence {
    /// The last one ends where the body of the callback begins.
    pub(super) edits: Vec<Put>,
    /// What is called, where the body is a call: if one of these waits, the call gives a promise.
    pub(super) called: Vec<Key>,
}

/// A function of the project that does the same and waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Twin {
    pub(super) sync: String,
    pub(super) name: String,
    /// The uses that may take it.
    pub(super) uses: Vec<Key>,
}

/// A synchronous call.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) line: u32,
    pub(super) column: u32,
    /// The call as it is written.
    pub(super) code: String,
    pub(super) what: String,
    pub(super) reads: bool,
    /// What it does to which files.
    pub(super) touches: Vec<Touch>,
    /// The function around it.
    pub(super) within: Option<Span>,
    pub(super) change: Change,
}

/// What a call does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) how: How,
    /// Equal where the file is.
    pub(super) path: String,
    /// As it is written.
    pub(super) code: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    /// Asks whether it is there, or what kind it is.
    Looks,
    /// Takes its content.
    Reads,
    /// Gives it another content.
    Writes,
    /// Fails where another one did it before: removes it, moves it away, makes it.
    Claims,
}

/// What becomes of a site.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// What is called is replaced, and this is put behind the call.
    Made {
        edits: Vec<Edit>,
        behind: &'static str,
        import: Option<Named>,
        /// A function of the file that several sites share.
        helper: Option<Edit>,
    },
    Left {
        reason: String,
        suggestion: String,
    },
}

/// A name that the file has to import for a site.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Named {
    /// The name of the synchronous function, as it is bound here.
    pub(super) old_local: String,
    /// Where that one is bound.
    pub(super) old_place: (u32, u32),
    pub(super) specifier: String,
    pub(super) name: String,
    pub(super) local: String,
    /// It is there already.
    pub(super) is_there: bool,
}
