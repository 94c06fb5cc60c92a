//! What was read from each file, kept from one snapshot to the next: a file with the same content is neither read nor parsed again.
//!
//! Only what depends on the path and the content of a single file is kept. What follows from other files (where an import leads, under
//! which prefix a router is mounted) is worked out for each snapshot.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rb_core::Cancel;
use rb_core::hash::Sha256;
use rb_index::{Texts, View};

use crate::error::ContractError;
use crate::model::Snapshot;
use crate::snapshot::read;
use crate::sources::Sources;

/// One reading per file and reader; a reader is known by the type of what it reads.
#[derive(Default)]
pub struct Memo {
    readings: RefCell<BTreeMap<(TypeId, Box<str>), Reading>>,
}

/// With the content that it is of.
type Reading = (Sha256, Rc<dyn Any>);

impl Memo {
    /// What others rely on, in the state that `view` is of. The same state gives the same snapshot, whatever was read before.
    pub fn snapshot(
        &self,
        view: &View<'_>,
        texts: &dyn Texts,
        cancel: &Cancel,
    ) -> Result<Snapshot, ContractError> {
        read(&Sources::new(view, texts, self, cancel))
    }

    pub(crate) fn has<T: 'static>(&self, path: &str, content: Sha256) -> bool {
        let key = (TypeId::of::<T>(), Box::from(path));
        self.readings.borrow().get(&key).is_some_and(|(of, _)| *of == content)
    }

    /// The reading of a file with this content, by `read` where there is none yet.
    pub(crate) fn reading<T: 'static>(
        &self,
        path: &str,
        content: Sha256,
        read: impl FnOnce() -> Result<T, ContractError>,
    ) -> Result<Rc<T>, ContractError> {
        let key = (TypeId::of::<T>(), Box::from(path));
        let known = self.readings.borrow().get(&key).filter(|(of, _)| *of == content).cloned();
        if let Some((_, known)) = known {
            return Ok(known.downcast().expect("the key holds the type"));
        }
        let reading = Rc::new(read()?);
        self.readings.borrow_mut().insert(key, (content, Rc::clone(&reading) as Rc<dyn Any>));
        Ok(reading)
    }
}
