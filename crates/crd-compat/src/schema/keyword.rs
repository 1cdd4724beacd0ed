//! The keywords of a schema that a comparison distinguishes.

/// The keyword of a difference or of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Keyword {
    /// `type`.
    Type,
    /// `properties`: a field that only one schema describes.
    Properties,
    /// `required`: a name that only one schema lists.
    Required,
    /// `default`.
    Default,
    /// `enum`.
    Enum,
    /// `nullable`.
    Nullable,
    /// `pattern`.
    Pattern,
    /// `format`.
    Format,
    /// `minLength`.
    MinLength,
    /// `maxLength`.
    MaxLength,
    /// `minimum` and `exclusiveMinimum`.
    Minimum,
    /// `maximum` and `exclusiveMaximum`.
    Maximum,
    /// `multipleOf`.
    MultipleOf,
    /// `minItems`.
    MinItems,
    /// `maxItems`.
    MaxItems,
    /// `uniqueItems`.
    UniqueItems,
    /// `items`: only one schema has it.
    Items,
    /// `minProperties`.
    MinProperties,
    /// `maxProperties`.
    MaxProperties,
    /// `additionalProperties`.
    AdditionalProperties,
    /// `x-kubernetes-preserve-unknown-fields`.
    PreserveUnknownFields,
    /// `x-kubernetes-int-or-string`.
    IntOrString,
    /// `x-kubernetes-embedded-resource`.
    EmbeddedResource,
    /// `x-kubernetes-list-type`.
    ListType,
    /// `x-kubernetes-list-map-keys`.
    ListMapKeys,
    /// `x-kubernetes-map-type`.
    MapType,
    /// `x-kubernetes-validations`: a rule that only one schema has.
    Rule,
    /// `allOf`.
    AllOf,
    /// `anyOf`.
    AnyOf,
    /// `oneOf`.
    OneOf,
    /// `not`.
    Not,
}

/// A keyword, its name in a schema, and its codes: for an object that only the old schema accepts,
/// for an object that only the new schema accepts, and for an object that is stored otherwise.
pub(crate) type KeywordRow = (Keyword, &'static str, [&'static str; 3]);

pub(crate) const KEYWORDS: [KeywordRow; 31] = [
    (
        Keyword::Type,
        "type",
        ["type-refused", "type-allowed", "type-stored-differently"],
    ),
    (
        Keyword::Properties,
        "properties",
        ["field-refused", "field-allowed", "field-changed"],
    ),
    (
        Keyword::Required,
        "required",
        ["required-added", "required-removed", "required-changed"],
    ),
    (
        Keyword::Default,
        "default",
        ["default-refused", "default-allowed", "default-changed"],
    ),
    (
        Keyword::Enum,
        "enum",
        ["value-removed", "value-added", "values-changed"],
    ),
    (
        Keyword::Nullable,
        "nullable",
        ["null-refused", "null-allowed", "null-stored-differently"],
    ),
    (
        Keyword::Pattern,
        "pattern",
        ["pattern-tightened", "pattern-loosened", "pattern-changed"],
    ),
    (
        Keyword::Format,
        "format",
        ["format-tightened", "format-loosened", "format-changed"],
    ),
    (
        Keyword::MinLength,
        "minLength",
        [
            "min-length-tightened",
            "min-length-loosened",
            "min-length-changed",
        ],
    ),
    (
        Keyword::MaxLength,
        "maxLength",
        [
            "max-length-tightened",
            "max-length-loosened",
            "max-length-changed",
        ],
    ),
    (
        Keyword::Minimum,
        "minimum",
        ["minimum-tightened", "minimum-loosened", "minimum-changed"],
    ),
    (
        Keyword::Maximum,
        "maximum",
        ["maximum-tightened", "maximum-loosened", "maximum-changed"],
    ),
    (
        Keyword::MultipleOf,
        "multipleOf",
        [
            "multiple-of-tightened",
            "multiple-of-loosened",
            "multiple-of-changed",
        ],
    ),
    (
        Keyword::MinItems,
        "minItems",
        [
            "min-items-tightened",
            "min-items-loosened",
            "min-items-changed",
        ],
    ),
    (
        Keyword::MaxItems,
        "maxItems",
        [
            "max-items-tightened",
            "max-items-loosened",
            "max-items-changed",
        ],
    ),
    (
        Keyword::UniqueItems,
        "uniqueItems",
        [
            "unique-items-added",
            "unique-items-removed",
            "unique-items-changed",
        ],
    ),
    (
        Keyword::Items,
        "items",
        ["items-tightened", "items-loosened", "items-changed"],
    ),
    (
        Keyword::MinProperties,
        "minProperties",
        [
            "min-properties-tightened",
            "min-properties-loosened",
            "min-properties-changed",
        ],
    ),
    (
        Keyword::MaxProperties,
        "maxProperties",
        [
            "max-properties-tightened",
            "max-properties-loosened",
            "max-properties-changed",
        ],
    ),
    (
        Keyword::AdditionalProperties,
        "additionalProperties",
        [
            "additional-properties-refused",
            "additional-properties-allowed",
            "additional-properties-changed",
        ],
    ),
    (
        Keyword::PreserveUnknownFields,
        "x-kubernetes-preserve-unknown-fields",
        [
            "unknown-fields-refused",
            "unknown-fields-allowed",
            "unknown-fields-changed",
        ],
    ),
    (
        Keyword::IntOrString,
        "x-kubernetes-int-or-string",
        [
            "int-or-string-refused",
            "int-or-string-allowed",
            "int-or-string-changed",
        ],
    ),
    (
        Keyword::EmbeddedResource,
        "x-kubernetes-embedded-resource",
        [
            "embedded-resource-refused",
            "embedded-resource-allowed",
            "embedded-resource-changed",
        ],
    ),
    (
        Keyword::ListType,
        "x-kubernetes-list-type",
        [
            "list-type-tightened",
            "list-type-loosened",
            "list-type-changed",
        ],
    ),
    (
        Keyword::ListMapKeys,
        "x-kubernetes-list-map-keys",
        [
            "list-map-keys-tightened",
            "list-map-keys-loosened",
            "list-map-keys-changed",
        ],
    ),
    (
        Keyword::MapType,
        "x-kubernetes-map-type",
        [
            "map-type-tightened",
            "map-type-loosened",
            "map-type-changed",
        ],
    ),
    (
        Keyword::Rule,
        "x-kubernetes-validations",
        ["rule-added", "rule-removed", "rule-changed"],
    ),
    (
        Keyword::AllOf,
        "allOf",
        ["all-of-tightened", "all-of-loosened", "all-of-changed"],
    ),
    (
        Keyword::AnyOf,
        "anyOf",
        ["any-of-tightened", "any-of-loosened", "any-of-changed"],
    ),
    (
        Keyword::OneOf,
        "oneOf",
        ["one-of-tightened", "one-of-loosened", "one-of-changed"],
    ),
    (
        Keyword::Not,
        "not",
        ["not-tightened", "not-loosened", "not-changed"],
    ),
];

impl Keyword {
    fn row(self) -> Option<&'static KeywordRow> {
        KEYWORDS.iter().find(|(keyword, ..)| *keyword == self)
    }

    /// Returns the name of the keyword in a schema.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.row().map_or("", |(_, name, _)| name)
    }

    /// Returns the code of a finding about an object that only the old schema accepts, because of
    /// this keyword.
    #[must_use]
    pub fn code_of_refusal(self) -> &'static str {
        self.codes()[0]
    }

    /// Returns the codes for an object that only the old schema accepts, for an object that only
    /// the new schema accepts, and for an object that both store, but differently.
    pub(crate) fn codes(self) -> [&'static str; 3] {
        self.row().map_or([""; 3], |(.., codes)| *codes)
    }

    /// Returns true for `allOf`, `anyOf`, `oneOf` and `not`, which combine schemas of one value.
    #[must_use]
    pub const fn is_combinator(self) -> bool {
        matches!(self, Self::AllOf | Self::AnyOf | Self::OneOf | Self::Not)
    }

    /// Returns the keyword with a name in a schema.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let row = KEYWORDS.iter().find(|(_, known, _)| *known == name);
        row.map(|(keyword, ..)| *keyword)
    }
}
