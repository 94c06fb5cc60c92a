//! What a browser asked for, without its headers.

use rb_core::{RunId, TaskId};

use crate::reply::Problem;

type Pairs = Vec<(String, String)>;

#[derive(Debug, Default)]
pub(crate) struct Request {
    /// The parts of the path that a route names.
    pub(crate) params: Pairs,
    pub(crate) query: Pairs,
    /// The fields of a form that was sent.
    pub(crate) form: Pairs,
}

impl Request {
    pub(crate) fn param(&self, name: &str) -> &str {
        first(&self.params, name).unwrap_or_default()
    }

    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        first(&self.query, name)
    }

    /// A field that was filled in.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        first(&self.form, name).map(str::trim).filter(|value| !value.is_empty())
    }

    pub(crate) fn fields<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.form.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The run that the path names. Only a well-formed id gets through, so it cannot lead elsewhere.
    pub(crate) fn run(&self) -> Result<RunId, Problem> {
        let text = self.param("run");
        text.parse().map_err(|_| Problem::not_found(format_args!("Run {text}")))
    }

    pub(crate) fn task(&self) -> Result<TaskId, Problem> {
        let text = self.param("task");
        text.parse().map_err(|_| Problem::not_found(format_args!("Task {text}")))
    }
}

fn first<'a>(pairs: &'a Pairs, name: &str) -> Option<&'a str> {
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}
