//! Creates and applies patches of documents in files.

use std::path::Path;

use k8s_crd_validation::normalize_numbers;
use k8s_strategic_merge_patch::OnConflict;
use serde_json::Value;

use super::args::{DocumentsCommand, PatchSchemaArgs, ThreeWayArgs};
use super::last_applied;
use super::request::{PatchReply, PatchRequest};
use super::union_warnings::reply_with_warnings;
use crate::cluster::{CLUSTER, Cluster, Program};
use crate::error::CommandError;
use crate::input::{DocumentFormat, Documents, InputReader, object};
use crate::judge::schema::LoadedSchema;
use crate::output::print::{self, CommandStatus, TextOrJson};

pub(super) fn run(
    op: &DocumentsCommand,
    program: Program,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    let (schema_args, unchanged_fields): (_, &[String]) = match op {
        DocumentsCommand::Diff(args) => (&args.schema, &args.unchanged.unchanged),
        DocumentsCommand::ThreeWay(args) => (&args.schema, &args.unchanged.unchanged),
        DocumentsCommand::Apply(args) => (&args.schema, &[]),
        DocumentsCommand::Compose(args) => (&args.schema, &[]),
    };
    let mut inputs = PatchInputs {
        cluster: schema_args.source.cluster(program)?,
        ..PatchInputs::default()
    };
    let request = match op {
        DocumentsCommand::Diff(args) => PatchRequest::Diff {
            original: inputs.read_optional_object("--original", args.original.as_deref())?,
            modified: inputs.read_object("--filename", &args.modified)?,
        },
        DocumentsCommand::Apply(args) => PatchRequest::Apply {
            original: inputs.read_object("--filename", &args.original)?,
            patch: inputs.read_patch(&args.patch)?,
        },
        DocumentsCommand::ThreeWay(args) => inputs.read_three_way(args)?,
        DocumentsCommand::Compose(args) => PatchRequest::Compose {
            patches: args
                .patch
                .iter()
                .map(|path| inputs.read_patch(path))
                .collect::<Result<_, _>>()?,
        },
    };
    let loaded_schema = inputs.load_schema(schema_args)?;
    if !schema_args.source.is_given() && loaded_schema.is_crd() {
        let message = "API servers do not support strategic merge patches of custom resources; \
                       pass --crd for a client that applies the patch itself";
        return Err(CommandError::new(CLUSTER, message));
    }
    let patch_schema = loaded_schema.patch_schema(&schema_args.compiler())?;
    print::notes(&inputs.notes);
    let (unions, _) = loaded_schema.unions().unwrap_or_default();
    let (reply, warnings) = reply_with_warnings(request, &patch_schema, &unions, unchanged_fields);
    print::warnings(&warnings);
    print_reply(&reply, format)
}

pub(super) fn print_reply(
    reply: &PatchReply,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
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
pub(super) struct PatchInputs {
    pub(super) inputs: InputReader,
    /// The objects, each with its file. Patches are not included, because they have no `apiVersion`
    /// and `kind` to compare with the schema.
    objects: Vec<(String, Value)>,
    pub(super) notes: Vec<String>,
    /// The cluster that supplies the schema and the live object.
    pub(super) cluster: Option<Cluster>,
}

impl PatchInputs {
    fn read_optional_object(
        &mut self,
        flag: &'static str,
        path: Option<&Path>,
    ) -> Result<Value, CommandError> {
        path.map_or(Ok(Value::Null), |path| self.read_object(flag, path))
    }

    /// Returns the live object of `kubectl apply`, with its file. If the live object is that of the
    /// cluster, `modified` gets the namespace of the context.
    fn read_current(
        &mut self,
        path: Option<&Path>,
        modified: &mut Value,
    ) -> Result<(String, Value), CommandError> {
        if let Some(path) = path {
            let current = self.read_object("--current", path)?;
            return Ok((path.display().to_string(), current));
        }
        let Some(cluster) = &mut self.cluster else {
            let message = "missing --current, the live object";
            return Err(CommandError::new("the command line", message));
        };
        cluster.add_namespace(modified)?;
        match live_object(cluster, modified)? {
            Some(current) => Ok((CLUSTER.to_owned(), current)),
            None => Err(CommandError::new(
                CLUSTER,
                format!(
                    "{} is not stored, so `kubectl apply` would create it without a patch",
                    object::display_name(modified)
                ),
            )),
        }
    }

    fn read_three_way(&mut self, args: &ThreeWayArgs) -> Result<PatchRequest, CommandError> {
        let mut original = self.read_optional_object("--original", args.original.as_deref())?;
        let mut modified = self.read_object("--filename", &args.modified)?;
        let (file, current) = self.read_current(args.current.as_deref(), &mut modified)?;
        if args.last_applied {
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

    pub(super) fn read_object(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<Value, CommandError> {
        self.read_matching_object(flag, path, |_| false)
    }

    /// Reads the only object of a file, or the only object that matches.
    pub(super) fn read_matching_object(
        &mut self,
        flag: &'static str,
        path: &Path,
        matches: impl Fn(&Value) -> bool,
    ) -> Result<Value, CommandError> {
        let documents = self.inputs.read_documents(flag, path)?;
        let object = self.select_only_object(&documents, "the object", matches)?;
        self.objects.push((documents.file, object.clone()));
        Ok(object)
    }

    fn read_patch(&mut self, path: &Path) -> Result<Value, CommandError> {
        let documents = self.inputs.read_documents("--patch-file", path)?;
        self.select_only_object(&documents, "the patch", |_| false)
    }

    fn select_only_object(
        &mut self,
        documents: &Documents,
        description: &str,
        matches: impl Fn(&Value) -> bool,
    ) -> Result<Value, CommandError> {
        let value = documents.select_object(description, matches)?;
        if !value.is_object() {
            let type_name = object::json_type_name(value);
            let message = format!("expected an object, found {type_name}");
            return Err(CommandError::new(documents.file.as_str(), message));
        }
        self.notes.extend(documents.note_on_selection(value));
        self.notes.extend(documents.notes.iter().cloned());
        // kubectl sends numbers as Go writes them, so `1.0` in a file equals `1` in the live
        // object.
        let mut value = value.clone();
        normalize_numbers(&mut value);
        Ok(value)
    }

    /// Reads the schema, and checks that it describes the objects.
    pub(super) fn load_schema(
        &mut self,
        args: &PatchSchemaArgs,
    ) -> Result<LoadedSchema, CommandError> {
        let object = self.objects.last().map(|(_, object)| object);
        let schema = args
            .source
            .load(&mut self.inputs, object, self.cluster.as_mut())?;
        self.notes.extend(schema.notes.iter().cloned());
        for (file, object) in &self.objects {
            schema.check_type(file, object)?;
        }
        Ok(schema)
    }
}

/// Reads the stored object; `None` if there is none.
fn live_object(cluster: &mut Cluster, object: &Value) -> Result<Option<Value>, CommandError> {
    let live_object = cluster.stored_object(object)?;
    if cluster.unread_count() > 0 {
        let message =
            "the live object could not be read; see the warning above, or pass it as a file";
        return Err(CommandError::new(CLUSTER, message));
    }
    Ok(live_object.map(|mut live_object| {
        normalize_numbers(&mut live_object);
        live_object
    }))
}
