//! Validates requests whose objects are in files.

use std::cell::RefCell;

use k8s_crd_validation::ServerSettings;
use serde_json::Value;

use super::args::CheckArgs;
use super::object_report::ObjectReport;
use super::stored_objects::StoredObjects;
use super::summary::CheckSummary;
use crate::error::CommandError;
use crate::input::InputReader;
use crate::judge::builtin::{BuiltinValidator, NOTE_ON_OLD, note_on_scope};
use crate::judge::crds::Crds;
use crate::judge::hints::quotes;
use crate::judge::manifest;
use crate::judge::objects::{BuiltinObject, InputObject, ObjectFiles, ProcessBuiltin};
use crate::judge::reply::check_reply::{CheckReply, ObjectRequest, RequestBody};
use crate::output::print::{self, CommandStatus, OutputFormat};

pub(super) fn run(
    args: &CheckArgs,
    settings: &ServerSettings,
    inputs: &mut InputReader,
    mut crds: Crds,
    format: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    let [new_files, old_files] = object_files(args);
    let summary = RefCell::new(CheckSummary::new(format, args.objects.strict_kinds));
    let mut stored_objects = StoredObjects::default();
    let mut unreadable_count = 0;
    if args.old.is_some() {
        let skipped;
        (stored_objects, skipped) = StoredObjects::load(old_files, inputs, &mut crds)?;
        unreadable_count = skipped.unreadable;
    }
    let check = |mut object: InputObject, is_only_object, crds: &mut Crds| {
        check_object(
            &mut object,
            &stored_objects,
            is_only_object,
            args,
            settings,
            crds,
        )
        .map(|report| summary.borrow_mut().add(report, object.source.as_ref()))
    };
    let mut validator = BuiltinValidator::default();
    let mut check_builtin = |object: BuiltinObject| {
        let mut summary = summary.borrow_mut();
        if args.old.is_some() {
            summary.add_note(NOTE_ON_OLD.to_owned());
        }
        check_builtin_object(object, settings, &mut validator, &mut summary)
    };
    // Without a cluster, the CRDs of the user are all kinds that are checked.
    let has_cluster = crds.cluster_mut().is_some();
    let check_builtin: Option<&mut ProcessBuiltin<'_>> = has_cluster.then_some(&mut check_builtin);
    // The first object of a single file waits for the second, because an object that is alone is
    // paired with a stored object that is alone.
    let has_several_files = new_files.may_have_several_files();
    let mut first_object = None;
    let mut object_count = 0;
    let process = |object, _, crds: &mut Crds| {
        object_count += 1;
        if !has_several_files && object_count == 1 {
            first_object = Some(object);
            return Ok(());
        }
        if let Some(object) = first_object.take() {
            check(object, false, crds)?;
        }
        check(object, false, crds)
    };
    let mut skipped = new_files.for_each_with_builtin(inputs, &mut crds, process, check_builtin)?;
    if let Some(object) = first_object {
        check(object, true, &mut crds)?;
    }
    let unreadable_files = [
        (skipped.unreadable, new_files),
        (unreadable_count, old_files),
    ];
    skipped.unreadable += unreadable_count;
    // Further parts are read when objects are checked.
    skipped.unread_parts = crds.unread_parts();
    let mut summary = summary.into_inner();
    summary.skipped_objects = skipped;
    print::notes(crds.note_on_errors().as_slice());
    summary.print()?;
    verdict(&summary, unreadable_files)
}

/// Returns the files of `--filename` and `--old`.
pub(super) fn object_files(args: &CheckArgs) -> [ObjectFiles<'_>; 2] {
    let new_files = ObjectFiles {
        flag: "--filename",
        paths: &args.new,
        with_sources: true,
        are_converted: false,
        args: &args.objects,
    };
    let old_files = ObjectFiles {
        flag: "--old",
        paths: args.old.as_slice(),
        with_sources: false,
        are_converted: false,
        args: &args.objects,
    };
    [new_files, old_files]
}

fn check_builtin_object(
    object: BuiltinObject,
    settings: &ServerSettings,
    validator: &mut BuiltinValidator,
    summary: &mut CheckSummary,
) -> Result<(), CommandError> {
    summary.add_note(note_on_scope(object.kind));
    let source = object.source.as_ref();
    let body = RequestBody {
        value: object.value,
        source,
    };
    let reply = validator.reply(object.kind, body, settings.field_validation)?;
    summary.add(ObjectReport::of_unions(object.file, reply), source);
    Ok(())
}

/// Returns the status of the command, or an error if a file could not be read. `unreadable_files`
/// are the numbers of files that could not be read.
fn verdict(
    summary: &CheckSummary,
    unreadable_files: [(usize, ObjectFiles<'_>); 2],
) -> Result<CommandStatus, CommandError> {
    let unreadable_files = unreadable_files.iter().filter(|(count, _)| *count > 0);
    let paths: Vec<String> = unreadable_files
        .map(|(_, files)| files.display_paths())
        .collect();
    if paths.is_empty() {
        return Ok(summary.command_status());
    }
    let count = summary.skipped_objects.unreadable;
    Err(print::unreadable_files(&paths.join(", "), count))
}

fn check_object(
    new_object: &mut InputObject,
    stored_objects: &StoredObjects,
    is_only_object: bool,
    args: &CheckArgs,
    settings: &ServerSettings,
    crds: &mut Crds,
) -> Result<ObjectReport, CommandError> {
    let is_namespaced = crds.is_namespaced(new_object.crd);
    if let Some(namespace) = args.objects.namespace.as_deref().filter(|_| is_namespaced) {
        manifest::set_missing_namespace(&mut new_object.value, namespace);
        if new_object.namespace() != Some(namespace) {
            let message = format!(
                "the namespace of {} is not {namespace:?} (--namespace); remove the flag, or change the object",
                new_object.title()
            );
            return Err(CommandError::new(new_object.file.as_str(), message));
        }
    } else if is_namespaced
        && new_object.namespace().is_none()
        && let Some(cluster) = crds.cluster_mut()
    {
        let namespace = cluster.context_namespace()?;
        manifest::set_missing_namespace(&mut new_object.value, namespace);
    }
    // Stored objects have a namespace. The new object gets the default namespace, so that its
    // stored object is found.
    let mut namespaced_value = new_object.value.clone();
    manifest::complete(&mut namespaced_value, None, is_namespaced);
    let namespaced_object = InputObject {
        file: new_object.file.clone(),
        value: namespaced_value,
        crd: new_object.crd,
        source: None,
    };
    let object_in_cluster = match &args.old {
        Some(_) => None,
        None => crds.read_stored_object(new_object.crd, &namespaced_object.value)?,
    };
    let old_object = stored_objects
        .find_for(&namespaced_object, is_only_object)
        .or(object_in_cluster.as_ref());
    manifest::complete(&mut new_object.value, old_object, is_namespaced);
    if old_object.is_none() && args.updates_status() {
        return Err(CommandError::new(
            new_object.file.as_str(),
            format!(
                "cannot update the status of {}, which is not stored; pass the stored object to --old",
                new_object.title()
            ),
        ));
    }
    let mut report = check_request(
        new_object,
        old_object,
        args.updates_status(),
        settings,
        crds,
    )?;
    let served = crds.served_versions_instead_of(new_object.crd, &new_object.value);
    if let Some(served) = served.filter(|_| args.version.is_none()) {
        report.reply.add_unserved_version(&served);
    }
    Ok(report)
}

/// Validates a create, an update or a status update. `new_object` must have all fields that kubectl
/// sends.
pub(crate) fn check_request(
    new_object: &InputObject,
    old_object: Option<&Value>,
    is_status_update: bool,
    settings: &ServerSettings,
    crds: &mut Crds,
) -> Result<ObjectReport, CommandError> {
    let request = match old_object {
        Some(old_object) if is_status_update => ObjectRequest::UpdateStatus(old_object),
        Some(old_object) => ObjectRequest::Update(old_object),
        None => ObjectRequest::Create,
    };
    let schema = crds.schema(new_object.crd, &new_object.value)?;
    let body = RequestBody {
        value: new_object.value.clone(),
        source: new_object.source.as_ref(),
    };
    let mut reply = CheckReply::validate_body(&schema, request, body, settings);
    if let Some(source) = &new_object.source {
        quotes::add_hints(
            &mut reply.errors,
            &new_object.value,
            source,
            &new_object.file,
        );
    }
    Ok(ObjectReport::new(new_object, request, reply))
}
