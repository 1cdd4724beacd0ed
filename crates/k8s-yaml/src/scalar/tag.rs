//! The tags of scalars.

/// The prefix of the tags of YAML itself, for which `!!` is the handle.
pub(crate) const YAML_PREFIX: &[u8] = b"tag:yaml.org,2002:";

/// The tag of a value. Tags that go-yaml reads as the same type are one tag.
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

/// The tags that are not strings, by their names after `!!`.
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
    /// Returns the tag that a prefix and a suffix form. They are compared in place, because a
    /// document may use a long prefix for each of its values.
    pub(crate) fn new(prefix: &[u8], suffix: &[u8]) -> Self {
        let is = |first: &[u8], second: &[u8]| {
            let tag = first.iter().chain(second);
            tag.eq(prefix.iter().chain(suffix))
        };
        if is(b"!", b"") {
            return Self::NonSpecific;
        }
        let known = NAMES
            .iter()
            .find(|(name, _)| is(YAML_PREFIX, name.as_bytes()));
        known.map_or(Self::Other, |(_, tag)| *tag)
    }

    /// Returns the name after `!!` of a tag that is not a string.
    pub(crate) fn name(self) -> &'static str {
        let known = NAMES.iter().find(|(_, tag)| *tag == self);
        known.map_or("str", |(name, _)| *name)
    }
}
