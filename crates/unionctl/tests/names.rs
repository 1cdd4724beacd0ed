//! Tests of the names of flags, and of the spelling of places in all outputs.

use serde_json::{Value, json};
use unionctl::page::Session;

use crate::check::folder;
use crate::process::{ProgramOutput, run, run_with_stdin, sample, write_file};

/// Asserts that the arguments have the same result, which is not a usage error.
#[track_caller]
fn assert_same_result(spellings: &[&[&str]]) -> ProgramOutput {
    let first = run(spellings[0]);
    assert!(!first.stderr.contains("Usage"), "{first:?}");
    for spelling in spellings {
        let output = run(*spelling);
        let is_equal = (output.code, &output.stdout, &output.stderr)
            == (first.code, &first.stdout, &first.stderr);
        assert!(is_equal, "{spelling:?}: {output:?} is not {first:?}");
    }
    first
}

#[test]
fn kubectl_names_and_old_names_of_flags_have_the_same_result() {
    let crd = sample("crd.yaml");
    let crd = crd.as_str();
    let tight = sample("database_crd_tight.yaml");
    let tight = tight.as_str();
    let (databases, scaled) = (sample("databases"), sample("scaled.yaml"));
    let (databases, scaled) = (databases.as_str(), scaled.as_str());
    let legacy = sample("databases/legacy.yaml");
    let legacy = legacy.as_str();
    for flag in ["-f", "--filename", "--new"] {
        let output = assert_same_result(&[
            &["check", "--crd", tight, "-f", databases],
            &["check", "--crd", tight, flag, databases],
            &["check", "--crd", tight, &format!("{flag}={databases}")],
        ]);
        assert_eq!(output.code, 1);
        let switched = sample("switched.yaml");
        assert_same_result(&[
            &["unions", "--crd", crd, "-f", &switched],
            &["unions", "--crd", crd, flag, &switched],
        ]);
    }
    for flag in ["-f", "--filename", "--objects"] {
        let tighten = |flag| {
            [
                "tighten",
                "--crd",
                tight,
                "--crd-new",
                tight,
                flag,
                databases,
            ]
        };
        assert_same_result(&[&tighten("-f"), &tighten(flag)]);
    }
    let check_status = |flags: &[&'static str]| {
        let args = ["check", "--crd", tight, "--old", legacy, "-f", scaled];
        args.into_iter()
            .chain(flags.iter().copied())
            .map(str::to_owned)
            .collect::<Vec<String>>()
    };
    let [status, subresource] = [
        check_status(&["--status"]),
        check_status(&["--subresource", "status"]),
    ];
    assert_eq!(run(&status).stdout, run(&subresource).stdout);
    assert!(run(&status).stdout.starts_with("update of the status of "));
}

#[test]
fn kubectl_names_and_old_names_of_flags_of_patch_have_the_same_result() {
    let openapi = sample("patch/openapi.yaml");
    let patch = |command: &str, flags: &[&str]| {
        let name = "io.k8s.api.apps.v1.Deployment";
        let args = ["patch", command, "--schema", &openapi, "--name", name];
        let output = run(args.iter().chain(flags));
        assert_eq!(output.code, 0, "{output:?}");
        output.stdout
    };
    let files =
        ["applied", "modified", "live", "patch"].map(|name| sample(&format!("patch/{name}.yaml")));
    let [applied, modified, live, patch_file] = files.each_ref().map(String::as_str);
    for flag in ["-f", "--filename", "--modified"] {
        assert_eq!(
            patch("diff", &["--original", applied, flag, modified]),
            patch("diff", &["--original", applied, "-f", modified])
        );
        assert_eq!(
            patch(
                "three-way",
                &["--last-applied", "--current", live, flag, modified]
            ),
            patch(
                "three-way",
                &["--last-applied", "--current", live, "-f", modified]
            )
        );
    }
    for (object_flag, patch_flag) in [("--filename", "--patch-file"), ("--original", "--patch")] {
        assert_eq!(
            patch("apply", &[object_flag, live, patch_flag, patch_file]),
            patch("apply", &["-f", live, "--patch-file", patch_file])
        );
        assert_eq!(
            patch("compose", &[patch_flag, patch_file, patch_flag, patch_file]),
            patch(
                "compose",
                &["--patch-file", patch_file, "--patch-file", patch_file]
            )
        );
    }
}

#[test]
fn the_version_of_kubernetes_has_one_flag_with_the_same_spellings_everywhere() {
    let (crd, tight) = (sample("crd.yaml"), sample("database_crd_tight.yaml"));
    let databases = sample("databases");
    let commands: [&[&str]; 4] = [
        &["check", "--crd", &crd],
        &[
            "tighten",
            "--crd",
            &tight,
            "--crd-new",
            &tight,
            "-f",
            &databases,
        ],
        &["policy", "--mutating", "--crd", &crd],
        &["generate", "rust", "--crd", &crd],
    ];
    for command in commands {
        let help = run([command, &["--help"]].concat()).stdout;
        assert!(help.contains("--kube-version <VERSION>"), "{help}");
        assert!(!help.contains("--kubernetes"), "{help}");
        for version in ["1.35", "v1.35", "1.35.2", "v1.35.2"] {
            assert_same_result(&[
                &[command, &["--kube-version", "1.35"]].concat(),
                &[command, &["--kube-version", version]].concat(),
                &[command, &["--kubernetes", version]].concat(),
                &[command, &["--kubernetes-version", version]].concat(),
            ]);
        }
        let output = run([command, &["--kube-version", "36"]].concat());
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.stderr.contains("--kube-version"), "{output:?}");
    }
}

/// Old names work, and the help does not show them.
#[test]
fn the_help_has_only_the_names_of_kubectl() {
    let commands: [(&[&str], &[&str], &[&str]); 8] = [
        (
            &["check"],
            &[
                "-f, --filename <FILE>",
                "-n, --namespace <NAMESPACE>",
                "-R, --recursive",
                "-o, --output <OUTPUT>",
                "--subresource <NAME>",
            ],
            &["--new", "--status"],
        ),
        (
            &["tighten"],
            &[
                "-f, --filename <FILE>",
                "-n, --namespace",
                "-R, --recursive",
            ],
            &["--objects"],
        ),
        (&["unions"], &["-f, --filename <FILE>"], &["--new "]),
        (
            &["patch", "diff"],
            &["-f, --filename <FILE>"],
            &["--modified"],
        ),
        (
            &["patch", "apply"],
            &["-f, --filename <FILE>", "--patch-file <FILE>"],
            &["--original", "--patch "],
        ),
        (
            &["patch", "three-way"],
            &["-f, --filename <FILE>"],
            &["--modified"],
        ),
        (
            &["patch", "compose"],
            &["--patch-file <FILE>"],
            &["--patch "],
        ),
        (
            &["policy"],
            &["--kube-version <VERSION>"],
            &["--kubernetes-version"],
        ),
    ];
    for (command, names, old_names) in commands {
        let help = run([command, &["--help"]].concat()).stdout;
        for name in names {
            assert!(help.contains(name), "{command:?}: {name}");
        }
        for name in old_names {
            assert!(!help.contains(name), "{command:?}: {name}: {help}");
        }
    }
}

#[test]
fn subfolders_are_read_unless_the_user_disables_it() {
    let database = |name: &str| {
        json!({ "apiVersion": "db.example.com/v1", "kind": "Database", "metadata": { "name": name }, "spec": {} })
            .to_string()
    };
    let folder = folder(
        "names_recursive",
        &[("a.json", database("a")), ("deep/er/b.json", database("b"))],
    );
    let crd = sample("database_crd_tight.yaml");
    for (flags, count) in [
        (&[][..], 2),
        (&["-R"], 2),
        (&["--recursive"], 2),
        (&["-R=true"], 2),
        (&["-R=false"], 1),
        (&["--recursive=false"], 1),
    ] {
        let args = ["check", "--crd", &crd, "-o", "json"];
        let output = run(args.iter().chain(flags).chain(&["-f", &folder]));
        assert_eq!(output.json()["accepted"], count, "{flags:?}");
        let args = ["tighten", "--crd", &crd, "--crd-new", &crd, "-o", "json"];
        let output = run(args.iter().chain(flags).chain(&["-f", &folder]));
        assert_eq!(output.json()["summary"]["objects"], count, "{flags:?}");
    }
}

#[test]
fn the_namespace_of_objects_without_one_can_be_set() {
    let database = |namespace: Value| {
        let mut database = json!({ "apiVersion": "db.example.com/v1", "kind": "Database", "metadata": { "name": "a" }, "spec": {} });
        if !namespace.is_null() {
            database["metadata"]["namespace"] = namespace;
        }
        database.to_string()
    };
    let crd = sample("database_crd_tight.yaml");
    let check = |namespace: Value, flags: &[&str]| {
        let args = ["check", "--crd", &crd, "-f", "-"];
        run_with_stdin(args.iter().chain(flags), database(namespace))
    };
    for flags in [&["-n", "prod"][..], &["--namespace=prod"]] {
        for namespace in [Value::Null, json!("prod")] {
            let output = check(namespace, flags);
            assert!(
                output
                    .stdout
                    .starts_with("creation of Database \"prod/a\"\n"),
                "{output:?}"
            );
        }
        assert_eq!(
            check(json!("test"), flags).error_message(),
            "stdin: the namespace of Database \"test/a\" is not \"prod\" (--namespace); remove the flag, or change the object"
        );
    }
    assert!(
        check(Value::Null, &[])
            .stdout
            .starts_with("creation of Database \"default/a\"\n")
    );
    // Stored objects without a namespace get the same namespace.
    let old = write_file("names_old.json", database(Value::Null));
    let output = check(json!("prod"), &["-n", "prod", "--old", &old]);
    assert!(
        output.stdout.starts_with("update of Database \"prod/a\"\n"),
        "{output:?}"
    );
    let tighten = [
        "tighten",
        "--crd",
        &sample("database_crd.yaml"),
        "--crd-new",
        &crd,
        "-n",
        "prod",
        "-f",
        &sample("databases"),
        "-o",
        "json",
    ];
    assert_eq!(run(tighten).json()["objects"][0]["namespace"], "prod");
}

/// Returns a schema of `spec` whose union, enum, rules and list relations are in lists and maps.
fn nested_schema(values: &[&str]) -> Value {
    let union = json!({
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": { "type": "string", "enum": ["A", "B"] },
            "a": { "type": "object", "properties": { "mode": { "type": "string", "enum": values } } },
            "b": { "type": "object" },
        },
        "x-kubernetes-validations": [{ "rule": "self.type == 'A' ? has(self.a) : !has(self.a)" }],
    });
    let hooks =
        json!({ "type": "object", "additionalProperties": { "type": "array", "items": union } });
    let actions = json!({
        "type": "array",
        "maxItems": 4,
        "items": { "type": "object", "properties": { "type": { "type": "string", "enum": ["Drain", "Cordon"] } } },
        "x-kubernetes-validations": [{ "rule": "self.filter(x, x.type == 'Drain').size() <= 1" }],
    });
    let groups =
        json!({ "type": "object", "additionalProperties": { "type": "array", "items": actions } });
    json!({ "type": "object", "properties": { "hooks": hooks, "groups": groups } })
}

fn nested_crd(values: &[&str]) -> String {
    let schema = json!({ "type": "object", "properties": { "spec": nested_schema(values) } });
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "things.example.com" },
        "spec": {
            "group": "example.com",
            "names": { "kind": "Thing", "listKind": "ThingList", "plural": "things", "singular": "thing" },
            "scope": "Namespaced",
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    });
    crd.to_string()
}

/// The spellings of places that are not used.
const OTHER_SPELLINGS: [&str; 7] = [
    "[]",
    "{}[",
    "{}.",
    "hooks{}",
    "{*}",
    "hooks.*",
    "hooks[*].*",
];

/// Asserts that an output has the place in the spelling for schemas, and no other spelling.
#[track_caller]
fn assert_spelling(command: &str, output: &str, places: &[&str]) {
    for place in places {
        assert!(
            output.contains(place),
            "{command}: {place} is not in {output}"
        );
    }
    for spelling in OTHER_SPELLINGS {
        let is_place = |line: &&str| {
            line.contains(&format!("hooks{spelling}"))
                || line.contains(&format!("groups{spelling}"))
        };
        assert!(
            !output.lines().any(|line| is_place(&line)),
            "{command}: {spelling} is in {output}"
        );
    }
    assert!(!output.contains("{*}"), "{command}: {output}");
    assert!(!output.contains("hooks{}"), "{command}: {output}");
}

#[test]
fn places_in_schemas_have_one_spelling_in_all_outputs() {
    let old_crd = write_file("names_old_crd.json", nested_crd(&["X", "Y"]));
    let new_crd = write_file("names_new_crd.json", nested_crd(&["X"]));
    let union = "spec.hooks[*][*]";
    let list = "spec.groups[*][*]";
    for format in ["text", "json", "sarif"] {
        let output = run(["unions", "--crd", &old_crd, "--list", "--all", "-o", format]);
        let places = if format == "sarif" {
            &[union][..]
        } else {
            &[union, list]
        };
        assert_spelling("unions --list", &(output.stdout + &output.stderr), places);
    }
    for form in ["annotation", "rust"] {
        let output = run(["unions", "--crd", &old_crd, "--as", form]);
        assert_spelling("unions --as", &(output.stdout + &output.stderr), &[]);
    }
    for format in ["text", "json"] {
        let output = run([
            "compat",
            "--crd",
            &old_crd,
            "--crd-new",
            &new_crd,
            "-o",
            format,
        ]);
        assert_spelling("compat", &output.stdout, &["spec.hooks[*][*].a.mode"]);
        for kind in ["--mutating", "--validating"] {
            let output = run(["policy", kind, "--crd", &old_crd, "-o", format]);
            assert_spelling("policy", &output.stderr, &[union]);
        }
    }
    let request = json!({ "crd": nested_crd(&["X"]) }).to_string();
    let mut session = Session::default();
    assert_spelling("page: costs", &session.costs(&request), &[union]);
    assert_spelling("page: unions", &session.unions(&request), &[union]);
}

/// A place in an object is written as an API server writes the path of a rule. The texts of a
/// server remain as they are: for values and unknown fields, it writes the key of a map after a
/// dot.
#[test]
fn places_in_objects_have_the_spelling_of_the_server() {
    let crd = write_file("names_object_crd.json", nested_crd(&["X"]));
    let object = |first: &Value, second: &Value| {
        let object = json!({
            "apiVersion": "example.com/v1",
            "kind": "Thing",
            "metadata": { "name": "a" },
            "spec": { "hooks": { "pre": [first, second] } },
        });
        object.to_string()
    };
    let valid = json!({ "type": "A", "a": { "mode": "X" } });
    let two_members = json!({ "type": "B", "a": {} });
    let other_mode = json!({ "type": "A", "a": { "mode": "Y" } });
    let unknown_field = json!({ "type": "A", "a": { "mod": "X" } });
    let invalid_union = write_file("names_union.json", object(&valid, &two_members));
    let invalid_mode = write_file("names_mode.json", object(&valid, &other_mode));
    let unknown_field = write_file("names_unknown.json", object(&valid, &unknown_field));
    for (file, place, is_union) in [
        (&invalid_union, "spec.hooks[pre][1]", true),
        (&invalid_mode, "spec.hooks.pre[1].a.mode", false),
        (&unknown_field, "spec.hooks.pre[1].a.mod", false),
    ] {
        for format in ["text", "json"] {
            let output = run(["check", "--crd", &crd, "-f", file, "-o", format]);
            assert!(output.stdout.contains(place), "{output:?}");
            let output = run([
                "tighten",
                "--crd",
                &crd,
                "--crd-new",
                &crd,
                "-f",
                file,
                "-o",
                format,
            ]);
            assert!(output.stdout.contains(place), "{output:?}");
            if is_union {
                let output = run(["unions", "--crd", &crd, "-f", file, "-o", format]);
                assert!(output.stdout.contains(place), "{output:?}");
            }
        }
    }
}
