//! The result of analyzing an object schema, and its form as JSON.

use super::arity::arity_name;
use super::serialize::serialize_as_json;
use serde_json::{Map, Value, json};

use crate::report::finding::Finding;
use union_runtime::UnionModel;

/// The result of analyzing an object schema: unions, and findings about the rules.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ObjectAnalysis {
    /// The unions, with fields in schema order and values in enum order.
    pub unions: Vec<Union>,
    /// The reasons why other fields are not a union, sorted. If `unions` is empty, the reasons why
    /// there is no union.
    pub no_union_reasons: Vec<NoUnionReason>,
    /// Pairs of fields that exclude each other but are not a union, because they overlap with other
    /// pairs. Fields are in schema order.
    pub exclusions: Vec<[String; 2]>,
    /// Alternatives, some of which consist of several fields. A union does not have such members.
    pub alternative_field_sets: Vec<AlternativeFieldSets>,
    /// The paths of the fields whose empty value the rules treat as unset. A union with such a
    /// member is [not sound](Union::is_sound), because a validator treats `[]`, `{}` and `""` as
    /// set.
    pub empty_counts_as_unset: Vec<String>,
    /// Enums whose values are named like siblings that no rule reads: a hint, not a union.
    pub naming_hints: Vec<NamingHint>,
    /// The holes and mistakes in the rules.
    pub findings: Vec<Finding>,
    /// The rules about the object: first the rules of objects above that concern this object, then
    /// its own rules in schema order. Unions refer to rules by their positions.
    pub rules: Vec<Rule>,
    /// The number of steps that the analysis took: evaluated terms of rules, and solver steps.
    pub steps: u64,
}

/// A union that the rules of a third-party CRD declare.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Union {
    /// The field that names the selected member, if the union has such a field.
    pub discriminator: Option<Discriminator>,
    /// The number of members that may or must be set.
    pub arity: UnionModel,
    /// The members, in schema order.
    pub members: Vec<Member>,
    /// True if the union is equivalent to the rules on its fields. Otherwise the rules reject more
    /// objects than the union.
    pub exact: bool,
    /// True if the union is a single field without a discriminator, or has a single optional member
    /// that is not named like its value. [`add_unions_to`](crate::add_unions_to) omits such a
    /// union.
    pub weak: bool,
    /// True if the rules treat the empty value of a member as unset.
    pub empty_counts_as_unset: bool,
    /// The fields that depend on the discriminator and are not members.
    pub conditional_fields: Vec<ConditionalField>,
    /// The positions of the [rules](ObjectAnalysis::rules) that the union can replace, because the
    /// union implies these rules.
    pub replaceable_rules: Vec<usize>,
    /// The positions of the rules about the fields of the union that reject more objects than the
    /// union, and of rules that are not valid CEL expressions.
    pub remaining_rules: Vec<usize>,
}

/// The field that names the selected member.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Discriminator {
    /// The JSON name.
    pub name: String,
    /// True if an object without the discriminator is rejected or gets the default.
    pub required: bool,
    /// The default in the schema.
    pub default: Option<String>,
    /// The values without a member.
    pub empty_members: Vec<String>,
    /// True if the rules also accept values that neither the enum nor a rule lists.
    pub open: bool,
}

/// A member of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// The JSON name.
    pub name: String,
    /// The discriminator value that selects the member. Without a discriminator, the name of the
    /// member.
    pub value: String,
    /// True if the member may be unset while it is selected.
    pub optional: bool,
}

/// A field that depends on a discriminator and is not a member.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConditionalField {
    /// The JSON name.
    pub name: String,
    /// The states of the discriminator in which the field may be set: values, `absent`, `other`.
    pub values: Vec<String>,
    /// The states of the discriminator in which the field must be set.
    pub required_at: Vec<String>,
}

/// Mutually exclusive alternatives. An alternative may consist of several fields that are set
/// together or not at all: `a | b | (c and d)`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AlternativeFieldSets {
    /// The alternatives, in schema order.
    pub alternatives: Vec<Vec<String>>,
    /// True if one of the alternatives must be set.
    pub required: bool,
}

/// An enum whose values are named like optional sibling fields, without a rule. The API server does
/// not enforce such a naming convention.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamingHint {
    /// The field with the enum.
    pub discriminator: String,
    /// The sibling fields that are named like a value, in enum order.
    pub members: Vec<Member>,
    /// The values that no sibling field is named like.
    pub other_values: Vec<String>,
}

/// A rule as the schema contains it: a CEL rule, or a keyword.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The JSON pointer of the object or list whose schema contains the rule, relative to the
    /// analyzed schema.
    pub pointer: String,
    /// The keyword: `x-kubernetes-validations`, `oneOf`, `minProperties` and so on.
    pub keyword: &'static str,
    /// The position in the list of the keyword, if the keyword has a list.
    pub index: Option<usize>,
    /// The CEL expression, or the JSON of another keyword.
    pub source: String,
    /// The `message` of the rule, which the API server reports if the rule fails.
    pub message: Option<String>,
    /// True if the whole rule is about this object. Otherwise parts of it are about objects below
    /// or above.
    pub whole: bool,
    /// The reason why the analysis does not understand the rule. Such a rule counts as a rule that
    /// accepts every object.
    pub unknown_reason: Option<&'static str>,
}

/// A reason why fields are not a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NoUnionReason {
    /// Several fields are set together or not at all.
    AllOrNone,
    /// At least one of several fields must be set.
    AtLeastOne,
    /// A boolean field determines which fields may be set.
    BooleanDiscriminator,
    /// A field is required at one value of the discriminator, and not forbidden at other values.
    ConditionallyRequired,
    /// Fields are named like the values of an enum, without a rule.
    NamingConvention,
    /// A field requires another field.
    Dependency,
    /// Fields of a group of mutually exclusive fields also exclude fields outside the group.
    AdditionalExclusion,
    /// The fields would be a union if the rules had no holes; see the findings.
    MissingRules,
    /// The discriminator, or the field that it determines, is in a nested object.
    DifferentLevels,
    /// A field excludes two fields that may be set together.
    OverlappingExclusions,
    /// A value of the discriminator has several fields.
    SeveralFieldsPerValue,
    /// A field may be set at several values of the discriminator.
    SeveralValuesPerField,
    /// The rules accept no object.
    Unsatisfiable,
    /// The rules only restrict the values of a field.
    ValuesOnly,
}

impl NoUnionReason {
    /// Returns the name in listings and case files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AllOrNone => "all-or-none",
            Self::AtLeastOne => "at-least-one",
            Self::BooleanDiscriminator => "boolean-discriminator",
            Self::ConditionallyRequired => "conditionally-required",
            Self::NamingConvention => "convention",
            Self::Dependency => "dependency",
            Self::AdditionalExclusion => "exclusion-beside",
            Self::MissingRules => "holes",
            Self::DifferentLevels => "other-level",
            Self::OverlappingExclusions => "overlapping-exclusions",
            Self::SeveralFieldsPerValue => "several-fields-per-value",
            Self::SeveralValuesPerField => "several-values-per-field",
            Self::Unsatisfiable => "unsatisfiable",
            Self::ValuesOnly => "values-only",
        }
    }
}

impl Union {
    /// Returns the name of the arity in listings and case files.
    #[must_use]
    pub const fn arity_name(&self) -> &'static str {
        arity_name(self.arity)
    }
}

impl ObjectAnalysis {
    /// Returns true if the analysis contains no unions, reasons, hints or findings.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.unions.is_empty()
            && self.no_union_reasons.is_empty()
            && self.empty_counts_as_unset.is_empty()
            && self.naming_hints.is_empty()
            && self.findings.is_empty()
    }

    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        let mut json = Map::new();
        json.insert("unions".to_owned(), json!(self.unions));
        json.insert("findings".to_owned(), json!(self.findings));
        if !self.no_union_reasons.is_empty() {
            let key = if self.unions.is_empty() {
                "none"
            } else {
                "beside"
            };
            let names: Vec<&str> = self
                .no_union_reasons
                .iter()
                .map(|reason| reason.as_str())
                .collect();
            json.insert(key.to_owned(), json!(names));
        }
        if !self.empty_counts_as_unset.is_empty() {
            let names = json!(self.empty_counts_as_unset);
            json.insert("empty_counts_as_unset".to_owned(), names);
        }
        if let Some(hint) = self.naming_hints.first() {
            json.insert("convention".to_owned(), json!(hint));
        }
        Value::Object(json)
    }
}

impl Union {
    /// Returns true if the union may validate and normalize objects: it accepts every object that
    /// the rules accept.
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
        if !self.conditional_fields.is_empty() {
            let left_out = self.conditional_fields.iter().map(|field| {
                let depends = json!({"values": field.values, "required_at": field.required_at});
                (field.name.clone(), depends)
            });
            put("left_out", Value::Object(left_out.collect()));
        }
        Value::Object(json)
    }
}

impl AlternativeFieldSets {
    /// Returns the alternatives that consist of one field. At most one of these fields may be set;
    /// the rules also restrict the other alternatives.
    #[must_use]
    pub fn single_fields(&self) -> Vec<&str> {
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

impl NamingHint {
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

serialize_as_json!(ObjectAnalysis, Union, AlternativeFieldSets, NamingHint);
