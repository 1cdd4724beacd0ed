//! Creates and applies patches of documents in files.

use std::path::Path;

use k8s_crd_validation::normalize_numbers;
use k8s_strategic_merge_patch::OnConflict;
use serde_json::Value;

use super::args::{PatchCommand, PatchSchemaArgs, ThreeWayArgs};
use super::last_applied;
use super::request::{PatchReply, PatchRequest};
use super::union_warnings::reply_with_warnings;
use crate::error::CommandError;
use crate::input::{DocumentFormat, Documents, InputReader, object};
use crate::judge::schema::LoadedSchema;
use crate::output::print::{self, CommandStatus, TextOrJson};

pub(super) fn run(op: &PatchCommand, format: TextOrJson) -> Result<CommandStatus, CommandError> {
    let mut inputs = PatchInputs::default();
    let (schema_args, unchanged_fields): (_, &[String]) = match op {
        PatchCommand::Diff(args) => (&args.schema, &args.unchanged.unchanged),
        PatchCommand::ThreeWay(args) => (&args.schema, &args.unchanged.unchanged),
        PatchCommand::Apply(args) => (&args.schema, &[]),
        PatchCommand::Compose(args) => (&args.schema, &[]),
    };
    let request = match op {
        PatchCommand::Diff(args) => PatchRequest::Diff {
            original: inputs.read_optional_object("--original", args.original.as_deref())?,
            modified: inputs.read_object("--filename", &args.modified)?,
        },
        PatchCommand::Apply(args) => PatchRequest::Apply {
            original: inputs.read_object("--filename", &args.original)?,
            patch: inputs.read_patch(&args.patch)?,
        },
        PatchCommand::ThreeWay(args) => inputs.read_three_way(args)?,
        PatchCommand::Compose(args) => PatchRequest::Compose {
            patches: args
                .patch
                .iter()
                .map(|path| inputs.read_patch(path))
                .collect::<Result<_, _>>()?,
        },
    };
    let loaded_schema = inputs.load_schema(schema_args)?;
    let patch_schema = loaded_schema.patch_schema(&schema_args.compiler())?;
    print::notes(&inputs.notes);
    let (unions, _) = loaded_schema.unions().unwrap_or_default();
    let (reply, warnings) = reply_with_warnings(request, &patch_schema, &unions, unchanged_fields);
    print::warnings(&warnings);
    print_reply(&reply, format)
}

fn print_reply(reply: &PatchReply, format: TextOrJson) -> Result<CommandStatus, CommandError> {
    if let PatchReply::Patch { warnings, .. } = reply {
        let warnings = warnings.iter().map(ToString::to_string);
        print::warnings(&warnings.collect::<Vec<_>>());
    }
    match reply {
        PatchReply::Patch {
            patch: document, ..
        }
        | PatchReply::Result { result: document } => {
            let document_format = match format {
                TextOrJson::Text => DocumentFormat::Yaml,
                TextOrJson::Json => DocumentFormat::Json,
            };
            print::documents(std::slice::from_ref(document), document_format)?;
            Ok(CommandStatus::Success)
        }
        PatchReply::Error { error } => {
            for (path, message) in error.lines() {
                print::error(&CommandError::new(path.as_str(), message.as_str()));
            }
            if format == TextOrJson::Json {
                print::json(&[reply])?;
            }
            Ok(CommandStatus::Rejected)
        }
    }
}

/// The documents that were read from files.
#[derive(Default)]
struct PatchInputs {
    inputs: InputReader,
    /// The objects, each with its file. Patches are not included, because they have no `apiVersion`
    /// and `kind` to compare with the schema.
    objects: Vec<(String, Value)>,
    notes: Vec<String>,
}

impl PatchInputs {
    fn read_optional_object(
        &mut self,
        flag: &'static str,
        path: Option<&Path>,
    ) -> Result<Value, CommandError> {
        path.map_or(Ok(Value::Null), |path| self.read_object(flag, path))
    }

    fn read_three_way(&mut self, args: &ThreeWayArgs) -> Result<PatchRequest, CommandError> {
        let mut original = self.read_optional_object("--original", args.original.as_deref())?;
        let mut modified = self.read_object("--filename", &args.modified)?;
        let current = self.read_object("--current", &args.current)?;
        if args.last_applied {
            let file = args.current.display().to_string();
            last_applied::write_annotation(&args.modified.display().to_string(), &mut modified)?;
            match last_applied::read_annotation(&file, &current)? {
                Some(mut last_applied) => {
                    normalize_numbers(&mut last_applied);
                    original = last_applied;
                }
                None => self.notes.push(format!(
                    "{file}: the last-applied annotation is missing, so the patch removes no fields, as with kubectl; \
                     pass the last applied object to --original"
                )),
            }
        }
        Ok(PatchRequest::ThreeWay {
            original,
            modified,
            current,
            on_conflict: if args.refuse_conflicts {
                OnConflict::Fail
            } else {
                OnConflict::Overwrite
            },
        })
    }

    fn read_object(&mut self, flag: &'static str, path: &Path) -> Result<Value, CommandError> {
        let documents = self.inputs.read_documents(flag, path)?;
        let object = self.select_only_object(&documents, "the object")?;
        self.objects.push((documents.file, object.clone()));
        Ok(object)
    }

    fn read_patch(&mut self, path: &Path) -> Result<Value, CommandError> {
        let documents = self.inputs.read_documents("--patch-file", path)?;
        self.select_only_object(&documents, "the patch")
    }

    fn select_only_object(
        &mut self,
        documents: &Documents,
        description: &str,
    ) -> Result<Value, CommandError> {
        let value = documents.select_object(description, |_| false)?;
        if !value.is_object() {
            let type_name = object::json_type_name(value);
            let message = format!("expected an object, found {type_name}");
            return Err(CommandError::new(documents.file.as_str(), message));
        }
        self.notes.extend(documents.notes.iter().cloned());
        // kubectl sends numbers as Go writes them, so `1.0` in a file equals `1` in the live
        // object.
        let mut value = value.clone();
        normalize_numbers(&mut value);
        Ok(value)
    }

    /// Reads the schema, and checks that it describes the objects.
    fn load_schema(&mut self, args: &PatchSchemaArgs) -> Result<LoadedSchema, CommandError> {
        let object = self.objects.last().map(|(_, object)| object);
        let schema = args.source.load(&mut self.inputs, object)?;
        self.notes.extend(schema.notes.iter().cloned());
        for (file, object) in &self.objects {
            schema.check_type(file, object)?;
        }
        Ok(schema)
    }
}
