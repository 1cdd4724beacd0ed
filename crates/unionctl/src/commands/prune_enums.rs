//! `unionctl prune-enums`: removes enum types from a document, for client generators that use
//! strings.

use std::path::PathBuf;

use union_json::openapi::prune_enums;

use crate::error::CommandError;
use crate::input::{InputReader, list, object};
use crate::judge::schema::DocumentType;
use crate::output::print::{self, CommandStatus, TextOrJson};

/// Replace enum types by plain strings, for code generators.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct PruneEnumsArgs {
    #[arg(long, value_name = "FILE")]
    #[arg(help = "A schema, an OpenAPI document, or a CRD")]
    schema: PathBuf,
}

const LONG_ABOUT: &str = "\
Replace enum types by plain strings, for code generators.

The property stays a string. The command removes its `enum`, and the list \"Possible enum values:\" from its description. \
An enum without this list is not an enum type, and does not change.

The output is the document in the format of the input, YAML or JSON, with sorted keys and without comments.";

const EXAMPLES: &str = "\
Example:
  unionctl prune-enums --schema discriminator.yaml";

pub(crate) fn run(
    args: &PruneEnumsArgs,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    let mut documents = InputReader::default().read_documents("--schema", &args.schema)?;
    let file = &documents.file;
    if documents.values.is_empty() {
        let message = "empty input; expected a schema, an OpenAPI document or a CRD";
        return Err(CommandError::new(file.as_str(), message));
    }
    for document in &documents.values {
        let found = match DocumentType::detect(document) {
            _ if !document.is_object() => object::json_type_name(document).to_owned(),
            DocumentType::Object if list::list_items(document).is_none() => {
                object::display_name(document)
            }
            _ => continue,
        };
        let message = format!("expected a schema, an OpenAPI document or a CRD, found {found}");
        return Err(CommandError::new(file.as_str(), message));
    }
    let original = documents.values.clone();
    documents.values.iter_mut().for_each(prune_enums);
    if documents.values == original {
        print::notes(&[format!(
            "{file}: no enum types found: no description has the list \"Possible enum values:\""
        )]);
    }
    print::rewritten_documents(&documents, format)?;
    Ok(CommandStatus::Success)
}
