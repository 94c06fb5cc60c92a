//! What a person is promised who gives a directive: plans, patches, audits, recovery, reports, and a say at every place where one is due.
//!
//! The built-in provider serves all but what is about models; those are programs and servers of this machine.

mod approval;
mod bad_input;
mod consent;
mod flags;
mod kinds;
mod output;
mod planning;
mod recovery;
mod terminal;
mod words;
