//! `unionctl place-rules`: removes the `oldSelf` part of ratcheting rules below lists without keys,
//! so that a server accepts the CRD.

use std::path::PathBuf;

use k8s_crd_validation::crd;
use serde_json::Value;

use crate::error::CommandError;
use crate::input::{InputReader, list, object};
use crate::output::print::{self, CommandStatus, TextOrJson};

/// Remove the `oldSelf` part of rules in places where API servers do not support it.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct PlaceRulesArgs {
    #[arg(long, value_name = "FILE")]
    #[arg(help = "CustomResourceDefinitions, as kube's `crd()` makes them")]
    crd: PathBuf,
}

const LONG_ABOUT: &str = "\
Remove the `oldSelf` part of rules in places where API servers do not support it.

A type with `#[union(ratchet = \"same_reason\")]` has rules with `optionalOldSelf`. An API server rejects these rules below \
lists that are not of type map, because it cannot pair the elements with old elements. There, the command replaces \
`a || oldSelf.hasValue() && b` by `a`. Other rules do not change; `unionctl check --crd` reports their errors.

The output is the CRD in the format of the input, YAML or JSON, with sorted keys and without comments. stderr lists the \
changed rules. `union_kube::Crd::from_type` and the build script make the same changes.";

const EXAMPLES: &str = "\
Example:
  unionctl place-rules --crd crd.yaml > placed.yaml";

pub(crate) fn run(
    args: &PlaceRulesArgs,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    let mut documents = InputReader::default().read_documents("--crd", &args.crd)?;
    let file = &documents.file;
    if documents.values.is_empty() {
        let message = "empty input; expected a CustomResourceDefinition";
        return Err(CommandError::new(file.as_str(), message));
    }
    let mut notes = Vec::new();
    for document in &mut documents.values {
        let crds = if list::list_items(document).is_some() {
            let items = document.get_mut("items").and_then(Value::as_array_mut);
            items.map(Vec::as_mut_slice).unwrap_or_default()
        } else {
            std::slice::from_mut(document)
        };
        for crd in crds {
            place_rules_in_crd(crd, file, &mut notes)?;
        }
    }
    if notes.is_empty() {
        notes.push(format!("{file}: no rule needs a change"));
    }
    print::notes(&notes);
    print::rewritten_documents(&documents, format)?;
    Ok(CommandStatus::Success)
}

/// Removes the `oldSelf` parts from a CRD, and adds a note for each. Returns an error for objects
/// of other kinds.
fn place_rules_in_crd(
    crd: &mut Value,
    file: &str,
    notes: &mut Vec<String>,
) -> Result<(), CommandError> {
    let description = match crd.get("kind").and_then(Value::as_str) {
        Some("CustomResourceDefinition") => {
            let name = crd.pointer("/metadata/name").and_then(Value::as_str);
            let name = name.unwrap_or_default().to_owned();
            notes.extend(crd::place_rules(crd).into_iter().map(|pointer| {
                format!("{file}: {name}: {pointer}: removed the `oldSelf` part of the rule, which API servers do not support here")
            }));
            return Ok(());
        }
        Some(kind) => format!("kind {kind:?}"),
        None if crd.is_object() => "an object without a kind".to_owned(),
        None => object::json_type_name(crd).to_owned(),
    };
    let message = format!("expected a CustomResourceDefinition, found {description}");
    Err(CommandError::new(file, message))
}
