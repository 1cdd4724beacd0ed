//! What a CRD says of a kind beside its schema: the types' own CRD says the same.

use serde_json::{Value, json};

use crate::registry::kinds;

/// A part of a CRD; what is not there is as what is empty.
fn part(of: &Value, pointer: &str) -> Value {
    let found = of.pointer(pointer).filter(|found| **found != json!([]));
    found.cloned().unwrap_or_default()
}

#[test]
fn own_crds_say_the_same_of_a_kind() {
    let mut compared = 0;
    for kind in kinds() {
        let Some(own) = kind.crd.map(|crd| crd()) else {
            continue;
        };
        let original = kind.original();
        let what = format!("{} {}, {}", kind.api_version, kind.kind, kind.module);
        let names = ["kind", "plural", "singular", "shortNames", "categories"];
        let names = names.map(|name| format!("/spec/names/{name}"));
        for pointer in names
            .iter()
            .map(|name| &**name)
            .chain(["/spec/group", "/spec/scope"])
        {
            assert_eq!(
                part(&own, pointer),
                part(&original, pointer),
                "{what}: {pointer}"
            );
        }
        let [own, original] = [&own, &original].map(|crd| {
            let mut versions = crd["spec"]["versions"].as_array().unwrap().iter();
            versions
                .find(|version| version["name"] == kind.version)
                .unwrap()
        });
        for name in [
            "served",
            "storage",
            "deprecated",
            "deprecationWarning",
            "additionalPrinterColumns",
            "selectableFields",
            // That of the status is kube's to make.
            "subresources/scale",
        ] {
            let pointer = format!("/{name}");
            assert_eq!(
                part(own, &pointer),
                part(original, &pointer),
                "{what}: {name}"
            );
        }
        compared += 1;
    }
    println!("{compared} CRDs say the same of their kinds");
}
