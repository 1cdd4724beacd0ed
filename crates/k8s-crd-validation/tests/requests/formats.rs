//! Tests of the two user stories about formats in KEP-4008: a server that starts to check a format,
//! and a server whose format accepts more values before a downgrade.

use k8s_crd_validation::{
    Formats, KubeVersion, RatchetingPolicy, Report, ServerSettings, StatusHandling,
    StructuralSchema,
};
use serde_json::{Value, json};

/// Returns the schema of a custom resource with a controller: a string with a format, an unrelated
/// field, and a status.
fn compile_schema(format: &str) -> StructuralSchema {
    StructuralSchema::compiler()
        .status(StatusHandling::Subresource)
        .schema(&json!({"type": "object", "properties": {
            "spec": {"type": "object", "properties": {
                "text": {"type": "string", "format": format}, "replicas": {"type": "integer"},
            }},
            "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}},
        }}))
        .unwrap()
}

fn object(value: &str, replicas: u32) -> Value {
    json!({"spec": {"text": value, "replicas": replicas}})
}

/// A server with some formats, and its answers to a user and to a controller.
struct Server {
    schema: StructuralSchema,
    settings: ServerSettings,
}

impl Server {
    /// Returns a server for each policy.
    fn all(format: &str, formats: &Formats) -> [Self; 2] {
        [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008].map(|policy| Self {
            schema: compile_schema(format),
            settings: ServerSettings::default()
                .formats(formats.clone())
                .policy(policy),
        })
    }

    fn create(&self, value: &str) -> Report {
        self.schema.create(&mut object(value, 1), &self.settings)
    }

    /// Updates an object as a user does: changes the replicas, and the field `text` from `stored`
    /// to `value`.
    fn update(&self, stored: &str, value: &str) -> Report {
        let old = object(stored, 1);
        self.schema
            .update(&mut object(value, 2), &old, &self.settings)
    }

    /// Updates the status of an object as a controller does.
    fn update_status(&self, stored: &str) -> Report {
        let old = object(stored, 1);
        let mut new = old.clone();
        new["status"] = json!({"ready": true});
        self.schema.update_status(&mut new, &old, &self.settings)
    }

    /// Returns true if the user and the controller can both update an object whose string they
    /// do not change.
    fn accepts_updates_of(&self, stored: &str) -> bool {
        self.update(stored, stored).is_accepted() && self.update_status(stored).is_accepted()
    }
}

fn is_subdomain(value: &str) -> bool {
    let is_label = |label: &str| {
        let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        !label.is_empty()
            && label.chars().all(is_inner)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    value.len() <= 253 && value.split('.').all(is_label)
}

#[test]
fn unchanged_values_are_tolerated_after_a_server_adds_a_format() {
    let format = "dns1123subdomain";
    let old_formats = Formats::default();
    let new_formats = Formats::default().with_format(format, is_subdomain);
    assert_eq!(old_formats.check(format, "Not A Name"), None);
    let (invalid_name, other_invalid_name, valid_name) =
        ("Not A Name", "Nor_This", "a-name.example");

    for server in Server::all(format, &old_formats) {
        assert!(
            server.create(invalid_name).is_accepted(),
            "the format is unknown"
        );
    }
    for server in Server::all(format, &new_formats) {
        assert!(server.accepts_updates_of(invalid_name), "upgraded");
        assert_eq!(
            server.update(invalid_name, invalid_name).tolerated().len(),
            1
        );
        let report = server.create(invalid_name);
        assert_eq!(
            crate::errors(&report),
            [
                "spec.text: Invalid value: \"Not A Name\": spec.text in body must be of type dns1123subdomain: \"Not A Name\""
            ]
        );
        assert!(
            !server
                .update(invalid_name, other_invalid_name)
                .is_accepted()
        );
        assert!(
            server.update(invalid_name, valid_name).is_accepted(),
            "repaired"
        );
        assert!(
            !server.update(valid_name, invalid_name).is_accepted(),
            "invalid again"
        );
    }
    // Without ratcheting, neither the user nor the controller can update the object.
    for mut server in Server::all(format, &new_formats) {
        server.settings = server.settings.ratchet(false);
        assert!(!server.update(invalid_name, invalid_name).is_accepted());
    }
    for server in Server::all(format, &old_formats) {
        assert!(
            server
                .update(invalid_name, other_invalid_name)
                .is_accepted(),
            "downgraded"
        );
        assert!(server.accepts_updates_of(other_invalid_name));
    }
}

#[test]
fn unchanged_values_are_tolerated_after_a_format_becomes_stricter() {
    let old_formats = Formats::default();
    let strict_formats = Formats::default();
    let new_formats = Formats::default().with_format("byte", move |value| {
        value.is_empty() || strict_formats.check("byte", value) == Some(true)
    });
    let (empty, invalid_value, valid_value) = ("", "no base64", "YWJj");
    assert_eq!(old_formats.check("byte", empty), Some(false));

    for server in Server::all("byte", &old_formats) {
        assert!(!server.create(empty).is_accepted(), "before");
        assert!(server.create(valid_value).is_accepted());
    }
    for server in Server::all("byte", &new_formats) {
        assert!(server.accepts_updates_of(valid_value), "upgraded");
        assert!(server.create(empty).is_accepted());
        assert!(server.update(valid_value, empty).is_accepted());
        assert!(!server.create(invalid_value).is_accepted());
        assert!(server.update(empty, empty).tolerated().is_empty());
    }
    for server in Server::all("byte", &old_formats) {
        assert!(server.accepts_updates_of(empty), "downgraded");
        assert_eq!(server.update(empty, empty).tolerated().len(), 1);
        assert!(!server.create(empty).is_accepted());
        assert!(!server.update(empty, invalid_value).is_accepted());
        assert!(server.update(empty, valid_value).is_accepted());
        assert!(!server.update(valid_value, empty).is_accepted());
    }
    for mut server in Server::all("byte", &old_formats) {
        server.settings = server.settings.ratchet(false);
        assert!(!server.update(empty, empty).is_accepted());
    }
    for server in Server::all("byte", &new_formats) {
        assert!(server.accepts_updates_of(empty), "upgraded again");
    }
}

/// Returns the errors of a server of 1.`minor` for the field `a` with a schema.
fn errors_in_version(minor: u16, schema: &Value, value: &Value) -> Vec<String> {
    let version = KubeVersion::from_minor(minor).unwrap();
    let compiler = StructuralSchema::compiler().version(version).stored();
    let schema = json!({"type": "object", "properties": {"a": schema}});
    let schema = compiler.schema(&schema).unwrap();
    let settings = ServerSettings::default().version(version);
    let report = schema.create(&mut json!({ "a": value }), &settings);
    report.errors().iter().map(ToString::to_string).collect()
}

/// Before 1.36, a format of strings applies to the values of all types, and the formats of numbers
/// do not exist.
#[test]
fn the_type_decides_from_1_36_on_which_formats_apply() {
    let date = json!({"type": "integer", "format": "date"});
    let int32 = json!({"type": "integer", "format": "int32"});
    let error = |found: &str, rule: &str| {
        format!("a: Invalid value: \"{found}\": a in body must be of type {rule}")
    };
    for (schema, value, before, since) in [
        (
            &date,
            json!(2.5),
            error("float64", "date: \"float64\""),
            error("number", "integer: \"number\""),
        ),
        (
            &int32,
            json!(1.5),
            error("number", "integer: \"number\""),
            error("float64", "int32: \"float64\""),
        ),
        (
            &int32,
            json!({}),
            error("object", "integer: \"object\""),
            error("", "int32: \"\""),
        ),
    ] {
        for minor in [28, 33, 35] {
            let errors = errors_in_version(minor, schema, &value);
            assert_eq!(errors.first(), Some(&before), "1.{minor}: {errors:?}");
        }
        for minor in [36, 37] {
            let errors = errors_in_version(minor, schema, &value);
            assert_eq!(errors.first(), Some(&since), "1.{minor}: {errors:?}");
        }
    }
}

/// The formats follow the version before the server's: 1.34 introduced the format.
#[test]
fn names_of_kubernetes_are_formats_from_1_35_on() {
    let schema = json!({"type": "string", "format": "k8s-long-name"});
    for (minor, error_count) in [(33, 0), (34, 0), (35, 1), (37, 1)] {
        let errors = errors_in_version(minor, &schema, &json!("B"));
        assert_eq!(errors.len(), error_count, "1.{minor}: {errors:?}");
    }
}
