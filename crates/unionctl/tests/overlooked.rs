//! Tests of input that is easily overlooked: files in UTF-16, links to nothing, documents without
//! an object, CRDs that appear twice, and CRDs of another API version.

use std::fs;

use serde_json::{Value, json};

use crate::check::folder;
use crate::hints::{farm, farm_crd};
use crate::process::{ProgramOutput, run, sample, write_file};

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(to_bytes).collect()
}

#[test]
fn a_crd_in_utf_16_is_an_error() {
    let crd = fs::read_to_string(sample("crd.yaml")).unwrap();
    for (name, to_bytes) in [
        ("overlooked_le.yaml", u16::to_le_bytes as fn(u16) -> [u8; 2]),
        ("overlooked_be.yaml", u16::to_be_bytes),
    ] {
        let file = write_file(name, utf16(&crd, to_bytes));
        for args in [&["check"][..], &["unions", "--list"]] {
            let output = run(args.iter().copied().chain([&*file]));
            assert_eq!(output.code, 2, "{output:?}");
            let expected = format!("error: {file}:1:1: the file is UTF-16; save it as UTF-8\n");
            assert!(output.stderr.starts_with(&expected), "{output:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_an_error() {
    let spec = json!({"type": "object"});
    let folder = folder(
        "overlooked_link",
        &[
            ("crd.yaml", farm_crd(&spec).to_string()),
            ("objects/farm.yaml", farm(&json!({})).to_string()),
            ("target/farm.yaml", farm(&json!({})).to_string()),
        ],
    );
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, format!("{folder}/objects/{name}")).unwrap();
    };
    let (crd, objects) = (format!("{folder}/crd.yaml"), format!("{folder}/objects"));
    link("../target", "folder.yaml");
    let output = run(["check", "--crd", &crd, "-f", &objects]);
    assert_eq!(output.code, 0, "{output:?}");
    link("user@host.123", ".#farm.yaml");
    assert_eq!(run(["check", "--crd", &crd, "-f", &objects]).code, 0);
    link("nowhere.yaml", "legacy.yaml");
    for args in [&["check", "--crd", &crd, "-f"][..], &["check"]] {
        let output = run(args.iter().copied().chain([&*objects]));
        assert_eq!(output.code, 2, "{output:?}");
        let expected = format!("error: {objects}/legacy.yaml: cannot read the file (");
        assert!(output.stderr.starts_with(&expected), "{output:?}");
        let reason = "it is a link to nowhere.yaml, which does not exist; remove the link\n";
        assert!(output.stderr.contains(reason), "{output:?}");
    }
}

#[test]
fn a_text_is_not_an_object_of_a_built_in_kind() {
    let file = write_file("overlooked_builtin_text.yaml", "a=b\n");
    let message = format!("{file}: a document must be an object, not a string");
    assert_eq!(run(["check", "-f", &file]).error_message(), message);
}

#[test]
fn a_document_that_is_not_an_object_is_not_checked() {
    let crd = farm_crd(&json!({"type": "object"})).to_string();
    let crd = write_file("overlooked_crd.json", crd);
    let object = farm(&json!({}));
    let list = json!([object]);
    for (name, content, type_name) in [
        ("text.yaml", format!("{object}\n---\na=b\n"), "a string"),
        ("trailing.json", format!("{object}\n5\n"), "a number"),
        ("list.json", format!("{object}\n{list}\n"), "a list"),
    ] {
        let file = write_file(&format!("overlooked_{name}"), content);
        let output = run(["check", "--crd", &crd, "-f", &file, "--strict-kinds"]);
        assert_eq!(output.code, 1, "{output:?}");
        let expected = format!("a document must be an object, not {type_name}");
        assert!(output.stdout.contains(&expected), "{output:?}");
    }
}

#[test]
fn a_check_without_objects_is_an_error() {
    for (name, content) in [
        ("overlooked_empty.yaml", ""),
        ("overlooked_marks.yaml", "---\n---\n"),
        ("overlooked_comments.yaml", "# none\n"),
    ] {
        let file = write_file(name, content);
        let message =
            format!("{file}: no objects found; pass a file or folder with objects to --filename");
        assert_eq!(run(["check", "-f", &file]).error_message(), message);
    }
    let list = json!({"apiVersion": "v1", "kind": "List", "items": []});
    let file = write_file("overlooked_list.json", list.to_string());
    assert_eq!(run(["check", "-f", &file]).code, 0);
}

#[test]
fn each_file_of_built_in_objects_has_its_own_results() {
    let pod = |name: &str, source: Value| {
        let variable = json!({"name": "A", "value": "x", "valueFrom": source});
        json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
            "spec": {"containers": [{"name": "app", "env": [variable]}]},
        })
    };
    let folder = folder(
        "overlooked_builtin",
        &[
            ("a.yaml", pod("app", json!(null)).to_string()),
            (
                "deep/b.yaml",
                pod("app", json!({"fieldRef": {}})).to_string(),
            ),
        ],
    );
    let output = run(["check", "-f", &folder]);
    assert_eq!(output.code, 1, "{output:?}");
    for file in ["a.yaml: Pod \"app\"\n", "deep/b.yaml: Pod \"app\"\nerrors:"] {
        assert!(
            output.stdout.contains(&format!("{folder}/{file}")),
            "{output:?}"
        );
    }
    let output = run(["check", "-f", &folder, "-R=false"]);
    assert_eq!(
        (output.code, output.stdout.contains("deep")),
        (0, false),
        "{output:?}"
    );
    fs::write(format!("{folder}/c.yaml"), "a: [").unwrap();
    let output = run(["check", "-f", &folder]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(
        output.stdout.contains("deep/b.yaml: Pod \"app\"\nerrors:"),
        "{output:?}"
    );
    assert!(
        output
            .stderr
            .starts_with(&format!("error: {folder}/c.yaml:1:")),
        "{output:?}"
    );
}

#[test]
fn a_folder_that_is_not_searched_does_not_end_the_command() {
    let invalid_spec = json!({"strategy": {"type": "Recreate", "rollingUpdate": {}}});
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": invalid_spec,
    });
    let crd = farm_crd(&json!({"type": "object", "required": ["a"]}));
    let path = folder(
        "overlooked_deep",
        &[
            ("crd.yaml", crd.to_string()),
            ("builtin/a.yaml", deployment.to_string()),
            ("objects/a.yaml", farm(&json!({})).to_string()),
        ],
    );
    let (crd, objects) = (format!("{path}/crd.yaml"), format!("{path}/objects"));
    let builtin = format!("{path}/builtin");
    for args in [
        &["check", "-f", &builtin][..],
        &["check", "--crd", &crd, "-f", &objects],
    ] {
        assert_eq!(run(args).code, 1, "{args:?}");
        let deep_folder = format!("{}/{}", args[args.len() - 1], "d/".repeat(64));
        fs::create_dir_all(&deep_folder).unwrap();
        let output = run(args);
        assert_eq!(output.code, 2, "{output:?}");
        let error = "d: folders are nested more than 64 levels deep (--filename)\n";
        assert!(output.stderr.contains(error), "{output:?}");
        assert!(output.stdout.contains("errors:\n"), "{output:?}");
        let reply = run(args.iter().copied().chain(["-o", "json"])).json();
        assert_eq!(reply["not_read"], 1, "{reply}");
    }
    // A folder of CRDs must be complete.
    let output = run(["check", "--crd", &objects]);
    assert!(
        output.error_message().contains("nested more than"),
        "{output:?}"
    );
    fs::copy(&crd, format!("{objects}/crd.yaml")).unwrap();
    let output = run(["check", &objects]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("nested more than"), "{output:?}");
    assert!(
        output.stdout.contains("farms.acre.example.com"),
        "{output:?}"
    );
}

#[test]
fn a_crd_that_a_file_has_twice_is_an_error() {
    let crd = farm_crd(&json!({"type": "object"}));
    let crds = write_file("overlooked_crds.yaml", format!("{crd}\n---\n{crd}\n"));
    let object = write_file("overlooked_farm.json", farm(&json!({})).to_string());
    let next = write_file("overlooked_next.json", crd.to_string());
    let message = format!(
        "{crds}: duplicate CustomResourceDefinition \"farms.acre.example.com\"; remove one"
    );
    for args in [
        &["check", "--crd", &crds, "-f", &object][..],
        &["check", "--crd", &crds],
        &["compat", "--crd", &crds, "--crd-new", &next],
        &["tighten", "--crd", &next, "--crd-new", &crds, "-f", &object],
        &["policy", "--mutating", "--crd", &crds],
        &["generate", "rust", "--crd", &crds],
        &["unions", "--list", "--crd", &crds],
        &[
            "unions",
            "--as",
            "annotation",
            "--crd",
            &crds,
            "--name",
            "Farm",
        ],
        &["unions", "--crd", &crds, "-f", &object],
    ] {
        assert_eq!(run(args).error_message(), message, "{args:?}");
    }
}

/// Returns a CRD whose version `v1alpha1` is not served.
fn crd_with_an_unserved_version() -> Value {
    let mut crd = farm_crd(&json!({"type": "object"}));
    let mut unserved = crd["spec"]["versions"][0].clone();
    (unserved["name"], unserved["served"], unserved["storage"]) =
        (json!("v1alpha1"), json!(false), json!(false));
    crd["spec"]["versions"]
        .as_array_mut()
        .unwrap()
        .push(unserved);
    crd
}

#[test]
fn an_object_of_a_version_that_is_not_served_is_rejected() {
    let crd = crd_with_an_unserved_version().to_string();
    let crd = write_file("overlooked_unserved.json", crd);
    let mut object = farm(&json!({}));
    object["apiVersion"] = json!("acre.example.com/v1alpha1");
    let object = write_file("overlooked_unserved_farm.json", object.to_string());
    let output = run(["check", "--crd", &crd, "-f", &object]);
    assert_eq!(output.code, 1, "{output:?}");
    let expected = "apiVersion: Invalid value: \"acre.example.com/v1alpha1\": the CRD does not serve \
                    this version, so a server has no such resource; use v1\n";
    assert!(output.stdout.contains(expected), "{output:?}");
}

/// Returns a CRD of an old API version, with the same fields, and another with the fields of that
/// time.
fn old_crds() -> [Value; 2] {
    let mut same_fields = farm_crd(&json!({"type": "object"}));
    same_fields["apiVersion"] = json!("apiextensions.k8s.io/v1beta1");
    let mut old_fields = same_fields.clone();
    let spec = old_fields["spec"].as_object_mut().unwrap();
    spec.remove("versions");
    spec.insert("version".to_owned(), json!("v1"));
    spec.insert(
        "validation".to_owned(),
        json!({"openAPIV3Schema": {"type": "object"}}),
    );
    [same_fields, old_fields]
}

#[track_caller]
fn assert_names_old_version(output: &ProgramOutput, old: &str) {
    let message = format!(
        "{old}: expected CustomResourceDefinition \"farms.acre.example.com\" of \
         apiextensions.k8s.io/v1, found \"apiextensions.k8s.io/v1beta1\"; convert the CRD"
    );
    assert_eq!(output.error_message(), message);
}

#[test]
fn a_crd_of_another_api_version_is_an_error_of_its_file() {
    let new = farm_crd(&json!({"type": "object"})).to_string();
    let new = write_file("overlooked_new.json", new);
    let object = write_file("overlooked_old_farm.json", farm(&json!({})).to_string());
    for (i, crd) in old_crds().iter().enumerate() {
        let old = write_file(&format!("overlooked_old_{i}.json"), crd.to_string());
        for args in [
            &["check", "--crd", &old, "-f", &object][..],
            &["check", "--crd", &new, "--old-crd", &old],
            &["compat", "--crd", &old, "--crd-new", &new],
            &["compat", "--crd", &new, "--crd-new", &old],
        ] {
            assert_names_old_version(&run(args), &old);
        }
    }
}

#[test]
fn a_crd_without_a_schema_has_a_note_in_a_listing() {
    let [_, old] = old_crds();
    let old = write_file("overlooked_listed.json", old.to_string());
    let output = run(["unions", "--list", &old]);
    assert_eq!(output.code, 0, "{output:?}");
    let note = format!(
        "note: {old}: CustomResourceDefinition \"farms.acre.example.com\" is not listed, because \
         none of its versions has a schema (spec.versions[*].schema.openAPIV3Schema)\n"
    );
    assert_eq!(output.stderr, note);
}

#[test]
fn compat_names_the_old_file_if_the_old_crd_is_invalid() {
    let crd = farm_crd(&json!({"type": "object"}));
    let new = write_file("overlooked_valid.json", crd.to_string());
    let mut invalid = crd;
    invalid["spec"]["versions"][0]
        .as_object_mut()
        .unwrap()
        .remove("schema");
    let old = write_file("overlooked_invalid.json", invalid.to_string());
    for args in [
        ["compat", "--crd", &old, "--crd-new", &new],
        ["compat", "--crd", &new, "--crd-new", &old],
    ] {
        let output = run(args);
        assert!(
            output.error_message().starts_with(&format!("{old}: ")),
            "{output:?}"
        );
    }
}

#[test]
fn a_new_crd_beside_old_crds_has_a_note() {
    let crd = farm_crd(&json!({"type": "object"}));
    let other = |name: &str| crd.to_string().replace("farm", name);
    let new = write_file(
        "overlooked_both.yaml",
        format!("{crd}\n---\n{}\n", other("plot")),
    );
    let old = write_file(
        "overlooked_stored.yaml",
        format!("{crd}\n---\n{}\n", other("barn")),
    );
    let output = run(["check", "--crd", &new, "--old-crd", &old]);
    let title = "CustomResourceDefinition \"plots.acre.example.com\"";
    assert_eq!(
        output.stderr,
        format!("note: {new}: {title} is not in {old}; it is new\n")
    );
}

#[test]
fn a_document_that_is_not_a_schema_is_an_error() {
    for (name, content, found) in [
        ("text", "\"hello\"", "found \"hello\""),
        ("list", "[]", "found a list"),
        (
            "pod",
            r#"{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "app"}}"#,
            "found Pod \"app\"; pass the schema of its kind",
        ),
    ] {
        let file = write_file(&format!("overlooked_{name}.json"), content);
        let output = run(["unions", "--list", "--schema", &file]);
        let message = output.error_message();
        assert!(
            message.starts_with(&format!("{file}: expected a schema")),
            "{message}"
        );
        assert!(message.ends_with(found), "{message}");
    }
}

#[test]
fn switch_selects_the_object_of_a_built_in_kind() {
    let objects = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n\
                   apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n\
                   spec: {strategy: {type: RollingUpdate}}\n";
    let file = write_file("overlooked_switch.yaml", objects);
    let args = [
        "patch",
        "switch",
        "-f",
        &file,
        "--union",
        "spec.strategy",
        "--to",
        "Recreate",
    ];
    let output = run(args);
    assert_eq!(output.code, 0, "{output:?}");
    let note = format!("note: {file} has 2 objects; using Deployment \"web\"\n");
    assert_eq!(output.stderr, note);
}

#[test]
fn the_last_error_names_the_files_that_could_not_be_read() {
    let folder = folder(
        "overlooked_unread",
        &[
            ("crd.json", farm_crd(&json!({"type": "object"})).to_string()),
            ("farm.json", farm(&json!({})).to_string()),
            ("old/farm.json", farm(&json!({})).to_string()),
            ("old/invalid.json", "{".to_owned()),
        ],
    );
    let path = |name: &str| format!("{folder}/{name}");
    let [crd, object, old] = ["crd.json", "farm.json", "old"].map(path);
    let output = run(["check", "--crd", &crd, "-f", &object, "--old", &old]);
    let last = output.stderr.lines().last().unwrap_or_default();
    assert!(
        last.starts_with(&format!("error: {old}: 1 file could not be read")),
        "{output:?}"
    );
}

#[test]
fn an_annotation_has_a_note_on_declared_unions() {
    let output = run(["unions", "--as", "annotation", "--crd", &sample("crd.yaml")]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output
            .stderr
            .contains("left out: the unions that the CRD declares here"),
        "{output:?}"
    );
}
