//! What is wrong with the rules of an object, and what to write in their place.

use super::serialize::serialize_as_json;
use serde_json::{Map, Value, json};
use union_runtime::path::FieldPath;

/// A hole or a mistake in the rules of an object.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// What is wrong.
    pub code: Code,
    /// `Strong`: it is wrong; `Weak`: it may be meant so.
    pub weight: Weight,
    /// The paths of the fields that it is about, from the object.
    pub fields: Vec<FieldPath>,
    /// The value of the discriminator that it is about.
    pub value: Option<String>,
    /// Where the field may be set as well: values, `absent`, `other`.
    pub also: Vec<String>,
    /// The position of the rule in [`Reading::rules`](crate::Reading::rules), where it is about one.
    pub rule: Option<usize>,
    /// The text of that rule.
    pub rule_text: Option<String>,
    /// What the rule says where it is broken, where that is what is wrong.
    pub message: Option<String>,
    /// The smallest object that shows it, from the solver: what the schema itself requires is filled in. Codes that no single
    /// object shows have none.
    pub object: Option<Value>,
    /// Whether the rules accept that object, as far as they were understood. What a server says to it, an evaluator knows.
    pub accepted: bool,
    /// What to write, as text that can be pasted, or what to do.
    pub remedy: String,
}

/// How sure it is that something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Weight {
    /// It may be meant so.
    Weak,
    /// It is wrong.
    Strong,
}

impl Weight {
    /// Its name in listings and case files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::Strong => "strong",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])+ $variant:ident $name:literal $what:literal,)+) => {
        /// What is wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])+ $variant,)+
        }

        impl Code {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name in listings and case files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// What it says, in a sentence without its end.
            #[must_use]
            pub const fn what(self) -> &'static str {
                match self {
                    $(Self::$variant => $what,)+
                }
            }
        }
    };
}

codes! {
    /// A field is required at one value, and no rule forbids it at others.
    NotForbidden "not-forbidden" "the field is required at the value, and allowed at others",
    /// A value has a sibling of its name without a rule, while others have one.
    NoRule "no-rule" "the field is named like the value, and has no rule",
    /// With the discriminator absent, members of several values may be set.
    FreeWhenAbsent "free-when-absent" "members of several values may be set while the discriminator is absent",
    /// A value that no rule knows takes any member.
    FreeWithUnknownValue "free-with-unknown-value" "a value that is not known takes any member",
    /// One value, required there, forbidden nowhere.
    FreeWithNextValue "free-with-next-value" "the field is free as soon as there is a second value",
    /// The enum has a value that is never accepted.
    ValueRefused "value-refused" "no object with this value is accepted",
    /// A rule asks for a value that the enum does not have.
    ValueNotInEnum "value-not-in-enum" "a rule asks for a value that the enum does not have",
    /// No object is accepted.
    NeverHolds "never-holds" "no object is accepted",
    /// Without the discriminator every rule fails.
    ErrorWhenAbsent "error-when-absent" "every rule fails with \"no such key\" where the discriminator is absent",
    /// A rule reads a field where it may be absent.
    ReadWithoutHas "read-without-has" "the rule reads the field where it may be absent",
    /// Two rules say the same.
    SameRuleTwice "same-rule-twice" "two rules say the same",
    /// A message names a field that its rule does not ask for.
    MessageNamesAnotherField "message-names-another-field" "the message names a field that the rule does not ask for",
    /// The message says at most one, the rule says exactly one.
    MessageSaysAtMostOne "message-says-at-most-one" "the message says \"at most one\", and the rule asks for one",
    /// The message says exactly one, the rules say at most one.
    MessageSaysExactlyOne "message-says-exactly-one" "the message says \"exactly one\", and none is accepted",
    /// A nullable member under `oneOf`.
    NullCountsAsSet "null-counts-as-set" "null counts as set",
    /// A rule about the old object keeps a member or the discriminator as it was.
    SwitchRefused "switch-refused" "a rule keeps the field as it was, so that the union cannot be switched",
}

impl Finding {
    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        let mut json = Map::new();
        let mut put = |key: &str, value: Value| json.insert(key.to_owned(), value);
        put("code", self.code.name().into());
        put("weight", self.weight.name().into());
        match &*self.fields {
            [] => {}
            [field] => {
                put("field", field.as_str().into());
            }
            fields => {
                put("fields", json!(fields));
            }
        }
        if let Some(value) = &self.value {
            put("value", value.clone().into());
        }
        if !self.also.is_empty() {
            put("also", json!(self.also));
        }
        if let Some(rule) = &self.rule_text {
            put("rule", rule.clone().into());
        }
        if let Some(message) = &self.message {
            put("message", message.clone().into());
        }
        if let Some(object) = &self.object {
            put("object", object.clone());
        }
        if !self.remedy.is_empty() {
            put("remedy", self.remedy.clone().into());
        }
        Value::Object(json)
    }
}

serialize_as_json!(Finding);
