//! Tests that the output of the commands for objects does not depend on the number of threads.

use std::fs;

use serde_json::{Value, json};
use union_random::Random;

use crate::check::folder;
use crate::process::{ProgramOutput, run, write_file};

const KINDS: usize = 3;

/// Returns CRDs of several kinds. The new CRDs have tighter bounds, another default, and a field
/// less.
fn crds(is_new: bool) -> String {
    let max = if is_new { 5 } else { 9 };
    let mut spec = json!({
        "type": "object",
        "properties": {
            "size": { "type": "integer", "maximum": max },
            "class": { "type": "string", "default": if is_new { "fast" } else { "slow" } },
            "owner": { "type": "string" },
        },
        "x-kubernetes-validations": [{ "rule": "!has(self.owner) || self.owner != 'nobody'" }],
    });
    if is_new {
        spec["properties"].as_object_mut().unwrap().remove("owner");
        spec["x-kubernetes-validations"] = json!([]);
    }
    let crd = |kind: usize| {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": { "name": format!("things{kind}.jobs.example.com") },
            "spec": {
                "group": "jobs.example.com",
                "scope": "Namespaced",
                "names": { "kind": format!("Thing{kind}"), "plural": format!("things{kind}") },
                "versions": [{
                    "name": "v1",
                    "served": true,
                    "storage": true,
                    "schema": { "openAPIV3Schema": { "type": "object", "properties": { "spec": spec } } },
                }],
            },
        })
        .to_string()
    };
    (0..KINDS).map(crd).collect::<Vec<_>>().join("\n")
}

/// Returns an object, which may have errors, an unknown kind, or much text.
fn object(random: &mut Random, number: usize) -> Value {
    let mut object = json!({
        "apiVersion": "jobs.example.com/v1",
        "kind": format!("Thing{}", random.below(KINDS + 1)),
        "metadata": { "name": format!("object-{number}") },
        "spec": { "size": random.below(11) },
    });
    for (percent, field, value) in [
        (20, "owner", json!("nobody")),
        (20, "class", json!("fast")),
        (5, "unknown", json!([number])),
        (5, "class", json!("long ".repeat(random.below(20_000)))),
        (2, "size", json!("many")),
    ] {
        if random.chance(percent) {
            object["spec"][field] = value;
        }
    }
    if random.chance(3) {
        object["apiVersion"] = json!("other.example.com/v1");
    }
    object
}

/// Returns objects as JSON lines, or as JSON lines of which some are lists.
fn stream(random: &mut Random, count: usize) -> String {
    let mut lines = String::new();
    let mut number = 0;
    while number < count {
        let line = if random.chance(3) {
            let items: Vec<Value> = (0..random.below(200))
                .map(|item| object(random, number + item))
                .collect();
            number += items.len();
            json!({ "apiVersion": "v1", "kind": "List", "items": items })
        } else {
            object(random, number)
        };
        number += 1;
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    lines
}

/// Asserts that a command has the same output with each number of threads, and returns the output.
#[track_caller]
fn same_output(args: &[&str]) -> ProgramOutput {
    let run_with = |jobs: &str| run(args.iter().chain(&["--jobs", jobs]));
    let expected = run_with("1");
    for jobs in ["2", "5"] {
        let output = run_with(jobs);
        assert!(
            (output.code, &output.stdout, &output.stderr)
                == (expected.code, &expected.stdout, &expected.stderr),
            "{args:?} with {jobs} jobs: {} {}, with one job: {} {}",
            output.code,
            output.stderr,
            expected.code,
            expected.stderr
        );
    }
    expected
}

/// Runs all commands for objects on a file or a folder.
#[track_caller]
fn assert_same_outputs(name: &str, objects: &str) -> Vec<ProgramOutput> {
    let old_crds = write_file(&format!("{name}_old.json"), crds(false));
    let new_crds = write_file(&format!("{name}_new.json"), crds(true));
    let tighten = [
        "tighten",
        "--crd",
        &old_crds,
        "--crd-new",
        &new_crds,
        "-f",
        objects,
    ];
    let upgrade = [
        "upgrade", "--from", "1.25", "--to", "1.37", "--crd", &old_crds, "-f", objects,
    ];
    let commands = [
        (&tighten[..], ["text", "json"].as_slice()),
        (&upgrade, &["json"]),
    ];
    let mut outputs = Vec::new();
    for (args, formats) in commands {
        for format in formats {
            outputs.push(same_output(&[args, &["-o", format]].concat()));
        }
    }
    outputs
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let mut random = Random::new(44);
    let objects = stream(&mut random, 250);
    let path = write_file("jobs_stream.json", &objects);
    let outputs = assert_same_outputs("jobs_stream", &path);
    let codes: Vec<i32> = outputs.iter().map(|output| output.code).collect();
    assert_eq!(codes, [1, 1, 0]);

    let files = (0..30).map(|number| {
        let content = match random.below(10) {
            0 => "{\"kind\": ".to_owned(),
            1 => "spec: {size: 1, size: 2}\n".to_owned(),
            _ => stream(&mut random, number * 2),
        };
        (format!("{number}.json"), content)
    });
    let files: Vec<(String, String)> = files.collect();
    let files: Vec<(&str, String)> = files
        .iter()
        .map(|(name, content)| (&**name, content.clone()))
        .collect();
    let outputs = assert_same_outputs("jobs_folder", &folder("jobs_folder", &files));
    assert!(
        outputs
            .iter()
            .all(|output| output.stderr.contains("error: "))
    );
}

#[test]
fn an_error_after_many_objects_is_the_only_output() {
    let mut objects = stream(&mut Random::new(45), 200);
    objects.push_str("{\"kind\": ");
    let path = write_file("jobs_error.json", &objects);
    for output in assert_same_outputs("jobs_error", &path) {
        output.error_message();
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn the_number_of_threads_is_checked() {
    let output = run([
        "upgrade", "--from", "1.30", "--crd", "crd.yaml", "-f", "x.yaml", "--jobs", "0",
    ]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("0 is not in 1..=256"), "{output:?}");
}
