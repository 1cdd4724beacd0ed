//! Tests of the table `server_versions.json`: requests and CRDs, each with the answers of servers
//! of two versions.

use k8s_crd_validation::{KubeVersion, Report, ServerSettings, StatusHandling};
use k8s_crd_validation::{StructuralSchema, crd};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    about: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    op: Operation,
    #[serde(default)]
    schema: Value,
    old: Option<Value>,
    new: Value,
    /// The answer of both versions, if they give the same answer.
    both: Option<Answer>,
    #[serde(rename = "1.36")]
    of_1_36: Option<Answer>,
    #[serde(rename = "1.37")]
    of_1_37: Option<Answer>,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Operation {
    Create,
    Update,
    Status,
    /// The create or the update of a CRD.
    Crd,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Answer {
    /// The errors, sorted.
    errors: Vec<String>,
    /// The warnings, in the order of the server.
    #[serde(default)]
    warnings: Vec<String>,
}

impl Answer {
    fn from_report(report: &Report) -> Self {
        let mut errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
        errors.sort_unstable();
        let warnings = report.warnings().to_vec();
        Self { errors, warnings }
    }
}

impl Case {
    /// Returns the answer of this crate for a server of a version.
    fn answer(&self, version: KubeVersion) -> Answer {
        if self.op == Operation::Crd {
            let review = crd::Review::new().version(version);
            return Answer::from_report(&match &self.old {
                Some(old) => review.update(&self.new, old),
                None => review.create(&self.new),
            });
        }
        let mut compiler = StructuralSchema::compiler().version(version).stored();
        if self.op == Operation::Status {
            compiler = compiler.status(StatusHandling::Subresource);
        }
        let schema = compiler
            .schema(&self.schema)
            .unwrap_or_else(|errors| panic!("{}: {errors}", self.name));
        let settings = ServerSettings::default().version(version);
        let mut new = self.new.clone();
        Answer::from_report(&match (self.op, &self.old) {
            (Operation::Update, Some(old)) => schema.update(&mut new, old, &settings),
            (Operation::Status, Some(old)) => schema.update_status(&mut new, old, &settings),
            _ => schema.create(&mut new, &settings),
        })
    }

    /// Returns the answer of a server of a version, from the table.
    fn expected_answer(&self, version: &str) -> &Answer {
        let answer = match version {
            "1.36" => self.of_1_36.as_ref(),
            _ => self.of_1_37.as_ref(),
        };
        answer
            .or(self.both.as_ref())
            .unwrap_or_else(|| panic!("{}: no answer of {version}", self.name))
    }
}

#[test]
fn servers_of_two_versions_answer_as_in_the_table() {
    let table: Table = serde_json::from_str(include_str!("../cases/server_versions.json")).unwrap();
    assert!(table.about.ends_with('.'));
    let mut different = Vec::new();
    for case in &table.cases {
        for version in ["1.36", "1.37"] {
            let answer = case.answer(version.parse().unwrap());
            if answer != *case.expected_answer(version) {
                different.push(format!("{}, {version}: {answer:#?}", case.name));
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// The schema makes the whole object an embedded resource, so that its metadata is checked twice.
#[test]
fn metadata_of_an_embedded_root_has_each_error_once() {
    let schema = json!({"x-kubernetes-embedded-resource": true});
    for version in KubeVersion::all() {
        let compiler = StructuralSchema::compiler().version(version).stored();
        let schema = compiler.schema(&schema).unwrap();
        let object = |annotation: &str| {
            json!({
                "apiVersion": "example.com/v1", "kind": "Thing",
                "metadata": {"name": "a", "resourceVersion": "1", "annotations": {annotation: ""}},
            })
        };
        let settings = ServerSettings::default().version(version);
        let report = schema.update(&mut object("Bad Key"), &object("good"), &settings);
        assert_eq!(report.errors().len(), 1, "{version}: {report}");
    }
}

/// Returns the schema of a map without a maximum length, whose values have the schema `values`.
fn map_of(values: &Value) -> Value {
    json!({"type": "object", "additionalProperties": values})
}

#[test]
fn the_version_decides_which_schemas_are_valid() {
    let integer_or_string = |string: Value| json!([{"type": "integer"}, string]);
    let with_docs = integer_or_string(json!({"type": "string", "externalDocs": {}}));
    let with_example = integer_or_string(json!({"type": "string", "example": "a"}));
    for (schema, valid_versions) in [
        (
            json!({"x-kubernetes-int-or-string": true, "anyOf": with_docs}),
            25..=35,
        ),
        (
            json!({"x-kubernetes-int-or-string": true, "allOf": [{"anyOf": with_example}]}),
            25..=35,
        ),
        (
            json!({"type": "string", "format": "k8s-short-name", "default": "B"}),
            25..=33,
        ),
        (
            map_of(&json!({
                "x-kubernetes-int-or-string": true, "maxLength": 2,
                "x-kubernetes-validations": [{"rule": "type(self) == string"}],
            })),
            34..=37,
        ),
        (
            map_of(&json!({
                "type": "string", "enum": ["a", "b"],
                "x-kubernetes-validations": [{"rule": "self.contains('a')"}],
            })),
            29..=37,
        ),
    ] {
        let root = json!({"type": "object", "properties": {"a": schema}});
        for version in KubeVersion::all() {
            let result = StructuralSchema::compiler().version(version).schema(&root);
            assert_eq!(
                result.is_ok(),
                valid_versions.contains(&version.minor()),
                "{version}: {schema}: {:?}",
                result.err().map(|report| report.to_string())
            );
        }
    }
}

#[test]
fn the_version_decides_the_paths_of_errors_of_the_status() {
    let schema = json!({"type": "object", "properties": {
        "status": {"type": "object", "properties": {"phase": {"type": "string"}}},
    }});
    let compiler = StructuralSchema::compiler().status(StatusHandling::Subresource);
    let schema = compiler.schema(&schema).expect("the schema is valid");
    let old = json!({"metadata": {"name": "a", "resourceVersion": "1"}});
    for version in KubeVersion::all() {
        let mut new = old.clone();
        new["status"] = json!({"phase": 1});
        let settings = ServerSettings::default().version(version);
        let report = schema.update_status(&mut new, &old, &settings);
        let expected = if version.minor() < 31 {
            "phase"
        } else {
            "status.phase"
        };
        let [error] = report.errors() else {
            panic!("{version}: {report}");
        };
        assert_eq!(error.path().to_string(), expected, "{version}");
    }
}

#[test]
fn a_finalizer_without_a_domain_is_a_warning_since_1_29() {
    let schema = StructuralSchema::compiler()
        .schema(&json!({"type": "object"}))
        .expect("the schema is valid");
    for version in KubeVersion::all() {
        let mut new = json!({"metadata": {"name": "a", "finalizers": ["x"]}});
        let settings = ServerSettings::default().version(version);
        let report = schema.create(&mut new, &settings);
        assert_eq!(
            !report.warnings().is_empty(),
            version.minor() >= 29,
            "{version}"
        );
    }
}

#[test]
fn a_create_evaluates_rules_with_optional_old_self_since_1_30() {
    let rule = json!({"rule": "oldSelf.hasValue()", "optionalOldSelf": true});
    let schema = json!({"type": "object", "x-kubernetes-validations": [rule]});
    for version in KubeVersion::all().filter(|version| version.minor() >= 29) {
        let compiler = StructuralSchema::compiler().version(version).stored();
        let schema = compiler.schema(&schema).expect("the schema is valid");
        let mut new = json!({"metadata": {"name": "a"}});
        let settings = ServerSettings::default().version(version);
        let report = schema.create(&mut new, &settings);
        assert_eq!(report.is_accepted(), version.minor() < 30, "{version}");
    }
}

#[test]
fn the_path_of_an_error_has_no_dot_of_a_name_at_its_beginning() {
    let fields = json!({".": {"type": "object", "properties": {"a": {"type": "integer"}}}});
    let schema = json!({"type": "object", "properties": {
        ".b": {"type": "integer"}, "status": {"type": "object", "properties": fields},
    }});
    let compiler = StructuralSchema::compiler().status(StatusHandling::Subresource);
    let schema = compiler.schema(&schema).expect("the schema is valid");
    let settings = ServerSettings::default();
    let old = json!({"metadata": {"name": "a", "resourceVersion": "1"}});
    let mut new = old.clone();
    new["status"] = json!({".": {"a": "x"}});
    let report = schema.update_status(&mut new, &old, &settings);
    let [error] = report.errors() else {
        panic!("{report}");
    };
    assert_eq!(error.path().to_string(), "status..a");
    let mut new = json!({"metadata": {"name": "a"}, ".b": "x"});
    let report = schema.create(&mut new, &settings);
    let [error] = report.errors() else {
        panic!("{report}");
    };
    assert_eq!(error.path().to_string(), "b");
}
