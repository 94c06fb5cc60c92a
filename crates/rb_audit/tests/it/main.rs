//! The audit over small repositories that are written as strings: before, after, and what is found.

mod support;

mod exports;
mod functions;
mod imports;
mod leftovers;
mod members;
mod orders;
mod overlaps;
mod packages;
mod python;
mod references;
mod rules;
mod shape;
mod signatures;
