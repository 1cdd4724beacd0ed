//! Decoding of the objects in requests and in storage.

use core::cell::OnceCell;

use serde_json::Value;

use crate::decode::decode::{PendingDecode, ValueVisitor};
use crate::decode::ratchet::OldObject;
use crate::metadata::{METADATA, decode_error, meta};
use crate::schema::unknown::unknown_fields::UnknownFields;
use crate::schema::{Node, StructuralSchema};
use k8s_json_internals::deep::{self, DeepValue};
use k8s_json_internals::equality::deep_equal;
use union_runtime::Violation;

/// A stored object that is decoded by the current schema when the decoded object is first needed,
/// which is usually after an error.
pub(super) struct LazyStoredObject<'v> {
    schema: &'v StructuralSchema,
    object: &'v Value,
    /// The fields that decoding is known to leave unchanged.
    unchanged_fields: &'static [&'static str],
    /// The decoded object, once it is needed, or `None` if it equals the stored object.
    decoded: OnceCell<Option<DeepValue>>,
}

impl OldObject for LazyStoredObject<'_> {
    fn decoded(&self) -> &Value {
        let decode = || self.schema.decode_whole(self.object, self.unchanged_fields);
        let decoded = self.decoded.get_or_init(decode);
        decoded.as_deref().unwrap_or(self.object)
    }

    fn stored_if_undecoded(&self) -> Option<&Value> {
        self.is_undecoded().then_some(self.object)
    }

    fn is_unchanged_by_decoding(&self, node: &Node, value: &Value) -> bool {
        self.schema.is_value_decoded(node, value)
    }
}

impl LazyStoredObject<'_> {
    /// Returns an object that has the decoded metadata and, if status is a subresource, the decoded
    /// status. Its other fields may not be decoded.
    pub(super) fn partially_decoded(&self) -> &Value {
        let decoded = self.decoded.get().and_then(Option::as_deref);
        decoded.unwrap_or(self.object)
    }

    /// Returns true until [`decoded`](OldObject::decoded) has decoded the whole object.
    pub(super) fn is_undecoded(&self) -> bool {
        self.decoded.get().is_none()
    }
}

impl StructuralSchema {
    /// Decodes an object from a client. `ignored` are the fields that the client cannot set. Adds
    /// the fields that no schema describes to `unknown`. Returns true if `visitor` has seen the
    /// whole decoded object except these fields.
    pub(super) fn decode_new<'s>(
        &'s self,
        object: &mut Value,
        ignored: &[&str],
        visitor: &mut impl ValueVisitor,
        unknown: &mut UnknownFields<'s>,
    ) -> Result<bool, Box<Violation>> {
        if let Some(metadata) = object.get_mut("metadata") {
            let decoded = meta::coerce(metadata, &METADATA, unknown);
            decoded.map_err(|problem| Box::new(decode_error(problem)))?;
        }
        if !self.has_expected_kind(object) {
            // A server has no schema for objects of another kind.
            return Ok(false);
        }
        if self.has_unexpected_namespace(object) {
            remove_namespace(object);
        }
        let subtree = self.node(Self::ROOT).subtree;
        let is_visited = !subtree.has_embedded && !self.preserves_unknown;
        let is_pruned = |field: &&str| unknown.is_off() || self.is_field_pruned(object, field);
        let pending = if subtree.has_embedded || !ignored.iter().all(is_pruned) {
            PendingDecode::PruningAndDefaulting
        } else {
            self.pending_decode(object, ignored, visitor)
        };
        match pending {
            PendingDecode::Nothing => return Ok(is_visited),
            PendingDecode::Defaulting => {}
            PendingDecode::PruningAndDefaulting => self.prune_and_drop_nulls(object, unknown),
        }
        if subtree.has_embedded {
            meta::coerce_embedded(self, object, unknown)?;
        }
        if subtree.has_defaults {
            self.apply_defaults(Self::ROOT, object, ignored);
        }
        visitor.restart();
        Ok(is_visited && self.pending_decode(object, ignored, visitor) == PendingDecode::Nothing)
    }

    /// Returns true if the object has the group, the version and the kind of the CRD. Without a
    /// CRD, every object is accepted.
    fn has_expected_kind(&self, object: &Value) -> bool {
        self.identity.as_ref().is_none_or(|identity| {
            let has_value = |field: &str, expected: &str| {
                object.get(field).is_some_and(|value| value == expected)
            };
            has_value("kind", &identity.kind) && has_value("apiVersion", &identity.api_version)
        })
    }

    /// Returns true if an object of a cluster-scoped resource has a namespace. The server removes
    /// the namespace, because the URL of the request does not contain a namespace.
    fn has_unexpected_namespace(&self, object: &Value) -> bool {
        let identity = self.identity.as_ref();
        identity.is_some_and(|identity| !identity.is_namespaced)
            && object.pointer("/metadata/namespace").is_some()
    }

    /// Returns a stored object that is not decoded yet.
    pub(super) const fn undecoded<'v>(&'v self, old: &'v Value) -> LazyStoredObject<'v> {
        LazyStoredObject {
            schema: self,
            object: old,
            unchanged_fields: &[],
            decoded: OnceCell::new(),
        }
    }

    /// Returns a stored object. If the result is not decoded and status is a subresource, `visitor`
    /// has visited the status, which replaces the status of the new object.
    pub(super) fn decode_stored<'v>(
        &'v self,
        old: &'v Value,
        visitor: &mut impl ValueVisitor,
    ) -> LazyStoredObject<'v> {
        let stored = self.undecoded(old);
        let are_fields_unchanged = self.may_stay_as_stored(old)
            && self.is_field_decoded(old, "metadata", &mut ())
            && (!self.status_subresource || self.is_field_decoded(old, "status", visitor));
        if !are_fields_unchanged {
            stored.decoded();
            return stored;
        }
        let unchanged_fields: &[&str] = if self.status_subresource {
            &["metadata", "status"]
        } else {
            &["metadata"]
        };
        LazyStoredObject {
            unchanged_fields,
            ..stored
        }
    }

    /// Returns true if pruning, dropping nulls and defaulting are the only steps that may change
    /// the stored object.
    fn may_stay_as_stored(&self, old: &Value) -> bool {
        !self.node(Self::ROOT).subtree.has_embedded
            && !self.has_unexpected_namespace(old)
            && old.get("metadata").is_none_or(meta::is_coerced)
    }

    /// Returns the decoded object, or `None` if the decoded object equals the stored object.
    /// Decoding is known to keep the fields in `unchanged_fields`.
    fn decode_whole(&self, old: &Value, unchanged_fields: &[&str]) -> Option<DeepValue> {
        let may_be_unchanged = !unchanged_fields.is_empty() || self.may_stay_as_stored(old);
        if may_be_unchanged
            && self.pending_decode(old, unchanged_fields, &mut ()) == PendingDecode::Nothing
        {
            return None;
        }
        let subtree = self.node(Self::ROOT).subtree;
        let mut old = DeepValue::copy(old);
        if let Some(metadata) = old.get_mut("metadata") {
            meta::coerce_stored(metadata);
        }
        if self.has_unexpected_namespace(&old) {
            remove_namespace(&mut old);
        }
        self.prune_and_drop_nulls(&mut old, &mut UnknownFields::off());
        if subtree.has_embedded {
            meta::coerce_embedded_stored(self, &mut old);
        }
        if subtree.has_defaults {
            self.apply_defaults(Self::ROOT, &mut old, &[]);
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

fn remove_namespace(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        deep::remove(metadata, "namespace");
    }
}

/// Copies a field from `source` to `target`. Removes the field from `target` if it is missing in
/// `source`.
pub(super) fn copy_field(name: &str, source: &Value, target: &mut Value) {
    let Some(target) = target.as_object_mut() else {
        return;
    };
    match source.get(name) {
        Some(value)
            if target
                .get(name)
                .is_some_and(|target_value| deep_equal(target_value, value)) => {}
        Some(value) => {
            deep::insert(target, name, deep::copy(value));
        }
        None => deep::remove(target, name),
    }
}

/// Restores all fields that an update of the status cannot change.
pub(super) fn restore_all_but_status(new: &mut Value, old: &Value) {
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
