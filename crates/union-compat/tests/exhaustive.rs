//! Tests of all changes between small unions: a comparison finds the same differences as a
//! brute-force search, and reports the smallest objects.

use std::thread;

use serde_json::{Map, Value, json};
use union_compat::{ApiVersion, ChangeCode, CompatReport, compare, compare_crds};

use crate::oracle::{crd, create, engine_accepts, is_rejected};

/// A small union: its schema, and the results of creating each object of `all_objects`.
struct UnionForm {
    name: String,
    version: ApiVersion,
    /// The stored objects that are complete; `None` if the server or the union engine rejects the
    /// object, or if the server drops a field.
    complete_objects: Vec<Option<Value>>,
    /// The rejections of each object.
    rejections: Vec<Rejections>,
    /// The stored objects; `None` if the server rejects the object.
    stored_objects: Vec<Option<Value>>,
    schema: Value,
    /// The meaning of an absent discriminator: its default, or `absent`. `None` without a
    /// discriminator.
    absent_meaning: Option<&'static str>,
}

/// The parties that reject an object.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rejections {
    by_server: bool,
    by_union_engine: bool,
}

impl Rejections {
    const NONE: Self = Self {
        by_server: false,
        by_union_engine: false,
    };
}

/// Returns all objects that the tests create: an absent discriminator, the values A, B and C and an
/// unknown value, each with `a` and `b` set and unset.
fn all_objects() -> Vec<Value> {
    let mut objects = Vec::new();
    for value in [None, Some("A"), Some("B"), Some("C"), Some("Unknown")] {
        for members in 0..4 {
            let mut object = Map::new();
            object.extend(value.map(|value| ("type".to_owned(), json!(value))));
            for (bit, member) in ["a", "b"].into_iter().enumerate() {
                if members >> bit & 1 == 1 {
                    object.insert(member.to_owned(), json!({}));
                }
            }
            objects.push(Value::Object(object));
        }
    }
    objects
}

fn field_count(object: &Value) -> usize {
    object.as_object().map_or(0, Map::len)
}

#[derive(Clone, Copy, PartialEq)]
enum Presence {
    Required,
    Optional,
    Default(&'static str),
}

fn discriminated_schema(
    values: &[&str],
    members: &[(&str, &str, bool)],
    presence: Presence,
) -> Value {
    let mut properties = json!({"type": {"type": "string", "enum": values}});
    let mut rules = Vec::new();
    for (value, field, optional) in members {
        properties[*field] = json!({"type": "object"});
        let condition_if_selected = if *optional {
            "true".to_owned()
        } else {
            format!("has(self.{field})")
        };
        rules.push(json!({
            "rule": format!("has(self.type) && self.type == '{value}' ? {condition_if_selected} : !has(self.{field})"),
        }));
    }
    let mut required = Vec::new();
    match presence {
        Presence::Required => required.push("type"),
        Presence::Optional => {}
        Presence::Default(value) => properties["type"]["default"] = json!(value),
    }
    json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "x-kubernetes-validations": rules,
    })
}

fn undiscriminated_schema(rule: Option<&str>) -> Value {
    let rules: Vec<Value> = rule.iter().map(|rule| json!({"rule": rule})).collect();
    json!({
        "type": "object",
        "properties": {"a": {"type": "object"}, "b": {"type": "object"}},
        "x-kubernetes-validations": rules,
    })
}

/// The name of a union, its schema, and the meaning of an absent discriminator.
type NamedSchema = (String, Value, Option<&'static str>);

/// Returns the schemas of all small unions.
fn schemas() -> Vec<NamedSchema> {
    let mut schemas: Vec<NamedSchema> = Vec::new();
    let optional_flags = [(false, false), (true, false), (true, true)];
    for presence in [
        Presence::Required,
        Presence::Optional,
        Presence::Default("A"),
    ] {
        let (name, absent_meaning) = match presence {
            Presence::Required => ("required", "absent"),
            Presence::Optional => ("optional", "absent"),
            Presence::Default(value) => ("default", value),
        };
        for values in [&["A", "B"][..], &["A", "B", "C"]] {
            for (a_is_optional, b_is_optional) in optional_flags {
                let schema = discriminated_schema(
                    values,
                    &[("A", "a", a_is_optional), ("B", "b", b_is_optional)],
                    presence,
                );
                schemas.push((
                    format!("{name} {values:?} {a_is_optional} {b_is_optional}"),
                    schema,
                    Some(absent_meaning),
                ));
            }
        }
        let schema = discriminated_schema(&["A", "C"], &[("A", "a", false)], presence);
        schemas.push((format!("{name} A C"), schema, Some(absent_meaning)));
    }
    schemas.push(("none".to_owned(), undiscriminated_schema(None), None));
    schemas.push((
        "at most one".to_owned(),
        undiscriminated_schema(Some("!(has(self.a) && has(self.b))")),
        None,
    ));
    schemas.push((
        "exactly one".to_owned(),
        undiscriminated_schema(Some("has(self.a) != has(self.b)")),
        None,
    ));
    schemas
}

fn forms() -> Vec<UnionForm> {
    let forms = schemas().into_iter().map(|(name, schema, absent_meaning)| {
        let crd = crd(&[("v1", schema.clone())]);
        let (mut complete_objects, mut rejections, mut stored_objects) =
            (Vec::new(), Vec::new(), Vec::new());
        for object in all_objects() {
            let outcome = create(&crd, "v1", &object);
            let is_valid = engine_accepts(&schema, &object);
            rejections.push(Rejections {
                by_server: outcome.is_err(),
                by_union_engine: !is_valid,
            });
            stored_objects.push(outcome.clone().ok());
            let stored = outcome.ok().filter(|stored| {
                is_valid
                    && object
                        .as_object()
                        .unwrap()
                        .keys()
                        .all(|key| stored.get(key).is_some())
            });
            complete_objects.push(stored);
        }
        UnionForm {
            name,
            version: ApiVersion::from_crd(&crd, None).unwrap(),
            complete_objects,
            rejections,
            stored_objects,
            schema,
            absent_meaning,
        }
    });
    forms.collect()
}

impl UnionForm {
    /// Returns the value of the discriminator in a stored object; `None` if the union does not have
    /// a discriminator.
    fn discriminator_of<'v>(&'v self, stored: &'v Value) -> Option<&'v str> {
        let absent = self.absent_meaning?;
        let value = stored.get("type").and_then(Value::as_str);
        Some(value.unwrap_or(absent))
    }
}

/// Returns the indices of the objects that only one of two unions stores completely, or that both
/// store with different values of the discriminator.
fn differing_objects(old: &UnionForm, new: &UnionForm) -> Vec<usize> {
    let pairs = old
        .complete_objects
        .iter()
        .zip(&new.complete_objects)
        .enumerate();
    let differs = pairs.filter(
        |(_, (old_stored, new_stored))| match (old_stored, new_stored) {
            (Some(old_stored), Some(new_stored)) => match (
                old.discriminator_of(old_stored),
                new.discriminator_of(new_stored),
            ) {
                (Some(old_stored), Some(new_stored)) => old_stored != new_stored,
                _ => false,
            },
            (old_stored, new_stored) => old_stored.is_some() != new_stored.is_some(),
        },
    );
    differs.map(|(index, _)| index).collect()
}

fn assert_findings_show_all_differences(
    old: &UnionForm,
    new: &UnionForm,
    comparison: &CompatReport,
) {
    let context = format!("{} -> {}\n{comparison}", old.name, new.name);
    let all_objects = all_objects();
    let index_of = |object: &Value| all_objects.iter().position(|other| other == object);
    let differing_objects = differing_objects(old, new);
    assert_eq!(
        differing_objects.is_empty(),
        comparison.findings.is_empty(),
        "{context}"
    );
    for finding in &comparison.findings {
        let index = index_of(&finding.object).unwrap_or_else(|| panic!("{context}"));
        assert!(differing_objects.contains(&index), "{context}");
        for (decisions, form) in [(&finding.before, old), (&finding.after, new)] {
            let rejections = Rejections {
                by_server: is_rejected(&decisions.server),
                by_union_engine: is_rejected(&decisions.union),
            };
            assert_eq!(rejections, form.rejections[index], "{context}");
        }
        assert_eq!(
            finding.stored_as.is_some(),
            finding.code == ChangeCode::DefaultChanged
                && old.complete_objects[index].is_some()
                && new.complete_objects[index].is_some(),
            "{context}"
        );
    }
    // The comparison reports the smallest object that only one version accepts. If objects of both
    // directions show the same difference, only an object that the old version accepts is reported.
    let smallest_difference = |accepting: &UnionForm, rejecting: &UnionForm| {
        let accepted_by_one = (0..all_objects.len()).filter(|index| {
            accepting.complete_objects[*index].is_some()
                && rejecting.complete_objects[*index].is_none()
        });
        accepted_by_one
            .map(|index| field_count(&all_objects[index]))
            .min()
    };
    let smallest_reported = |is_in_direction: &dyn Fn(usize) -> bool| {
        let findings = comparison.findings.iter();
        let findings_in_direction =
            findings.filter(|finding| is_in_direction(index_of(&finding.object).unwrap()));
        findings_in_direction
            .map(|finding| field_count(&finding.object))
            .min()
    };
    let smallest_of_old = smallest_reported(&|index| {
        old.complete_objects[index].is_some() && new.complete_objects[index].is_none()
    });
    assert_eq!(smallest_of_old, smallest_difference(old, new), "{context}");
    let smallest_of_new = smallest_reported(&|index| {
        new.complete_objects[index].is_some() && old.complete_objects[index].is_none()
    });
    assert!(
        smallest_of_new == smallest_difference(new, old) || smallest_of_old.is_some(),
        "{context}"
    );
}

#[test]
fn all_changes_between_small_unions_are_findings_with_the_smallest_object() {
    let forms = forms();
    let mut change_count = 0;
    for old in &forms {
        for new in &forms {
            let comparison = compare(&old.version, &new.version);
            assert_eq!(comparison.notes, [] as [&str; 0]);
            assert_findings_show_all_differences(old, new, &comparison);
            change_count += 1;
        }
    }
    assert_eq!(change_count, 24 * 24);
}

/// Returns true if the old versions disagree about an object in the same way as the new versions.
/// The new versions must disagree.
fn is_known_difference(index: usize, old: [&UnionForm; 2], new: [&UnionForm; 2]) -> bool {
    let stores_completely = new.map(|form| form.complete_objects[index].is_some());
    let stored = |forms: [&UnionForm; 2]| forms.map(|form| form.stored_objects[index].clone());
    if stores_completely == [true, true] {
        return stored(old) == stored(new);
    }
    let [accepting, rejecting] = if stores_completely[0] {
        old
    } else {
        [old[1], old[0]]
    };
    let is_rejected = |form: &UnionForm| form.rejections[index] != Rejections::NONE;
    let lost_fields = |form: &UnionForm| -> Vec<String> {
        let all_objects = all_objects();
        let fields = all_objects[index].as_object().unwrap().keys();
        let stored = form.stored_objects[index].clone().unwrap_or_default();
        let lost_fields = fields.filter(|field| stored.get(field).is_none());
        lost_fields.cloned().collect()
    };
    let loses_more = || {
        lost_fields(rejecting)
            .iter()
            .any(|field| !lost_fields(accepting).contains(field))
    };
    !is_rejected(accepting) && (is_rejected(rejecting) || loses_more())
}

/// The two versions of a CRD.
type Versions<'f> = [&'f UnionForm; 2];

/// Checks upgrades, each from old to new versions. Returns the numbers of upgrades with new
/// differences only, with known differences only, and with both.
fn check_upgrades(upgrades: &[(Versions<'_>, Versions<'_>)]) -> [usize; 3] {
    let all_objects = all_objects();
    let mut counts = [0; 3];
    for &(old, new) in upgrades {
        let crds =
            [old, new].map(|[v1, v2]| crd(&[("v1", v1.schema.clone()), ("v2", v2.schema.clone())]));
        let reports = compare_crds(&crds[0], &crds[1]).unwrap();
        let differing_objects = differing_objects(new[0], new[1]);
        let (known_objects, new_objects): (Vec<usize>, Vec<usize>) = differing_objects
            .into_iter()
            .partition(|index| is_known_difference(*index, old, new));
        let Some(comparison) = reports.get(2) else {
            assert_eq!(new[0].schema, new[1].schema);
            continue;
        };
        let name = |forms: Versions<'_>| forms.map(|form| form.name.clone()).join(", ");
        let context = format!("{} -> {}\n{comparison}", name(old), name(new));
        for (findings, objects) in [
            (&comparison.findings, &new_objects),
            (&comparison.known_findings, &known_objects),
        ] {
            assert_eq!(findings.is_empty(), objects.is_empty(), "{context}");
            for finding in findings {
                let is_reported = objects
                    .iter()
                    .any(|index| all_objects[*index] == finding.object);
                assert!(is_reported, "{finding}{context}");
            }
        }
        if old[0].schema == new[0].schema && old[1].schema == new[1].schema {
            assert!(comparison.is_compatible(), "{context}");
        }
        let emptiness = [new_objects.is_empty(), known_objects.is_empty()];
        counts[0] += usize::from(emptiness == [true, false]);
        counts[1] += usize::from(emptiness == [false, true]);
        counts[2] += usize::from(emptiness == [false, false]);
    }
    counts
}

/// Checks pairs of versions that an upgrade does not change, and random pairs that it changes.
#[test]
fn differences_that_existed_before_an_upgrade_are_known() {
    // All unions have the same fields, so the comparison validates all objects of `all_objects`.
    let mut forms = forms();
    forms.retain(|form| !form.name.ends_with("A C"));
    let pairs = || {
        let pairs_of = |old| forms.iter().map(move |new| [old, new]);
        forms.iter().flat_map(pairs_of)
    };
    let mut random = union_random::Random::new(46);
    let random_pair = |random: &mut union_random::Random| {
        let [first, second] = [0; 2].map(|_| random.below(forms.len()));
        [&forms[first], &forms[second]]
    };
    let unchanged_pairs = pairs().map(|pair| (pair, pair)).step_by(3);
    let mut upgrades: Vec<_> = unchanged_pairs.collect();
    upgrades.extend((0..400).map(|_| {
        let new = random_pair(&mut random);
        // The upgrade changes one version, or both.
        let [old, other_old] = random_pair(&mut random);
        let old = if random.chance(60) {
            [old, new[1]]
        } else {
            [old, other_old]
        };
        (old, new)
    }));
    // This test takes longer than all others of the crate, so it uses two cores.
    let parts = upgrades.split_at(upgrades.len() / 2);
    let counts = thread::scope(|scope| {
        let other = scope.spawn(|| check_upgrades(parts.1));
        [check_upgrades(parts.0), other.join().unwrap()]
    });
    let counts = [0, 1, 2].map(|kind| counts[0][kind] + counts[1][kind]);
    assert!(counts.iter().all(|count| *count > 30), "{counts:?}");
}
