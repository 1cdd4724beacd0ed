//! A CEL rule of a schema.

use serde_json::Value;

use super::keywords::{KeywordDecoder, UnmarshalTypeError};

/// A CEL rule, as the CRD contains the rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rule {
    #[expect(clippy::struct_field_names, reason = "it is the keyword")]
    pub(crate) rule: Box<str>,
    pub(crate) message: Box<str>,
    pub(crate) message_expression: Box<str>,
    pub(crate) reason: Option<Box<str>>,
    pub(crate) field_path: Box<str>,
    pub(crate) optional_old_self: Option<bool>,
}

impl Rule {
    /// Decodes a rule of `x-kubernetes-validations`. A null counts as a missing value.
    ///
    /// # Errors
    ///
    /// Returns an error for the first field whose value has a wrong type.
    pub(crate) fn decode(rule: &Value) -> Result<Self, UnmarshalTypeError> {
        let decoder = KeywordDecoder::new(rule)?;
        Ok(Self {
            rule: decoder.string("rule")?.into(),
            message: decoder.string("message")?.into(),
            message_expression: decoder.string("messageExpression")?.into(),
            reason: decoder.optional_string("reason")?.map(Into::into),
            field_path: decoder.string("fieldPath")?.into(),
            optional_old_self: decoder.optional_boolean("optionalOldSelf")?,
        })
    }
}
