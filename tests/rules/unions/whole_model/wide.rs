//! Tests of unions with the largest number of members and values, and of types that code
//! constructs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::spec::{MemberSpec, UnionType as _};
use union_runtime::{EnumType, Report, Settings, Union};

use crate::unions::whole_model::samples::{All, Two, WithAll};
use crate::unions::whole_model::states::{as_json, read};

macro_rules! wide {
    ($($member:ident)*) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
        #[union(all_members)]
        #[schemars(transform = union_runtime::add_unions::<Wide>)]
        struct Wide {
            $(#[serde(skip_serializing_if = "Option::is_none")] $member: Option<u8>,)*
        }

        /// A union with 64 members whose discriminator is a string.
        #[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
        #[union(all_members)]
        #[schemars(transform = union_runtime::add_unions::<WideText>)]
        struct WideText {
            #[union(discriminator, deduce)]
            #[serde(skip_serializing_if = "Option::is_none")]
            kind: Option<String>,
            $(#[serde(skip_serializing_if = "Option::is_none")] $member: Option<u8>,)*
        }
    };
}

wide! {
    m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26 m27 m28 m29 m30 m31 m32 m33 m34 m35 m36 m37 m38 m39 m40 m41 m42 m43 m44 m45 m46 m47 m48 m49 m50 m51 m52 m53 m54 m55 m56 m57 m58 m59 m60 m61 m62 m63
}

macro_rules! many_values {
    ($($value:ident)*) => {
        #[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
        enum ManyValues {
            $($value,)*
            Nothing,
        }
    };
}

many_values! {
    V0 V1 V2 V3 V4 V5 V6 V7 V8 V9 V10 V11 V12 V13 V14 V15 V16 V17 V18 V19 V20 V21 V22 V23 V24 V25 V26 V27 V28 V29 V30 V31 V32 V33 V34 V35 V36 V37 V38 V39 V40 V41 V42 V43 V44 V45 V46 V47 V48 V49 V50 V51 V52 V53 V54 V55 V56 V57 V58 V59 V60 V61 V62 V63 V64
}

/// A union whose enum has more values than the mask has bits. The values beyond the mask have no
/// members.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<ValuesBeyondTheMask>)]
struct ValuesBeyondTheMask {
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<ManyValues>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    v0: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    v63: Option<u8>,
}

/// A generic union with a schema. The type of the discriminator is not generic.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Self>)]
struct Generic<T> {
    #[union(discriminator, deduce)]
    #[serde(default)]
    kind: String,
    #[union(member, discriminated_by = kind)]
    #[serde(skip_serializing_if = "Option::is_none")]
    one: Option<T>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    two: Option<Box<T>>,
    #[union(member, group = rest)]
    #[serde(skip_serializing_if = "Option::is_none")]
    three: Option<Vec<T>>,
    #[union(member, group = rest)]
    #[serde(skip_serializing_if = "Option::is_none")]
    four: Box<Option<T>>,
}

#[test]
fn sixty_four_members_without_a_discriminator_are_distinguished() {
    let [union] = Wide::unions() else {
        panic!("expected one union");
    };
    let names: Vec<&str> = union.members().map(MemberSpec::name).collect();
    assert_eq!(names.len(), 64);
    for (index, old_member) in names.iter().enumerate() {
        let new_member = names[(index + 1) % 64];
        let old: Wide = read(json!({*old_member: 1}));
        let mut new: Wide = read(json!({*old_member: 1, new_member: 2}));
        assert!(!new.validate_unions().is_accepted());
        assert_eq!(
            new.normalize_unions(Some(&old), &Settings::default())
                .cleared()
                .collect::<Vec<_>>(),
            [*old_member]
        );
        assert_eq!(
            (as_json(&new), new.validate_unions()),
            (json!({new_member: 2}), Report::default())
        );
    }
}

#[test]
fn sixty_four_members_are_selected_by_a_string() {
    for index in 0..64_u8 {
        let (field, value) = (format!("m{index}"), format!("M{index}"));
        let mut new: WideText = read(json!({field.clone(): index}));
        assert_eq!(
            new.normalize_unions(None, &Settings::default())
                .discriminators_set()
                .collect::<Vec<_>>(),
            ["kind"]
        );
        assert_eq!(as_json(&new), json!({"kind": value, field: index}));
        assert_eq!(new.validate_unions(), Report::default());
    }
}

#[test]
fn a_value_after_the_sixty_fourth_clears_all_members() {
    for value in ["V64", "Nothing"] {
        let old: ValuesBeyondTheMask = read(json!({"kind": "V0", "v0": 1}));
        let mut new: ValuesBeyondTheMask = read(json!({"kind": value, "v0": 1, "v63": 1}));
        assert_eq!(new.validate_unions().errors().len(), 2);
        assert_eq!(
            new.normalize_unions(Some(&old), &Settings::default())
                .to_string(),
            "v0: cleared\nv63: cleared"
        );
        assert_eq!(
            (as_json(&new), new.validate_unions()),
            (json!({"kind": value}), Report::default())
        );
        let old = new;
        let mut new: ValuesBeyondTheMask = read(json!({"kind": value, "v63": 1}));
        assert_eq!(
            new.normalize_unions(Some(&old), &Settings::default())
                .to_string(),
            "kind: set"
        );
        assert_eq!(as_json(&new), json!({"kind": "V63", "v63": 1}));
    }
}

/// Checks the value with the number 64, which a mask of 64 bits could mistake for the value with
/// the number 0.
#[test]
fn a_value_after_the_sixty_fourth_does_not_select_the_first_member() {
    for field in ["v0", "v63"] {
        let mut new: ValuesBeyondTheMask = read(json!({"kind": "V64", field: 1}));
        assert_eq!(new.validate_unions().errors().len(), 1);
        assert_eq!(
            new.normalize_unions(None, &Settings::default())
                .cleared()
                .collect::<Vec<_>>(),
            [field]
        );
    }
}

#[test]
fn generic_types_have_unions_of_both_kinds() {
    let old: Generic<bool> = read(json!({"kind": "One", "one": true, "three": []}));
    let mut new: Generic<bool> =
        read(json!({"kind": "One", "one": true, "two": true, "three": [], "four": false}));
    let changes = new.normalize_unions(Some(&old), &Settings::default());
    assert_eq!(
        changes.to_string(),
        "one: cleared\nkind: set\nthree: cleared"
    );
    assert_eq!(
        as_json(&new),
        json!({"kind": "Two", "two": true, "four": false})
    );
    let schema = union_runtime::schema_for::<Generic<bool>>();
    let discriminated_union =
        json!({"discriminator": "kind", "fields-to-discriminateBy": {"one": "One", "two": "Two"}});
    let group_union = json!({"fields-to-discriminateBy": {"three": "Three", "four": "Four"}});
    assert_eq!(
        schema.as_value()["x-kubernetes-unions"],
        json!([discriminated_union, group_union])
    );
}

#[test]
fn a_known_string_in_the_unknown_variant_is_the_known_value() {
    let unknown = |text: &str| Some(Box::new(WithAll::Unknown(text.to_owned())));
    let mut object: All = read(json!({"a": 1, "b": 1}));
    object.kind = unknown("A");
    assert_eq!(
        object
            .normalize_unions(None, &Settings::default())
            .to_string(),
        "b: cleared"
    );
    assert_eq!(
        (as_json(&object), object.validate_unions()),
        (json!({"kind": "A", "a": 1}), Report::default())
    );
    object.kind = unknown("");
    assert_eq!(
        object
            .normalize_unions(None, &Settings::default())
            .to_string(),
        "kind: set"
    );
    assert_eq!(object.kind, Some(Box::new(WithAll::A)));
}

#[test]
fn the_discriminator_is_set_to_a_value_of_its_own_type() {
    let mut required: crate::unions::whole_model::samples::Required =
        read(json!({"kind": "A", "b": 1}));
    let old = read(json!({"kind": "A", "a": 1}));
    assert_eq!(
        required
            .normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "kind: set"
    );
    assert_eq!(required.kind, Two::B);
}

/// Checks the behavior that the trait `Union` documents for member numbers that do not exist.
#[test]
fn members_that_do_not_exist_are_ignored() {
    let mut new: Wide = read(json!({"m0": 1, "m63": 1}));
    assert!(!new.reset_member(None, 0, 64));
    new.select_member(0, 64);
    assert_eq!(as_json(&new), json!({"m0": 1, "m63": 1}));
    let mut object: WideText = read(json!({"kind": "M0"}));
    object.select_member(0, 64);
    object.select_member(1, 5);
    assert_eq!(as_json(&object), json!({"kind": "M0"}));
    object.select_member(0, 63);
    assert_eq!(as_json(&object), json!({"kind": "M63"}));
}
