//! Tests of the policies for built-in kinds, for each union of the table.

use std::collections::BTreeMap;

use k8s_builtin_unions::{BuiltinKind, BuiltinMember, BuiltinUnion, find_kind, kinds};
use serde_json::{Map, Value, json};
use union_json::document::{SchemaPath, SchemaStep};
use union_policy::{KubeVersion, Settings, builtin_mutating_policies, builtin_validating_policies};
use union_runtime::Report;

use crate::native::{apply_patches, patch_expressions, reported_messages, violation_expressions};

/// The kinds for which API servers do not evaluate policies.
const KINDS_WITHOUT_POLICIES: [&str; 7] = [
    "LocalSubjectAccessReview",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "SelfSubjectAccessReview",
    "SubjectAccessReview",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
];

/// Returns the newest version of Kubernetes that serves a kind, if it supports mutating policies.
fn settings_for(kind: BuiltinKind) -> Option<Settings> {
    let versions = (36..=37).rev();
    let minor = versions.into_iter().find(|minor| kind.exists_in(*minor))?;
    let version = KubeVersion::from_minor(u16::try_from(minor).ok()?)?;
    Some(Settings::default().version(version))
}

fn kind(api_version: &str, name: &str) -> BuiltinKind {
    find_kind(api_version, name).expect("a built-in kind")
}

/// A type with unions, and a path of the type in a kind.
struct Place {
    kind: BuiltinKind,
    path: SchemaPath,
    unions: Vec<BuiltinUnion>,
}

/// Returns a place for each type with unions, in a kind with policies. Of several kinds, the kind
/// with the fewest unions has the smallest policy.
fn places() -> Vec<Place> {
    let mut places: BTreeMap<&str, Place> = BTreeMap::new();
    let mut kinds: Vec<BuiltinKind> = kinds()
        .filter(|kind| !KINDS_WITHOUT_POLICIES.contains(&kind.name()))
        .filter(|kind| settings_for(*kind).is_some())
        .collect();
    kinds.sort_by_key(|kind| kind.unions().len());
    for kind in kinds {
        for found in kind.unions() {
            let (path, union) = (found.path, found.union);
            let place = places.entry(union.type_name()).or_insert_with(|| Place {
                kind,
                path: path.clone(),
                unions: Vec::new(),
            });
            if place.kind.type_name() == kind.type_name() && place.path == path {
                place.unions.push(union);
            }
        }
    }
    places.into_values().collect()
}

impl Place {
    /// Returns the expressions that name the field of the place. Other expressions have no effect
    /// on the objects of the place, because these objects have no other fields.
    fn relevant(&self, expressions: &[String]) -> Vec<String> {
        let mut steps = self.path.steps().rev();
        let field = steps.find_map(|step| match step {
            SchemaStep::Property(name) => Some(format!("'{name}'")),
            _ => None,
        });
        let field = field.expect("a field");
        let expressions = expressions.iter();
        let relevant = expressions.filter(|expression| expression.contains(&field));
        relevant.cloned().collect()
    }

    /// Returns an object of the kind with a value at the place. Elements of lists have keys.
    fn object(&self, value: &Map<String, Value>) -> Value {
        let mut value = Value::Object(value.clone());
        for step in self.path.steps().rev() {
            value = match step {
                SchemaStep::Property(name) => json!({ name: value }),
                SchemaStep::Items => {
                    for key in ["name", "mountPath"] {
                        let element = value.as_object_mut().expect("an object");
                        element.entry(key).or_insert_with(|| json!("a"));
                    }
                    json!([value])
                }
                SchemaStep::AdditionalProperties => json!({"key": value}),
            };
        }
        value
    }

    /// Returns pairs of a new object and an old object: for each pair of members of each union, a
    /// switch from one to the other that keeps or clears the old member, and for each discriminator
    /// a switch to each value.
    fn switches(&self) -> Vec<(Value, Value)> {
        let mut pairs = Vec::new();
        for union in &self.unions {
            let members = union.members().map(|member| (Some(member), member.value()));
            let values = union.values_without_member().chain(["NewValue"]);
            let values = values.filter(|_| union.discriminator().is_some());
            let states = members.chain(values.map(|value| (None, Some(value))));
            let states: Vec<(Option<BuiltinMember>, Option<&str>)> = states.collect();
            for old_state in &states {
                for new_state in &states {
                    self.add_switches(*union, *old_state, *new_state, &mut pairs);
                }
            }
        }
        pairs
    }

    fn add_switches(
        &self,
        union: BuiltinUnion,
        (old_member, old_value): (Option<BuiltinMember>, Option<&str>),
        (new_member, new_value): (Option<BuiltinMember>, Option<&str>),
        pairs: &mut Vec<(Value, Value)>,
    ) {
        let fields = |members: &[Option<BuiltinMember>], value: Option<&str>, content: &Value| {
            let members = members.iter().flatten();
            let mut fields: Map<String, Value> = members
                .map(|member| (member.field().to_owned(), content.clone()))
                .collect();
            if let (Some(discriminator), Some(value)) = (union.discriminator(), value) {
                fields.insert(discriminator.to_owned(), value.into());
            }
            fields
        };
        let content = json!("x");
        let old = fields(&[old_member], old_value, &content);
        let mut new = fields(&[old_member, new_member], new_value, &content);
        let clean = fields(&[new_member], new_value, &content);
        pairs.push((self.object(&new), self.object(&old)));
        pairs.push((self.object(&clean), self.object(&old)));
        pairs.push((self.object(&new), Value::Null));
        // An empty value counts as unset for some members only.
        if let Some(old_member) = old_member
            && new_member.is_none_or(|new_member| new_member.field() != old_member.field())
        {
            let empty_values = [json!(""), json!([]), json!(false), json!(0)];
            let value_count = if old_member.is_unset_if_empty() { 4 } else { 1 };
            for empty in empty_values.into_iter().take(value_count) {
                new.insert(old_member.field().to_owned(), empty);
                pairs.push((self.object(&new), self.object(&old)));
            }
        }
    }
}

#[test]
fn policies_clear_the_members_that_normalization_clears() {
    let mut cleared_count = 0;
    let mut patches_by_kind = BTreeMap::new();
    for place in places() {
        let settings = settings_for(place.kind).expect("a version");
        let patches = patches_by_kind
            .entry(place.kind.type_name())
            .or_insert_with(|| {
                let policies = builtin_mutating_policies(place.kind, &settings);
                patch_expressions(&policies.expect("policies"))
            });
        let unions = place.kind.compiler().compile().expect("unions");
        let settings = union_runtime::Settings::default();
        let original_pairs = place.switches();
        let mut pairs = original_pairs.clone();
        apply_patches(&place.relevant(patches), &mut pairs);
        for ((new, old), (normalized, _)) in original_pairs.iter().zip(pairs) {
            let old = (!old.is_null()).then_some(old);
            let mut expected = new.clone();
            let changes = unions.normalize(&mut expected, old, &settings);
            cleared_count += usize::from(!changes.is_empty());
            // The native rules also remove empty values that count as unset.
            let mut normalized = normalized;
            let _ = unions.normalize(&mut normalized, None, &settings);
            assert_eq!(normalized, expected, "of {new}, was {old:?}\n{patches:#?}");
        }
    }
    assert!(cleared_count > 1_500, "{cleared_count} objects are changed");
}

#[test]
fn policies_report_the_unions_that_servers_do_not_enforce() {
    let mut reported_count = 0;
    for place in places() {
        if place.unions.iter().all(|union| union.is_enforced()) {
            continue;
        }
        let settings = settings_for(place.kind).expect("a version");
        let policies = builtin_validating_policies(place.kind, &settings).expect("policies");
        let violations = violation_expressions(&policies);
        let enforced_unions = place.kind.compiler().compile().expect("unions");
        let unions = place.kind.compiler().with_unenforced().compile();
        let unions = unions.expect("unions");
        let pairs = place.switches();
        let reported_messages = reported_messages(&place.relevant(&violations), &pairs);
        for ((new, old), reported) in pairs.iter().zip(reported_messages) {
            let messages = |report: &Report| -> Vec<String> {
                let errors = report.errors().iter();
                errors.map(ToString::to_string).collect()
            };
            let enforced = messages(&enforced_unions.validate(new));
            let all = messages(&unions.validate(new));
            // API servers reject other errors before they evaluate the policy, which need not
            // report them. This includes each missing discriminator, also of a union whose other
            // rules are not enforced.
            let (needed, allowed): (Vec<&String>, Vec<&String>) = all.iter().partition(|error| {
                !enforced.contains(error) && !error.contains("Required value: set it to one of")
            });
            let is_reported = |error: &&String| {
                let mut reported = reported.iter();
                reported.any(|message| error.starts_with(message))
            };
            let wrong = reported.iter().filter(|message| {
                let mut errors = all.iter();
                !errors.any(|error| error.starts_with(*message))
            });
            assert!(
                needed.iter().all(is_reported) && wrong.count() == 0,
                "of {new}, was {old}: {reported:#?}, and not {needed:#?}; allowed: {allowed:#?}\n{violations:#?}"
            );
            reported_count += reported.len();
        }
    }
    assert!(reported_count > 100, "{reported_count} violations");
}

#[test]
fn each_kind_has_policies_or_the_reason_why_there_are_none() {
    for kind in kinds() {
        let name = format!("{} {}", kind.api_version(), kind.name());
        let Some(settings) = settings_for(kind) else {
            let error = builtin_mutating_policies(kind, &Settings::default()).unwrap_err();
            let is_exempt = KINDS_WITHOUT_POLICIES.contains(&kind.name());
            assert!(
                is_exempt || error.to_string().contains("does not serve"),
                "{error}"
            );
            continue;
        };
        for generate in [builtin_mutating_policies, builtin_validating_policies] {
            let policies = match generate(kind, &settings) {
                Err(error) => {
                    let is_exempt = KINDS_WITHOUT_POLICIES.contains(&kind.name());
                    assert!(is_exempt, "{name}: {error}");
                    assert!(error.to_string().contains("do not evaluate"), "{error}");
                    continue;
                }
                Ok(policies) => policies,
            };
            assert!(!KINDS_WITHOUT_POLICIES.contains(&kind.name()), "{name}");
            assert!(
                !policies.objects.is_empty() || !policies.limitations.is_empty(),
                "{name}"
            );
            for policy in policies.objects.iter().step_by(2) {
                let rule = &policy["spec"]["matchConstraints"]["resourceRules"][0];
                assert_eq!(rule["apiGroups"], json!([kind.group()]));
                assert_eq!(rule["resources"][0], kind.plural());
                assert_eq!(policy["spec"]["failurePolicy"], "Ignore");
            }
        }
    }
}

#[test]
fn a_policy_of_a_core_kind_has_a_valid_name() {
    let policies = builtin_mutating_policies(kind("v1", "Pod"), &Settings::default());
    let policies = policies.expect("policies");
    assert_eq!(
        policies.objects[0]["metadata"]["name"],
        "normalize-unions.v1.pods"
    );
}

/// A member that is stale beside `OnDelete` is validated when a client changes the type.
#[test]
fn stale_members_are_warnings_and_rejected_on_request() {
    let daemon_set = kind("apps/v1", "DaemonSet");
    let object = |strategy: &str| {
        let strategy = json!({"type": strategy, "rollingUpdate": {"maxSurge": 1}});
        json!({"spec": {"updateStrategy": strategy}})
    };
    let (valid, stale) = (object("RollingUpdate"), object("OnDelete"));
    let pairs = [
        (valid.clone(), Value::Null),
        (stale.clone(), Value::Null),
        (stale.clone(), valid),
        (stale.clone(), stale),
    ];
    for (denies, actions, failure_policy, counts) in [
        (false, json!(["Warn", "Audit"]), "Ignore", [0, 1, 1, 1]),
        (true, json!(["Deny"]), "Fail", [0, 1, 1, 0]),
    ] {
        let mut settings = Settings::default();
        if denies {
            settings = settings.deny_builtin();
        }
        let policies = builtin_validating_policies(daemon_set, &settings).expect("policies");
        let [policy, binding] = &policies.objects[..] else {
            panic!("{:?}", policies.objects);
        };
        assert_eq!(binding["spec"]["validationActions"], actions);
        assert_eq!(policy["spec"]["failurePolicy"], failure_policy);
        let message = policy["spec"]["validations"][0]["messageExpression"].to_string();
        assert_eq!(message.contains("a later change"), !denies, "{message}");
        let reported = reported_messages(&violation_expressions(&policies), &pairs);
        assert_eq!(reported.iter().map(Vec::len).collect::<Vec<_>>(), counts);
        assert_eq!(
            reported[1],
            [
                "spec.updateStrategy.rollingUpdate: Invalid value: \"\": may only be specified when `type` is \"RollingUpdate\""
            ]
        );
    }
}

#[test]
fn a_kind_whose_unions_are_enforced_needs_a_mutating_policy() {
    let policies =
        builtin_validating_policies(kind("apps/v1", "StatefulSet"), &Settings::default());
    let policies = policies.expect("policies");
    assert!(policies.objects.is_empty());
    let [limitation] = &policies.limitations[..] else {
        panic!("{:?}", policies.limitations);
    };
    assert!(
        limitation.message.contains("use a MutatingAdmissionPolicy"),
        "{limitation}"
    );
}
