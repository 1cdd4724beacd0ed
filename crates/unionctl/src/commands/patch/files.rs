//! Creates and applies patches of documents in files.

use k8s_strategic_merge_patch::OnConflict;
use std::path::Path;

use k8s_crd_validation::normalize_numbers;
use serde_json::Value;

use super::args::{PatchCommand, PatchSchemaArgs, ThreeWayArgs};
use super::last_applied;
use super::request::{PatchReply, PatchRequest};
use crate::error::CommandError;
use crate::input::{DocumentFormat, Documents, InputReader, object};
use crate::judge::schema::LoadedSchema;
use crate::output::print::{self, CommandStatus, TextOrJson};

pub(super) fn run(op: &PatchCommand, format: TextOrJson) -> Result<CommandStatus, CommandError> {
    let mut files = PatchInputs::default();
    let (schema, unchanged): (_, &[String]) = match op {
        PatchCommand::Diff(args) => (&args.schema, &args.unchanged.unchanged),
        PatchCommand::ThreeWay(args) => (&args.schema, &args.unchanged.unchanged),
        PatchCommand::Apply(args) => (&args.schema, &[]),
        PatchCommand::Compose(args) => (&args.schema, &[]),
    };
    let request = match op {
        PatchCommand::Diff(args) => PatchRequest::Diff {
            original: files.read_optional_object("--original", args.original.as_deref())?,
            modified: files.object("--modified", &args.modified)?,
        },
        PatchCommand::Apply(args) => PatchRequest::Apply {
            original: files.object("--original", &args.original)?,
            patch: files.patch(&args.patch)?,
        },
        PatchCommand::ThreeWay(args) => files.read_three_way(args)?,
        PatchCommand::Compose(args) => PatchRequest::Compose {
            patches: args
                .patch
                .iter()
                .map(|path| files.patch(path))
                .collect::<Result<_, _>>()?,
        },
    };
    let source = files.schema(schema)?;
    let schema = source.patch_schema(&schema.compiler())?;
    print::notes(&files.notes);
    print(&request.answer(&schema, unchanged), format)
}

fn print(reply: &PatchReply, format: TextOrJson) -> Result<CommandStatus, CommandError> {
    if let PatchReply::Patch { warnings, .. } = reply {
        let warnings = warnings.iter().map(ToString::to_string);
        print::warnings(&warnings.collect::<Vec<_>>());
    }
    match reply {
        PatchReply::Patch {
            patch: document, ..
        }
        | PatchReply::Result { result: document } => {
            let form = match format {
                TextOrJson::Text => DocumentFormat::Yaml,
                TextOrJson::Json => DocumentFormat::Json,
            };
            print::documents(std::slice::from_ref(document), form)?;
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
        path.map_or(Ok(Value::Null), |path| self.object(flag, path))
    }

    fn read_three_way(&mut self, args: &ThreeWayArgs) -> Result<PatchRequest, CommandError> {
        let mut original = self.read_optional_object("--original", args.original.as_deref())?;
        let mut modified = self.object("--modified", &args.modified)?;
        let current = self.object("--current", &args.current)?;
        if args.last_applied {
            let file = args.current.display().to_string();
            last_applied::write_annotation(&args.modified.display().to_string(), &mut modified)?;
            match last_applied::read_annotation(&file, &current)? {
                Some(mut applied) => {
                    normalize_numbers(&mut applied);
                    original = applied;
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

    fn object(&mut self, flag: &'static str, path: &Path) -> Result<Value, CommandError> {
        let documents = self.inputs.read_documents(flag, path)?;
        let object = self.only(&documents, "the object")?;
        self.objects.push((documents.file, object.clone()));
        Ok(object)
    }

    fn patch(&mut self, path: &Path) -> Result<Value, CommandError> {
        let documents = self.inputs.read_documents("--patch", path)?;
        self.only(&documents, "the patch")
    }

    fn only(&mut self, documents: &Documents, wanted: &str) -> Result<Value, CommandError> {
        let value = documents.select_object(wanted, |_| false)?;
        if !value.is_object() {
            let found = object::json_type_name(value);
            let message = format!("expected an object, found {found}");
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
    fn schema(&mut self, args: &PatchSchemaArgs) -> Result<LoadedSchema, CommandError> {
        let object = self.objects.last().map(|(_, object)| object);
        let source = args.source.load(&mut self.inputs, object)?;
        self.notes.extend(source.notes.iter().cloned());
        for (file, object) in &self.objects {
            source.check_type(file, object)?;
        }
        Ok(source)
    }
}
