//! Reads the objects of a file or a folder, and finds their CRDs.

use std::fmt::Write as _;
use std::mem;
use std::path::PathBuf;

use k8s_builtin_unions::BuiltinKind;
use serde_json::Value;

use crate::error::CommandError;
use crate::input::{
    DocumentStream, InputReader, ObjectSource, StreamedDocument, display_file, folder, list, object,
};
use crate::judge::builtin;
use crate::judge::crds::{CrdId, Crds};
use crate::judge::object_args::ObjectArgs;
use crate::judge::skipped_objects::{SkippedObjects, UncheckedReason};
use crate::output::print;
use crate::output::progress_bar::ProgressBar;
use crate::output::table::pluralize;

/// An object with its file and its CRD.
#[derive(Debug)]
pub(crate) struct InputObject {
    pub(crate) file: String,
    pub(crate) value: Value,
    pub(crate) crd: CrdId,
    /// The source of the object; `None` if duplicate keys and positions are not reported.
    pub(crate) source: Option<ObjectSource>,
}

/// The flag and the paths of files or folders with objects.
#[derive(Clone, Copy)]
pub(crate) struct ObjectFiles<'p> {
    pub(crate) flag: &'static str,
    pub(crate) paths: &'p [PathBuf],
    /// True if objects keep their sources. Duplicate keys are then not errors of the file.
    pub(crate) with_sources: bool,
    /// True if a server converts the objects, which are stored, to the version of their schema.
    pub(crate) are_converted: bool,
    pub(crate) args: &'p ObjectArgs,
}

/// An object of a built-in kind that has unions.
pub(crate) struct BuiltinObject {
    pub(crate) file: String,
    pub(crate) value: Value,
    pub(crate) kind: BuiltinKind,
    pub(crate) source: Option<ObjectSource>,
}

/// Processes an object of a built-in kind.
pub(crate) type ProcessBuiltin<'p> = dyn FnMut(BuiltinObject) -> Result<(), CommandError> + 'p;

/// An object of a file.
struct FileObject {
    value: Value,
    /// The number of bytes in the file; for an element of a list, the average of the elements.
    bytes: usize,
    source: Option<ObjectSource>,
    is_list_item: bool,
}

/// The state of a search for objects with a CRD.
struct ObjectSearch<'c, 'p, P> {
    crds: &'c mut Crds,
    process: P,
    process_builtin: Option<&'c mut ProcessBuiltin<'p>>,
    are_converted: bool,
    skipped_objects: SkippedObjects,
    processed_count: usize,
    has_empty_list: bool,
}

impl ObjectFiles<'_> {
    /// Calls `process` with each object that has a CRD and with its size in bytes. Returns the
    /// numbers of skipped objects and files. An invalid file is reported and skipped if there may
    /// be others. One document is in memory at a time.
    pub(crate) fn for_each(
        self,
        inputs: &mut InputReader,
        crds: &mut Crds,
        process: impl FnMut(InputObject, usize, &mut Crds) -> Result<(), CommandError>,
    ) -> Result<SkippedObjects, CommandError> {
        self.for_each_with_builtin(inputs, crds, process, None)
    }

    /// Does the same as [`for_each`](Self::for_each), and calls `process_builtin` with each object
    /// of a built-in kind that has unions. Without `process_builtin`, these objects are skipped.
    pub(crate) fn for_each_with_builtin(
        self,
        inputs: &mut InputReader,
        crds: &mut Crds,
        process: impl FnMut(InputObject, usize, &mut Crds) -> Result<(), CommandError>,
        process_builtin: Option<&mut ProcessBuiltin<'_>>,
    ) -> Result<SkippedObjects, CommandError> {
        let has_several_files = self.may_have_several_files();
        let (files, unread_folders) = self.find_files()?;
        let mut progress = ProgressBar::for_files(files.len());
        let mut search = ObjectSearch {
            crds,
            process,
            process_builtin,
            are_converted: self.are_converted,
            skipped_objects: SkippedObjects {
                unreadable: unread_folders,
                ..SkippedObjects::default()
            },
            processed_count: 0,
            has_empty_list: false,
        };
        for file in &files {
            let read_error = match inputs.open_documents(self.flag, file, self.with_sources) {
                Err(error) => Some(error),
                Ok(mut documents) => {
                    let read_error = search.process_documents(&mut documents, has_several_files)?;
                    let notes = documents.into_notes();
                    if !notes.is_empty() {
                        progress.clear();
                        print::notes(&notes);
                    }
                    read_error
                }
            };
            match read_error {
                None => {}
                Some(error) if has_several_files => {
                    progress.clear();
                    print::error(&error);
                    search.skipped_objects.unreadable += 1;
                }
                Some(error) => return Err(error),
            }
            progress.step();
        }
        let found_objects = search.processed_count > 0 || search.has_empty_list;
        let mut skipped_objects = search.skipped_objects;
        skipped_objects.unread_parts = search.crds.unread_parts();
        let is_incomplete = skipped_objects.unreadable > 0 || skipped_objects.unread_parts > 0;
        if !found_objects && !is_incomplete {
            return Err(self.no_checked_objects_error(&skipped_objects, search.crds));
        }
        Ok(skipped_objects)
    }

    /// Returns the files of the paths, and the number of folders that were not searched. Their
    /// errors are printed.
    pub(crate) fn find_files(self) -> Result<(Vec<PathBuf>, usize), CommandError> {
        let (mut files, mut unread_folders) = (Vec::new(), 0);
        for path in self.paths {
            let found = folder::find_files(self.flag, path, self.args.recursive)?;
            files.extend(found.files);
            unread_folders += found.errors.len();
            found.errors.iter().for_each(print::error);
        }
        Ok((files, unread_folders))
    }

    /// Returns true for a folder or several paths. A file that cannot be read is then skipped.
    pub(crate) fn may_have_several_files(self) -> bool {
        match self.paths {
            [path] => path.is_dir(),
            _ => true,
        }
    }

    /// Returns the paths for messages.
    pub(crate) fn display_paths(self) -> String {
        let paths = self.paths.iter().map(|path| display_file(path));
        paths.collect::<Vec<_>>().join(", ")
    }

    /// Returns the error for files without objects.
    pub(crate) fn no_objects_error(self) -> CommandError {
        let flag = self.flag;
        let message = format!("no objects found; pass a file or folder with objects to {flag}");
        CommandError::new(self.display_paths(), message)
    }

    fn no_checked_objects_error(
        self,
        skipped_objects: &SkippedObjects,
        crds: &Crds,
    ) -> CommandError {
        let path = self.display_paths();
        let unchecked_count = skipped_objects.unchecked.object_count();
        let object_count = skipped_objects.skipped + unchecked_count;
        if object_count == 0 {
            return self.no_objects_error();
        }
        let (crd_file, kinds) = (&crds.file, crds.kinds());
        let converted_count = skipped_objects.unchecked.converted_count();
        let mut message = if converted_count == object_count {
            let objects = pluralize(object_count, "object");
            format!("a webhook of {crd_file} converts {objects} to the version of the schema")
        } else if kinds.is_empty() {
            format!(
                "the cluster has no CRD for {}",
                pluralize(object_count, "object")
            )
        } else {
            format!(
                "{crd_file} does not define the kind of {}; it defines {kinds}",
                match object_count {
                    1 => "the object".to_owned(),
                    count => format!("any of the {count} objects"),
                }
            )
        };
        let unchecked_lines = skipped_objects.unchecked.lines();
        if !unchecked_lines.is_empty() {
            let _ = write!(message, "; not checked: {}", unchecked_lines.join("; "));
        }
        CommandError::new(path, message)
    }
}

impl<P: FnMut(InputObject, usize, &mut Crds) -> Result<(), CommandError>> ObjectSearch<'_, '_, P> {
    /// Processes the objects of a file. Returns the error for which the rest of the file is not
    /// read.
    fn process_documents(
        &mut self,
        documents: &mut DocumentStream,
        has_several_files: bool,
    ) -> Result<Option<CommandError>, CommandError> {
        // The first object of a single file waits for the second, because an object that is alone
        // need not have a type.
        let (mut first_object, mut object_count) = (None, 0);
        loop {
            let document = match documents.next_document() {
                Ok(Some(document)) => document,
                Ok(None) => break,
                Err(error) => return Ok(Some(error)),
            };
            for object in self.objects_in(document) {
                object_count += 1;
                if !has_several_files && object_count == 1 {
                    first_object = Some(object);
                    continue;
                }
                if let Some(object) = first_object.take() {
                    self.process_object(object, &documents.file, false)?;
                }
                self.process_object(object, &documents.file, false)?;
            }
        }
        if let Some(object) = first_object {
            self.process_object(object, &documents.file, true)?;
        }
        Ok(None)
    }

    /// Returns the objects of a document: the objects of a list, or else the document. A list of
    /// another version of a CRD is not split, because its objects do not match the CRD.
    fn objects_in(&mut self, document: StreamedDocument) -> Vec<FileObject> {
        let is_object = object::group_version_kind(&document.value).is_some()
            && self.crds.find(&document.value).is_some();
        let is_list = list::list_items(&document.value).is_some();
        if is_object || !is_list || self.crds.is_list_of_unknown_version(&document.value) {
            let source = document.source();
            return vec![FileObject {
                value: document.value,
                bytes: document.bytes,
                source,
                is_list_item: false,
            }];
        }
        let item_source = document.item_sources();
        let list_bytes = document.bytes;
        let mut list = document.value;
        list::complete_items(&mut list);
        let items = list.get_mut("items").and_then(Value::as_array_mut);
        let items = items.map(mem::take).unwrap_or_default();
        self.has_empty_list |= items.is_empty();
        let bytes = list_bytes / items.len().max(1);
        let items = items.into_iter().enumerate();
        let items = items.map(|(index, value)| FileObject {
            value,
            bytes,
            source: item_source(index),
            is_list_item: true,
        });
        items.collect()
    }

    /// Processes an object that has a CRD, and counts other objects. An object that is alone in its
    /// file must have a CRD.
    fn process_object(
        &mut self,
        object: FileObject,
        file: &str,
        is_only_object: bool,
    ) -> Result<(), CommandError> {
        let (value, bytes) = (&object.value, object.bytes);
        if let (Some(process_builtin), Some(kind)) =
            (&mut self.process_builtin, builtin::kind_of(value))
        {
            self.processed_count += 1;
            return process_builtin(BuiltinObject {
                file: file.to_owned(),
                value: object.value,
                kind,
                source: object.source,
            });
        }
        self.crds.read_crd_for(value)?;
        if is_only_object && self.crds.cluster_mut().is_none() {
            require_crd(value, object.is_list_item, file, self.crds)?;
        }
        // A folder may contain files that are not manifests, so its objects need a type.
        let may_be_resource = is_only_object || object::group_version_kind(value).is_some();
        let Some(crd) = self.crds.find_served(value).filter(|_| may_be_resource) else {
            let reason = self.crds.reason_not_to_check(value, object.is_list_item);
            match reason {
                None => self.skipped_objects.skipped += 1,
                Some(reason) => {
                    let unchecked = &mut self.skipped_objects.unchecked;
                    unchecked.add(value, file, object.source.as_ref(), &reason);
                }
            }
            return Ok(());
        };
        if self.are_converted && self.crds.needs_webhook(crd, value) {
            let reason = UncheckedReason::ConvertedByWebhook;
            let unchecked = &mut self.skipped_objects.unchecked;
            unchecked.add(value, file, object.source.as_ref(), &reason);
            return Ok(());
        }
        let object = InputObject {
            file: file.to_owned(),
            value: object.value,
            crd,
            source: object.source,
        };
        (self.process)(object, bytes, self.crds)?;
        self.processed_count += 1;
        Ok(())
    }
}

/// Returns an error if the only object of a file has no matching CRD.
pub(crate) fn require_crd(
    object: &Value,
    is_list_item: bool,
    file: &str,
    crds: &Crds,
) -> Result<(), CommandError> {
    if !object.is_object() {
        let type_name = object::json_type_name(object);
        return Err(CommandError::new(
            file,
            format!("expected an object, found {type_name}"),
        ));
    }
    if crds.find(object).is_none() {
        let object_name = object::display_name(object);
        let version = object.get("apiVersion").and_then(Value::as_str);
        let version = version.unwrap_or_default();
        let (crd_file, kinds) = (&crds.file, crds.kinds());
        let reason = match crds.reason_not_to_check(object, is_list_item) {
            None | Some(UncheckedReason::UnknownKind) => String::new(),
            Some(reason) => format!(" ({reason})"),
        };
        return Err(CommandError::new(
            file,
            format!(
                "{crd_file} does not define {object_name} of {version}{reason}; it defines {kinds}"
            ),
        ));
    }
    Ok(())
}

impl InputObject {
    pub(crate) fn kind(&self) -> &str {
        let kind = self.value.get("kind").and_then(Value::as_str);
        kind.unwrap_or_default()
    }

    pub(crate) fn namespace(&self) -> Option<&str> {
        self.value.pointer("/metadata/namespace")?.as_str()
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.value.pointer("/metadata/name")?.as_str()
    }

    /// Returns the name of the object for messages: `Backup "default/nightly"`.
    pub(crate) fn title(&self) -> String {
        match (self.namespace(), self.name()) {
            (Some(namespace), Some(name)) => {
                let title = format!("{namespace}/{name}");
                object::display_kind_and_name(&self.value, Some(&title))
            }
            _ => object::display_name(&self.value),
        }
    }
}
