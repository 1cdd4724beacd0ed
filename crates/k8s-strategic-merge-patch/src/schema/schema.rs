//! The patch schema, in flat tables. References are resolved and strategies are parsed at compile
//! time, not when a patch is used.

use serde_json::Value;

use super::strategy::{BaseStrategy, Strategy};
use crate::error::{PatchError, PatchErrorKind};
use crate::values::json_type::GO_STRING;
use union_json::document::SchemaId;
use union_runtime::path::Path;

/// A schema for patches, compiled once and used for any number of patches.
///
/// The patch schema contains, for every field, its patch strategy (`x-kubernetes-patch-strategy`),
/// its merge key (`x-kubernetes-patch-merge-key`), and the fields below it.
#[derive(Clone, Debug)]
pub struct PatchSchema {
    pub(crate) root: NodeId,
    pub(crate) nodes: Vec<Node>,
    pub(crate) fields: Vec<Field>,
    /// The maximum depth of a document.
    pub(crate) depth: usize,
}

/// The treatment of fields that the schema does not describe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownFieldPolicy {
    /// Objects and lists are merged only if the schema knows the field; otherwise they are rejected
    /// (`unable to find api field`). Lookups by `OpenAPI` v3 and by Go types do the same.
    #[default]
    Strict,
    /// Below a schema that defines nothing, such as `x: {}`, objects are merged and lists replaced.
    /// Lookups by `OpenAPI` v2 do the same.
    Schemaless,
}

/// The maximum number of fields that a search compares one by one. Names usually differ in their
/// length, which is compared first.
const MAX_LINEAR_SEARCH: usize = 8;

/// A node of the schema: an index into [`PatchSchema::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    /// The node that does not know any field.
    pub(super) const CLOSED: Self = Self(0);
    /// The node that does not describe its fields and allows all of them.
    pub(super) const OPEN: Self = Self(1);
    /// The number of reserved nodes.
    pub(super) const RESERVED: usize = 2;

    /// Returns the node of a schema with fields. The addition saturates only for more schemas than
    /// fit in memory.
    pub(crate) const fn from_schema_id(id: SchemaId) -> Self {
        Self(id.saturating_add(2))
    }
}

/// The fields of an object, sorted by name: a range of [`PatchSchema::fields`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    pub(crate) first: usize,
    pub(crate) end: usize,
}

/// A field of an object.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Box<str>,
    /// The node of the field's value, if the value is an object.
    pub(crate) object_node: NodeId,
    /// The node of the elements, if the value is a list.
    pub(crate) element_node: NodeId,
    pub(crate) patch_meta: PatchMeta,
}

/// The patch keywords of a field. An invalid keyword is reported when a patch uses the field.
#[derive(Clone, Debug)]
pub(crate) enum PatchMeta {
    Valid {
        strategy: Strategy,
        /// The merge key, or `""` without one.
        merge_key: Box<str>,
    },
    /// The strategy is invalid. Contains the parts of its list, such as `[a b c]` for `a,b,c`.
    InvalidStrategy(String),
    /// The strategy or the merge key is not a string. Contains its value.
    InvalidType(Value),
}

/// The schema of a field that was looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldPatchMeta<'s> {
    pub(crate) node: NodeId,
    pub(crate) retain_keys: bool,
    pub(crate) strategy: BaseStrategy,
    /// The merge key, or `""` without one.
    pub(crate) merge_key: &'s str,
}

impl PatchSchema {
    /// Looks up a field that contains an object.
    pub(crate) fn patch_meta_for_object(
        &self,
        node: NodeId,
        field: &str,
        location: &Path<'_>,
    ) -> Result<FieldPatchMeta<'_>, PatchError> {
        self.look_up(node, field, |field| field.object_node, location)
    }

    /// Looks up a field that contains a list. The returned node is the node of the elements.
    pub(crate) fn patch_meta_for_list(
        &self,
        node: NodeId,
        field: &str,
        location: &Path<'_>,
    ) -> Result<FieldPatchMeta<'_>, PatchError> {
        self.look_up(node, field, |field| field.element_node, location)
    }

    fn look_up(
        &self,
        node: NodeId,
        name: &str,
        child_node: impl FnOnce(&Field) -> NodeId,
        location: &Path<'_>,
    ) -> Result<FieldPatchMeta<'_>, PatchError> {
        if node == NodeId::OPEN {
            return Ok(FieldPatchMeta {
                node,
                retain_keys: false,
                strategy: BaseStrategy::Unspecified,
                merge_key: "",
            });
        }
        let Some(field) = self.field(node, name) else {
            return Err(unknown_field_error(name, location));
        };
        match &field.patch_meta {
            PatchMeta::Valid {
                strategy,
                merge_key,
            } => Ok(FieldPatchMeta {
                node: child_node(field),
                retain_keys: strategy.retain_keys,
                strategy: strategy.base,
                merge_key,
            }),
            PatchMeta::InvalidStrategy(words) => {
                Err(invalid_strategy_error(words, &location.field(name)))
            }
            PatchMeta::InvalidType(value) => Err(PatchError::bad_type(
                GO_STRING,
                value,
                &location.field(name),
            )),
        }
    }

    #[inline]
    fn field(&self, node: NodeId, name: &str) -> Option<&Field> {
        let node = self.nodes.get(node.0 as usize)?;
        let fields = self.fields.get(node.first..node.end)?;
        if fields.len() <= MAX_LINEAR_SEARCH {
            return fields.iter().find(|field| *field.name == *name);
        }
        let position = fields.binary_search_by(|field| (*field.name).cmp(name));
        fields.get(position.ok()?)
    }
}

#[cold]
fn unknown_field_error(name: &str, location: &Path<'_>) -> PatchError {
    let message = format!("unable to find api field \"{name}\"");
    PatchError::new(
        PatchErrorKind::FieldNotFound,
        message,
        &location.field(name),
    )
}

#[cold]
fn invalid_strategy_error(words: &str, location: &Path<'_>) -> PatchError {
    let message = format!("unexpected patch strategy: {words}");
    PatchError::new(PatchErrorKind::BadStrategy, message, location)
}
