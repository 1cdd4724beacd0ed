//! The stored objects of `--old`, which are matched with new objects by CRD, namespace and name.

use std::collections::HashMap;

use serde_json::Value;

use crate::error::CommandError;
use crate::input::InputReader;
use crate::judge::crds::{CrdId, Crds};
use crate::judge::manifest;
use crate::judge::objects::{InputObject, ObjectFiles};
use crate::judge::skipped_objects::SkippedObjects;

/// The stored objects, by identity.
#[derive(Debug, Default)]
pub(super) struct StoredObjects {
    objects: HashMap<ObjectKey, Value>,
    /// The object of a file with one object. A single new object updates it even if the names
    /// differ, so that the server reports that names are immutable.
    only_object: Option<Value>,
}

/// The identity of an object.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ObjectKey {
    crd: CrdId,
    namespace: Option<String>,
    name: Option<String>,
}

impl StoredObjects {
    /// Reads the stored objects, and returns the numbers of skipped objects and of unreadable
    /// files.
    pub(super) fn load(
        files: ObjectFiles<'_>,
        inputs: &mut InputReader,
        crds: &mut Crds,
    ) -> Result<(Self, SkippedObjects), CommandError> {
        let mut stored_objects = Self::default();
        let skipped = files.for_each(inputs, crds, |mut object, _, crds| {
            let is_namespaced = crds.is_namespaced(object.crd);
            if let Some(namespace) = files.args.namespace.as_deref().filter(|_| is_namespaced) {
                manifest::set_missing_namespace(&mut object.value, namespace);
            }
            manifest::complete_stored(&mut object.value, is_namespaced);
            let key = ObjectKey::for_object(&object);
            let (file, title) = (object.file.clone(), object.title());
            match stored_objects.objects.insert(key, object.value) {
                Some(_) => Err(CommandError::new(
                    file,
                    format!("duplicate {title}; pass only one to --old"),
                )),
                None => Ok(()),
            }
        })?;
        if !files.may_have_several_files() && stored_objects.objects.len() == 1 {
            stored_objects.only_object = stored_objects.objects.values().next().cloned();
        }
        Ok((stored_objects, skipped))
    }

    /// Returns the stored object that a new object updates. `is_only_object` is true if there is
    /// one new object.
    pub(super) fn find_for(
        &self,
        new_object: &InputObject,
        is_only_object: bool,
    ) -> Option<&Value> {
        let only_object = self.only_object.as_ref().filter(|_| is_only_object);
        only_object.or_else(|| self.objects.get(&ObjectKey::for_object(new_object)))
    }
}

impl ObjectKey {
    fn for_object(object: &InputObject) -> Self {
        Self {
            crd: object.crd,
            namespace: object.namespace().map(str::to_owned),
            name: object.name().map(str::to_owned),
        }
    }
}
