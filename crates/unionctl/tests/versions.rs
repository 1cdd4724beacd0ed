//! Tests of stored objects of another version than their schema, and of CRDs of another API
//! version.

use serde_json::{Value, json};

use crate::check::folder;
use crate::hints::{farm, farm_crd};
use crate::process::{run, write_file};

/// Returns the CRD of farms with these names of versions, of which the first is the storage
/// version. `conversion` is the strategy.
fn versions_crd(names: &[&str], spec_schema: &Value, conversion: &str) -> Value {
    let mut crd = farm_crd(spec_schema);
    let versions = names.iter().enumerate().map(|(i, name)| {
        let mut version = crd["spec"]["versions"][0].clone();
        version["name"] = json!(name);
        version["storage"] = json!(i == 0);
        version
    });
    crd["spec"]["versions"] = versions.collect();
    crd["spec"]["conversion"] = json!({"strategy": conversion});
    if conversion == "Webhook" {
        crd["spec"]["conversion"]["webhook"] = json!({
            "clientConfig": {"url": "https://example.com"}, "conversionReviewVersions": ["v1"],
        });
    }
    crd
}

fn size_schema(keywords: &Value) -> Value {
    let mut size = keywords.clone();
    size["type"] = json!("integer");
    json!({"type": "object", "properties": {"size": size}})
}

fn old_farm(size: i64) -> Value {
    let mut object = farm(&json!({ "size": size }));
    object["apiVersion"] = json!("acre.example.com/v1beta1");
    object
}

/// A server without a conversion webhook replaces only `apiVersion`, so the other errors of the
/// object are found, and none about its version.
#[test]
fn an_object_is_converted_to_the_version_of_its_schema() {
    let int32 = size_schema(&json!({"format": "int32"}));
    let both = versions_crd(&["v1", "v1beta1"], &int32, "None");
    let folder = folder(
        "versions_converted",
        &[
            ("both.json", both.to_string()),
            (
                "one.json",
                versions_crd(&["v1"], &int32, "None").to_string(),
            ),
            ("old/big.json", old_farm(3_000_000_000).to_string()),
            (
                "wide.json",
                versions_crd(&["v1", "v1beta1"], &size_schema(&json!({})), "None").to_string(),
            ),
            (
                "tight.json",
                versions_crd(&["v1"], &size_schema(&json!({"maximum": 3})), "None").to_string(),
            ),
            (
                "renamed.json",
                versions_crd(&["v2"], &size_schema(&json!({"maximum": 3})), "None").to_string(),
            ),
        ],
    );
    let path = |name: &str| format!("{folder}/{name}");
    let (both, one, objects) = (path("both.json"), path("one.json"), path("old"));
    for (crd, flags) in [(&both, &[][..]), (&both, &["--version", "v1"]), (&one, &[])] {
        let upgrade = [
            "upgrade", "--from", "1.35", "--to", "1.36", "--crd", crd, "-f", &objects,
        ];
        let output = run(upgrade.iter().chain(flags));
        assert_eq!(output.code, 1, "{output:?}");
        assert!(output.stdout.contains("spec.size"), "{output:?}");
    }
    assert_converted_by_tighten(&folder);
}

/// Checks that `tighten` converts the objects of a folder for the old and for the new CRD.
#[track_caller]
fn assert_converted_by_tighten(folder: &str) {
    let path = |name: &str| format!("{folder}/{name}");
    let objects = path("old");
    for (old, new, flags) in [
        ("wide.json", "tight.json", &[][..]),
        ("wide.json", "tight.json", &["--version", "v1"]),
        ("wide.json", "renamed.json", &[]),
        ("tight.json", "renamed.json", &[]),
    ] {
        let (old_crd, new_crd) = (path(old), path(new));
        let tighten = [
            "tighten",
            "--crd",
            &old_crd,
            "--crd-new",
            &new_crd,
            "-f",
            &objects,
        ];
        let output = run(tighten.iter().chain(flags).chain(&["-o", "json"]));
        let reply = output.json();
        let findings = reply["objects"][0]["findings"]
            .as_array()
            .expect("findings");
        let fields: Vec<_> = findings.iter().map(|finding| &finding["field"]).collect();
        assert_eq!(fields, ["spec.size"], "{reply}");
        let is_old_error = findings[0]["old_schema"] == "refused";
        assert_eq!(is_old_error, old == "tight.json", "{reply}");
        let dropped_fields = &reply["summary"]["dropped_fields"]["fields"];
        assert_eq!(*dropped_fields, 0, "{reply}");
    }
}

#[test]
fn an_object_that_a_webhook_converts_is_not_checked() {
    let schema = size_schema(&json!({"maximum": 3}));
    let crd = versions_crd(&["v1", "v1beta1"], &schema, "Webhook").to_string();
    let object = old_farm(9).to_string();
    let current = farm(&json!({"size": 1})).to_string();
    let files = [
        ("crd.json", crd),
        ("old/a.json", object),
        ("new/a.json", current),
    ];
    let folder = folder("versions_webhook", &files);
    let current = format!("{folder}/new");
    let (crd, objects) = (format!("{folder}/crd.json"), format!("{folder}/old"));
    let reason = "a webhook converts it to the version of the schema; pass the converted object";
    for args in [
        &["upgrade", "--from", "1.35", "--crd", &crd][..],
        &["tighten", "--crd", &crd, "--crd-new", &crd],
    ] {
        // Without the flag, the schema has the version of the object.
        let own_version = run(args.iter().chain(&["-f", &objects]));
        assert!(!own_version.stdout.contains(reason), "{own_version:?}");
        let flags = ["-f", &objects, "--version", "v1", "--strict-kinds"];
        let output = run(args.iter().chain(&flags));
        assert!(output.error_message().contains(reason), "{output:?}");
        let expected = "crd.json converts 1 object to the version of the schema";
        assert!(output.error_message().contains(expected), "{output:?}");
        // Beside a checked object, the other objects are listed.
        let output = run(args.iter().chain(&flags).chain(&["-f", &current]));
        assert!(output.stdout.contains(reason), "{output:?}");
        assert_eq!(output.code, 1, "{output:?}");
    }
}

#[test]
fn versions_that_a_webhook_converts_are_not_said_to_be_equal() {
    let mut crd = versions_crd(&["v1", "v1beta1"], &size_schema(&json!({})), "Webhook");
    let size = "/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/size";
    *crd.pointer_mut(size).unwrap() = json!({"type": "string"});
    let file = write_file("versions_not_compared.json", crd.to_string());
    let output = run(["compat", "--crd", &file]);
    assert_eq!(output.code, 0, "{output:?}");
    let note = "note: not compared, because a webhook converts them";
    assert!(output.stdout.contains(note), "{output:?}");
    assert!(!output.stdout.contains("no other difference"), "{output:?}");
}

#[test]
fn a_crd_that_no_server_reads_is_an_error() {
    let mut v1beta1 = farm_crd(&json!({"type": "object"}));
    v1beta1["apiVersion"] = json!("apiextensions.k8s.io/v1beta1");
    let mut without_versions = farm_crd(&json!({"type": "object"}));
    without_versions["spec"]["versions"] = json!({"v1": {}});
    let mut old_schema = v1beta1.clone();
    let schema = old_schema["spec"]["versions"][0]["schema"].take();
    old_schema["spec"]["validation"] = schema;
    let folder = folder(
        "versions_beta",
        &[
            ("beta.json", v1beta1.to_string()),
            ("none.json", without_versions.to_string()),
            ("old_schema.json", old_schema.to_string()),
        ],
    );
    let error = |args: &[&str], name: &str| {
        let crd = format!("{folder}/{name}");
        let output = run(args.iter().copied().chain(["--crd", &crd]));
        output.error_message().to_owned()
    };
    for args in [
        &["upgrade", "--from", "1.35"][..],
        &["policy", "--mutating"],
    ] {
        let message = error(args, "beta.json");
        let expected =
            "of apiextensions.k8s.io/v1, found \"apiextensions.k8s.io/v1beta1\"; convert the CRD";
        assert!(message.ends_with(expected), "{message}");
    }
    let message = error(&["policy", "--mutating"], "none.json");
    assert!(
        message.ends_with("has no versions; list them in spec.versions"),
        "{message}"
    );
    let message = error(&["unions", "--list"], "old_schema.json");
    assert!(
        message.contains("convert a CRD of apiextensions.k8s.io/v1beta1"),
        "{message}"
    );
}
