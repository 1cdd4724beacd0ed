//! Findings: holes and mistakes in the rules of an object, each with a proposed correction.

use super::arity::arity_name;
use super::serialize::serialize_as_json;
use serde_json::{Map, Value, json};
use union_runtime::UnionModel;
use union_runtime::path::FieldPath;

/// A hole or a mistake in the rules of an object. A hole is a missing or incomplete rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The type of the hole or mistake.
    pub code: FindingCode,
    /// `Strong` if the rules are certainly wrong, `Weak` if the author may intend them.
    pub confidence: Confidence,
    /// The paths of the affected fields, from the object.
    pub fields: Vec<FieldPath>,
    /// The value of the discriminator that the finding is about.
    pub value: Option<String>,
    /// The other states of the discriminator in which the field may be set: values, `absent`,
    /// `other`.
    pub other_states: Vec<String>,
    /// The position of the rule in [`ObjectAnalysis::rules`](crate::ObjectAnalysis::rules), if the
    /// finding is about a rule.
    pub rule: Option<usize>,
    /// The source of the rule: a CEL expression, or the JSON of a keyword.
    pub rule_source: Option<String>,
    /// The message of the rule, if the finding is about the message.
    pub message: Option<String>,
    /// The smallest object that demonstrates the finding, with the fields that the schema requires.
    /// `None` for codes that no single object demonstrates.
    pub object: Option<Value>,
    /// True if the understood rules accept `object`. Only an evaluation of all CEL rules determines
    /// whether the API server accepts the object.
    pub accepted: bool,
    /// The proposed correction: a rule or a keyword to paste, or an instruction.
    pub remedy: String,
    /// The words of a description, if the finding is about a description. ` ... ` stands for
    /// omitted words.
    pub words: Option<String>,
    /// The kind of union that the described fields form, for findings about descriptions. If one
    /// field excludes several others, which do not exclude each other, the kind is narrower than
    /// the description.
    pub allowed: Option<UnionModel>,
    /// The three objects of two updates that evade a rule, in order; empty for other findings.
    pub updates: Vec<Value>,
    /// The attributes of `#[derive(Union)]` that have the effect of the remedy.
    pub derive: Option<String>,
}

impl Finding {
    /// Creates a finding without fields and examples.
    pub(crate) const fn new(code: FindingCode, confidence: Confidence) -> Self {
        Self {
            code,
            confidence,
            fields: Vec::new(),
            value: None,
            other_states: Vec::new(),
            rule: None,
            rule_source: None,
            message: None,
            object: None,
            accepted: false,
            remedy: String::new(),
            words: None,
            allowed: None,
            updates: Vec::new(),
            derive: None,
        }
    }
}

/// The certainty that a finding is a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Confidence {
    /// The author may intend the rules.
    Weak,
    /// The rules are certainly wrong.
    Strong,
}

impl Confidence {
    /// Returns the name in listings and case files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::Strong => "strong",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])+ $variant:ident $name:literal $description:literal,)+) => {
        /// The type of a hole or a mistake.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum FindingCode {
            $($(#[$doc])+ $variant,)+
        }

        impl FindingCode {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the name in listings and case files.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Returns the description, as a sentence without its period.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$variant => $description,)+
                }
            }
        }
    };
}

codes! {
    /// A field is required at one value of the discriminator, and no rule forbids it at other
    /// values.
    NotForbidden "not-forbidden" "the field is required with this value, but also allowed with others",
    /// A field is named like a value of the discriminator and has no rule, while the fields of
    /// other values have one.
    NoRule "no-rule" "the field is named like this value, but no rule restricts it",
    /// Members of several values may be set together while the discriminator is absent.
    FreeWhenAbsent "free-when-absent" "members of several values can be set together while the discriminator is absent",
    /// A value that no rule names allows any member.
    FreeWithUnknownValue "free-with-unknown-value" "an unknown value allows any member",
    /// A field is required at the only value of the enum, and no rule forbids the field. With a
    /// second value in the enum, the field would be allowed there too.
    FreeWithNextValue "free-with-next-value" "a second value in the enum would allow the field too",
    /// The enum has a value that the rules never accept.
    ValueRefused "value-refused" "every object with this value is rejected",
    /// A rule compares a field with a value that the enum of the field does not have.
    ValueNotInEnum "value-not-in-enum" "a rule compares the field with a value that its enum does not have",
    /// The rules accept no object.
    NeverHolds "never-holds" "every object is rejected",
    /// Every rule fails if the discriminator is absent.
    ErrorWhenAbsent "error-when-absent" "every rule fails with \"no such key\" if the discriminator is absent",
    /// A rule reads a field that may be absent.
    ReadWithoutHas "read-without-has" "the rule reads the field without checking that it is present",
    /// Two rules reject the same objects.
    SameRuleTwice "same-rule-twice" "two rules reject the same objects",
    /// A message names a field that its rule does not read.
    MessageNamesAnotherField "message-names-another-field" "the message names a field that the rule does not check",
    /// The message states "at most one", but the rule requires exactly one.
    MessageSaysAtMostOne "message-says-at-most-one" "the message states \"at most one\", but the rule requires exactly one",
    /// The message states "exactly one", but the rules require at most one.
    MessageSaysExactlyOne "message-says-exactly-one" "the message states \"exactly one\", but an object without members is accepted",
    /// A nullable member of a `oneOf`, in which null counts as set.
    NullCountsAsSet "null-counts-as-set" "null counts as set",
    /// A rule about the old object keeps a member or the discriminator unchanged.
    SwitchRefused "switch-refused" "a rule forbids changing the field, so the union cannot be switched",
    /// A keyword of an object names alternatives of a nested object, but accepts several together.
    NestedNotExclusive "nested-not-exclusive" "the alternatives of a nested object can be set together, because the keyword is in a branch of the object above",
    /// A description states that fields exclude each other, and no rule enforces it.
    DescribedNotEnforced "described-not-enforced" "a description states that the fields exclude each other, but no rule enforces it",
    /// A rule keeps a value unchanged, but updates may remove the value and set it anew.
    ImmutabilityEvaded "immutability-evaded" "a rule keeps the value unchanged, but one update can remove it and the next can set another value",
}

impl Finding {
    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        let mut json = Map::new();
        let mut put = |key: &str, value: Value| json.insert(key.to_owned(), value);
        put("code", self.code.as_str().into());
        put("weight", self.confidence.as_str().into());
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
        if !self.other_states.is_empty() {
            put("also", json!(self.other_states));
        }
        if let Some(rule) = &self.rule_source {
            put("rule", rule.clone().into());
        }
        if let Some(message) = &self.message {
            put("message", message.clone().into());
        }
        if let Some(object) = &self.object {
            put("object", object.clone());
        }
        if let Some(words) = &self.words {
            put("words", words.clone().into());
        }
        if let Some(allowed) = self.allowed {
            put("allowed", arity_name(allowed).into());
        }
        if !self.updates.is_empty() {
            put("updates", json!(self.updates));
        }
        if let Some(derive) = &self.derive {
            put("derive", derive.clone().into());
        }
        if !self.remedy.is_empty() {
            put("remedy", self.remedy.clone().into());
        }
        Value::Object(json)
    }
}

serialize_as_json!(Finding);
