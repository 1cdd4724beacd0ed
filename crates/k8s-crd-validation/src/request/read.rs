//! Decoding of the objects in requests and in storage.

use core::cell::OnceCell;

use serde_json::Value;

use crate::decode::correlate::Past;
use crate::decode::decode::{Beside, ToDo};
use crate::metadata::{meta, unreadable};
use crate::schema::{Node, StructuralSchema};
use k8s_json_internals::deep::{self, Own};
use k8s_json_internals::equality::same;
use union_runtime::Violation;

/// A stored object as the current schema decodes it. The object is decoded when it is first needed,
/// which is mostly after an error.
pub(super) struct Stored<'v> {
    schema: &'v StructuralSchema,
    object: &'v Value,
    /// The fields that decoding is known to leave as they are stored.
    outside: &'static [&'static str],
    /// The decoded object, once it is needed, or `None` if it equals the stored object.
    read: OnceCell<Option<Own>>,
}

impl Past for Stored<'_> {
    fn whole(&self) -> &Value {
        let read = || self.schema.read_whole(self.object, self.outside);
        let read = self.read.get_or_init(read);
        read.as_deref().unwrap_or(self.object)
    }

    fn unread(&self) -> Option<&Value> {
        self.is_unread().then_some(self.object)
    }

    fn is_as_stored(&self, node: &Node, value: &Value) -> bool {
        self.schema.is_value_decoded(node, value)
    }
}

impl Stored<'_> {
    /// Returns an object that has the decoded metadata and, if status is a subresource, the decoded
    /// status. Its other fields may not be decoded.
    pub(super) fn outside(&self) -> &Value {
        let read = self.read.get().and_then(Option::as_deref);
        read.unwrap_or(self.object)
    }

    /// Returns true if the whole object is not decoded yet.
    pub(super) fn is_unread(&self) -> bool {
        self.read.get().is_none()
    }
}

impl StructuralSchema {
    /// Decodes an object from a client. `but` are the fields that the client cannot set. Returns
    /// true if `beside` has seen the whole decoded object except these fields.
    pub(super) fn read(
        &self,
        object: &mut Value,
        but: &[&str],
        beside: &mut impl Beside,
    ) -> Result<bool, Box<Violation>> {
        if let Some(metadata) = object.get_mut("metadata") {
            meta::coerce(metadata).map_err(|problem| Box::new(unreadable(problem)))?;
        }
        if !self.is_of_kind(object) {
            // A server has no schema for objects of another kind.
            return Ok(false);
        }
        if self.has_stray_namespace(object) {
            take_off_namespace(object);
        }
        let below = self.node(Self::ROOT).below;
        let is_shown = !below.has_embedded && !self.preserves_unknown;
        let to_do = if below.has_embedded {
            ToDo::Decode
        } else {
            self.to_do(object, but, beside)
        };
        match to_do {
            ToDo::Nothing => return Ok(is_shown),
            ToDo::FillIn => {}
            ToDo::Decode => self.decode(object),
        }
        if below.has_embedded {
            meta::coerce_embedded(self, object)?;
        }
        if below.has_defaults {
            self.fill_in(Self::ROOT, object, but);
        }
        beside.start_again();
        Ok(is_shown && self.to_do(object, but, beside) == ToDo::Nothing)
    }

    /// Returns true if the object has the group, the version and the kind of the CRD. Without a
    /// CRD, every object is accepted.
    fn is_of_kind(&self, object: &Value) -> bool {
        self.identity.as_ref().is_none_or(|identity| {
            let is =
                |field: &str, wanted: &str| object.get(field).is_some_and(|found| found == wanted);
            is("kind", &identity.kind) && is("apiVersion", &identity.api_version)
        })
    }

    /// Returns true if an object of a cluster-scoped resource has a namespace. The server removes
    /// it, because the URL of the request has no namespace, and the URL decides.
    fn has_stray_namespace(&self, object: &Value) -> bool {
        let identity = self.identity.as_ref();
        identity.is_some_and(|identity| !identity.is_namespaced)
            && object.pointer("/metadata/namespace").is_some()
    }

    /// Returns a stored object that is not decoded yet.
    pub(super) const fn unread<'v>(&'v self, old: &'v Value) -> Stored<'v> {
        Stored {
            schema: self,
            object: old,
            outside: &[],
            read: OnceCell::new(),
        }
    }

    /// Returns a stored object. As long as the object is not decoded, `beside` has seen its status,
    /// which a client cannot set.
    pub(super) fn read_stored<'v>(
        &'v self,
        old: &'v Value,
        beside: &mut impl Beside,
    ) -> Stored<'v> {
        let stored = self.unread(old);
        let is_outside_read = self.may_be_read_as_it_is(old)
            && self.is_field_decoded(old, "metadata", &mut ())
            && (!self.status_subresource || self.is_field_decoded(old, "status", beside));
        if !is_outside_read {
            stored.whole();
            return stored;
        }
        let outside: &[&str] = if self.status_subresource {
            &["metadata", "status"]
        } else {
            &["metadata"]
        };
        Stored { outside, ..stored }
    }

    /// Returns true if pruning, dropping nulls and defaulting are the only steps that may change
    /// the stored object.
    fn may_be_read_as_it_is(&self, old: &Value) -> bool {
        !self.node(Self::ROOT).below.has_embedded
            && !self.has_stray_namespace(old)
            && old.get("metadata").is_none_or(meta::is_coerced)
    }

    /// Returns the decoded object, or `None` if it equals the stored object. Decoding is known to
    /// keep the fields in `outside`.
    fn read_whole(&self, old: &Value, outside: &[&str]) -> Option<Own> {
        let may_be_as_it_is = !outside.is_empty() || self.may_be_read_as_it_is(old);
        if may_be_as_it_is && self.to_do(old, outside, &mut ()) == ToDo::Nothing {
            return None;
        }
        let below = self.node(Self::ROOT).below;
        let mut old = Own::copy(old);
        if let Some(metadata) = old.get_mut("metadata") {
            meta::coerce_stored(metadata);
        }
        if self.has_stray_namespace(&old) {
            take_off_namespace(&mut old);
        }
        self.decode(&mut old);
        if below.has_embedded {
            meta::coerce_embedded_stored(self, &mut old);
        }
        if below.has_defaults {
            self.fill_in(Self::ROOT, &mut old, &[]);
        }
        Some(old)
    }

    /// Replaces `new` by the old object with the status and the managed fields of `new`.
    pub(super) fn take_status(new: &mut Value, old: &Value) {
        let mut object = deep::copy(old);
        copy_field("status", new, &mut object);
        let fields = new.pointer("/metadata/managedFields").map(deep::copy);
        if let (Some(fields), Some(metadata)) = (fields, object.get_mut("metadata"))
            && let Some(metadata) = metadata.as_object_mut()
        {
            deep::insert(metadata, "managedFields", fields);
        }
        deep::replace(new, object);
    }
}

fn take_off_namespace(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        deep::remove(metadata, "namespace");
    }
}

/// Copies a field from one object to another, or removes it if it is missing in `from`.
pub(super) fn copy_field(name: &str, from: &Value, to: &mut Value) {
    let Some(to) = to.as_object_mut() else { return };
    match from.get(name) {
        Some(value) if to.get(name).is_some_and(|there| same(there, value)) => {}
        Some(value) => {
            deep::insert(to, name, deep::copy(value));
        }
        None => deep::remove(to, name),
    }
}

/// Restores all fields that an update of the status cannot change.
pub(super) fn keep_but_status(new: &mut Value, old: &Value) {
    let may_change = |field: &str| matches!(field, "status" | "metadata");
    if let Some(fields) = new.as_object_mut() {
        deep::retain(fields, |field, _| {
            may_change(field) || old.get(field).is_some()
        });
    }
    let fields = old.as_object().into_iter().flatten();
    for (field, _) in fields.filter(|(field, _)| !may_change(field)) {
        copy_field(field, old, new);
    }
}
