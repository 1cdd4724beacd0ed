//! Tests of `--whole-schema`: validation of the whole object.

use serde_json::{Value, json};
use union_webhook::files;
use union_webhook::review::ReviewSettings;
use union_webhook::schemas::CheckScope;

use crate::support::{TestServer, long_timeouts, package_folder, sample_review};

/// Starts a server with the whole schema of the CRD of databases. The stored objects violate the
/// schema, because it was tightened.
async fn start_with_tight_schema() -> TestServer {
    let path = package_folder().join("../../crates/unionctl/samples/database_crd_tight.yaml");
    let schemas = files::read_schemas(&[path], CheckScope::WholeSchema).unwrap();
    TestServer::start_with(long_timeouts(), ReviewSettings::default(), Some(schemas)).await
}

/// Returns a review of a `Database`. `old_spec` is null for a creation.
fn database_review(operation: &str, new_spec: Value, old_spec: Value) -> Value {
    let database = |spec: Value| {
        let metadata = json!({"name": "legacy", "namespace": "default", "resourceVersion": "1", "uid": "1",
                              "creationTimestamp": "2026-11-20T08:00:00Z"});
        json!({"apiVersion": "db.example.com/v1", "kind": "Database", "metadata": metadata, "spec": spec})
    };
    let mut review = sample_review("switch.json");
    let request = &mut review["request"];
    request["kind"]["kind"] = "Database".into();
    request["operation"] = operation.into();
    request["name"] = "legacy".into();
    request["object"] = database(new_spec);
    request["oldObject"] = match old_spec {
        Value::Null => Value::Null,
        old_spec => database(old_spec),
    };
    if operation == "CREATE" {
        for field in ["resourceVersion", "uid", "creationTimestamp"] {
            request["object"]["metadata"]
                .as_object_mut()
                .unwrap()
                .remove(field);
        }
    }
    review
}

#[tokio::test]
async fn new_schema_errors_are_rejected_and_old_errors_are_tolerated() {
    let webhook = start_with_tight_schema().await;
    let legacy_spec = json!({"engine": "Ingres", "owner": "a@example.com", "replicas": 1});
    let create_response = webhook
        .review(
            "/validate",
            &database_review("CREATE", legacy_spec.clone(), Value::Null),
        )
        .await;
    assert_eq!(create_response["allowed"], false);
    assert_eq!(create_response["status"]["code"], 422);
    let cause = &create_response["status"]["details"]["causes"][0];
    assert_eq!(cause["reason"], "FieldValueNotSupported");
    assert_eq!(cause["field"], "spec.engine");
    assert_eq!(
        cause["message"],
        "Unsupported value: \"Ingres\": supported values: \"Postgres\", \"MySQL\""
    );

    let mut scaled_spec = legacy_spec.clone();
    scaled_spec["replicas"] = 2.into();
    let update_response = webhook
        .review(
            "/validate",
            &database_review("UPDATE", scaled_spec, legacy_spec.clone()),
        )
        .await;
    assert_eq!(update_response["allowed"], true, "{update_response}");
    let warnings = update_response["warnings"].as_array().unwrap();
    assert!(
        warnings[0]
            .as_str()
            .unwrap()
            .contains("spec.engine: Unsupported value"),
        "{update_response}"
    );

    let mut changed_spec = legacy_spec.clone();
    changed_spec["engine"] = "Oracle".into();
    let update_response = webhook
        .review(
            "/validate",
            &database_review("UPDATE", changed_spec, legacy_spec),
        )
        .await;
    assert_eq!(update_response["allowed"], false);
}

#[tokio::test]
async fn an_update_of_the_status_ignores_errors_of_the_spec() {
    let webhook = start_with_tight_schema().await;
    let invalid_spec = json!({"engine": 1});
    let mut request = database_review("UPDATE", invalid_spec.clone(), invalid_spec);
    assert_eq!(webhook.review("/validate", &request).await["allowed"], true);
    request["request"]["object"]["spec"] = json!({"engine": 2});
    assert_eq!(
        webhook.review("/validate", &request).await["allowed"],
        false
    );
    request["request"]["subResource"] = "status".into();
    assert_eq!(webhook.review("/validate", &request).await["allowed"], true);
}

#[tokio::test]
async fn without_the_flag_only_unions_are_validated() {
    let path = package_folder().join("../../crates/unionctl/samples/database_crd_tight.yaml");
    let schemas = files::read_schemas(&[path], CheckScope::Unions).unwrap();
    assert_eq!(schemas.version_names(), <[&str; 0]>::default());
    let webhook =
        TestServer::start_with(long_timeouts(), ReviewSettings::default(), Some(schemas)).await;
    let request = database_review("CREATE", json!({"engine": "Ingres"}), Value::Null);
    assert_eq!(webhook.review("/validate", &request).await["allowed"], true);
}
