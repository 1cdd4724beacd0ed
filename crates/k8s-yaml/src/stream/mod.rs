//! The documents of a source, in memory or read piece by piece.

mod document_reader;
mod documents;
mod inexact;

pub use document_reader::{DocumentReader, ReadError};
pub use documents::{Document, Documents};
pub use inexact::InexactNumber;
