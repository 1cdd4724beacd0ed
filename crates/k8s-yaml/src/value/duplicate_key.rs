//! Keys that a map of a document has more than once.

use std::sync::Arc;

/// A key that a map has more than once. The last value wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    /// The line of the repeated key, from 1.
    pub line: usize,
    /// The column of the repeated key in characters, from 1.
    pub column: usize,
    /// The line on which the value of the repeated key begins, which go-yaml reports.
    pub value_line: usize,
    /// The key as Go prints it (`%#v`): a string in quotes, a number, or a boolean.
    pub printed: String,
    /// The path of the key.
    pub path: Vec<PathStep>,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// An entry of a map. Duplicate keys below the same entry share its key.
    Key(Arc<str>),
    /// An element of a list.
    Index(usize),
}
