//! The versions of CRDs.

use serde_json::Value;

use crate::compare::compare::{Relation, search};
use crate::report::finding::Comparison;
use crate::version::error::VersionError;
use crate::version::version::Version;
use crate::world::value::by_schema;

/// Compares a CRD with the CRD that replaces it. Each version that the new CRD serves is compared
/// with the old version of its name, or else with the stored one; then its served versions with
/// each other, as [`compare_versions`] does. Differences between served versions that the old CRD
/// has too are [`known`](Comparison::known).
///
/// # Errors
///
/// That it is not a CRD with versions; that an API server cannot read a schema of it.
pub fn compare_crds(old: &Value, new: &Value) -> Result<Vec<Comparison>, VersionError> {
    let all = names(old)?;
    let stored = stored(old);
    let kind = kind(new);
    let mut found = Vec::new();
    for name in served(new)? {
        let was = all.iter().find(|was| **was == name).copied().or(stored);
        let [before, after] = [
            Version::of_crd(old, was)?,
            Version::of_crd(new, Some(name))?,
        ];
        let comparison = search([&before, &after], Relation::Successor, None, &by_schema);
        found.push(called(comparison, kind, ""));
    }
    found.extend(compare_served(new, Some(old))?);
    Ok(found)
}

/// What happens to objects that are written through one served version of a CRD, and read and written through another one. All versions
/// have the same objects, as a server without a conversion webhook changes nothing but their `apiVersion`.
///
/// # Errors
///
/// As [`compare_crds`].
pub fn compare_versions(crd: &Value) -> Result<Vec<Comparison>, VersionError> {
    compare_served(crd, None)
}

/// `earlier`: the CRD before the change.
fn compare_served(crd: &Value, earlier: Option<&Value>) -> Result<Vec<Comparison>, VersionError> {
    let pair = |crd: &Value, [old, new]: [&str; 2]| {
        Ok([
            Version::of_crd(crd, Some(old))?,
            Version::of_crd(crd, Some(new))?,
        ])
    };
    let earlier = earlier.filter(|earlier| !is_converted(earlier));
    let earlier = earlier.map(|crd| Ok((crd, served(crd)?))).transpose()?;
    let served = served(crd)?;
    let mut found = Vec::new();
    for (number, old) in served.iter().enumerate() {
        for new in served.iter().skip(number + 1) {
            let names = [*old, *new];
            let [old, new] = pair(crd, names)?;
            if old.schema() == new.schema() {
                continue;
            }
            let comparison = if is_converted(crd) {
                Comparison {
                    notes: vec!["not compared, as a webhook converts them".to_owned()],
                    ..Comparison::of([&old, &new])
                }
            } else {
                let earlier = earlier.as_ref();
                let earlier =
                    earlier.filter(|(_, served)| names.iter().all(|name| served.contains(name)));
                let earlier = earlier.map(|(crd, _)| pair(crd, names)).transpose()?;
                let earlier = earlier.as_ref().map(|[old, new]| [old, new]);
                search([&old, &new], Relation::Served, earlier, &by_schema)
            };
            found.push(called(comparison, kind(crd), "served together: "));
        }
    }
    Ok(found)
}

fn called(mut comparison: Comparison, kind: &str, how: &str) -> Comparison {
    comparison.old = format!("{how}{kind} {}", comparison.old);
    comparison
}

/// Returns true if a webhook converts the objects of a CRD.
fn is_converted(crd: &Value) -> bool {
    crd.pointer("/spec/conversion/strategy") == Some(&Value::from("Webhook"))
}

fn kind(crd: &Value) -> &str {
    let kind = crd.pointer("/spec/names/kind").and_then(Value::as_str);
    kind.unwrap_or_default()
}

fn versions(crd: &Value) -> Result<&[Value], VersionError> {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let versions = versions.filter(|versions| !versions.is_empty());
    versions.map(Vec::as_slice).ok_or(VersionError::NoVersions)
}

fn names(crd: &Value) -> Result<Vec<&str>, VersionError> {
    let versions = versions(crd)?.iter();
    Ok(versions
        .filter_map(|version| version.get("name")?.as_str())
        .collect())
}

fn served(crd: &Value) -> Result<Vec<&str>, VersionError> {
    let versions = versions(crd)?.iter();
    let served = versions.filter(|version| version.get("served") != Some(&Value::Bool(false)));
    Ok(served
        .filter_map(|version| version.get("name")?.as_str())
        .collect())
}

fn stored(crd: &Value) -> Option<&str> {
    let versions = versions(crd).ok()?.iter();
    let mut stored = versions.filter(|version| version.get("storage") == Some(&Value::Bool(true)));
    stored.next()?.get("name")?.as_str()
}
