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

use crate::cluster::{Answer, Cause, Cluster, Fallible, text};
use crate::explain;
use crate::object::Maker;
use crate::small_world;
use crate::tally::Tally;
use crate::types::{Readable, cel, one_of, same_reason};
use union_random::Random;

/// The numbers of updates and of creates that are sent for each stored object.
const UPDATES: usize = 8;
const CREATES: usize = 6;
/// The number of pairs of small states that must agree, creates included.
const ALL_SMALL: usize = 2400;
const QUERY: &str = "?dryRun=All&fieldValidation=Ignore";
/// The names of the discriminators in the types.
const DISCRIMINATORS: [&str; 3] = ["type", "in", "to"];

/// The fields of the types that are a list without keys, a list with keys, and a map.
const LIST: &str = "inOrder";
const KEYED: &str = "byKey";
const MAP: &str = "byName";

/// The names of random unknown fields, which are removed from the specs because pruning is not
/// tested here.
const UNKNOWN: [&str; 2] = ["zz", "yy"];

/// The degree to which the server's causes must agree with ours where members are validated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// The causes are the same as ours.
    Causes,
    /// The server rejects the request, with any causes.
    Something,
}

/// Sends `requests` random requests to the server for each value of `enforce`.
pub(crate) async fn run(cluster: &Cluster, seed: u64, requests: usize) -> Fallible<bool> {
    let cel = Group::new::<cel::Thing>("unions, CEL", cel::crd()?, Says::Causes);
    let forgiving = Group::new::<same_reason::Thing>(
        "unions, CEL that forgives",
        same_reason::crd()?,
        Says::Causes,
    );
    let forgiving = Group {
        ratchet: Ratchet::SameReason,
        ..forgiving
    };
    let one_of = Group::new::<one_of::Thing>("unions, oneOf", one_of::crd()?, Says::Something);
    let mut all_good = true;
    for group in [cel, forgiving, one_of] {
        let mut random = Random::new(seed);
        // Explained differences do not count as agreements, so there are some more requests.
        let [sampled, exhausted] = group.run(cluster, &mut random, requests * 11 / 10).await?;
        all_good &= sampled.finish(group.name, requests);
        let name = format!("{}, all small states", group.name);
        all_good &= exhausted.finish(&name, ALL_SMALL);
    }
    Ok(all_good)
}

/// A type, its CRD, and the expected behavior of the CRD.
struct Group {
    name: &'static str,
    crd: Value,
    says: Says,
    /// The old violations that the rules of the CRD tolerate.
    ratchet: Ratchet,
    judge: Judge,
}

/// A function that returns our result to a new object, given the old one.
type Judge = fn(&Value, Option<&Value>, Ratchet) -> Ours;

enum Ours {
    Accepted,
    Refused(Report),
    /// The type cannot read the new object.
    Unreadable,
    /// The type cannot read the old object, so there is no response to compare.
    OldUnreadable,
}

fn judge<T: Union + Readable + Serialize + DeserializeOwned>(
    new: &Value,
    old: Option<&Value>,
    ratchet: Ratchet,
) -> Ours {
    let settings = Settings::default().ratchet(ratchet);
    let old = match old.map(|old| T::deserialize(old)) {
        None => None,
        Some(Ok(old)) if old.is_readable() => Some(old),
        Some(_) => return Ours::OldUnreadable,
    };
    let new = match T::deserialize(new) {
        Ok(new) if new.is_readable() => new,
        _ => return Ours::Unreadable,
    };
    let report = match old {
        None => new.validate_unions(),
        Some(old) => new.validate_unions_update(&old, &settings),
    };
    Ours::from(report)
}

impl From<Report> for Ours {
    fn from(report: Report) -> Self {
        if report.is_accepted() {
            Self::Accepted
        } else {
            Self::Refused(report)
        }
    }
}

impl Group {
    fn new<T: Union + Readable + Serialize + DeserializeOwned>(
        name: &'static str,
        crd: Value,
        says: Says,
    ) -> Self {
        Self {
            name,
            crd,
            says,
            ratchet: Ratchet::Unchanged,
            judge: judge::<T>,
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

        let mut lax = self.crd.clone();
        lax["spec"]["versions"][0]["schema"]["openAPIV3Schema"] =
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        cluster.serve(&lax).await?;
        let mut stored = Vec::new();
        for number in 0..requests.div_ceil(UPDATES + CREATES) {
            let mut spec = self.spec(random, schema);
            clean(&mut spec, true);
            stored.push(self.store(cluster, &format!("old-{number}"), spec).await?);
        }
        let mut small = Vec::new();
        for (number, specs) in small_world::worlds().into_iter().enumerate() {
            let mut world = Vec::new();
            for (state, spec) in specs.into_iter().enumerate() {
                let name = format!("small-{number}-{state}");
                world.push(self.store(cluster, &name, spec).await?);
            }
            small.push(world);
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
        for old in &stored {
            for number in 0..UPDATES + CREATES {
                let mut new = old.clone();
                let is_update = number < UPDATES;
                if is_update {
                    change(random, schema, &mut new["spec"]);
                    clean(&mut new["spec"], true);
                    let name = text(&old["metadata"]["name"]);
                    let answer = cluster.put(&format!("{path}/{name}{QUERY}"), &new).await?;
                    self.compare(&new, Some(old), &answer, &mut tally);
                } else {
                    new["metadata"] = json!({"name": "new", "namespace": "default"});
                    new["spec"] = self.spec(random, schema);
                    clean(&mut new["spec"], false);
                    let answer = cluster.post(&format!("{path}{QUERY}"), &new).await?;
                    self.compare(&new, None, &answer, &mut tally);
                }
            }
        }
        Ok([tally, self.exhaust(cluster, &path, &small).await?])
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
        let answer = cluster.post(&path, &object).await?;
        if !answer.is_accepted() {
            return Err(format!("cannot be stored: {:?}", answer.causes()).into());
        }
        Ok(answer.body)
    }

    /// Creates every small object, and updates each of them to each other one of the same union.
    async fn exhaust(
        &self,
        cluster: &Cluster,
        path: &str,
        worlds: &[Vec<Value>],
    ) -> Fallible<Tally> {
        let mut tally = Tally::default();
        for world in worlds {
            for made in world {
                let mut new = made.clone();
                new["metadata"] = json!({"name": "new", "namespace": "default"});
                let answer = cluster.post(&format!("{path}{QUERY}"), &new).await?;
                self.compare(&new, None, &answer, &mut tally);
                for old in world {
                    let mut new = old.clone();
                    new["spec"] = small_world::edited(&made["spec"]);
                    let name = text(&old["metadata"]["name"]);
                    let answer = cluster.put(&format!("{path}/{name}{QUERY}"), &new).await?;
                    self.compare(&new, Some(old), &answer, &mut tally);
                }
            }
        }
        Ok(tally)
    }

    fn spec(&self, random: &mut Random, schema: &Value) -> Value {
        spec(random, schema, |object| {
            matches!((self.judge)(object, None, Ratchet::Off), Ours::Accepted)
        })
    }

    fn compare(&self, new: &Value, old: Option<&Value>, answer: &Answer, tally: &mut Tally) {
        tally.count("updates", old.is_some());
        tally.count("creates", old.is_none());
        tally.count("refused", !answer.is_accepted());
        let sides = Sides { new, old, answer };
        if let Ours::OldUnreadable = (self.judge)(new, old, Ratchet::Off) {
            tally.count("with an old one that its type cannot read", true);
            return;
        }
        if answer.is_accepted() && old.is_some() {
            let ours = (self.judge)(new, old, Ratchet::Off);
            tally.count("tolerated", matches!(ours, Ours::Refused(_)));
        }
        let Some(how) = self.differs(&sides) else {
            tally.agrees();
            return;
        };
        if self
            .differs_but_for(&sides, &self.unchanged_values(new, old))
            .is_none()
        {
            tally.count(explain::UNCHANGED_VALUE, true);
            return;
        }
        let is_of_deduced = |[_, field, message]: &Cause| {
            [field, message]
                .iter()
                .any(|text| text.contains("spec.deduced"))
        };
        if new["spec"]["deduced"]["type"] == "" && answer.causes().iter().any(is_of_deduced) {
            tally.count(explain::EMPTY_FOLLOWS, true);
            return;
        }
        // A union enum keeps an invalid union as raw JSON, and does not validate the values of its
        // members.
        let is_of_enum = |[reason, field, message]: &Cause| {
            reason == "FieldValueTypeInvalid" && field.starts_with("spec.as")
                || message.contains("some validation rules were not checked")
        };
        if self.ratchet == Ratchet::SameReason
            && matches!(self.ours(new, old), Ours::Accepted)
            && answer.causes().iter().all(is_of_enum)
        {
            tally.count(explain::KEPT_RAW, true);
            return;
        }
        let old = old.map_or(&Value::Null, |old| &old["spec"]);
        tally.differs(format!("{how}\nold {old}\nnew {}", new["spec"]));
    }

    /// Describes a response that differs from `Unchanged`, or that accepts an object which
    /// `SameReason` rejects.
    fn differs(&self, sides: &Sides<'_>) -> Option<String> {
        self.differs_but_for(sides, &[])
    }

    /// Returns the field paths of discriminators that were invalid before and did not change.
    fn unchanged_values(&self, new: &Value, old: Option<&Value>) -> Vec<String> {
        let wrong = |ratchet| -> Vec<String> {
            let Ours::Refused(report) = (self.judge)(new, old, ratchet) else {
                return Vec::new();
            };
            let wrong = report
                .errors()
                .iter()
                .filter(|violation| violation.kind() == ViolationKind::NotSupported);
            wrong
                .map(|violation| violation.path().to_string())
                .collect()
        };
        let changed = wrong(Ratchet::SameReason);
        let mut all = wrong(Ratchet::Unchanged);
        all.retain(|path| !changed.contains(path));
        all
    }

    /// Compares like [`differs`](Self::differs), without our errors at these field paths.
    fn differs_but_for(
        &self,
        Sides { new, old, answer }: &Sides<'_>,
        places: &[String],
    ) -> Option<String> {
        let causes = answer.causes();
        let how = match self.ours(new, *old) {
            Ours::OldUnreadable => None,
            Ours::Accepted => {
                (!answer.is_accepted()).then(|| format!("only the server: {causes:#?}"))
            }
            Ours::Unreadable => answer
                .is_accepted()
                .then(|| "the type cannot read it".into()),
            Ours::Refused(report) => {
                let is_meant =
                    |each: &&Violation| !places.iter().any(|place| *each.path() == **place);
                let violations: Vec<&Violation> = report.errors().iter().filter(is_meant).collect();
                match violations.as_slice() {
                    [] => (!answer.is_accepted()).then(|| format!("only the server: {causes:#?}")),
                    violations => self.difference(&causes, violations),
                }
            }
        };
        how.or_else(|| match (self.judge)(new, *old, Ratchet::SameReason) {
            Ours::Refused(report) if answer.is_accepted() => {
                Some(format!("accepted, and not by SameReason: {report}"))
            }
            _ => None,
        })
    }

    /// Returns the errors that the rules should report, and the error of the server itself about a
    /// missing required discriminator. The server tolerates that one only if the whole struct is
    /// unchanged (`required-discriminator` in `DIFFERENCES.md`).
    fn ours(&self, new: &Value, old: Option<&Value>) -> Ours {
        let ours = (self.judge)(new, old, self.ratchet);
        if self.ratchet == Ratchet::Unchanged {
            return ours;
        }
        let Ours::Refused(plain) = (self.judge)(new, old, Ratchet::Unchanged) else {
            return ours;
        };
        let mut all = match ours {
            Ours::Refused(report) => report,
            Ours::Accepted => Report::default(),
            unreadable => return unreadable,
        };
        let is_new = |violation: &&Violation| {
            violation.kind() == ViolationKind::Required
                && all
                    .errors()
                    .iter()
                    .all(|ours| ours.path() != violation.path())
        };
        let required: Report = plain.errors().iter().filter(is_new).cloned().collect();
        all.extend(required);
        Ours::from(all)
    }

    /// Describes the difference between the server's causes and our errors, of which there is at
    /// least one.
    fn difference(&self, causes: &[Cause], ours: &[&Violation]) -> Option<String> {
        let not_checked =
            |[_, _, message]: &Cause| message.contains("some validation rules were not checked");
        let is_partial = causes.iter().any(not_checked);
        let of_discriminators = |reason: &str| {
            [ViolationKind::NotSupported, ViolationKind::Required]
                .iter()
                .any(|kind| kind.reason() == reason)
        };
        let is_good = if causes.is_empty() {
            false
        } else if self.says == Says::Something {
            true
        } else if is_partial {
            // The server did not evaluate the rules for members, so only discriminators are
            // compared.
            let named = |reasons: Vec<(String, String)>| {
                let mut named = reasons;
                named.retain(|(reason, _)| of_discriminators(reason));
                // The number of equal causes matters, and their order does not.
                named.sort_unstable();
                named
            };
            let server = causes.iter();
            let server = server.map(|[reason, field, _]| (reason.clone(), field.clone()));
            let ours = ours.iter().map(|violation| {
                let reason = violation.kind().reason().to_owned();
                (reason, schema_path(violation.path().as_str()))
            });
            named(server.collect()) == named(ours.collect())
        } else if ours
            .iter()
            .any(|each| of_discriminators(each.kind().reason()))
        {
            // The server tolerates the unchanged discriminator, and validates the members by its
            // value. We do not validate members by an invalid discriminator.
            true
        } else {
            let mut rest = causes.to_vec();
            ours.iter().all(|violation| {
                let found = rest.iter().position(|cause| says_same(cause, violation));
                found.map(|at| rest.remove(at)).is_some()
            }) && rest.is_empty()
        };
        (!is_good).then(|| format!("the server: {causes:#?}\nwe: {ours:#?}"))
    }
}

/// Returns a random spec. Each field is more often valid than invalid.
pub(crate) fn spec(
    random: &mut Random,
    schema: &Value,
    is_valid: impl Fn(&Value) -> bool,
) -> Value {
    let mut spec = Map::new();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if !random.chance(30) {
            continue;
        }
        let tries = *random.pick(&[1, 2, 8, 12]);
        for _ in 0..tries {
            let wrong = *random.pick(&[0, 0, 0, 6]);
            let mut value = Maker::new(random, wrong).value(schema);
            spoil(random, 5, &mut value);
            clean(&mut value, false);
            let alone = Map::from_iter([(name.clone(), value.clone())]);
            spec.insert(name.clone(), value);
            if is_valid(&json!({"apiVersion": "", "kind": "", "metadata": {}, "spec": alone})) {
                break;
            }
        }
    }
    spec.into()
}

/// A request and the server's response.
struct Sides<'s> {
    new: &'s Value,
    old: Option<&'s Value>,
    answer: &'s Answer,
}

/// Returns a field path in the form of the server's schema validation, which writes a key of a map
/// after a dot (`map-keys` in `DIFFERENCES.md`).
fn schema_path(path: &str) -> String {
    let map = format!("spec.{MAP}");
    let parts = path
        .strip_prefix(&map)
        .and_then(|rest| rest.strip_prefix('[')?.rsplit_once(']'));
    match parts {
        Some((key, rest)) => format!("{map}.{key}{rest}"),
        None => path.to_owned(),
    }
}

/// Returns true if the cause has the reason, the field path and the beginning of the message of our
/// violation. Our message also has advice at its end.
fn says_same([reason, field, message]: &Cause, violation: &Violation) -> bool {
    const LABEL: &str = "Invalid value: ";
    let said = message.strip_prefix(LABEL).unwrap_or(message);
    let detail = violation.detail();
    reason == violation.kind().reason()
        && field == violation.path().as_str()
        && detail
            .strip_prefix(said)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
}

/// Changes some values in a spec, or none.
pub(crate) fn change(random: &mut Random, schema: &Value, spec: &mut Value) {
    for _ in 0..random.weighted(&[(1, 0), (5, 1), (3, 2), (1, 4)]) {
        let wrong = *random.pick(&[0, 0, 0, 8]);
        Maker::new(random, wrong).mutate(schema, spec);
    }
    spoil(random, 2, spec);
    if !spec.is_object() {
        *spec = json!({});
    }
}

/// Replaces some discriminators by invalid values.
fn spoil(random: &mut Random, percent: usize, value: &mut Value) {
    match value {
        Value::Object(object) => {
            for name in DISCRIMINATORS {
                if object.contains_key(name) && random.chance(percent) {
                    let bad = json!(*random.pick(&["nobody", "", "alpha"]));
                    object.insert(name.into(), bad);
                }
            }
            for value in object.values_mut() {
                spoil(random, percent, value);
            }
        }
        Value::Array(items) => {
            for item in items {
                spoil(random, percent, item);
            }
        }
        _ => {}
    }
}

/// Removes values that types and servers read differently (`DIFFERENCES.md`): floats; nulls that a
/// type does not accept and the server drops; and, in updates, all nulls, which types cannot tell
/// from absent fields. List elements with a repeated key are removed too, because they violate the
/// list type.
pub(crate) fn clean(value: &mut Value, without_nulls: bool) {
    match value {
        Value::Object(object) => {
            let is_dropped = |name: &str| without_nulls || [LIST, KEYED, MAP].contains(&name);
            object.retain(|name, value| {
                !(UNKNOWN.contains(&name.as_str()) || value.is_null() && is_dropped(name))
            });
            for (name, value) in object {
                clean(
                    value,
                    without_nulls || [LIST, KEYED, MAP].contains(&name.as_str()),
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
                clean(item, without_nulls);
            }
        }
        Value::Number(number) if number.is_f64() => *value = 7.into(),
        _ => {}
    }
}
