//! Tests of discriminators with a serde default: the schema has the default, and the rules treat an
//! absent discriminator as the default value.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::{EnumType, Union, add_unions, schema_for};

use crate::{property, rule_expressions};

#[derive(EnumType, Serialize, Deserialize, Clone, Default, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Kind {
    Alpha,
    #[default]
    Beta,
}

#[derive(EnumType, Serialize, Deserialize, Clone, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum KindWithEmptyValue {
    Alpha,
    Beta,
    #[serde(rename = "")]
    Nothing,
}

macro_rules! declare_union {
    ($(#[$struct_attribute:meta])* $name:ident, $kind:ty $(, $(#[$field_attribute:meta])*)?) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = add_unions::<$name>)]
        $(#[$struct_attribute])*
        struct $name {
            #[union(discriminator)]
            $($(#[$field_attribute])*)?
            r#type: $kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<i32>,
            #[union(member, optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: Option<i32>,
        }
    };
}

declare_union!(Required, Kind);
declare_union!(FieldDefault, Kind, #[serde(default)]);
declare_union!(FieldPath, Kind, #[serde(default = "alpha")]);
declare_union!(
    #[derive(Default)]
    #[serde(default)]
    StructDefault,
    Kind
);
declare_union!(
    OptionPath, Option<Kind>,
    #[serde(default = "some_alpha", skip_serializing_if = "Option::is_none")]
);
declare_union!(
    #[derive(Default)] #[serde(default)] OptionWithStructDefault, Option<Kind>,
    #[serde(skip_serializing_if = "Option::is_none")]
);
declare_union!(
    OptionDefault, Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
);
declare_union!(EmptyValueDefault, KindWithEmptyValue, #[serde(default = "empty_value")]);
declare_union!(OptionOfKindWithEmptyValue, Option<KindWithEmptyValue>, #[serde(skip_serializing_if = "Option::is_none")]);
declare_union!(AlphaDefault, KindWithEmptyValue, #[serde(default = "alpha_or_empty")]);

declare_union!(OmittedDefault, Kind, #[serde(default, skip_serializing_if = "is_beta")]);
declare_union!(OmittedPath, Kind, #[serde(default = "alpha", skip_serializing_if = "is_alpha")]);
declare_union!(OmittedByIsNone, Kind, #[serde(default = "alpha", skip_serializing_if = "Kind::is_none")]);
declare_union!(
    #[derive(Default)] #[serde(default)] OmittedStructDefault, Kind,
    #[serde(skip_serializing_if = "is_beta")]
);
declare_union!(
    OmittedEmptyValue, KindWithEmptyValue,
    #[serde(default = "empty_value", skip_serializing_if = "is_empty")]
);
declare_union!(
    #[union(enforce = "one_of")] OmittedWithOneOf, Kind,
    #[serde(default = "alpha", skip_serializing_if = "is_alpha")]
);

// The macro cannot define this struct, because serde's derive cannot name the function there.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(default = "struct_path")]
#[schemars(transform = add_unions::<StructPath>)]
struct StructPath {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}

fn alpha() -> Kind {
    Kind::Alpha
}

impl Kind {
    /// Has the name of the function of `Option`.
    fn is_none(&self) -> bool {
        is_alpha(self)
    }
}

fn is_alpha(kind: &Kind) -> bool {
    matches!(kind, Kind::Alpha)
}

fn is_beta(kind: &Kind) -> bool {
    matches!(kind, Kind::Beta)
}

fn is_empty(kind: &KindWithEmptyValue) -> bool {
    matches!(kind, KindWithEmptyValue::Nothing)
}

#[expect(clippy::unnecessary_wraps)] // serde wants a value of the field's type
fn some_alpha() -> Option<Kind> {
    Some(Kind::Alpha)
}

fn struct_path() -> StructPath {
    StructPath {
        r#type: Kind::Alpha,
        alpha: None,
        beta: None,
    }
}

fn empty_value() -> KindWithEmptyValue {
    KindWithEmptyValue::Nothing
}

fn alpha_or_empty() -> KindWithEmptyValue {
    KindWithEmptyValue::Alpha
}

const ALPHA_RULE: &str =
    "has(self.type) && self.type == 'ALPHA' ? has(self.alpha) : !has(self.alpha)";
const ALPHA_OR_ABSENT_RULE: &str =
    "!has(self.type) || self.type == 'ALPHA' ? has(self.alpha) : !has(self.alpha)";
const BETA_RULE: &str = "has(self.type) && self.type == 'BETA' ? true : !has(self.beta)";
const BETA_OR_ABSENT_RULE: &str = "!has(self.type) || self.type == 'BETA' ? true : !has(self.beta)";

#[test]
fn without_a_default_an_absent_discriminator_selects_no_member() {
    assert_eq!(rule_expressions::<Required>(), [ALPHA_RULE, BETA_RULE]);
    assert_eq!(property::<Required>("type").get("default"), None);
}

#[test]
fn an_absent_discriminator_counts_as_the_default_of_the_field() {
    assert_eq!(property::<FieldDefault>("type")["default"], "BETA");
    assert_eq!(
        rule_expressions::<FieldDefault>(),
        [ALPHA_RULE, BETA_OR_ABSENT_RULE]
    );
    assert_eq!(property::<FieldPath>("type")["default"], "ALPHA");
    assert_eq!(
        rule_expressions::<FieldPath>(),
        [ALPHA_OR_ABSENT_RULE, BETA_RULE]
    );
}

#[test]
fn an_absent_discriminator_counts_as_the_default_of_the_struct() {
    assert_eq!(property::<StructDefault>("type")["default"], "BETA");
    assert_eq!(
        rule_expressions::<StructDefault>(),
        [ALPHA_RULE, BETA_OR_ABSENT_RULE]
    );
    assert_eq!(property::<StructPath>("type")["default"], "ALPHA");
    assert_eq!(
        rule_expressions::<StructPath>(),
        [ALPHA_OR_ABSENT_RULE, BETA_RULE]
    );
}

#[test]
fn an_absent_option_counts_as_the_default_of_the_field() {
    assert_eq!(property::<OptionPath>("type")["default"], "ALPHA");
    assert_eq!(
        rule_expressions::<OptionPath>(),
        [ALPHA_OR_ABSENT_RULE, BETA_RULE]
    );
}

/// Checks that `None` is not a default in the schema. API servers reject a default of null for a
/// property that is not nullable.
#[test]
fn a_default_of_none_is_not_in_the_schema() {
    assert_eq!(
        property::<OptionWithStructDefault>("type").get("default"),
        None
    );
    assert_eq!(property::<OptionDefault>("type").get("default"), None);
    assert_eq!(
        rule_expressions::<OptionWithStructDefault>(),
        [ALPHA_RULE, BETA_RULE]
    );
    assert_eq!(rule_expressions::<OptionDefault>(), [ALPHA_RULE, BETA_RULE]);
}

#[test]
fn an_absent_discriminator_selects_no_member_if_the_empty_string_is_a_value() {
    assert_eq!(property::<EmptyValueDefault>("type")["default"], "");
    // The empty string selects no member, so no rule treats an absent discriminator as its value.
    assert_eq!(
        rule_expressions::<EmptyValueDefault>(),
        [ALPHA_RULE, BETA_RULE]
    );
    assert_eq!(
        rule_expressions::<OptionOfKindWithEmptyValue>(),
        [ALPHA_RULE, BETA_RULE]
    );
}

#[test]
fn a_default_takes_precedence_over_the_empty_string() {
    assert_eq!(property::<AlphaDefault>("type")["default"], "ALPHA");
    assert_eq!(
        rule_expressions::<AlphaDefault>(),
        [ALPHA_OR_ABSENT_RULE, BETA_RULE]
    );
}

/// Checks the defaults that serde omits, which schemars does not add.
#[test]
fn a_default_that_serde_omits_is_in_the_schema() {
    assert_eq!(property::<OmittedDefault>("type")["default"], "BETA");
    assert_eq!(
        rule_expressions::<OmittedDefault>(),
        [ALPHA_RULE, BETA_OR_ABSENT_RULE]
    );
    assert_eq!(property::<OmittedPath>("type")["default"], "ALPHA");
    assert_eq!(
        rule_expressions::<OmittedPath>(),
        [ALPHA_OR_ABSENT_RULE, BETA_RULE]
    );
    assert_eq!(property::<OmittedByIsNone>("type")["default"], "ALPHA");
    assert_eq!(property::<OmittedStructDefault>("type")["default"], "BETA");
    assert_eq!(
        rule_expressions::<OmittedStructDefault>(),
        [ALPHA_RULE, BETA_OR_ABSENT_RULE]
    );
    let schema = schema_for::<OmittedWithOneOf>().to_value();
    assert_eq!(schema["properties"]["type"]["default"], "ALPHA");
    // A branch for each value, and none in which an absent discriminator selects nothing.
    assert_eq!(schema["oneOf"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_empty_value_that_serde_omits_is_not_a_default_in_the_schema() {
    assert_eq!(property::<OmittedEmptyValue>("type").get("default"), None);
    assert_eq!(
        rule_expressions::<OmittedEmptyValue>(),
        [ALPHA_RULE, BETA_RULE]
    );
}

#[test]
fn fields_with_a_default_are_not_required() {
    for schema in [
        schema_for::<FieldDefault>(),
        schema_for::<FieldPath>(),
        schema_for::<StructDefault>(),
        schema_for::<StructPath>(),
        schema_for::<OptionPath>(),
        schema_for::<EmptyValueDefault>(),
    ] {
        assert_eq!(schema.get("required"), None, "{schema:?}");
    }
    assert_eq!(
        schema_for::<Required>().get("required"),
        Some(&json!(["type"]))
    );
}

/// Checks that members have no default. Members are never serialized as null, so the `None` of the
/// struct's default is not in the schema.
#[test]
fn members_have_no_default_in_the_schema() {
    assert_eq!(property::<StructDefault>("alpha").get("default"), None);
    assert_eq!(property::<StructDefault>("beta").get("default"), None);
}

#[test]
fn native_validation_uses_the_same_default() {
    use union_runtime::Union as _;
    let is_accepted = |json| {
        let union: OptionPath = serde_json::from_str(json).expect("a readable value");
        union.validate_unions().is_accepted()
    };
    assert!(is_accepted(r#"{"alpha": 1}"#));
    assert!(!is_accepted(r#"{"beta": 1}"#));
    assert!(is_accepted(r#"{"type": null, "alpha": 1}"#));
    let is_accepted = |json| {
        let union: OmittedPath = serde_json::from_str(json).expect("a readable value");
        union.validate_unions().is_accepted()
    };
    assert!(is_accepted(r#"{"alpha": 1}"#));
    assert!(!is_accepted("{}"));
}

/// Declares a union whose discriminator follows its members.
macro_rules! declare_deduced_union {
    ($(#[$struct_attribute:meta])* $name:ident, $kind:ty, $(#[$field_attribute:meta])*) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = add_unions::<$name>)]
        $(#[$struct_attribute])*
        struct $name {
            #[union(discriminator, deduce)]
            $(#[$field_attribute])*
            r#type: $kind,
            #[union(member = "ALPHA")]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<i32>,
        }
    };
}

declare_deduced_union!(
    #[serde(default)] DeducedWithDefault, Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
);
declare_deduced_union!(
    #[serde(default)] DeducedWithOmittedDefault, KindWithEmptyValue,
    #[serde(skip_serializing_if = "is_empty_or_alpha")]
);
declare_deduced_union!(
    #[derive(Default)] #[serde(default)] DeducedWithEmptyDefault, String,
    #[serde(skip_serializing_if = "String::is_empty")]
);

impl Default for DeducedWithDefault {
    fn default() -> Self {
        Self {
            r#type: Some("ALPHA".into()),
            alpha: None,
        }
    }
}

impl Default for DeducedWithOmittedDefault {
    fn default() -> Self {
        Self {
            r#type: KindWithEmptyValue::Alpha,
            alpha: None,
        }
    }
}

fn is_empty_or_alpha(kind: &KindWithEmptyValue) -> bool {
    !matches!(kind, KindWithEmptyValue::Beta)
}

#[test]
#[should_panic = "discriminator `type` follows the members, so it cannot have a default of its own; remove the default \"ALPHA\""]
fn a_default_of_a_deduced_discriminator_is_rejected() {
    let _ = schema_for::<DeducedWithDefault>();
}

#[test]
#[should_panic = "discriminator `type` follows the members, so it cannot have a default of its own"]
fn an_omitted_default_of_a_deduced_discriminator_is_rejected() {
    let _ = schema_for::<DeducedWithOmittedDefault>();
}

#[test]
fn a_deduced_discriminator_may_be_empty_by_default() {
    assert_eq!(
        rule_expressions::<DeducedWithEmptyDefault>(),
        ["!has(self.alpha) || !has(self.type) || self.type == 'ALPHA' || self.type == ''"]
    );
}
