//! What a schema says of patches, in flat tables: nothing is followed and no text is split where a patch is used.

use serde_json::Value;

use super::strategy::{Rest, Strategy};
use crate::error::{PatchError, PatchErrorKind};
use crate::values::kind::TEXT;
use union_json::document::Id;
use union_runtime::path::Path;

/// What a schema says of patches, read once for any number of them.
///
/// It holds, for every field, its patch strategy (`x-kubernetes-patch-strategy`), its merge key
/// (`x-kubernetes-patch-merge-key`), and which fields stand below it.
#[derive(Clone, Debug)]
pub struct PatchSchema {
    pub(crate) root: NodeId,
    pub(crate) nodes: Vec<Node>,
    pub(crate) fields: Vec<Field>,
    /// How many levels a document may have.
    pub(crate) depth: usize,
}

/// What patches make of places that the schema does not describe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// Objects and lists are merged only where the schema knows the field; below anything else they are refused
    /// (`unable to find api field`). So do lookups by `OpenAPI` v3 and by Go types.
    #[default]
    Strict,
    /// Below a schema that says nothing, as `x: {}`, objects are merged and lists replaced. So do lookups by `OpenAPI` v2.
    Schemaless,
}

/// So many fields are looked at one by one: most have another length, which is told without looking at the letters.
const FEW: usize = 8;

/// A place of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    /// No field is known.
    pub(super) const CLOSED: Self = Self(0);
    /// Nothing is known, and everything is allowed.
    pub(super) const OPEN: Self = Self(1);
    /// How many there are of these.
    pub(super) const RESERVED: usize = 2;

    /// That of a schema with fields. There is no memory for so many that two would be one.
    pub(crate) const fn of(id: Id) -> Self {
        Self(id.saturating_add(2))
    }
}

/// The fields of an object, sorted by name: a part of [`PatchSchema::fields`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    pub(crate) first: usize,
    pub(crate) end: usize,
}

/// A field of an object.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Box<str>,
    /// What stands below an object.
    pub(crate) as_object: NodeId,
    /// What stands below an element of a list.
    pub(crate) as_list: NodeId,
    pub(crate) meta: Meta,
}

/// What is said of a field; what is wrong with it is raised where it is used.
#[derive(Clone, Debug)]
pub(crate) enum Meta {
    Good {
        strategy: Strategy,
        /// `""` where there is none.
        merge_key: Box<str>,
    },
    /// The strategy is none; the words of it.
    BadStrategy(String),
    /// Strategy or merge key is not a text.
    BadType(Value),
}

/// What a field is patched by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'s> {
    pub(crate) below: NodeId,
    pub(crate) retain: bool,
    pub(crate) rest: Rest,
    /// `""` where there is none.
    pub(crate) merge_key: &'s str,
}

impl PatchSchema {
    /// A field that holds objects.
    pub(crate) fn as_object(
        &self,
        node: NodeId,
        field: &str,
        at: &Path<'_>,
    ) -> Result<Found<'_>, PatchError> {
        self.look_up(node, field, |field| field.as_object, at)
    }

    /// A field that holds lists; what stands below is that of its elements.
    pub(crate) fn as_list(
        &self,
        node: NodeId,
        field: &str,
        at: &Path<'_>,
    ) -> Result<Found<'_>, PatchError> {
        self.look_up(node, field, |field| field.as_list, at)
    }

    fn look_up(
        &self,
        node: NodeId,
        name: &str,
        below: impl FnOnce(&Field) -> NodeId,
        at: &Path<'_>,
    ) -> Result<Found<'_>, PatchError> {
        if node == NodeId::OPEN {
            return Ok(Found {
                below: node,
                retain: false,
                rest: Rest::Other,
                merge_key: "",
            });
        }
        let Some(field) = self.field(node, name) else {
            return Err(unknown(name, at));
        };
        match &field.meta {
            Meta::Good {
                strategy,
                merge_key,
            } => Ok(Found {
                below: below(field),
                retain: strategy.retain,
                rest: strategy.rest,
                merge_key,
            }),
            Meta::BadStrategy(words) => Err(bad_strategy(words, &at.field(name))),
            Meta::BadType(found) => Err(PatchError::bad_type(TEXT, found, &at.field(name))),
        }
    }

    #[inline]
    fn field(&self, node: NodeId, name: &str) -> Option<&Field> {
        let node = self.nodes.get(node.0 as usize)?;
        let fields = self.fields.get(node.first..node.end)?;
        if fields.len() <= FEW {
            return fields.iter().find(|field| *field.name == *name);
        }
        let found = fields.binary_search_by(|field| (*field.name).cmp(name));
        fields.get(found.ok()?)
    }
}

#[cold]
fn unknown(name: &str, at: &Path<'_>) -> PatchError {
    let message = format!("unable to find api field \"{name}\"");
    PatchError::new(PatchErrorKind::FieldNotFound, message, &at.field(name))
}

#[cold]
fn bad_strategy(words: &str, at: &Path<'_>) -> PatchError {
    let message = format!("unexpected patch strategy: {words}");
    PatchError::new(PatchErrorKind::BadStrategy, message, at)
}
