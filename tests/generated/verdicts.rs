//! Tests that the CRDs of generated types give the same verdicts as the original CRDs.

use std::collections::BTreeMap;

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::Value;
use union_runtime::{Violation, ViolationKind, only_when};

use crate::objects::{all, kinds_of};
use crate::registry::{Kind, kinds};

/// The schemas of a kind, from its original CRD and from the CRD of its Rust type.
pub(crate) struct Judges {
    original: StructuralSchema,
    own: StructuralSchema,
}

impl Judges {
    /// Compiles the schemas, or returns `None` if the types have no schema.
    pub(crate) fn of(kind: &Kind) -> Option<Self> {
        let crds = [kind.original(), kind.crd?()];
        let compile = |crd: &Value| StructuralSchema::compiler().crd(crd, Some(kind.version));
        // An original CRD that a server would reject today is compiled as a stored CRD.
        let is_taken = compile(&crds[0]).is_ok();
        let [original, own] = crds.map(|crd| {
            let compiled = if is_taken {
                compile(&crd)
            } else {
                StructuralSchema::compiler()
                    .stored()
                    .crd(&crd, Some(kind.version))
            };
            compiled.unwrap_or_else(|errors| panic!("{} {}: {errors}", kind.api_version, kind.kind))
        });
        Some(Self { original, own })
    }

    /// Returns the verdicts about a create, or about an update of an old object.
    pub(crate) fn judge(&self, object: &Value, old: Option<&Value>) -> Verdicts {
        let server = ServerSettings::default();
        // A stored object has a resource version, and a client sends it back in an update.
        let stored = |object: &Value| {
            let mut object = object.clone();
            object["metadata"]["resourceVersion"] = "1".into();
            object
        };
        [&self.original, &self.own].map(|schema| {
            let mut object = object.clone();
            let report = match old {
                None => schema.create(&mut object, &server),
                Some(old) => {
                    object = stored(&object);
                    schema.update(&mut object, &stored(old), &server)
                }
            };
            if report.is_accepted() {
                Ok(object)
            } else {
                Err(report.errors().to_vec())
            }
        })
    }
}

/// Returns variants of an object: with each value removed, or replaced by another type, string or
/// number.
fn near(object: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(pointer) = waiting.pop() {
        let below: Vec<String> = match object.pointer(&pointer) {
            Some(Value::Object(fields)) => fields
                .keys()
                .map(|name| name.replace('~', "~0").replace('/', "~1"))
                .collect(),
            Some(Value::Array(values)) => (0..values.len()).map(|at| at.to_string()).collect(),
            _ => Vec::new(),
        };
        for name in below {
            let inner = format!("{pointer}/{name}");
            let is_of_the_root = ["/apiVersion", "/kind", "/metadata"].contains(&&*inner);
            if is_of_the_root {
                continue;
            }
            found.extend(changed(object, &pointer, &inner, &name));
            waiting.push(inner);
        }
    }
    found
}

fn changed(object: &Value, parent: &str, pointer: &str, name: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut without = object.clone();
    match without.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            drop(fields.remove(&name.replace("~1", "/").replace("~0", "~")));
        }
        Some(Value::Array(values)) => drop(values.remove(name.parse().unwrap())),
        _ => {}
    }
    found.push(without);
    let texts = [
        "",
        "x",
        "Y-z",
        "a b",
        "1h",
        "2024-01-01T00:00:00Z",
        "1.2.3.4",
    ];
    let others = texts.iter().map(|text| Value::from(*text));
    let others = others.chain([0, 1, -1, 70_000, 5_000_000_000_i64].map(Value::from));
    let others = others.chain([
        Value::Null,
        true.into(),
        Value::Array(Vec::new()),
        serde_json::json!({}),
        1.5.into(),
    ]);
    for other in others {
        let mut with = object.clone();
        if let Some(value) = with.pointer_mut(pointer) {
            *value = other;
        }
        found.push(with);
    }
    // This variant repeats an element of a list.
    let mut twice = object.clone();
    if let Some(Value::Array(values)) = twice.pointer_mut(parent)
        && let Some(last) = values.last().cloned()
    {
        values.push(last);
        found.push(twice);
    }
    found
}

/// The verdicts of the original CRD and of the Rust type's CRD: the resulting object or the errors.
pub(crate) type Verdicts = [Result<Value, Vec<Violation>>; 2];

/// Returns the reason why the verdicts may differ, if there is one. `as_new` are the verdicts about
/// a create of the update's new object.
fn reason([original, own]: &Verdicts, as_new: Option<&Verdicts>) -> Option<&'static str> {
    let asks_for_spec = |errors: &[Violation]| matches!(errors, [error] if error.kind() == ViolationKind::Required && error.path() == "spec");
    match (original, own, as_new) {
        (Ok(_), Err(own), _) if asks_for_spec(own) => {
            Some("the original does not ask for `spec`; kube's root type does")
        }
        // The verdicts differ only in the violations that the update tolerates.
        (Err(original), Ok(_), Some([Err(_), Err(_)])) => {
            if original
                .iter()
                .all(|error| error.detail().starts_with("no such key: "))
            {
                Some(
                    "an update left an object without its discriminator as it was: rules that cannot be evaluated are \
                     not tolerated, those of the derive are",
                )
            } else if original
                .iter()
                .all(|error| error.kind() == ViolationKind::Invalid)
            {
                Some(
                    "a rule went with its union, since a keyword of the member says the rest of it; an update that \
                     changes other fields tolerates the keyword, and did not tolerate the rule",
                )
            } else {
                None
            }
        }
        (Ok(_), Err(own), Some([Err(_), Err(_)])) => {
            // The message up to the name of the discriminator.
            let only_when = only_when("", "").to_string();
            let (only_when, _) = only_when.split_once('`').unwrap_or_default();
            let says_unset = |error: &Violation| error.detail().starts_with(only_when);
            own.iter().all(says_unset).then_some(
                "an empty value that counts as unset to a rule, and that a keyword refuses in new objects: an update \
                 that leaves it tolerates the keyword, and not the rule of the derive",
            )
        }
        _ => None,
    }
}

#[test]
fn own_crds_are_taken_by_a_server() {
    let mut taken = 0;
    for kind in kinds() {
        let Some(crd) = kind.crd.map(|crd| crd()) else {
            continue;
        };
        // A CRD with one version that is not the storage version must be merged with others by
        // `merge_crds`.
        let is_taken = || {
            k8s_crd_validation::crd::Review::new()
                .create(&kind.original())
                .is_accepted()
        };
        if crd["spec"]["versions"][0]["storage"] == true && is_taken() {
            let report = k8s_crd_validation::crd::Review::new().create(&crd);
            let (version, kind) = (&kind.api_version, kind.kind);
            assert!(report.is_accepted(), "{version} {kind}: {report}");
            taken += 1;
        }
    }
    assert!(taken >= 2, "only {taken}");
}

/// The counts of equal and of different verdicts, with the first example of each difference.
#[derive(Default)]
pub(crate) struct Tally {
    accepted: usize,
    refused: usize,
    listed: BTreeMap<&'static str, usize>,
    otherwise: BTreeMap<String, String>,
}

impl Tally {
    pub(crate) fn add(&mut self, what: &str, verdicts: &Verdicts, as_new: Option<&Verdicts>) {
        let [original, own] = verdicts;
        *if original.is_ok() {
            &mut self.accepted
        } else {
            &mut self.refused
        } += 1;
        let is_same = match (original, own) {
            (Ok(original), Ok(own)) => original == own,
            (Err(_), Err(_)) => true,
            _ => false,
        };
        let said = own.as_ref().err().or(original.as_ref().err());
        if is_same {
        } else if let Some(reason) = reason(verdicts, as_new) {
            *self.listed.entry(reason).or_default() += 1;
        } else {
            let key = format!("{said:?}");
            self.otherwise
                .entry(key)
                .or_insert_with(|| format!("{what}\noriginal: {original:?}\nown: {own:?}"));
        }
    }
}

impl Tally {
    /// Prints the counts, and panics if verdicts differ without a reason.
    #[track_caller]
    pub(crate) fn settle(&self, what: &str) {
        let Self {
            accepted,
            refused,
            listed,
            otherwise,
        } = self;
        println!(
            "{what}: {accepted} accepted and {refused} refused by the originals; {} judged otherwise as listed, {} not",
            listed.values().sum::<usize>(),
            otherwise.len()
        );
        for (reason, count) in listed {
            println!("  {count}: {reason}");
        }
        let otherwise: Vec<&str> = otherwise.values().map(|text| &**text).collect();
        assert!(otherwise.is_empty(), "{}", otherwise.join("\n\n"));
        assert!(*accepted > 50 && *refused > 100);
        // A higher number would not be an exception any more.
        assert!(listed.values().sum::<usize>() * 100 < accepted + refused);
    }
}

/// The schemas of kinds, compiled at the first use.
#[derive(Default)]
pub(crate) struct Court(BTreeMap<(&'static str, String, &'static str), Option<Judges>>);

impl Court {
    /// Returns the schemas of a kind, or `None` if its types have no schema.
    pub(crate) fn of(&mut self, kind: &Kind) -> Option<&Judges> {
        let key = (kind.module, kind.api_version.clone(), kind.kind);
        let judges = self.0.entry(key).or_insert_with(|| Judges::of(kind));
        judges.as_ref()
    }
}

#[test]
fn own_crds_validate_like_the_originals() {
    let kinds = kinds();
    let mut court = Court::default();
    let (mut creates, mut updates) = (Tally::default(), Tally::default());
    for (file, object) in all() {
        for kind in kinds_of(&object, &kinds) {
            let Some(judges) = court.of(kind) else {
                continue;
            };
            let sample = judges.judge(&object, None);
            creates.add(&file, &sample, None);
            // The other settings change only the form of the types, so some of the cases are
            // enough.
            let step = if kind.module == "types" { 1 } else { 11 };
            for (at, near) in near(&object).into_iter().enumerate().step_by(step) {
                let what = || format!("{file}, {}: {near}", kind.module);
                let create = judges.judge(&near, None);
                creates.add(&what(), &create, None);
                // Updates from and to the object near the sample, which may be invalid.
                if at % 6 == 0 {
                    let update = judges.judge(&near, Some(&object));
                    updates.add(&format!("{}, an update", what()), &update, Some(&create));
                    let back = judges.judge(&object, Some(&near));
                    updates.add(&format!("{}, back from it", what()), &back, Some(&sample));
                }
            }
        }
    }
    creates.settle("creates");
    updates.settle("updates");
}
