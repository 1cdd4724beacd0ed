//! Reads the objects of a file or a folder, and finds their CRDs.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::error::CommandError;
use crate::input::{Documents, InputReader, ObjectSource, folder, object};
use crate::judge::crds::{CrdId, Crds};
use crate::output::print;
use crate::output::progress_bar::ProgressBar;

/// An object with its file and its CRD.
#[derive(Debug)]
pub(crate) struct InputObject {
    pub(crate) file: String,
    pub(crate) value: Value,
    pub(crate) crd: CrdId,
    /// The source of the object; `None` if duplicate keys and positions are not reported.
    pub(crate) source: Option<ObjectSource>,
}

/// The numbers of skipped objects and files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SkippedObjects {
    /// The number of objects without a matching CRD.
    pub(crate) skipped: usize,
    /// The number of files that are unreadable or invalid.
    #[serde(rename = "not_read")]
    pub(crate) unreadable: usize,
}

/// The flag and the path of a file or a folder with objects.
#[derive(Clone, Copy)]
pub(crate) struct ObjectFiles<'p> {
    pub(crate) flag: &'static str,
    pub(crate) path: &'p Path,
    /// True if objects keep their sources. Duplicate keys are then not errors of the file.
    pub(crate) with_sources: bool,
}

impl ObjectFiles<'_> {
    /// Calls `process` with each object that has a CRD, and returns the numbers of skipped objects
    /// and files. In a folder, an invalid file is reported and skipped.
    pub(crate) fn for_each(
        self,
        inputs: &mut InputReader,
        crds: &mut Crds,
        mut process: impl FnMut(InputObject, &mut Crds) -> Result<(), CommandError>,
    ) -> Result<SkippedObjects, CommandError> {
        let is_folder = self.path.is_dir();
        let files = folder::find_files(self.flag, self.path)?;
        let mut progress = ProgressBar::new(files.len());
        let mut skipped_objects = SkippedObjects::default();
        let mut processed_count = 0;
        for file in &files {
            let documents = match self.read_documents(inputs, file) {
                Ok(documents) => documents,
                Err(error) if is_folder => {
                    progress.clear();
                    print::error(&error);
                    skipped_objects.unreadable += 1;
                    continue;
                }
                Err(error) => return Err(error),
            };
            if !documents.notes.is_empty() {
                progress.clear();
                print::notes(&documents.notes);
            }
            let only_object = documents.single_object().filter(|_| !is_folder);
            if let Some(only_object) = only_object {
                require_crd(only_object, &documents, crds)?;
            }
            for object_in_file in documents.objects_in_file() {
                let value = object_in_file.object;
                // A folder may contain files that are not manifests, so its objects need a type.
                let may_be_resource =
                    only_object.is_some() || object::group_version_kind(value).is_some();
                let Some(crd) = crds.find(value).filter(|_| may_be_resource) else {
                    skipped_objects.skipped += 1;
                    continue;
                };
                let object = InputObject {
                    file: documents.file.clone(),
                    value: value.clone(),
                    crd,
                    source: documents.source_of(object_in_file),
                };
                process(object, crds)?;
                processed_count += 1;
            }
            progress.step();
        }
        if processed_count == 0 && skipped_objects.unreadable == 0 {
            return Err(self.no_objects_error(skipped_objects.skipped, crds));
        }
        Ok(skipped_objects)
    }

    fn read_documents(
        self,
        inputs: &mut InputReader,
        file: &Path,
    ) -> Result<Documents, CommandError> {
        if self.with_sources {
            inputs.read_documents_with_sources(self.flag, file)
        } else {
            inputs.read_documents(self.flag, file)
        }
    }

    fn no_objects_error(self, skipped: usize, crds: &Crds) -> CommandError {
        let Self { flag, path, .. } = self;
        let message = if skipped == 0 {
            format!("no objects found; pass a file or folder with objects to {flag}")
        } else {
            let (crd_file, kinds) = (&crds.file, crds.kinds());
            format!(
                "{crd_file} does not define the kind of any of the {skipped} objects; it defines {kinds}"
            )
        };
        CommandError::new(path.display().to_string(), message)
    }
}

/// Returns an error if the only object of a file has no matching CRD.
pub(crate) fn require_crd(
    object: &Value,
    documents: &Documents,
    crds: &Crds,
) -> Result<(), CommandError> {
    let file = documents.file.as_str();
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
        return Err(CommandError::new(
            file,
            format!("{crd_file} does not define {object_name} of {version}; it defines {kinds}"),
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
                format!("{} {:?}", self.kind(), format!("{namespace}/{name}"))
            }
            _ => object::display_name(&self.value),
        }
    }
}
