//! What stops contracts from being read. Broken code of the repository is none of it.

use rb_index::StoreError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ContractError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("interrupted")]
    Interrupted,
}
