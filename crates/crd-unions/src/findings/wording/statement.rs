//! A statement of a description.

/// A statement of a description that fields exclude each other.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) fields: StatementFields,
    /// The field that excludes each of the others, if the others may be set together.
    pub(crate) center: Option<usize>,
    /// True if one of the fields must be set.
    pub(crate) is_exactly: bool,
    /// False for phrases that only suggest that the fields exclude each other.
    pub(crate) is_certain: bool,
    /// The words of the description.
    pub(crate) words: String,
}

/// The fields of a [`Statement`], as positions of properties.
#[derive(Clone, Debug)]
pub(crate) enum StatementFields {
    Listed(Vec<usize>),
    /// All fields of the object that may be omitted, except these.
    All {
        excluded: Vec<usize>,
    },
    /// The center, and all other fields of the object that may be omitted.
    AllAround,
    /// All fields with such a statement.
    Unnamed {
        property: usize,
    },
}
