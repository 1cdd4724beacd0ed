//! Switches a union of an object to another member.

use std::path::Path;

use k8s_builtin_unions::KindUnions;
use k8s_crd_validation::near_name;
use k8s_strategic_merge_patch::{
    MemberChoice, MemberSwitchError, PatchSchema, Switch, UnknownFieldPolicy,
};
use serde_json::{Value, json};
use union_json::Unions;
use union_runtime::path::FieldPath;

use super::args::{PatchType, SwitchArgs};
use super::files::{PatchInputs, print_reply};
use super::request::{PatchErrorReply, PatchReply};
use crate::cluster::{FileInputs, Program};
use crate::error::CommandError;
use crate::input::resolve_path::resolve_path;
use crate::input::{Documents, object};
use crate::judge::builtin;
use crate::judge::schema::LoadedSchema;
use crate::output::print::{self, CommandStatus, TextOrJson};

pub(super) fn run(
    args: &SwitchArgs,
    program: Program,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    let mut inputs = PatchInputs::default();
    // A schema of the user may describe another object of the file.
    let is_known =
        |object: &Value| !args.schema.source.is_given() && builtin::kind_of(object).is_some();
    let live = inputs.read_matching_object("--filename", &args.object, is_known)?;
    let union_path = resolve_path(&args.union, &live)
        .map_err(|problem| CommandError::new("--union", problem))?;
    let mut choice = MemberChoice::new(union_path, args.to.as_str());
    if let Some(value) = read_value(args, &mut inputs)? {
        choice = choice.with_value(value);
    }
    let source = SwitchSource::read(args, program, &mut inputs, &live)?;
    let switch = source.switch(&live, &choice);
    print::notes(&inputs.notes);
    match switch {
        Ok(switch) => {
            print::notes(&source.notes_on_patch(&switch));
            print_reply(&source.reply(&switch), format)
        }
        Err(
            error @ (MemberSwitchError::Invalid { .. }
            | MemberSwitchError::NotExpressible { .. }
            | MemberSwitchError::Patch(_)),
        ) => print_reply(&rejection(&error), format),
        Err(error) => Err(flag_error(&error)),
    }
}

fn read_value(args: &SwitchArgs, inputs: &mut PatchInputs) -> Result<Option<Value>, CommandError> {
    let documents = match (&args.value, &args.value_file) {
        (Some(text), _) => Documents::parse("--value", text.as_bytes())
            .map_err(|error| error.in_file("--value"))?,
        (None, Some(path)) => read_value_file(path, inputs)?,
        (None, None) => return Ok(None),
    };
    let found = match documents.values.as_slice() {
        [value] => return Ok(Some(value.clone())),
        [] => "null or nothing; a member that is set is not null".to_owned(),
        values => format!("{} values; pass one", values.len()),
    };
    let message = format!("expected the value of a member, found {found}");
    Err(CommandError::new(documents.file.as_str(), message))
}

fn read_value_file(path: &Path, inputs: &mut PatchInputs) -> Result<Documents, CommandError> {
    inputs.inputs.read_documents("--value-file", path)
}

/// The unions and the patch strategies of an object.
struct SwitchSource {
    unions: ObjectUnions,
    schema: PatchSchema,
    patch_type: PatchType,
}

enum ObjectUnions {
    Builtin(KindUnions),
    OfSchema(Unions),
}

impl SwitchSource {
    /// Reads the unions and the strategies from the table of built-in kinds, or else from a schema.
    fn read(
        args: &SwitchArgs,
        program: Program,
        inputs: &mut PatchInputs,
        live: &Value,
    ) -> Result<Self, CommandError> {
        let builtin_kind = builtin::kind_of(live);
        let has_source = args.schema.source.is_given() || builtin_kind.is_some();
        let file_inputs = FileInputs::new(has_source);
        inputs.cluster = args.schema.source.cluster_for(program, file_inputs)?;
        let builtin_unions = builtin_kind.map(builtin::unions_to_switch).transpose()?;
        let needs_schema = args.schema.source.is_given() || inputs.cluster.is_some();
        if let (Some((unions, schema)), false) = (&builtin_unions, needs_schema) {
            let flags = args.schema.given_flags();
            inputs.notes.extend(builtin::notes_on_flags(&flags));
            return Ok(Self {
                unions: ObjectUnions::Builtin(unions.clone()),
                schema: schema.clone(),
                patch_type: args.patch_type.unwrap_or(PatchType::Strategic),
            });
        }
        if !needs_schema {
            let name = object::display_name(live);
            return Err(CommandError::new(
                "the command line",
                format!(
                    "missing --crd or --schema: the table of built-in kinds has no unions of {name}"
                ),
            ));
        }
        let loaded = inputs.load_schema(&args.schema)?;
        let (declared, problems) = loaded.unions()?;
        let infers_unions = declared.is_empty() && problems.is_empty();
        inputs.notes.extend(problems);
        let unions = match (infers_unions, builtin_unions) {
            (false, _) => ObjectUnions::OfSchema(declared),
            (true, Some((unions, _))) => ObjectUnions::Builtin(unions),
            (true, None) => {
                let inferred = loaded.inferred_unions()?;
                let inferred = inferred.ok_or_else(|| missing_unions_error(&loaded))?;
                inputs.notes.extend(inferred.notes);
                ObjectUnions::OfSchema(inferred.unions)
            }
        };
        let default_type = if loaded.is_crd() {
            PatchType::Merge
        } else {
            PatchType::Strategic
        };
        let patch_type = args.patch_type.unwrap_or(default_type);
        let compiler = args.schema.compiler();
        let schema = match patch_type {
            PatchType::Strategic => loaded.patch_schema(&compiler)?,
            // A JSON merge patch does not depend on strategies.
            PatchType::Merge => compiler
                .with_policy(UnknownFieldPolicy::Schemaless)
                .schema(&json!({}))
                .map_err(|error| CommandError::new("the schema", error.message()))?,
        };
        Ok(Self {
            unions,
            schema,
            patch_type,
        })
    }

    fn switch(&self, live: &Value, choice: &MemberChoice) -> Result<Switch, MemberSwitchError> {
        match &self.unions {
            ObjectUnions::Builtin(unions) => unions.switch(&self.schema, live, choice),
            ObjectUnions::OfSchema(unions) => {
                let validate = |object: &Value| unions.validate(object);
                self.schema
                    .switch_member(std::slice::from_ref(unions), live, choice, validate)
            }
        }
    }

    fn reply(&self, switch: &Switch) -> PatchReply {
        match self.patch_type {
            PatchType::Strategic => PatchReply::Patch {
                patch: switch.strategic_patch().clone(),
                warnings: switch.warnings().to_vec(),
            },
            PatchType::Merge => PatchReply::Patch {
                patch: switch.merge_patch().clone(),
                warnings: Vec::new(),
            },
        }
    }

    /// Returns the notes on the type of the patch, and on the list that it replaces.
    fn notes_on_patch(&self, switch: &Switch) -> Vec<String> {
        let (list, reason) = match self.patch_type {
            PatchType::Strategic => (
                switch.list_in_strategic_patch(),
                "its elements have no merge key of their own",
            ),
            PatchType::Merge => (
                switch.list_in_merge_patch(),
                "a JSON merge patch has no elements of lists",
            ),
        };
        let mut notes = Vec::new();
        if self.patch_type == PatchType::Merge {
            notes.push(
                "the patch is a JSON merge patch; `kubectl patch` needs --type=merge".to_owned(),
            );
        }
        notes.extend(list.map(|list| {
            format!(
                "{list}: the patch has the whole list, because {reason}, and overwrites changes that others make in the \
                 meantime; set metadata.resourceVersion in the patch to reject these"
            )
        }));
        notes
    }
}

fn missing_unions_error(schema: &LoadedSchema) -> CommandError {
    let message = format!(
        "{}, and the rules imply none; declare them, or add rules",
        schema.note_on_missing_unions()
    );
    CommandError::new("the schema", message)
}

/// Returns the reply for a patch that would not have the wanted result.
fn rejection(error: &MemberSwitchError) -> PatchReply {
    let error = match error {
        MemberSwitchError::Invalid { errors, .. } => {
            let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
            let path = errors.first().map(|error| error.path().clone());
            PatchErrorReply::new(
                "InvalidUnion",
                path.unwrap_or_default(),
                format!(
                    "the union is invalid after the switch: {}",
                    messages.join("; ")
                ),
            )
        }
        MemberSwitchError::Patch(error) => PatchErrorReply::new(
            error.kind().as_str(),
            error.path().clone(),
            error.message().to_owned(),
        ),
        error => PatchErrorReply::new("NotExpressible", FieldPath::root(), error.to_string()),
    };
    PatchReply::Error { error }
}

/// Returns the error about a flag.
fn flag_error(error: &MemberSwitchError) -> CommandError {
    let flag = match error {
        MemberSwitchError::NoUnion { .. } => "--union",
        MemberSwitchError::MissingValue { .. } | MemberSwitchError::UnexpectedValue { .. } => {
            "--value"
        }
        _ => "--to",
    };
    let mut message = error.to_string();
    if let MemberSwitchError::UnknownMember {
        member, allowed, ..
    } = error
        && let Some(name) = near_name(member, allowed.iter().map(String::as_str))
    {
        message = format!("{message}; did you mean {name:?}?");
    }
    CommandError::new(flag, message)
}
