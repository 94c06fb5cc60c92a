//! The agents of the workflow, one file each. Each reads the fields of the state that its `Reads` has, and gives what its `Writes` can
//! say; none calls another.

mod critic;
mod executor;
mod indexer;
pub(crate) mod planner;
mod pr_writer;
mod refiner;
mod retriever;
mod weigher;

pub(crate) use critic::Critic;
pub(crate) use executor::Executor;
pub(crate) use indexer::Indexer;
pub(crate) use planner::Planner;
pub(crate) use pr_writer::PrWriter;
pub(crate) use refiner::Refiner;
pub(crate) use retriever::Retriever;
pub(crate) use weigher::Weigher;
