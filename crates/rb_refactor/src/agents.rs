//! The agents of the workflow, one file each. Each reads the fields of the state that its `Reads` has, and gives what its `Writes` can
//! say; none calls another.

pub(crate) mod auditor;
mod critic;
mod executor;
mod indexer;
pub(crate) mod planner;
mod pr_writer;
mod refiner;
mod retriever;
pub(crate) mod validator;
mod weigher;

pub(crate) use auditor::Auditor;
pub(crate) use critic::Critic;
pub(crate) use executor::Executor;
pub(crate) use indexer::Indexer;
pub(crate) use planner::Planner;
pub(crate) use pr_writer::PrWriter;
pub(crate) use refiner::Refiner;
pub(crate) use retriever::Retriever;
pub(crate) use validator::{Baseliner, Validator, WholeValidator};
pub(crate) use weigher::Weigher;
