//! (b) Tests that the server with our schemas agrees with `validate` on creates, and with
//! `validate_unions_update` on updates without normalization.
//!
//! Old objects are stored under a CRD that accepts any object; then the CRD gets the schema of the
//! types. Each object is sent several times, with random changes, in dry runs.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use union_runtime::{Ratchet, Report, Settings, Union, Violation, ViolationKind};

use crate::cluster::{Cause, Cluster, Fallible, ServerResponse, text};
use crate::explain;
use crate::object::Generator;
use crate::small_states;
use crate::tally::Tally;
use crate::types::{Readable, cel, one_of, same_reason};
use union_random::Random;

/// The numbers of updates and of creates that are sent for each stored object.
const UPDATES: usize = 8;
const CREATES: usize = 6;
/// The number of pairs of small states that must agree, creates included.
const MIN_SMALL_AGREEMENTS: usize = 2400;
const QUERY: &str = "?dryRun=All&fieldValidation=Ignore";
/// The names of the discriminators in the types.
const DISCRIMINATORS: [&str; 3] = ["type", "in", "to"];

/// The fields of the types that are a list without keys, a list with keys, and a map.
const LIST_WITHOUT_KEYS: &str = "inOrder";
const LIST_WITH_KEYS: &str = "byKey";
const MAP: &str = "byName";

/// The names of random unknown fields, which are removed from the specs because pruning is not
/// tested here.
const UNKNOWN_FIELDS: [&str; 2] = ["zz", "yy"];

/// The comparison of the server's causes with ours, for errors of members.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComparedCauses {
    /// All causes must be equal to ours.
    All,
    /// The server must reject the request, with any causes.
    Any,
}

/// Sends `requests` random requests to the server for each value of `enforce`.
pub(crate) async fn run(cluster: &Cluster, seed: u64, requests: usize) -> Fallible<bool> {
    let cel_group = Group::new::<cel::Thing>("unions, CEL", cel::crd()?, ComparedCauses::All);
    let same_reason_group = Group::new::<same_reason::Thing>(
        "unions, CEL that forgives",
        same_reason::crd()?,
        ComparedCauses::All,
    );
    let same_reason_group = Group {
        ratchet: Ratchet::SameReason,
        ..same_reason_group
    };
    let one_of_group =
        Group::new::<one_of::Thing>("unions, oneOf", one_of::crd()?, ComparedCauses::Any);
    let mut all_passed = true;
    for group in [cel_group, same_reason_group, one_of_group] {
        let mut random = Random::new(seed);
        // Explained differences do not count as agreements, so there are some more requests.
        let [random_tally, small_state_tally] =
            group.run(cluster, &mut random, requests * 11 / 10).await?;
        all_passed &= random_tally.finish(group.name, requests);
        let name = format!("{}, all small states", group.name);
        all_passed &= small_state_tally.finish(&name, MIN_SMALL_AGREEMENTS);
    }
    Ok(all_passed)
}

/// A type, its CRD, and the expected behavior of the CRD.
struct Group {
    name: &'static str,
    crd: Value,
    compared_causes: ComparedCauses,
    /// The old violations that the rules of the CRD tolerate.
    ratchet: Ratchet,
    validator: Validator,
}

/// A function that returns our result to a new object, given the old one.
type Validator = fn(&Value, Option<&Value>, Ratchet) -> OurResult;

enum OurResult {
    Accepted,
    Rejected(Report),
    /// The type cannot read the new object.
    Unreadable,
    /// The type cannot read the old object, so there is no response to compare.
    OldUnreadable,
}

fn our_result<T: Union + Readable + Serialize + DeserializeOwned>(
    new: &Value,
    old: Option<&Value>,
    ratchet: Ratchet,
) -> OurResult {
    let settings = Settings::default().ratchet(ratchet);
    let old = match old.map(|old| T::deserialize(old)) {
        None => None,
        Some(Ok(old)) if old.is_readable() => Some(old),
        Some(_) => return OurResult::OldUnreadable,
    };
    let new = match T::deserialize(new) {
        Ok(new) if new.is_readable() => new,
        _ => return OurResult::Unreadable,
    };
    let report = match old {
        None => new.validate_unions(),
        Some(old) => new.validate_unions_update(&old, &settings),
    };
    OurResult::from(report)
}

impl From<Report> for OurResult {
    fn from(report: Report) -> Self {
        if report.is_accepted() {
            Self::Accepted
        } else {
            Self::Rejected(report)
        }
    }
}

impl Group {
    fn new<T: Union + Readable + Serialize + DeserializeOwned>(
        name: &'static str,
        crd: Value,
        compared_causes: ComparedCauses,
    ) -> Self {
        Self {
            name,
            crd,
            compared_causes,
            ratchet: Ratchet::Unchanged,
            validator: our_result::<T>,
        }
    }

    async fn run(
        &self,
        cluster: &Cluster,
        random: &mut Random,
        requests: usize,
    ) -> Fallible<[Tally; 2]> {
        let mut tally = Tally::default();
        let version = &self.crd["spec"]["versions"][0];
        let schema = &version["schema"]["openAPIV3Schema"]["properties"]["spec"];
        let group = text(&self.crd["spec"]["group"]);
        let path = format!("/apis/{group}/v1/namespaces/default/things");

        let mut crd_without_schema = self.crd.clone();
        crd_without_schema["spec"]["versions"][0]["schema"]["openAPIV3Schema"] =
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        cluster.serve(&crd_without_schema).await?;
        let mut stored_objects = Vec::new();
        for index in 0..requests.div_ceil(UPDATES + CREATES) {
            let mut spec = self.random_spec(random, schema);
            remove_untested_values(&mut spec, true);
            stored_objects.push(self.store(cluster, &format!("old-{index}"), spec).await?);
        }
        let mut small_objects = Vec::new();
        for (index, specs) in small_states::all_specs().into_iter().enumerate() {
            let mut objects_of_union = Vec::new();
            for (state, spec) in specs.into_iter().enumerate() {
                let name = format!("small-{index}-{state}");
                objects_of_union.push(self.store(cluster, &name, spec).await?);
            }
            small_objects.push(objects_of_union);
        }

        let mut spec = self.crd["spec"].clone();
        // The server serves this additional version as soon as it uses the new schema.
        if let Some(versions) = spec["versions"].as_array_mut() {
            versions.push(json!({
                "name": "v2", "served": true, "storage": false,
                "schema": {"openAPIV3Schema": {"type": "object"}},
            }));
        }
        cluster
            .change(&text(&self.crd["metadata"]["name"]), &spec)
            .await?;
        for old in &stored_objects {
            for index in 0..UPDATES + CREATES {
                let mut new = old.clone();
                let is_update = index < UPDATES;
                if is_update {
                    mutate_spec(random, schema, &mut new["spec"]);
                    remove_untested_values(&mut new["spec"], true);
                    let name = text(&old["metadata"]["name"]);
                    let response = cluster.put(&format!("{path}/{name}{QUERY}"), &new).await?;
                    self.compare(&new, Some(old), &response, &mut tally);
                } else {
                    new["metadata"] = json!({"name": "new", "namespace": "default"});
                    new["spec"] = self.random_spec(random, schema);
                    remove_untested_values(&mut new["spec"], false);
                    let response = cluster.post(&format!("{path}{QUERY}"), &new).await?;
                    self.compare(&new, None, &response, &mut tally);
                }
            }
        }
        Ok([
            tally,
            self.test_small_states(cluster, &path, &small_objects)
                .await?,
        ])
    }

    /// Stores an object, while the server accepts any object.
    async fn store(&self, cluster: &Cluster, name: &str, spec: Value) -> Fallible<Value> {
        let group = text(&self.crd["spec"]["group"]);
        let object = json!({
            "apiVersion": format!("{group}/v1"),
            "kind": "Thing",
            "metadata": {"name": name, "namespace": "default"},
            "spec": spec,
        });
        let path = format!("/apis/{group}/v1/namespaces/default/things");
        let response = cluster.post(&path, &object).await?;
        if !response.is_accepted() {
            return Err(format!("cannot be stored: {:?}", response.causes()).into());
        }
        Ok(response.body)
    }

    /// Creates every small object, and updates each of them to each other one of the same union.
    async fn test_small_states(
        &self,
        cluster: &Cluster,
        path: &str,
        small_objects: &[Vec<Value>],
    ) -> Fallible<Tally> {
        let mut tally = Tally::default();
        for objects_of_union in small_objects {
            for new_state in objects_of_union {
                let mut new = new_state.clone();
                new["metadata"] = json!({"name": "new", "namespace": "default"});
                let response = cluster.post(&format!("{path}{QUERY}"), &new).await?;
                self.compare(&new, None, &response, &mut tally);
                for old in objects_of_union {
                    let mut new = old.clone();
                    new["spec"] = small_states::with_edited_note(&new_state["spec"]);
                    let name = text(&old["metadata"]["name"]);
                    let response = cluster.put(&format!("{path}/{name}{QUERY}"), &new).await?;
                    self.compare(&new, Some(old), &response, &mut tally);
                }
            }
        }
        Ok(tally)
    }

    /// Returns a random spec.
    fn random_spec(&self, random: &mut Random, schema: &Value) -> Value {
        random_spec(random, schema, |object| {
            matches!(
                (self.validator)(object, None, Ratchet::Off),
                OurResult::Accepted
            )
        })
    }

    fn compare(
        &self,
        new: &Value,
        old: Option<&Value>,
        response: &ServerResponse,
        tally: &mut Tally,
    ) {
        tally.count_event("updates", old.is_some());
        tally.count_event("creates", old.is_none());
        tally.count_event("rejected", !response.is_accepted());
        let request = RequestAndResponse { new, old, response };
        if let OurResult::OldUnreadable = (self.validator)(new, old, Ratchet::Off) {
            tally.count_event("with an old one that its type cannot read", true);
            return;
        }
        if response.is_accepted() && old.is_some() {
            let result = (self.validator)(new, old, Ratchet::Off);
            tally.count_event("tolerated", matches!(result, OurResult::Rejected(_)));
        }
        let Some(difference_text) = self.difference(&request) else {
            tally.count_agreement();
            return;
        };
        if self
            .difference_except(&request, &self.unchanged_values(new, old))
            .is_none()
        {
            tally.count_event(explain::UNCHANGED_VALUE, true);
            return;
        }
        let is_of_deduced = |[_, field, message]: &Cause| {
            [field, message]
                .iter()
                .any(|text| text.contains("spec.deduced"))
        };
        if new["spec"]["deduced"]["type"] == "" && response.causes().iter().any(is_of_deduced) {
            tally.count_event(explain::EMPTY_FOLLOWS, true);
            return;
        }
        // A union enum keeps an invalid union as raw JSON, and does not validate the values of its
        // members.
        let is_of_enum = |[reason, field, message]: &Cause| {
            reason == "FieldValueTypeInvalid" && field.starts_with("spec.as")
                || message.contains("some validation rules were not checked")
        };
        if self.ratchet == Ratchet::SameReason
            && matches!(self.expected_result(new, old), OurResult::Accepted)
            && response.causes().iter().all(is_of_enum)
        {
            tally.count_event(explain::KEPT_RAW, true);
            return;
        }
        let old = old.map_or(&Value::Null, |old| &old["spec"]);
        tally.add_difference(format!("{difference_text}\nold {old}\nnew {}", new["spec"]));
    }

    /// Describes a response that differs from `Unchanged`, or that accepts an object which
    /// `SameReason` rejects.
    fn difference(&self, request: &RequestAndResponse<'_>) -> Option<String> {
        self.difference_except(request, &[])
    }

    /// Returns the field paths of discriminators that were invalid before and did not change.
    fn unchanged_values(&self, new: &Value, old: Option<&Value>) -> Vec<String> {
        let unsupported_fields = |ratchet| -> Vec<String> {
            let OurResult::Rejected(report) = (self.validator)(new, old, ratchet) else {
                return Vec::new();
            };
            let violations = report
                .errors()
                .iter()
                .filter(|violation| violation.kind() == ViolationKind::NotSupported);
            violations
                .map(|violation| violation.path().to_string())
                .collect()
        };
        let changed_fields = unsupported_fields(Ratchet::SameReason);
        let mut unchanged_fields = unsupported_fields(Ratchet::Unchanged);
        unchanged_fields.retain(|path| !changed_fields.contains(path));
        unchanged_fields
    }

    /// Compares like [`differs`](Self::differs), without our errors at these field paths.
    fn difference_except(
        &self,
        RequestAndResponse { new, old, response }: &RequestAndResponse<'_>,
        excluded_fields: &[String],
    ) -> Option<String> {
        let causes = response.causes();
        let difference_text = match self.expected_result(new, *old) {
            OurResult::OldUnreadable => None,
            OurResult::Accepted => {
                (!response.is_accepted()).then(|| format!("only the server: {causes:#?}"))
            }
            OurResult::Unreadable => response
                .is_accepted()
                .then(|| "the type cannot read it".into()),
            OurResult::Rejected(report) => {
                let is_compared = |violation: &&Violation| {
                    !excluded_fields
                        .iter()
                        .any(|field| *violation.path() == **field)
                };
                let violations: Vec<&Violation> =
                    report.errors().iter().filter(is_compared).collect();
                match violations.as_slice() {
                    [] => {
                        (!response.is_accepted()).then(|| format!("only the server: {causes:#?}"))
                    }
                    violations => self.difference_of_causes(&causes, violations),
                }
            }
        };
        difference_text.or_else(|| match (self.validator)(new, *old, Ratchet::SameReason) {
            OurResult::Rejected(report) if response.is_accepted() => {
                Some(format!("accepted, and not by SameReason: {report}"))
            }
            _ => None,
        })
    }

    /// Returns the errors that the rules should report, and the error of the server itself about a
    /// missing required discriminator. The server tolerates that one only if the whole struct is
    /// unchanged (`required-discriminator` in `DIFFERENCES.md`).
    fn expected_result(&self, new: &Value, old: Option<&Value>) -> OurResult {
        let result = (self.validator)(new, old, self.ratchet);
        if self.ratchet == Ratchet::Unchanged {
            return result;
        }
        let OurResult::Rejected(unchanged_report) = (self.validator)(new, old, Ratchet::Unchanged)
        else {
            return result;
        };
        let mut combined_report = match result {
            OurResult::Rejected(report) => report,
            OurResult::Accepted => Report::default(),
            unreadable => return unreadable,
        };
        let is_new = |violation: &&Violation| {
            violation.kind() == ViolationKind::Required
                && combined_report
                    .errors()
                    .iter()
                    .all(|error| error.path() != violation.path())
        };
        let missing_discriminators: Report = unchanged_report
            .errors()
            .iter()
            .filter(is_new)
            .cloned()
            .collect();
        combined_report.extend(missing_discriminators);
        OurResult::from(combined_report)
    }

    /// Describes the difference between the server's causes and our errors, of which there is at
    /// least one.
    fn difference_of_causes(&self, causes: &[Cause], our_errors: &[&Violation]) -> Option<String> {
        let is_unchecked =
            |[_, _, message]: &Cause| message.contains("some validation rules were not checked");
        let is_partial = causes.iter().any(is_unchecked);
        let is_about_discriminator = |reason: &str| {
            [ViolationKind::NotSupported, ViolationKind::Required]
                .iter()
                .any(|kind| kind.reason() == reason)
        };
        let is_equal = if causes.is_empty() {
            false
        } else if self.compared_causes == ComparedCauses::Any {
            true
        } else if is_partial {
            // The server did not evaluate the rules for members, so only discriminators are
            // compared.
            let reasons_and_fields = |reasons: Vec<(String, String)>| {
                let mut reasons_and_fields = reasons;
                reasons_and_fields.retain(|(reason, _)| is_about_discriminator(reason));
                // The number of equal causes matters, and their order does not.
                reasons_and_fields.sort_unstable();
                reasons_and_fields
            };
            let server = causes.iter();
            let server = server.map(|[reason, field, _]| (reason.clone(), field.clone()));
            let our_errors = our_errors.iter().map(|violation| {
                let reason = violation.kind().reason().to_owned();
                (reason, schema_path(violation.path().as_str()))
            });
            reasons_and_fields(server.collect()) == reasons_and_fields(our_errors.collect())
        } else if our_errors
            .iter()
            .any(|violation| is_about_discriminator(violation.kind().reason()))
        {
            // The server tolerates the unchanged discriminator, and validates the members by its
            // value. We do not validate members by an invalid discriminator.
            true
        } else {
            let mut unmatched_causes = causes.to_vec();
            our_errors.iter().all(|violation| {
                let index = unmatched_causes
                    .iter()
                    .position(|cause| is_same_error(cause, violation));
                index.map(|index| unmatched_causes.remove(index)).is_some()
            }) && unmatched_causes.is_empty()
        };
        (!is_equal).then(|| format!("the server: {causes:#?}\nwe: {our_errors:#?}"))
    }
}

/// Returns a random spec. Each field is more often valid than invalid.
pub(crate) fn random_spec(
    random: &mut Random,
    schema: &Value,
    is_valid: impl Fn(&Value) -> bool,
) -> Value {
    let mut spec = Map::new();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if !random.chance(30) {
            continue;
        }
        let max_tries = *random.pick(&[1, 2, 8, 12]);
        for _ in 0..max_tries {
            let invalid_percent = *random.pick(&[0, 0, 0, 6]);
            let mut value = Generator::new(random, invalid_percent).value(schema);
            spoil_discriminators(random, 5, &mut value);
            remove_untested_values(&mut value, false);
            let only_field = Map::from_iter([(name.clone(), value.clone())]);
            spec.insert(name.clone(), value);
            if is_valid(&json!({"apiVersion": "", "kind": "", "metadata": {}, "spec": only_field}))
            {
                break;
            }
        }
    }
    spec.into()
}

/// A request and the server's response.
struct RequestAndResponse<'s> {
    new: &'s Value,
    old: Option<&'s Value>,
    response: &'s ServerResponse,
}

/// Returns a field path in the form of the server's schema validation, which writes a key of a map
/// after a dot (`map-keys` in `DIFFERENCES.md`).
fn schema_path(path: &str) -> String {
    let map = format!("spec.{MAP}");
    let key_and_suffix = path
        .strip_prefix(&map)
        .and_then(|suffix| suffix.strip_prefix('[')?.rsplit_once(']'));
    match key_and_suffix {
        Some((key, suffix)) => format!("{map}.{key}{suffix}"),
        None => path.to_owned(),
    }
}

/// Returns true if the cause has the reason, the field path and the beginning of the message of our
/// violation. Our message also has advice at its end.
fn is_same_error([reason, field, message]: &Cause, violation: &Violation) -> bool {
    const LABEL: &str = "Invalid value: ";
    let detail_start = message.strip_prefix(LABEL).unwrap_or(message);
    let detail = violation.detail();
    reason == violation.kind().reason()
        && field == violation.path().as_str()
        && detail
            .strip_prefix(detail_start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
}

/// Changes some values in a spec, or none.
pub(crate) fn mutate_spec(random: &mut Random, schema: &Value, spec: &mut Value) {
    for _ in 0..random.weighted(&[(1, 0), (5, 1), (3, 2), (1, 4)]) {
        let invalid_percent = *random.pick(&[0, 0, 0, 8]);
        Generator::new(random, invalid_percent).mutate(schema, spec);
    }
    spoil_discriminators(random, 2, spec);
    if !spec.is_object() {
        *spec = json!({});
    }
}

/// Replaces some discriminators by invalid values.
fn spoil_discriminators(random: &mut Random, percent: usize, value: &mut Value) {
    match value {
        Value::Object(object) => {
            for name in DISCRIMINATORS {
                if object.contains_key(name) && random.chance(percent) {
                    let invalid_value = json!(*random.pick(&["nobody", "", "alpha"]));
                    object.insert(name.into(), invalid_value);
                }
            }
            for value in object.values_mut() {
                spoil_discriminators(random, percent, value);
            }
        }
        Value::Array(items) => {
            for item in items {
                spoil_discriminators(random, percent, item);
            }
        }
        _ => {}
    }
}

/// Removes values that types and servers read differently (`DIFFERENCES.md`): floats; nulls that a
/// type does not accept and the server drops; and, in updates, all nulls, which types cannot tell
/// from absent fields. List elements with a repeated key are removed too, because they violate the
/// list type.
pub(crate) fn remove_untested_values(value: &mut Value, without_nulls: bool) {
    match value {
        Value::Object(object) => {
            let is_dropped = |name: &str| {
                without_nulls || [LIST_WITHOUT_KEYS, LIST_WITH_KEYS, MAP].contains(&name)
            };
            object.retain(|name, value| {
                !(UNKNOWN_FIELDS.contains(&name.as_str()) || value.is_null() && is_dropped(name))
            });
            for (name, value) in object {
                remove_untested_values(
                    value,
                    without_nulls
                        || [LIST_WITHOUT_KEYS, LIST_WITH_KEYS, MAP].contains(&name.as_str()),
                );
            }
        }
        Value::Array(items) => {
            let mut names = BTreeSet::new();
            items.retain(|item| match item.get("name") {
                Some(name) => names.insert(name.to_string()),
                None => true,
            });
            for item in items {
                remove_untested_values(item, without_nulls);
            }
        }
        Value::Number(number) if number.is_f64() => *value = 7.into(),
        _ => {}
    }
}
