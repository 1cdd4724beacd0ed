//! The tags of scalars.

/// The prefix of YAML's own tags, which have the handle `!!`.
pub(crate) const YAML_PREFIX: &[u8] = b"tag:yaml.org,2002:";

/// The tag of a value. Tags that have the same effect in go-yaml are one variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// No tag.
    Absent,
    /// The tag `!`.
    NonSpecific,
    Binary,
    Bool,
    Float,
    Int,
    Merge,
    Null,
    Timestamp,
    /// `!!str`, or a tag that go-yaml does not know: the value is a string.
    Other,
}

/// The tags of types other than strings, with their names after `!!`.
const NAMES: [(&str, Tag); 7] = [
    ("binary", Tag::Binary),
    ("bool", Tag::Bool),
    ("float", Tag::Float),
    ("int", Tag::Int),
    ("merge", Tag::Merge),
    ("null", Tag::Null),
    ("timestamp", Tag::Timestamp),
];

impl Tag {
    /// Returns the tag with this prefix and suffix. They are compared without concatenation,
    /// because a document may use a long prefix for each value.
    pub(crate) fn new(prefix: &[u8], suffix: &[u8]) -> Self {
        let equals = |other_prefix: &[u8], other_suffix: &[u8]| {
            let tag = other_prefix.iter().chain(other_suffix);
            tag.eq(prefix.iter().chain(suffix))
        };
        if equals(b"!", b"") {
            return Self::NonSpecific;
        }
        let entry = NAMES
            .iter()
            .find(|(name, _)| equals(YAML_PREFIX, name.as_bytes()));
        entry.map_or(Self::Other, |(_, tag)| *tag)
    }

    /// Returns the name after `!!`; `str` for all tags of strings.
    pub(crate) fn name(self) -> &'static str {
        let entry = NAMES.iter().find(|(_, tag)| *tag == self);
        entry.map_or("str", |(name, _)| *name)
    }
}
