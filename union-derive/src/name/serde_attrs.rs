//! The serde attributes that concern unions, as both readers return them.

use proc_macro2::Span;
use syn::ExprPath;

/// The serde attributes of a struct or an enum.
pub(crate) struct SerdeContainer {
    /// `transparent`, `from`, `try_from`, `into`, `remote`: another type is on the wire.
    pub(crate) converts: Option<&'static str>,
    pub(crate) default: SerdeDefault,
    /// `tag`, `content` or `untagged`.
    pub(crate) is_tagged: bool,
    /// The field that `tag` writes beside those of a struct.
    pub(crate) tag: Option<String>,
    pub(crate) denies_unknown: bool,
    /// The fields of a struct, in source order.
    pub(crate) fields: Vec<SerdeField>,
    /// The variants of an enum, in source order.
    pub(crate) variants: Vec<SerdeVariant>,
}

/// The serde attributes of a field.
pub(crate) struct SerdeField {
    pub(crate) name: WireName,
    pub(crate) is_flattened: bool,
    pub(crate) on_wire: OnWire,
    /// The name of the function in `skip_serializing_if`.
    pub(crate) skip_if: Option<String>,
    /// The function that writes the field instead of its type: `serialize_with` or `with`.
    pub(crate) written_by: Option<Span>,
    /// The function that reads the field instead of its type: `deserialize_with` or `with`.
    pub(crate) read_by: Option<Span>,
    pub(crate) default: SerdeDefault,
}

/// The directions in which a field is on the wire.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnWire {
    Both,
    OnlyRead,
    OnlyWritten,
    Neither,
}

/// The serde attributes of a variant.
pub(crate) struct SerdeVariant {
    pub(crate) name: WireName,
    pub(crate) is_skipped: bool,
    pub(crate) is_untagged: bool,
    pub(crate) is_other: bool,
    /// The function that reads or writes the variant, or its value.
    pub(crate) converted_by: Option<Span>,
}

/// The names of a field or a variant on the wire.
pub(crate) struct WireName {
    pub(crate) read: String,
    /// The other name, for writing, if there are two.
    pub(crate) written: Option<String>,
    /// Other names that are read too.
    pub(crate) aliases: Vec<String>,
}

/// The source of the value of an absent field.
#[derive(Clone)]
pub(crate) enum SerdeDefault {
    None,
    Default,
    Path(ExprPath),
}
