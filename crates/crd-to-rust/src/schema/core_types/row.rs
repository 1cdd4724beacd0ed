//! The rows of the table: a type, its fields, and the kind of each.

/// A type of k8s-openapi that serializes the same fields that it parsed.
pub(super) struct KnownType {
    pub(super) path: &'static str,
    pub(super) recognition: Recognition,
    pub(super) fields: &'static [KnownField],
}

/// The reason to represent an object with these fields by the type.
pub(super) enum Recognition {
    /// No other object has such fields.
    ByShape,
    /// Many objects have such fields; the description of this field must contain these words, which
    /// only Kubernetes uses.
    ByDescription(&'static str, &'static str),
    /// Many objects have such fields; the type is only used inside another type of the table.
    InsideKnownType,
}

/// A field of a type.
pub(super) struct KnownField {
    pub(super) name: &'static str,
    pub(super) field_type: KnownFieldType,
    /// True if the type always writes the field, so that the field is required.
    pub(super) is_always_written: bool,
    /// The minor version of Kubernetes that added the field; zero if the field is as old as the
    /// type.
    pub(super) since: u8,
    /// The last version that has the field; `LATEST` if the newest version has it.
    pub(super) until: u8,
}

/// A version that is newer than all others.
pub(super) const LATEST: u8 = u8::MAX;

pub(super) const fn required(name: &'static str, of: KnownFieldType) -> KnownField {
    KnownField {
        name,
        field_type: of,
        is_always_written: true,
        since: 0,
        until: LATEST,
    }
}

pub(super) const fn optional(name: &'static str, of: KnownFieldType) -> KnownField {
    KnownField {
        name,
        field_type: of,
        is_always_written: false,
        since: 0,
        until: LATEST,
    }
}

impl KnownField {
    pub(super) const fn since(self, since: u8) -> Self {
        Self { since, ..self }
    }

    pub(super) const fn until(self, until: u8) -> Self {
        Self { until, ..self }
    }
}

/// The content of a field.
pub(super) enum KnownFieldType {
    String,
    Boolean,
    Int32,
    Int64,
    Time,
    Quantity,
    IntOrString,
    /// The metadata of an embedded object, of which an API server keeps some fields or none.
    Metadata,
    Object(&'static str),
    List(&'static KnownFieldType),
    Map(&'static KnownFieldType),
}
