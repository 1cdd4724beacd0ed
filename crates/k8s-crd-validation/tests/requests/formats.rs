//! Tests of the two user stories about formats in KEP-4008: a server that starts to check a format,
//! and a server whose format accepts more values before a downgrade.

use k8s_crd_validation::{
    Formats, RatchetingPolicy, Report, ServerSettings, StatusHandling, StructuralSchema,
};
use serde_json::{Value, json};

/// Returns the schema of a custom resource with a controller: a string with a format, an unrelated
/// field, and a status.
fn resource(format: &str) -> StructuralSchema {
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

fn object(text: &str, replicas: u32) -> Value {
    json!({"spec": {"text": text, "replicas": replicas}})
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
            schema: resource(format),
            settings: ServerSettings::default()
                .formats(formats.clone())
                .policy(policy),
        })
    }

    fn create(&self, text: &str) -> Report {
        self.schema.create(&mut object(text, 1), &self.settings)
    }

    /// Updates an object as a user does: changes the replicas, and the field `text` if
    /// `text` differs from `stored`.
    fn update(&self, stored: &str, text: &str) -> Report {
        let old = object(stored, 1);
        self.schema
            .update(&mut object(text, 2), &old, &self.settings)
    }

    /// Updates the status of an object as a controller does.
    fn report(&self, stored: &str) -> Report {
        let old = object(stored, 1);
        let mut new = old.clone();
        new["status"] = json!({"ready": true});
        self.schema.update_status(&mut new, &old, &self.settings)
    }

    /// Returns true if the user and the controller can both update an object whose string they
    /// do not change.
    fn keeps_working_with(&self, stored: &str) -> bool {
        self.update(stored, stored).is_accepted() && self.report(stored).is_accepted()
    }
}

fn is_subdomain(text: &str) -> bool {
    let is_label = |label: &str| {
        let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        !label.is_empty()
            && label.chars().all(is_inner)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

#[test]
fn a_server_that_gets_a_format_tightens_schemas() {
    let format = "dns1123subdomain";
    let old_formats = Formats::default();
    let new_formats = Formats::default().with_format(format, is_subdomain);
    assert_eq!(old_formats.check(format, "Not A Name"), None);
    let (bad, worse, good) = ("Not A Name", "Nor_This", "a-name.example");

    for server in Server::all(format, &old_formats) {
        assert!(server.create(bad).is_accepted(), "nobody knows the format");
    }
    for server in Server::all(format, &new_formats) {
        assert!(server.keeps_working_with(bad), "upgraded");
        assert_eq!(server.update(bad, bad).tolerated().len(), 1);
        let refused = server.create(bad);
        assert_eq!(
            crate::errors(&refused),
            [
                "spec.text: Invalid value: \"Not A Name\": spec.text in body must be of type dns1123subdomain: \"Not A Name\""
            ]
        );
        assert!(!server.update(bad, worse).is_accepted());
        assert!(server.update(bad, good).is_accepted(), "repaired");
        assert!(!server.update(good, bad).is_accepted(), "and no way back");
    }
    // Without ratcheting, neither the user nor the controller can update the object.
    for mut server in Server::all(format, &new_formats) {
        server.settings = server.settings.ratchet(false);
        assert!(!server.update(bad, bad).is_accepted());
    }
    for server in Server::all(format, &old_formats) {
        assert!(server.update(bad, worse).is_accepted(), "downgraded");
        assert!(server.keeps_working_with(worse));
    }
}

#[test]
fn a_server_that_takes_more_tightens_schemas_when_it_goes_back() {
    let old_formats = Formats::default();
    let strict = Formats::default();
    let new_formats = Formats::default().with_format("byte", move |text| {
        text.is_empty() || strict.check("byte", text) == Some(true)
    });
    let (empty, bad, good) = ("", "no base64", "YWJj");
    assert_eq!(old_formats.check("byte", empty), Some(false));

    for server in Server::all("byte", &old_formats) {
        assert!(!server.create(empty).is_accepted(), "before");
        assert!(server.create(good).is_accepted());
    }
    for server in Server::all("byte", &new_formats) {
        assert!(server.keeps_working_with(good), "upgraded");
        assert!(server.create(empty).is_accepted());
        assert!(server.update(good, empty).is_accepted());
        assert!(!server.create(bad).is_accepted());
        assert!(server.update(empty, empty).tolerated().is_empty());
    }
    for server in Server::all("byte", &old_formats) {
        assert!(server.keeps_working_with(empty), "downgraded");
        assert_eq!(server.update(empty, empty).tolerated().len(), 1);
        assert!(!server.create(empty).is_accepted());
        assert!(!server.update(empty, bad).is_accepted());
        assert!(server.update(empty, good).is_accepted());
        assert!(!server.update(good, empty).is_accepted());
    }
    for mut server in Server::all("byte", &old_formats) {
        server.settings = server.settings.ratchet(false);
        assert!(!server.update(empty, empty).is_accepted());
    }
    for server in Server::all("byte", &new_formats) {
        assert!(server.keeps_working_with(empty), "upgraded again");
    }
}
