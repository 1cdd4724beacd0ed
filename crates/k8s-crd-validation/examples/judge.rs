//! A CRD, and the answers of an API server to the CRD and its objects: a create, updates with
//! ratcheting, and the costs of CEL rules.
//!
//! `cargo run -p k8s-crd-validation --example judge`

use k8s_crd_validation::{ObjectRef, Report, ServerSettings, StructuralSchema, cost_report};
use serde_json::{Value, json};

fn main() -> Result<(), Report> {
    let server = ServerSettings::default();

    // The first version of the schema accepts names of any length.
    let schema = StructuralSchema::compiler().crd(&crd(&json!({"type": "string"})), Some("v1"))?;
    let mut stored = queue("q", &json!([{"name": "a", "retries": 3}, {"name": "b"}]));
    print_report("a create", &schema.create(&mut stored, &server));
    println!("  stored: {}\n", stored["spec"]);

    // A server rejects a CRD with an invalid pattern.
    let invalid_crd = crd(&json!({"type": "string", "pattern": "["}));
    if let Err(report) = StructuralSchema::compiler().crd(&invalid_crd, Some("v1")) {
        println!("an invalid CRD: rejected\n  {report}\n");
    }

    // The second version of the schema requires three letters. The stored names are shorter.
    let name_schema = json!({"type": "string", "minLength": 3, "maxLength": 63});
    let tighter_crd = crd(&name_schema);
    let schema = StructuralSchema::compiler().crd(&tighter_crd, Some("v1"))?;
    stored["metadata"]["resourceVersion"] = json!("7");

    // The elements of the list are correlated by `name`, and unchanged elements are tolerated.
    let mut new = stored.clone();
    new["spec"]["workers"] =
        json!([{"name": "b"}, {"name": "a", "retries": 3}, {"name": "new-one"}]);
    print_report(
        "an update that moves old workers, and adds one",
        &schema.update(&mut new, &stored, &server),
    );
    let mut new = stored.clone();
    new["spec"]["workers"][0] = json!({"name": "c", "retries": 30});
    let report = schema.update(&mut new, &stored, &server);
    print_report("an update that changes one", &report);
    let object = ObjectRef {
        group: "example.com",
        kind: "Queue",
        name: "q",
    };
    if let Some(status) = report.status(&object) {
        println!("  the response: {} {}\n", status["code"], status["reason"]);
    }

    // The estimated costs of these rules are within the limits of a server. The cost of a rule in a
    // list without bounds is not.
    let costs = cost_report(&tighter_crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"])?;
    print!("costs of CEL rules: {costs}");
    let unbounded = json!({"type": "object", "properties": {"names": {"type": "array", "items": {
        "type": "string", "x-kubernetes-validations": [{"rule": "!self.contains('x')"}],
    }}}});
    let costs = cost_report(&unbounded)?;
    let verdict = if costs.is_within_limits() {
        "accepted"
    } else {
        "rejected"
    };
    print!("a rule in a list without bounds: {verdict}\n{costs}");
    Ok(())
}

/// Prints the errors, the tolerated errors and the warnings of a request.
fn print_report(request: &str, report: &Report) {
    let verdict = if report.is_accepted() {
        "accepted"
    } else {
        "rejected"
    };
    println!("{request}: {verdict}");
    for error in report.errors() {
        println!("  {error}");
    }
    for tolerated in report.tolerated() {
        println!("  tolerated, because the value is unchanged: {tolerated}");
    }
    for warning in report.warnings() {
        println!("  warning: {warning}");
    }
}

/// A CRD of queues with workers, whose names have this schema.
fn crd(name_schema: &Value) -> Value {
    let worker = json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": name_schema,
            "retries": {"type": "integer", "default": 5},
        },
        "x-kubernetes-validations": [{
            "rule": "self.retries < 10 || self.name.startsWith('x-')",
            "message": "only experiments retry so often",
            "fieldPath": ".retries",
        }],
    });
    json!({"spec": {
        "group": "example.com", "names": {"kind": "Queue", "plural": "queues"}, "scope": "Namespaced",
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
            "type": "object",
            "properties": {"spec": {"type": "object", "properties": {"workers": {
                "type": "array", "maxItems": 100, "items": worker,
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            }}}},
        }}}],
    }})
}

fn queue(name: &str, workers: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Queue",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"workers": workers},
    })
}
