//! What was read of an object schema: data, in the form of the case files as JSON.

use super::serialize::serialize_as_json;
use serde_json::{Map, Value, json};

use crate::report::finding::Finding;
use union_runtime::Arity;

/// What an object schema declares.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Reading {
    /// The unions: fields in schema order, values in enum order.
    pub unions: Vec<Union>,
    /// What was found beside them; without a union, why there is none. Sorted.
    pub beside: Vec<Reason>,
    /// Fields that exclude each other where that makes no union: they overlap with others. Fields in schema order.
    pub exclusions: Vec<[String; 2]>,
    /// Alternatives of which some are several fields: no union has those.
    pub bundles: Vec<Bundle>,
    /// The fields whose empty value the rules take as unset, by their paths. A union with such a member is
    /// [not sound](Union::is_sound): to a validator `[]`, `{}` and `""` are set.
    pub empty_counts_as_unset: Vec<String>,
    /// An enum whose values are named like siblings that no rule asks for: a hint, and no union.
    pub conventions: Vec<Convention>,
    /// Holes and mistakes.
    pub findings: Vec<Finding>,
    /// The rules that were asked, in the order of the schema; those that moved here from an object above come first. Unions
    /// name them by their positions.
    pub rules: Vec<Rule>,
    /// How many steps reading took: evaluations of rules and revisions of the solver.
    pub steps: u64,
}

/// A union that the rules of somebody else declare.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Union {
    /// The field that names the member, if there is one.
    pub discriminator: Option<Discriminator>,
    /// How many members are to be set.
    pub arity: Arity,
    /// In schema order.
    pub members: Vec<Member>,
    /// Whether it says all that the rules say about its fields. Otherwise it is sound: what the rules accept, it accepts.
    pub exact: bool,
    /// One optional member that is not named like its value: not offered by default.
    pub weak: bool,
    /// Whether a member's empty value counts as unset to the rules.
    pub empty_counts_as_unset: bool,
    /// Fields that depend on the discriminator and are not members.
    pub left_out: Vec<LeftOut>,
    /// The positions of the [rules](Reading::rules) that it stands for: they say nothing else.
    pub stands_for: Vec<usize>,
    /// The positions of the rules about its fields that say more than it does.
    pub left_over: Vec<usize>,
}

/// The field that names the member to respect.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Discriminator {
    /// Its JSON name.
    pub name: String,
    /// Whether an object without it is refused, or gets the default.
    pub required: bool,
    /// The schema's default.
    pub default: Option<String>,
    /// The values without a member.
    pub empty_members: Vec<String>,
    /// Whether values that are not listed are accepted.
    pub open: bool,
}

/// A field of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// Its JSON name.
    pub name: String,
    /// The discriminator value that selects it; without a discriminator its name.
    pub value: String,
    /// Whether it may be selected and unset.
    pub optional: bool,
}

/// A field that depends on a discriminator and is not a member.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Its JSON name.
    pub name: String,
    /// Where it may be set: values of the discriminator, `absent`, `other`.
    pub values: Vec<String>,
    /// Where it has to be set.
    pub required_at: Vec<String>,
}

/// Alternatives that exclude each other, some of which are fields that are set as a whole or not at all: `a | b | c and d`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bundle {
    /// The alternatives, in schema order.
    pub alternatives: Vec<Vec<String>>,
    /// Whether one of them has to be set.
    pub required: bool,
}

/// An enum whose values are named like optional siblings, without a rule. Nothing enforces it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Convention {
    /// The field with the enum.
    pub discriminator: String,
    /// The siblings, in enum order.
    pub members: Vec<Member>,
    /// The values without a sibling of their name.
    pub other_values: Vec<String>,
}

/// A rule, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Where it stands: the JSON pointer of the object or list whose schema has it, from the schema that was read.
    pub pointer: String,
    /// The keyword: `x-kubernetes-validations`, `oneOf`, `minProperties` and so on.
    pub keyword: &'static str,
    /// The position in the list of that keyword, where it has one.
    pub index: Option<usize>,
    /// The expression; the JSON of other keywords.
    pub text: String,
    /// What the server says where it is broken.
    pub message: Option<String>,
    /// Whether all of it is about this object: otherwise parts of it are about objects below, or above.
    pub whole: bool,
    /// Why it was not understood; its fields may then be set in more ways than are allowed.
    pub unknown: Option<&'static str>,
}

/// Why there is no union, or what was found beside one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// Several fields are set together or not at all.
    AllOrNone,
    /// One of several fields has to be set, and more may be.
    AtLeastOne,
    /// A boolean decides.
    BooleanDiscriminator,
    /// A field is required at one value, and not forbidden at others.
    ConditionallyRequired,
    /// Nothing but names.
    Convention,
    /// A field needs another one.
    Dependency,
    /// Fields exclude each other beside a group.
    ExclusionBeside,
    /// It would be a union but for what the rules forgot; see the findings.
    Holes,
    /// Discriminator and field stand on different levels.
    OtherLevel,
    /// A field excludes two that go together.
    OverlappingExclusions,
    /// One value has several fields.
    SeveralFieldsPerValue,
    /// A field goes with several values.
    SeveralValuesPerField,
    /// No object is accepted.
    Unsatisfiable,
    /// The rules ask for values alone.
    ValuesOnly,
}

impl Reason {
    /// Its name in listings and case files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllOrNone => "all-or-none",
            Self::AtLeastOne => "at-least-one",
            Self::BooleanDiscriminator => "boolean-discriminator",
            Self::ConditionallyRequired => "conditionally-required",
            Self::Convention => "convention",
            Self::Dependency => "dependency",
            Self::ExclusionBeside => "exclusion-beside",
            Self::Holes => "holes",
            Self::OtherLevel => "other-level",
            Self::OverlappingExclusions => "overlapping-exclusions",
            Self::SeveralFieldsPerValue => "several-fields-per-value",
            Self::SeveralValuesPerField => "several-values-per-field",
            Self::Unsatisfiable => "unsatisfiable",
            Self::ValuesOnly => "values-only",
        }
    }
}

impl Union {
    /// How many members are to be set, as listings and case files call it.
    #[must_use]
    pub const fn arity_name(&self) -> &'static str {
        match self.arity {
            Arity::ExactlyOne => "exactly one",
            Arity::AtMostOne => "at most one",
            _ => "selected",
        }
    }
}

impl Reading {
    /// Whether there is nothing to say.
    #[must_use]
    pub const fn is_silent(&self) -> bool {
        self.unions.is_empty()
            && self.beside.is_empty()
            && self.empty_counts_as_unset.is_empty()
            && self.conventions.is_empty()
            && self.findings.is_empty()
    }

    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        let mut json = Map::new();
        json.insert("unions".to_owned(), json!(self.unions));
        json.insert("findings".to_owned(), json!(self.findings));
        if !self.beside.is_empty() {
            let key = if self.unions.is_empty() {
                "none"
            } else {
                "beside"
            };
            let names: Vec<&str> = self.beside.iter().map(|reason| reason.name()).collect();
            json.insert(key.to_owned(), json!(names));
        }
        if !self.empty_counts_as_unset.is_empty() {
            let names = json!(self.empty_counts_as_unset);
            json.insert("empty_counts_as_unset".to_owned(), names);
        }
        if let Some(convention) = self.conventions.first() {
            json.insert("convention".to_owned(), json!(convention));
        }
        Value::Object(json)
    }
}

impl Union {
    /// Whether it may validate and normalize: whatever the rules accept, it accepts.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        !self.empty_counts_as_unset
    }

    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        let mut json = Map::new();
        let mut put = |key: &str, value: Value| json.insert(key.to_owned(), value);
        put("arity", self.arity_name().into());
        put("exact", self.exact.into());
        if self.weak {
            put("weak", true.into());
        }
        let Some(discriminator) = &self.discriminator else {
            let names: Vec<&str> = self.members.iter().map(|member| &*member.name).collect();
            put("discriminator", Value::Null);
            put("members", json!(names));
            return Value::Object(json);
        };
        put("discriminator", discriminator.name.clone().into());
        put("required", discriminator.required.into());
        if let Some(default) = &discriminator.default {
            put("default", default.clone().into());
        }
        if discriminator.open {
            put("open", true.into());
        }
        put("empty_members", json!(discriminator.empty_members));
        let members = self.members.iter().map(|member| {
            json!({"name": member.name, "value": member.value, "optional": member.optional})
        });
        put("members", members.collect());
        if !self.left_out.is_empty() {
            let left_out = self.left_out.iter().map(|field| {
                let depends = json!({"values": field.values, "required_at": field.required_at});
                (field.name.clone(), depends)
            });
            put("left_out", Value::Object(left_out.collect()));
        }
        Value::Object(json)
    }
}

impl Bundle {
    /// The fields with an alternative to themselves: at most one of them may be set. It says less than the rules do.
    #[must_use]
    pub fn singles(&self) -> Vec<&str> {
        let singles = self
            .alternatives
            .iter()
            .filter_map(|fields| match &**fields {
                [only] => Some(&**only),
                _ => None,
            });
        singles.collect()
    }

    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        json!({"alternatives": self.alternatives, "required": self.required})
    }
}

impl Convention {
    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        let members = self.members.iter();
        let members = members.map(|member| json!({"name": member.name, "value": member.value}));
        json!({
            "discriminator": self.discriminator,
            "members": members.collect::<Vec<_>>(),
            "other_values": self.other_values,
        })
    }
}

serialize_as_json!(Reading, Union, Bundle, Convention);
