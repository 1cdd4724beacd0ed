//! Tests of the KEP's three cases of a discriminator that may be absent, in code and in the schema:
//! "This field MUST be required if there is no default option, omitempty if the default option is
//! the empty string, or optional and omitempty if a default value is specified".

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::spec::{DiscriminatorSpec, UnionType as _};
use union_runtime::{EnumType, Report, Settings, Union, only_when, schema_for};

use crate::unions::real_types::answer::{lines, read};
use crate::unions::real_types::states::as_json;

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
enum Plain {
    #[default]
    Alpha,
    Beta,
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
enum WithNone {
    Alpha,
    Beta,
    #[default]
    #[serde(rename = "")]
    Nothing,
}

impl WithNone {
    fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }
}

/// Declares a union whose discriminator has the given type and attributes.
macro_rules! union {
    ($name:ident, $ty:ty $(, #[$attr:meta])*) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
        #[schemars(transform = union_runtime::add_unions::<$name>)]
        struct $name {
            #[union(discriminator)]
            $(#[$attr])*
            r#type: $ty,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<i64>,
            #[union(member, optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: Option<i64>,
        }
    };
}

fn beta() -> Plain {
    Plain::Beta
}

#[allow(
    clippy::unnecessary_wraps,
    reason = "serde wants a default of the field's type"
)]
fn some_beta() -> Option<Plain> {
    Some(Plain::Beta)
}

union!(Required, Plain);
union!(RequiredWithNone, WithNone);
union!(EmptyIsOmitted, WithNone, #[serde(default, skip_serializing_if = "WithNone::is_nothing")]);
union!(OptionWithNone, Option<WithNone>, #[serde(skip_serializing_if = "Option::is_none")]);
union!(Defaulted, Plain, #[serde(default)]);
union!(DefaultedByPath, Plain, #[serde(default = "beta")]);
union!(OptionWithDefault, Option<Plain>, #[serde(default = "some_beta", skip_serializing_if = "Option::is_none")]);
union!(OptionAlone, Option<Plain>, #[serde(skip_serializing_if = "Option::is_none")]);

/// A union whose discriminator has a default by `#[serde(default)]` on the struct.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[serde(default)]
#[schemars(transform = union_runtime::add_unions::<DefaultedStruct>)]
struct DefaultedStruct {
    #[union(discriminator)]
    r#type: Plain,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

/// Returns the schema of the discriminator.
fn discriminator_schema<T: JsonSchema>() -> Value {
    schema_for::<T>().as_value()["properties"]["type"].clone()
}

/// Returns true if the schema requires the discriminator.
fn is_required<T: JsonSchema>() -> bool {
    let schema = schema_for::<T>();
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.contains(&json!("type")))
}

/// Returns the rules of the schema.
fn rules<T: JsonSchema>() -> Vec<String> {
    let schema = schema_for::<T>();
    let rules = schema
        .get("x-kubernetes-validations")
        .and_then(Value::as_array);
    let rules = rules.expect("the schema has rules").iter();
    rules
        .map(|rule| rule["rule"].as_str().expect("a string").to_owned())
        .collect()
}

/// Returns true if the type can read the object.
fn is_readable<T: serde::de::DeserializeOwned>(json: Value) -> bool {
    serde_json::from_value::<T>(json).is_ok()
}

/// Returns the paths of the errors on a create.
fn error_paths<T: Union + serde::de::DeserializeOwned>(json: Value) -> Vec<String> {
    let report = read::<T>(json).validate_unions();
    report
        .errors()
        .iter()
        .map(|violation| violation.path().to_string())
        .collect()
}

/// The rules of a union in which an absent discriminator selects no member.
const RULES_WITHOUT_DEFAULT: [&str; 2] = [
    "has(self.type) && self.type == 'ALPHA' ? has(self.alpha) : !has(self.alpha)",
    "has(self.type) && self.type == 'BETA' ? true : !has(self.beta)",
];

#[test]
fn without_a_default_the_discriminator_is_required() {
    for json in [json!({}), json!({"type": null}), json!({"type": ""})] {
        assert!(!is_readable::<Required>(json));
    }
    assert!(
        Required::unions()[0]
            .discriminator()
            .is_some_and(DiscriminatorSpec::is_required)
    );
    assert!(is_required::<Required>());
    assert_eq!(discriminator_schema::<Required>().get("default"), None);
    assert_eq!(rules::<Required>(), RULES_WITHOUT_DEFAULT);
}

#[test]
fn a_required_discriminator_may_be_empty_if_the_enum_has_the_empty_value() {
    assert!(!is_readable::<RequiredWithNone>(json!({})));
    assert_eq!(
        error_paths::<RequiredWithNone>(json!({"type": ""})),
        [""; 0]
    );
    assert_eq!(
        error_paths::<RequiredWithNone>(json!({"type": "", "beta": 1})),
        ["beta"]
    );
    assert!(is_required::<RequiredWithNone>());
}

#[test]
fn the_empty_default_is_omitted_and_selects_nothing() {
    for json in [json!({}), json!({"type": ""})] {
        let object: EmptyIsOmitted = read(json);
        assert_eq!(object.validate_unions(), Report::default());
        assert_eq!(as_json(&object), json!({}));
    }
    assert_eq!(
        error_paths::<EmptyIsOmitted>(json!({"alpha": 1, "beta": 2})),
        ["alpha", "beta"]
    );
    assert!(!is_required::<EmptyIsOmitted>());
    assert_eq!(
        discriminator_schema::<EmptyIsOmitted>().get("default"),
        None
    );
    assert_eq!(
        discriminator_schema::<EmptyIsOmitted>()["enum"],
        json!(["ALPHA", "BETA", ""])
    );
    assert_eq!(rules::<EmptyIsOmitted>(), RULES_WITHOUT_DEFAULT);
}

#[test]
fn removing_the_discriminator_selects_the_empty_value() {
    for [old, new] in [
        [json!({"type": "ALPHA", "alpha": 1}), json!({"alpha": 1})],
        [
            json!({"type": "ALPHA", "alpha": 1}),
            json!({"type": "", "alpha": 1}),
        ],
    ] {
        let (old, mut new): (EmptyIsOmitted, EmptyIsOmitted) = (read(old), read(new));
        assert_eq!(
            new.normalize_unions(Some(&old), &Settings::default())
                .to_string(),
            "alpha: cleared"
        );
        assert_eq!(as_json(&new), json!({}));
    }
    let old: OptionWithNone = read(json!({"type": "ALPHA", "alpha": 1}));
    let mut new: OptionWithNone = read(json!({"alpha": 1}));
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "alpha: cleared"
    );
    assert_eq!(as_json(&new), json!({}));
}

#[test]
fn absent_null_and_empty_are_equal_if_the_enum_has_the_empty_value() {
    for json in [json!({}), json!({"type": null}), json!({"type": ""})] {
        assert_eq!(error_paths::<OptionWithNone>(json.clone()), [""; 0]);
        let mut with_member = json;
        with_member["beta"] = json!(1);
        let lines = lines(&read::<OptionWithNone>(with_member).validate_unions());
        let wording = only_when("type", "BETA");
        let line_start = format!("beta: Invalid value: \"\": {wording}: ");
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with(&line_start), "{lines:?}");
    }
    assert!(!is_required::<OptionWithNone>());
    assert_eq!(rules::<OptionWithNone>(), RULES_WITHOUT_DEFAULT);
}

#[test]
fn an_absent_discriminator_is_its_default() {
    for json in [json!({}), json!({"beta": 1})] {
        assert!(error_paths::<DefaultedByPath>(json.clone()).is_empty());
        assert!(error_paths::<OptionWithDefault>(json.clone()).is_empty());
    }
    assert_eq!(error_paths::<Defaulted>(json!({})), ["alpha"]);
    assert_eq!(error_paths::<DefaultedStruct>(json!({})), ["alpha"]);
    assert_eq!(error_paths::<Defaulted>(json!({"alpha": 1})), [""; 0]);
    assert_eq!(error_paths::<DefaultedStruct>(json!({"alpha": 1})), [""; 0]);
    assert_eq!(
        error_paths::<DefaultedByPath>(json!({"alpha": 1})),
        ["alpha"]
    );
    // A null also means the default.
    assert_eq!(
        error_paths::<OptionWithDefault>(json!({"type": null, "alpha": 1})),
        ["alpha"]
    );
    assert_eq!(
        error_paths::<OptionWithDefault>(json!({"type": null, "beta": 1})),
        [""; 0]
    );
}

#[test]
fn the_schema_has_the_default_and_the_rules_use_it() {
    let rules_with_default_beta = [
        "has(self.type) && self.type == 'ALPHA' ? has(self.alpha) : !has(self.alpha)",
        "!has(self.type) || self.type == 'BETA' ? true : !has(self.beta)",
    ];
    let rules_with_default_alpha = [
        "!has(self.type) || self.type == 'ALPHA' ? has(self.alpha) : !has(self.alpha)",
        "has(self.type) && self.type == 'BETA' ? true : !has(self.beta)",
    ];
    assert_eq!(discriminator_schema::<Defaulted>()["default"], "ALPHA");
    assert_eq!(rules::<Defaulted>(), rules_with_default_alpha);
    assert_eq!(
        discriminator_schema::<DefaultedStruct>()["default"],
        "ALPHA"
    );
    assert_eq!(rules::<DefaultedStruct>(), rules_with_default_alpha);
    assert_eq!(discriminator_schema::<DefaultedByPath>()["default"], "BETA");
    assert_eq!(rules::<DefaultedByPath>(), rules_with_default_beta);
    assert_eq!(
        discriminator_schema::<OptionWithDefault>()["default"],
        "BETA"
    );
    assert_eq!(rules::<OptionWithDefault>(), rules_with_default_beta);
    assert!(!is_required::<Defaulted>() && !is_required::<OptionWithDefault>());
}

#[test]
fn a_change_from_absent_to_the_explicit_default_is_no_change() {
    let old: OptionWithDefault = read(json!({"type": null, "alpha": 1, "beta": 2}));
    let mut new: OptionWithDefault = read(json!({"type": "BETA", "alpha": 1, "beta": 2}));
    assert!(
        new.normalize_unions(Some(&old), &Settings::default())
            .is_empty()
    );
    let report = new.validate_unions_update(&old, &Settings::default());
    assert!(report.is_accepted(), "the old object has the same error");
    assert_eq!(report.tolerated().len(), 1);
    let mut new: OptionWithDefault = read(json!({"type": "ALPHA", "alpha": 1, "beta": 2}));
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "beta: cleared"
    );
}

#[test]
fn an_optional_discriminator_without_default_selects_nothing_when_absent() {
    for json in [json!({}), json!({"type": null})] {
        assert_eq!(error_paths::<OptionAlone>(json), [""; 0]);
    }
    let lines = lines(&read::<OptionAlone>(json!({"alpha": 1})).validate_unions());
    let wording = only_when("type", "ALPHA");
    let line_start = format!("alpha: Invalid value: \"\": {wording}: ");
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with(&line_start), "{lines:?}");
    assert!(
        !is_readable::<OptionAlone>(json!({"type": ""})),
        "the enum does not have it"
    );
    assert_eq!(rules::<OptionAlone>(), RULES_WITHOUT_DEFAULT);
}

#[test]
fn a_missing_discriminator_clears_nothing() {
    let old: OptionAlone = read(json!({"type": "ALPHA", "alpha": 1}));
    let mut new: OptionAlone = read(json!({"alpha": 1, "beta": 2}));
    assert!(
        new.normalize_unions(Some(&old), &Settings::default())
            .is_empty()
    );
    let report = new.validate_unions_update(&old, &Settings::default());
    assert_eq!(report.errors().len(), 2, "no member is selected");
}
