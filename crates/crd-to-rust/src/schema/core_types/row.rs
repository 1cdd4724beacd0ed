//! The rows of the table: a type, its fields, and the kind of each.

/// A type of k8s-openapi that serializes the same fields that it parsed.
pub(super) struct Core {
    pub(super) path: &'static str,
    pub(super) known: Known,
    pub(super) fields: &'static [Field],
}

/// The reason to represent an object with these fields by the type.
pub(super) enum Known {
    /// No other object has such fields.
    ByShape,
    /// Many objects have such fields; the description of this field must contain these words, which
    /// only Kubernetes uses.
    ByWords(&'static str, &'static str),
    /// Many objects have such fields; the type is only used inside another type of the table.
    Within,
}

/// A field of a type.
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) of: Of,
    /// True if the type always writes the field, so that the field is required.
    pub(super) is_always_there: bool,
    /// The minor version of Kubernetes that added the field; zero if the field is as old as the
    /// type.
    pub(super) since: u8,
    /// The last version that has the field; `LATEST` if the newest version has it.
    pub(super) until: u8,
}

/// A version that is newer than all others.
pub(super) const LATEST: u8 = u8::MAX;

pub(super) const fn must(name: &'static str, of: Of) -> Field {
    Field {
        name,
        of,
        is_always_there: true,
        since: 0,
        until: LATEST,
    }
}

pub(super) const fn may(name: &'static str, of: Of) -> Field {
    Field {
        name,
        of,
        is_always_there: false,
        since: 0,
        until: LATEST,
    }
}

impl Field {
    pub(super) const fn since(self, since: u8) -> Self {
        Self { since, ..self }
    }

    pub(super) const fn until(self, until: u8) -> Self {
        Self { until, ..self }
    }
}

/// The content of a field.
pub(super) enum Of {
    Text,
    Flag,
    Int32,
    Int64,
    Time,
    Quantity,
    IntOrString,
    /// The metadata of an embedded object, of which an API server keeps some fields or none.
    Metadata,
    Object(&'static str),
    List(&'static Of),
    Map(&'static Of),
}
