//! Prints what directives are understood as, over the files of a repository, and plans nothing.
//!
//! `understand FOLDER FILE…`: each file holds one directive.
#![expect(clippy::print_stdout, reason = "a tool for people at a terminal")]

#[path = "refactorbench/repository.rs"]
mod repository;

use std::error::Error;
use std::path::Path;

use rb_operations::directive::{self, Understood};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().ok_or("name the folder of a repository")?;
    let files = repository::read(Path::new(&root))?;
    for path in arguments {
        let directive = std::fs::read_to_string(&path)?;
        println!("== {path}\n{}", directive.trim());
        match directive::understand(&files, &directive) {
            Some(understood) => print(&understood)?,
            None => println!("  nothing structural"),
        }
        println!();
    }
    Ok(())
}

fn print(understood: &Understood) -> Result<(), Box<dyn Error>> {
    for operation in &understood.operations {
        println!("  + {}\n    {}", operation.describe(), serde_json::to_string(operation)?);
    }
    for unclear in &understood.unclear {
        println!("  ? {}: {}", unclear.name, unclear.why);
        for place in &unclear.candidates {
            println!("      {}:{} {}", place.path, place.line, place.what);
        }
    }
    for clause in &understood.not_understood {
        println!("  - {clause}");
    }
    for note in &understood.notes {
        println!("  * {note}");
    }
    Ok(())
}
