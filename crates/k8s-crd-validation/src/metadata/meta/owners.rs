//! The owner references of an object.

use serde_json::Value;

use super::read::Meta;
use super::report::Rules;
use k8s_json_internals::print::JsonText;
use union_runtime::Found;
use union_runtime::path::Path;

/// Checks that every owner reference is complete, and that at most one is a controller. Paths do
/// not contain the index of the reference.
pub(super) fn check(rules: &mut Rules<'_>, owners: &[Value]) {
    let mut controller: Option<String> = None;
    for owner in owners {
        let owner = Owner(Meta::of(Some(owner)));
        owner.check(rules);
        if !owner.is_controller() {
            continue;
        }
        let name = format!("{}/{}", owner.0.text("kind"), owner.0.text("name"));
        match &controller {
            None => controller = Some(name),
            Some(first) => {
                let detail = format!(
                    "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {name}"
                );
                rules.invalid("ownerReferences", Found::Printed(printed(owners)), &detail);
            }
        }
    }
}

struct Owner<'v>(Meta<'v>);

impl Owner<'_> {
    fn check(&self, rules: &mut Rules<'_>) {
        let api_version = self.0.text("apiVersion");
        let (group, version) = group_and_version(api_version);
        let kind = self.0.text("kind");
        let at: Path<'_> = rules.at.field("ownerReferences");
        let mut inner = Rules {
            at: &at,
            sink: &mut *rules.sink,
        };
        if version.is_empty() {
            inner.invalid(
                "apiVersion",
                Found::Text(api_version.to_owned()),
                "version must not be empty",
            );
        }
        for field in ["kind", "name"] {
            if self.0.text(field).is_empty() {
                inner.invalid(field, Found::Text(String::new()), "must not be empty");
            }
        }
        if self.0.text("uid").is_empty() {
            inner.invalid("uid", Found::Text(String::new()), "must not be empty");
        }
        // Events are removed automatically, so they cannot be owners.
        if (group, version, kind) == ("", "v1", "Event") {
            let detail = "/v1, Kind=Event is disallowed from being an owner";
            rules.invalid("ownerReferences", Found::Printed(self.printed()), detail);
        }
    }

    fn is_controller(&self) -> bool {
        self.0.get("controller") == Some(&Value::Bool(true))
    }

    /// Returns the reference as JSON, with the fields in the order of their declaration in Go.
    fn printed(&self) -> String {
        let text = |field| JsonText(self.0.text(field));
        let boolean = |field| match self.0.get(field).and_then(Value::as_bool) {
            Some(value) => format!(",\"{field}\":{value}"),
            None => String::new(),
        };
        format!(
            r#"{{"apiVersion":{},"kind":{},"name":{},"uid":{}{}{}}}"#,
            text("apiVersion"),
            text("kind"),
            text("name"),
            text("uid"),
            boolean("controller"),
            boolean("blockOwnerDeletion"),
        )
    }
}

fn printed(owners: &[Value]) -> String {
    let owners: Vec<String> = owners
        .iter()
        .map(|owner| Owner(Meta::of(Some(owner))).printed())
        .collect();
    format!("[{}]", owners.join(","))
}

/// Splits `apiVersion` into group and version. Both are empty if it is invalid.
fn group_and_version(api_version: &str) -> (&str, &str) {
    match api_version.split_once('/') {
        None => ("", api_version),
        Some((_, rest)) if rest.contains('/') => ("", ""),
        Some(both) => both,
    }
}
