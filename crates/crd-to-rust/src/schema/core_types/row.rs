//! The rows of the table: a type, and its fields with their types.

/// A k8s-openapi type that serializes exactly the fields that it deserialized.
pub(super) struct KnownType {
    pub(super) path: &'static str,
    pub(super) recognition: Recognition,
    pub(super) fields: &'static [KnownField],
}

/// The condition for recognizing the type.
pub(super) enum Recognition {
    /// The fields identify the type, because no other object has them.
    ByShape,
    /// The fields do not identify the type. In addition, the description of `field` must contain
    /// `words`, which only Kubernetes uses.
    ByDescription {
        field: &'static str,
        words: &'static str,
    },
    /// The fields do not identify the type. It is used only inside another type of the table.
    InsideKnownType,
}

/// A field of a type.
pub(super) struct KnownField {
    pub(super) name: &'static str,
    pub(super) field_type: KnownFieldType,
    /// True if the type always serializes the field, so that the schema must require the field.
    pub(super) is_always_serialized: bool,
    /// The minor version of Kubernetes that added the field; zero if the field is as old as the
    /// type.
    pub(super) since: u8,
    /// The last minor version with the field; `LATEST` if the field was not removed.
    pub(super) until: u8,
}

/// A minor version that is newer than all others.
pub(super) const LATEST: u8 = u8::MAX;

pub(super) const fn required(name: &'static str, field_type: KnownFieldType) -> KnownField {
    KnownField {
        name,
        field_type,
        is_always_serialized: true,
        since: 0,
        until: LATEST,
    }
}

pub(super) const fn optional(name: &'static str, field_type: KnownFieldType) -> KnownField {
    KnownField {
        name,
        field_type,
        is_always_serialized: false,
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

/// The type of a field.
pub(super) enum KnownFieldType {
    String,
    Boolean,
    Int32,
    Int64,
    Time,
    Quantity,
    IntOrString,
    /// The metadata of an embedded object. The schema may describe all fields, some fields or none.
    Metadata,
    Object(&'static str),
    List(&'static KnownFieldType),
    Map(&'static KnownFieldType),
}
