//! The stored objects, which are matched with new objects by CRD, namespace and name.

use std::collections::HashMap;

use serde_json::Value;

use crate::error::CommandError;
use crate::input::InputReader;
use crate::judge::crds::{CrdId, Crds};
use crate::judge::manifest;
use crate::judge::objects::{InputObject, ObjectFiles, SkippedObjects};

/// The stored objects, by identity.
#[derive(Debug, Default)]
pub(super) struct StoredObjects {
    objects: HashMap<ObjectKey, Value>,
    /// The only object of a file. A single new object is an update of it even if the names differ,
    /// so that the server reports that names are immutable.
    only: Option<Value>,
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
        let mut stored = Self::default();
        let skipped = files.for_each(inputs, crds, |mut object, crds| {
            manifest::complete_stored(&mut object.value, crds.is_namespaced(object.crd));
            let (key, file, title) = (ObjectKey::of(&object), object.file.clone(), object.title());
            match stored.objects.insert(key, object.value) {
                Some(_) => Err(CommandError::new(
                    file,
                    format!("duplicate {title}; pass only one to --old"),
                )),
                None => Ok(()),
            }
        })?;
        if !files.path.is_dir() && stored.objects.len() == 1 {
            stored.only = stored.objects.values().next().cloned();
        }
        Ok((stored, skipped))
    }

    /// Returns the stored object that a new object updates. `is_only` is true if there is only one
    /// new object.
    pub(super) fn find_for(&self, new: &InputObject, is_only: bool) -> Option<&Value> {
        let only = self.only.as_ref().filter(|_| is_only);
        only.or_else(|| self.objects.get(&ObjectKey::of(new)))
    }
}

impl ObjectKey {
    fn of(object: &InputObject) -> Self {
        Self {
            crd: object.crd,
            namespace: object.namespace().map(str::to_owned),
            name: object.name().map(str::to_owned),
        }
    }
}
