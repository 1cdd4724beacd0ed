//! Tests of the statements of the crate's front page: every type that contains unions can be
//! admitted, a union that does not exist causes no panic, errors of an author's own checks go into
//! the same report, and a feature that another crate enables breaks no type.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::path::{FieldPath, Path, PathStep};
use union_runtime::spec::{Keyed, Nested, UnionSpec, UnionType};
use union_runtime::{
    BadValue, EnumType, ObjectRef, Report, Settings, Union, Violation, ViolationKind,
};

#[derive(EnumType, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Choice {
    #[union(key)]
    name: String,
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

impl Choice {
    fn new(kind: Kind, alpha: Option<u8>, beta: Option<u8>) -> Self {
        let name = "a".to_owned();
        Self {
            name,
            kind,
            alpha,
            beta,
        }
    }

    fn alpha() -> Self {
        Self::new(Kind::Alpha, Some(1), None)
    }

    /// Returns the object of a client that changes the discriminator from `Alpha` to `Beta`, and
    /// does not know the member `alpha`.
    fn with_changed_discriminator() -> Self {
        Self::new(Kind::Beta, Some(1), Some(2))
    }

    fn beta() -> Self {
        Self::new(Kind::Beta, None, Some(2))
    }

    /// Returns an invalid object that normalization cannot correct.
    fn invalid() -> Self {
        Self::new(Kind::Alpha, None, None)
    }
}

#[derive(Union, Serialize, Deserialize, Clone, PartialEq, Debug)]
struct List {
    #[union(nested, list_map_keys("name"))]
    items: Vec<Choice>,
}

fn paths(errors: &[Violation]) -> Vec<&str> {
    let paths = errors.iter().map(|error| error.path().as_str());
    paths.collect()
}

/// Checks updates of a type that contains a `Choice` at a path. A changed discriminator is
/// normalized against the old object. An invalid object is rejected, unless the old object has the
/// same error.
fn assert_admits<T>(wrap: impl Fn(Choice) -> T, choice_path: &str)
where
    T: Nested + Serialize + PartialEq + core::fmt::Debug,
{
    let settings = Settings::default();
    let path = |field: &str| match choice_path {
        "" => field.to_owned(),
        at => format!("{at}.{field}"),
    };
    let old = wrap(Choice::alpha());
    let settled = wrap(Choice::beta());

    let mut new = wrap(Choice::with_changed_discriminator());
    let report = new.admit_unions(Some(&old), &settings);
    assert!(report.is_accepted() && report.tolerated().is_empty());
    let cleared: Vec<&str> = report.changes().cleared().map(AsRef::as_ref).collect();
    assert_eq!(cleared, [path("alpha")]);
    assert_eq!(new, settled);

    let mut new = wrap(Choice::with_changed_discriminator());
    assert_eq!(new.normalize_unions(Some(&old), &settings).len(), 1);
    assert_eq!(new, settled);

    let mut merged = wrap(Choice::with_changed_discriminator());
    let report = merged.normalize_unions_apply(&wrap(Choice::beta()), Some(&old), &settings);
    assert!(report.is_accepted());
    assert_eq!(report.changes().len(), 1);
    assert_eq!(merged, settled);

    assert_eq!(settled.validate_unions(), Report::default());
    let invalid = wrap(Choice::invalid());
    assert_eq!(paths(invalid.validate_unions().errors()), [path("alpha")]);

    let report = wrap(Choice::invalid()).validate_unions_update(&invalid, &settings);
    assert!(report.is_accepted());
    assert_eq!(paths(report.tolerated()), [path("alpha")]);
    assert!(
        !invalid
            .validate_unions_update(&old, &settings)
            .is_accepted()
    );
}

#[test]
fn every_type_with_unions_is_admitted() {
    assert_admits(|choice| choice, "");
    assert_admits(Box::new, "");
    assert_admits(Some, "");
    assert_admits(|choice| Some(Box::new(choice)), "");
    assert_admits(|choice| Box::new(Some(choice)), "");
    assert_admits(|choice| BTreeMap::from([("a", choice)]), "[a]");
    assert_admits(|choice| HashMap::from([("a".to_owned(), choice)]), "[a]");
    assert_admits(|choice| Box::new(BTreeMap::from([("a", choice)])), "[a]");
    let list = |choice| {
        let items = vec![choice];
        List { items }
    };
    assert_admits(list, "items[0]");
    assert_admits(
        |choice| BTreeMap::from([("a", Some(list(choice)))]),
        "[a].items[0]",
    );
}

#[test]
fn a_list_without_keys_is_admitted_as_a_whole() {
    let settings = Settings::default();
    let mut new = vec![Choice::beta(), Choice::alpha()];
    let old = vec![Choice::alpha()];
    assert!(new.admit_unions(Some(&old), &settings).is_accepted());

    // No element is correlated with an old element, so a changed discriminator clears no member.
    let mut new = vec![Choice::with_changed_discriminator()];
    let report = new.admit_unions(Some(&old), &settings);
    assert_eq!(paths(report.errors()), ["[0].alpha"]);

    let invalid = vec![Choice::alpha(), Choice::invalid()];
    let report = invalid.validate_unions_update(&invalid.clone(), &settings);
    assert!(report.is_accepted());
    assert_eq!(paths(report.tolerated()), ["[1].alpha"]);
    assert!(
        !invalid
            .validate_unions_update(&old, &settings)
            .is_accepted()
    );

    let mut boxed_list = Box::new(new);
    assert!(!boxed_list.admit_unions(None, &settings).is_accepted());
    assert_eq!(
        (None::<Choice>).admit_unions(None, &settings),
        Report::default()
    );
}

#[derive(Union, Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
struct TwoUnions {
    #[union(member, group = first)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
    #[union(member, group = first)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
    #[union(member, group = second)]
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<u8>,
    #[union(member, group = second)]
    #[serde(skip_serializing_if = "Option::is_none")]
    d: Option<u8>,
}

#[derive(Union, Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Holder {
    #[union(nested)]
    unions: TwoUnions,
}

/// Checks that unions and members at positions that are out of range have no state and cannot be
/// changed. In `full`, all members are set. In `empty`, all members are unset.
fn assert_out_of_range<T: UnionType + Clone + PartialEq + core::fmt::Debug>(full: &T, empty: &T) {
    let unions = T::unions();
    for position in [unions.len(), unions.len() + 1, 64, usize::MAX] {
        assert_eq!(full.union_state(position), None);
        assert_eq!(Box::new(full.clone()).union_state(position), None);
        for member in 0..2 {
            let mut object = full.clone();
            assert!(!object.reset_member(None, position, member));
            object.select_member(position, member);
            assert!(!object.reset_member(Some(empty), position, member));
            assert_eq!(object, *full);
        }
    }
    for (union, spec) in unions.iter().enumerate() {
        assert!(full.union_state(union).is_some());
        for position in [spec.members().len(), 64, usize::MAX] {
            let mut object = full.clone();
            assert!(!object.reset_member(None, union, position));
            assert!(!object.reset_member(Some(empty), union, position));
            assert_eq!(object, *full);
            assert!(spec.member(position).is_none());
        }
    }
}

#[test]
fn positions_out_of_range_have_no_union_member_or_value() {
    assert_out_of_range(&Choice::with_changed_discriminator(), &Choice::invalid());
    let all_members = TwoUnions {
        a: Some(1),
        b: Some(2),
        c: Some(3),
        d: Some(4),
    };
    assert_out_of_range(&all_members, &TwoUnions::default());
    let wrap = |unions| Holder { unions };
    assert_out_of_range(&wrap(all_members.clone()), &wrap(TwoUnions::default()));
    // A member of the second union does not change the first union.
    let mut cleared = all_members;
    assert!(cleared.reset_member(None, 1, 0));
    assert_eq!((cleared.a, cleared.c), (Some(1), None));
    assert_eq!(
        [0, 1].map(|union| cleared.union_state(union).map(|state| state.members_set())),
        [Some(0b11), Some(0b10)]
    );

    let choice = Choice::alpha();
    assert!(choice.key(0).is_some());
    assert_eq!([1, usize::MAX].map(|key| choice.key(key)), [None, None]);
    assert_eq!([2, usize::MAX].map(Kind::from_index), [None, None]);
    let spec: &UnionSpec<'_> = &Choice::unions()[0];
    assert_eq!(spec.member_for_value(2), None);
    assert_eq!(
        spec.discriminator().and_then(|field| field.values().get(2)),
        None
    );
}

#[test]
fn constructors_print_the_messages_of_kubernetes() {
    let spec = Path::ROOT.field("spec");
    let ports = spec.field("ports");
    let port = ports.step(PathStep::Index(1));
    let violations = [
        Violation::invalid(
            ["spec", "replicas"],
            -1,
            "must be greater than or equal to 0",
        ),
        Violation::invalid(spec.field("name"), "Ä", "must be ASCII"),
        Violation::invalid(spec.field("ratio"), 0.5, ""),
        Violation::invalid(spec.field("on"), false, "must be on"),
        Violation::invalid(spec, &json!({"b": [1, null], "a": 1e3}), "odd"),
        Violation::invalid(spec, BadValue::Omitted, "odd"),
        Violation::required(spec.field("name"), ""),
        Violation::required(spec.field("name"), "or else"),
        Violation::not_supported(spec.field("kind"), "C", ["A", "B"]),
        Violation::not_supported(spec.field("kind"), "C".to_owned(), []),
        Violation::duplicate(port, 80_u16),
        Violation::forbidden(FieldPath::root(), "updates are not allowed"),
        Violation::too_long(spec.field("name"), 1),
        Violation::too_long(spec.field("name"), 63),
        Violation::too_many(ports, 3, 2),
        Violation::too_many(ports, 2, 1),
        Violation::type_invalid(port, "x", "must be an integer"),
        Violation::internal(port, core::fmt::Error),
    ];
    let report: Report = violations.into_iter().collect();
    assert_eq!(
        report.to_string(),
        r#"spec.replicas: Invalid value: -1: must be greater than or equal to 0
spec.name: Invalid value: "Ä": must be ASCII
spec.ratio: Invalid value: 0.5
spec.on: Invalid value: false: must be on
spec: Invalid value: {"a":1000,"b":[1,null]}: odd
spec: Invalid value: odd
spec.name: Required value
spec.name: Required value: or else
spec.kind: Unsupported value: "C": supported values: "A", "B"
spec.kind: Unsupported value: "C"
spec.ports[1]: Duplicate value: 80
<nil>: Forbidden: updates are not allowed
spec.name: Too long: may not be more than 1 byte
spec.name: Too long: may not be more than 63 bytes
spec.ports: Too many: 3: must have at most 2 items
spec.ports: Too many: 2: must have at most 1 item
spec.ports[1]: Invalid value: "x": must be an integer
spec.ports[1]: Internal error: an error occurred when formatting an argument"#
    );
    let mut reasons = report.errors().iter().map(|error| error.kind().reason());
    let invalid = reasons
        .clone()
        .filter(|reason| *reason == "FieldValueInvalid");
    assert_eq!(invalid.count(), 6);
    assert_eq!(reasons.next_back(), Some(ViolationKind::Internal.reason()));
}

#[test]
fn a_report_takes_errors_of_own_checks_and_other_reports() {
    let invalid = Choice::invalid();
    let update = Choice::new(Kind::Alpha, None, Some(1));
    let mut report = update.validate_unions_update(&invalid, &Settings::default());
    assert_eq!((report.errors().len(), report.tolerated().len()), (1, 1));

    report.push(Violation::required(["name"], ""));
    report.push(Violation::forbidden(["kind"], "it may not change"));
    report.extend(Report::from_iter([Violation::invalid(
        ["alpha"],
        0,
        "too small",
    )]));
    report.extend(update.validate_unions_update(&invalid, &Settings::default()));
    assert_eq!((report.errors().len(), report.tolerated().len()), (5, 2));

    let object = ObjectRef {
        group: "example.com",
        kind: "One",
        name: "one",
    };
    let status = report.clone().under(["spec"]).status(&object);
    let status = status.expect("it is rejected");
    assert_eq!(
        (&status["code"], &status["reason"]),
        (&json!(422), &json!("Invalid"))
    );
    let causes = status["details"]["causes"].as_array().expect("a list");
    let fields: Vec<_> = causes.iter().map(|cause| cause["field"].as_str()).collect();
    assert_eq!(
        fields,
        [
            "spec.beta",
            "spec.name",
            "spec.kind",
            "spec.alpha",
            "spec.beta"
        ]
        .map(Some)
    );

    assert_eq!(report.clone().into_result(), Err(report));
    assert_eq!(Report::default().into_result(), Ok(Report::default()));
    assert_eq!(Report::default().status(&object), None);
}

/// Types of a crate that uses union-runtime without `schemars` and derives `JsonSchema`. The types
/// still compile if another crate enables the feature, and a deprecation warning reports the
/// missing hooks.
#[cfg(feature = "schemars")]
mod without_hook {
    #![expect(deprecated, reason = "the warning reports the missing hooks")]

    use super::*;

    #[derive(EnumType, Serialize, schemars::JsonSchema)]
    pub(super) enum Open {
        Alpha,
        #[enum_type(other)]
        #[serde(untagged)]
        #[expect(dead_code, reason = "only the schema is used")]
        Unknown(String),
    }

    #[derive(Union, Serialize, schemars::JsonSchema)]
    pub(super) struct Hookless {
        #[union(discriminator)]
        kind: Open,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<u8>,
    }
}

#[cfg(feature = "schemars")]
#[test]
fn a_type_without_a_schema_hook_compiles() {
    let schema = union_runtime::schema_for::<without_hook::Hookless>();
    assert_eq!(schema.get("x-kubernetes-unions"), None);
}
