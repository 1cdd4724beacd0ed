//! The serde attributes that affect unions. `fast_path` and `from_serde` both return these types.

use proc_macro2::{Ident, Span};
use syn::ExprPath;

/// The serde attributes of a struct or an enum.
pub(crate) struct SerdeContainer {
    /// The name of the attribute, if any, with which serde writes or reads another type instead of
    /// this type: `transparent`, `from`, `try_from`, `into` or `remote`.
    pub(crate) conversion: Option<&'static str>,
    pub(crate) default: SerdeDefault,
    /// True if the container has `tag`, `content` or `untagged`.
    pub(crate) is_tagged: bool,
    /// The JSON name of the field that `tag` adds to the fields of a struct.
    pub(crate) tag: Option<String>,
    /// True if the container has `deny_unknown_fields`.
    pub(crate) denies_unknown: bool,
    /// The fields of a struct, in source order.
    pub(crate) fields: Vec<SerdeField>,
    /// The variants of an enum, in source order.
    pub(crate) variants: Vec<SerdeVariant>,
}

/// The serde attributes of a field.
pub(crate) struct SerdeField {
    pub(crate) names: JsonNames,
    pub(crate) is_flattened: bool,
    pub(crate) direction: SerdeDirection,
    /// The name of the function in `skip_serializing_if`, without its path.
    pub(crate) skip_if: Option<Ident>,
    /// The span of the function that serializes the field instead of its type: `serialize_with` or
    /// `with`.
    pub(crate) serialize_with: Option<Span>,
    /// The span of the function that deserializes the field instead of its type: `deserialize_with`
    /// or `with`.
    pub(crate) deserialize_with: Option<Span>,
    pub(crate) default: SerdeDefault,
}

/// The directions in which serde converts a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SerdeDirection {
    Both,
    DeserializeOnly,
    SerializeOnly,
    Neither,
}

/// The serde attributes of a variant.
pub(crate) struct SerdeVariant {
    pub(crate) names: JsonNames,
    /// True if the variant has `skip`, `skip_serializing` or `skip_deserializing`.
    pub(crate) is_skipped: bool,
    /// True if the variant has `untagged`.
    pub(crate) is_untagged: bool,
    /// True if the variant has `other`.
    pub(crate) is_other: bool,
    /// The span of a function that serializes or deserializes the variant, or a field of the
    /// variant.
    pub(crate) conversion_span: Option<Span>,
}

/// The names of a field or a variant in JSON.
pub(crate) struct JsonNames {
    /// The name for deserializing.
    pub(crate) deserialize: String,
    /// The name for serializing, if it differs from `deserialize`.
    pub(crate) serialize: Option<String>,
    /// The additional names for deserializing.
    pub(crate) aliases: Vec<String>,
}

/// The serde default of a field or a struct, which is used for absent fields.
#[derive(Clone)]
pub(crate) enum SerdeDefault {
    None,
    Default,
    Path(ExprPath),
}
