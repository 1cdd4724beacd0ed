//! Tests of `union_spec!`: every form of the macro, and the unions that it declares.

use serde_json::{Value, json};
use union_json::{DeclaredUnion, SchemaSource, Unions, union_spec};
use union_runtime::spec::{MemberSpec, UnionModel, UnionSpec};
use union_runtime::{Report, Settings, needed_one_of, only_one_of};

const REQUIRED: UnionSpec<'static> = union_spec! {
    discriminator = "type",
    "ALPHA" => "alpha",
    "BETA" => optional "beta",
    "NONE" => (),
};

const OPTIONAL: UnionSpec<'static> = union_spec! {
    optional discriminator = "type",
    "" => (),
    "ALPHA" => "alpha"
};

const DEDUCED: UnionSpec<'static> = union_spec! {
    deduced discriminator = "type",
    "ALPHA" => "alpha",
    "BETA" => "beta",
};

const AT_MOST_ONE: UnionSpec<'static> = union_spec! {
    at_most_one,
    "HostPath" => "hostPath",
    "EmptyDir" => "emptyDir",
};

const EXACTLY_ONE: UnionSpec<'static> = union_spec! {
    exactly_one, "HostPath" => "hostPath", "EmptyDir" => "emptyDir"
};

/// A union whose members are not in alphabetical order, and whose first value has no member.
const MIXED: UnionSpec<'static> = union_spec! {
    discriminator = "kind",
    "None" => (),
    "Z" => "z",
    "Nothing" => (),
    "A" => optional "a",
};

fn values(union: &UnionSpec<'static>) -> Vec<&'static str> {
    let discriminator = union.discriminator();
    discriminator.map_or_else(Vec::new, |discriminator| {
        discriminator.values().iter().collect()
    })
}

fn members(union: &UnionSpec<'static>) -> Vec<(&'static str, &'static str, usize, bool)> {
    let member = |member: MemberSpec<'static>| {
        (
            member.name(),
            member.value(),
            member.value_index(),
            member.is_optional(),
        )
    };
    union.members().map(member).collect()
}

#[test]
fn a_declared_union_has_its_members_and_values() {
    assert_eq!(values(&REQUIRED), ["ALPHA", "BETA", "NONE"]);
    assert_eq!(
        members(&REQUIRED),
        [("alpha", "ALPHA", 0, false), ("beta", "BETA", 1, true)]
    );
    assert_eq!(REQUIRED.model(), UnionModel::Discriminated);
    assert_eq!(values(&MIXED), ["None", "Z", "Nothing", "A"]);
    assert_eq!(members(&MIXED), [("z", "Z", 1, false), ("a", "A", 3, true)]);
    assert_eq!(values(&OPTIONAL), ["", "ALPHA"]);
    assert!(values(&DEDUCED).is_empty(), "any text is one");
    for (union, is_required) in [(REQUIRED, true), (OPTIONAL, false), (DEDUCED, false)] {
        let discriminator = union.discriminator().expect("a present value");
        assert_eq!(
            (discriminator.name(), discriminator.is_required()),
            ("type", is_required)
        );
    }
    let fields = [
        ("hostPath", "HostPath", 0, false),
        ("emptyDir", "EmptyDir", 1, false),
    ];
    for (union, model) in [
        (AT_MOST_ONE, UnionModel::AtMostOne),
        (EXACTLY_ONE, UnionModel::ExactlyOne),
    ] {
        assert!(union.discriminator().is_none());
        assert_eq!(
            (union.model(), members(&union).as_slice()),
            (model, fields.as_slice())
        );
    }
}

/// Normalizes and validates an update, and returns the normalized object, the changes and the paths
/// of the errors.
fn update(union: UnionSpec<'static>, old: &Value, new: &Value) -> (Value, String, Vec<String>) {
    let unions = Unions::compiler()
        .union_at("", union)
        .compile(SchemaSource::WithoutSchema)
        .expect("a valid path");
    let mut object = new.clone();
    let changes = unions.normalize(&mut object, Some(old), &Settings::default());
    let report = unions.validate(&object);
    let paths = report
        .errors()
        .iter()
        .map(|violation| violation.path().to_string());
    (object, changes.to_string(), paths.collect())
}

/// Asserts the normalized object, the changes and the paths of the errors of an update.
#[track_caller]
fn assert_update(
    union: UnionSpec<'static>,
    old: &Value,
    new: &Value,
    object: &Value,
    changes: &str,
    error_paths: &[&str],
) {
    let error_paths = error_paths.iter().map(ToString::to_string).collect();
    assert_eq!(
        update(union, old, new),
        (object.clone(), changes.to_owned(), error_paths)
    );
}

#[test]
fn a_discriminator_of_the_2022_model_is_required_and_clears_members() {
    let old = json!({"type": "ALPHA", "alpha": 1});
    let new = json!({"type": "BETA", "alpha": 1});
    assert_update(
        REQUIRED,
        &old,
        &new,
        &json!({"type": "BETA"}),
        "alpha: cleared",
        &[],
    );
    let new = json!({"type": "NONE", "alpha": 1, "beta": 2});
    assert_update(
        REQUIRED,
        &old,
        &new,
        &json!({"type": "NONE"}),
        "alpha: cleared\nbeta: cleared",
        &[],
    );
    for invalid_object in [
        json!({}),
        json!({"type": "alpha"}),
        json!({"type": ""}),
        json!({"alpha": 1}),
    ] {
        assert_update(
            REQUIRED,
            &old,
            &invalid_object,
            &invalid_object,
            "",
            &["type"],
        );
    }
    let invalid_object = json!({"type": "ALPHA", "beta": 1});
    assert_update(
        REQUIRED,
        &old,
        &invalid_object,
        &invalid_object,
        "",
        &["alpha", "beta"],
    );
    // The bit of a member is the bit of its value.
    let (old, new) = (
        json!({"kind": "Z", "z": 1}),
        json!({"kind": "A", "z": 1, "a": 1}),
    );
    assert_update(
        MIXED,
        &old,
        &new,
        &json!({"kind": "A", "a": 1}),
        "z: cleared",
        &[],
    );
    assert_update(
        MIXED,
        &old,
        &json!({"kind": "Z"}),
        &json!({"kind": "Z"}),
        "",
        &["z"],
    );
}

#[test]
fn an_absent_optional_discriminator_is_the_empty_value() {
    let old = json!({"type": "ALPHA", "alpha": 1});
    assert_update(
        OPTIONAL,
        &old,
        &json!({"alpha": 1}),
        &json!({}),
        "alpha: cleared",
        &[],
    );
    let invalid_object = json!({"alpha": 1});
    assert_update(
        OPTIONAL,
        &json!({}),
        &invalid_object,
        &invalid_object,
        "",
        &["alpha"],
    );
}

#[test]
fn a_deduced_discriminator_follows_the_members() {
    let old = json!({"type": "ALPHA", "alpha": 1});
    let new = json!({"type": "ALPHA", "alpha": 1, "beta": 2});
    let normalized = json!({"type": "BETA", "beta": 2});
    assert_update(
        DEDUCED,
        &old,
        &new,
        &normalized,
        "alpha: cleared\ntype: set",
        &[],
    );
    assert_update(
        DEDUCED,
        &json!({}),
        &json!({"beta": 2}),
        &normalized,
        "type: set",
        &[],
    );
    let unknown_value = json!({"type": "Whatever"});
    assert_update(DEDUCED, &old, &unknown_value, &unknown_value, "", &[]);
    let both_members = json!({"alpha": 1, "beta": 2});
    assert_update(DEDUCED, &json!({}), &both_members, &both_members, "", &[""]);
}

#[test]
fn without_a_discriminator_at_most_or_exactly_one_member_is_set() {
    let host_path = json!({"hostPath": {}});
    let both_members = json!({"hostPath": {}, "emptyDir": {}});
    let empty_dir = json!({"emptyDir": {}});
    for union in [AT_MOST_ONE, EXACTLY_ONE] {
        assert_update(
            union,
            &host_path,
            &both_members,
            &empty_dir,
            "hostPath: cleared",
            &[],
        );
        assert_update(union, &json!({}), &both_members, &both_members, "", &[""]);
        assert_update(union, &host_path, &host_path, &host_path, "", &[]);
    }
    assert_update(AT_MOST_ONE, &host_path, &json!({}), &json!({}), "", &[]);
    assert_update(EXACTLY_ONE, &host_path, &json!({}), &json!({}), "", &[""]);
    let unions = Unions::compiler()
        .union_at("", EXACTLY_ONE)
        .compile(SchemaSource::WithoutSchema)
        .expect("a valid path");
    let lines = |object: &Value| unions.validate(object).to_string();
    let members = || ["hostPath", "emptyDir"].into_iter();
    let needed = needed_one_of(members());
    let none = lines(&json!({}));
    assert!(
        none.starts_with(&format!("<nil>: Invalid value: \"\": {needed}: ")),
        "{none}"
    );
    let only = only_one_of(true, members());
    let several = lines(&both_members);
    assert!(
        several.starts_with(&format!(
            "<nil>: Invalid value: \"{{hostPath, emptyDir}}\": {only}: "
        )),
        "{several}"
    );
    // An error has the same reason only if the same members are set.
    assert!(
        unions
            .validate_update(&json!({}), &json!({}), &Settings::default())
            .is_accepted()
    );
    assert!(
        !unions
            .validate_update(&json!({}), &host_path, &Settings::default())
            .is_accepted()
    );
}

#[test]
fn union_spec_can_be_an_argument() {
    let result = Unions::compiler()
        .union_at("", union_spec! { exactly_one, "One" => "one", })
        .union_at(
            "/properties/two/items",
            union_spec!(discriminator = "type", "A" => "a"),
        )
        .compile(SchemaSource::WithoutSchema);
    let unions = result.expect("valid paths");
    assert_eq!(unions.iter().count(), 2);
    assert_eq!(
        unions.validate(&json!({"one": 1, "two": [{"type": "A", "a": 1}]})),
        Report::default()
    );
}

#[test]
fn sixty_four_members_are_distinguished() {
    macro_rules! wide {
        ($($value:literal)*) => {
            union_spec! { discriminator = "type", $($value => $value,)* "last" => () }
        };
    }
    const WIDE: UnionSpec<'static> = wide! {
        "m0" "m1" "m2" "m3" "m4" "m5" "m6" "m7" "m8" "m9" "m10" "m11" "m12" "m13" "m14" "m15"
        "m16" "m17" "m18" "m19" "m20" "m21" "m22" "m23" "m24" "m25" "m26" "m27" "m28" "m29" "m30" "m31"
        "m32" "m33" "m34" "m35" "m36" "m37" "m38" "m39" "m40" "m41" "m42" "m43" "m44" "m45" "m46" "m47"
        "m48" "m49" "m50" "m51" "m52" "m53" "m54" "m55" "m56" "m57" "m58" "m59" "m60" "m61" "m62" "m63"
    };
    let unions = Unions::compiler()
        .union_at("", WIDE)
        .compile(SchemaSource::WithoutSchema)
        .expect("a valid path");
    let mut object: Value = (0..64).map(|i| (format!("m{i}"), json!(i))).collect();
    object["type"] = "m63".into();
    let changes = unions.normalize(
        &mut object,
        Some(&json!({"type": "last"})),
        &Settings::default(),
    );
    assert_eq!(
        (changes.len(), object),
        (63, json!({"type": "m63", "m63": 63}))
    );
}

/// Checks that a `DeclaredUnion`, which is built at run time, is equal to the union of the macro,
/// which is built at compile time.
#[test]
fn declared_unions_equal_the_unions_of_the_macro() {
    let pairs = [
        (
            REQUIRED,
            DeclaredUnion::discriminated("type")
                .member("ALPHA", "alpha")
                .optional_member("BETA", "beta")
                .empty_member("NONE"),
        ),
        (
            OPTIONAL,
            DeclaredUnion::discriminated("type")
                .optional()
                .empty_member("")
                .member("ALPHA", "alpha"),
        ),
        (
            DEDUCED,
            DeclaredUnion::deduced("type")
                .member("ALPHA", "alpha")
                .member("BETA", "beta"),
        ),
        (
            AT_MOST_ONE,
            DeclaredUnion::at_most_one()
                .member("HostPath", "hostPath")
                .member("EmptyDir", "emptyDir"),
        ),
        (
            EXACTLY_ONE,
            DeclaredUnion::exactly_one()
                .member("HostPath", "hostPath")
                .member("EmptyDir", "emptyDir"),
        ),
    ];
    let objects = [
        json!({}),
        json!({"alpha": 1}),
        json!({"alpha": 1, "beta": 1}),
        json!({"type": "ALPHA", "alpha": 1}),
        json!({"type": "ALPHA"}),
        json!({"type": "BETA", "alpha": 1}),
        json!({"type": "NONE", "beta": 1}),
        json!({"type": "GAMMA", "beta": 1}),
        json!({"hostPath": 1}),
        json!({"hostPath": 1, "emptyDir": 1}),
    ];
    let settings = Settings::default();
    for (spec, declared) in pairs {
        let unions_of_macro = Unions::compiler()
            .union_at("", spec)
            .compile(SchemaSource::WithoutSchema)
            .unwrap();
        let compiler = Unions::compiler().declared_union_at("", &declared);
        let declared_unions = compiler.compile(SchemaSource::WithoutSchema).unwrap();
        for (old, new) in objects
            .iter()
            .flat_map(|old| objects.iter().map(move |new| (old, new)))
        {
            let results = |unions: &Unions| {
                let mut object = new.clone();
                let changes = unions.normalize(&mut object, Some(old), &settings);
                let errors = unions.validate(&object).to_string();
                (object, changes.to_string(), errors)
            };
            assert_eq!(
                results(&unions_of_macro),
                results(&declared_unions),
                "{old} {new}"
            );
        }
    }
}

#[test]
fn an_open_discriminator_accepts_strings_that_select_no_member() {
    let union = DeclaredUnion::discriminated("type").open().member("A", "a");
    let unions = Unions::compiler()
        .declared_union_at("", &union)
        .compile(SchemaSource::WithoutSchema)
        .unwrap();
    let errors = |object: Value| unions.validate(&object).to_string();
    assert_eq!(errors(json!({"type": "A", "a": 1})), "");
    assert_eq!(errors(json!({"type": "other"})), "");
    assert_ne!(errors(json!({"type": "other", "a": 1})), "");
    assert_ne!(errors(json!({"type": "A"})), "");
    assert_ne!(errors(json!({})), "");
}

#[test]
fn an_invalid_declared_union_is_an_error_with_its_pointer() {
    let union_with_empty_value = DeclaredUnion::discriminated("type").member("", "a");
    let mut union_with_65_members = DeclaredUnion::discriminated("type");
    for i in 0..65 {
        union_with_65_members = union_with_65_members.member(format!("V{i}"), format!("v{i}"));
    }
    let schema = json!({"properties": {"a": {"properties": {"type": {}, "a": {}}}}});
    for (union, message) in [
        (union_with_empty_value, "which selects nothing"),
        (union_with_65_members, "64 members"),
    ] {
        let compiler = Unions::compiler().declared_union_at("/properties/a", &union);
        let error = compiler.compile(SchemaSource::Schema(&schema)).unwrap_err();
        assert_eq!(error.pointer(), "/properties/a");
        assert!(error.message().contains(message), "{error}");
        let compiler = compiler.lenient();
        let unions = compiler.compile(SchemaSource::Schema(&schema)).unwrap();
        assert!(unions.is_empty());
        assert_eq!(unions.errors().len(), 1);
    }
    // Only members have bits, wherever their values are in the enum.
    let mut union = DeclaredUnion::discriminated("type");
    for i in 0..80 {
        union = union.empty_member(format!("E{i}"));
    }
    let union = union.member("A", "a");
    let unions = Unions::compiler()
        .declared_union_at("", &union)
        .compile(SchemaSource::WithoutSchema)
        .unwrap();
    assert!(unions.validate(&json!({"type": "A", "a": 1})).is_accepted());
    assert!(unions.validate(&json!({"type": "E79"})).is_accepted());
    assert!(
        !unions
            .validate(&json!({"type": "E79", "a": 1}))
            .is_accepted()
    );
}
