//! The types of tokens.

use crate::error::Mark;

/// A token, and the position where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) mark: Mark,
}

/// The type of a token, with what it contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    End,
    /// A directive `%YAML`, with its version.
    Version(u8, u8),
    /// A directive `%TAG`.
    TagPrefix {
        handle: Vec<u8>,
        prefix: Vec<u8>,
    },
    DocumentStart,
    DocumentEnd,
    BlockList,
    BlockMap,
    BlockEnd,
    FlowList,
    FlowListEnd,
    FlowMap,
    FlowMapEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    Tag {
        handle: Vec<u8>,
        suffix: Vec<u8>,
    },
    Scalar {
        text: String,
        is_plain: bool,
    },
}
