//! Strategic merge patches as `kubectl` and Kubernetes API servers create and apply them: diff,
//! three-way, apply, compose.
//!
//! A strategic merge patch follows the schema of the object that it patches: it merges lists of
//! objects by their keys, and `$retainKeys` lists the fields of an object to keep. A client that
//! sets one member of a union therefore clears the others, even members that the client does not
//! know.
//!
//! A [`PatchSchema`] is compiled once from a schema. Then [`diff`](PatchSchema::diff) and
//! [`three_way`](PatchSchema::three_way) create patches, [`apply`](PatchSchema::apply) applies
//! them, and [`compose`](PatchSchema::compose) combines several, as `pkg/util/strategicpatch` of
//! `k8s.io/apimachinery` v0.37 and Kubernetes' proposal of the `retainKeys` strategy do.
//!
//! ```
//! use serde_json::json;
//! use k8s_strategic_merge_patch::{OnConflict, PatchSchema};
//!
//! let schema = PatchSchema::compile(&json!({
//!     "properties": {"strategy": {
//!         "type": "object",
//!         "x-kubernetes-patch-strategy": "retainKeys",
//!         "properties": {"type": {"type": "string"}, "rollingUpdate": {"type": "object"}},
//!     }},
//! }))?;
//!
//! let applied = json!({"strategy": {"type": "RollingUpdate"}});
//! let wanted = json!({"strategy": {"type": "Recreate"}});
//! // The server filled in a field that the client does not set.
//! let live = json!({"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}});
//!
//! let patch = schema.three_way(&applied, &wanted, &live, OnConflict::Fail).unwrap();
//! assert_eq!(patch, json!({"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}));
//! assert_eq!(schema.apply(live, &patch).unwrap(), wanted);
//! # Ok::<(), k8s_strategic_merge_patch::SchemaError>(())
//! ```
//!
//! The schema defines how each field is patched, by `x-kubernetes-patch-strategy` and
//! `x-kubernetes-patch-merge-key`, as in Kubernetes' `OpenAPI` documents. [`PatchSchema::compiler`]
//! reads such documents and CRDs, within [`Limits`]. With feature `schemars` (default),
//! [`patch_schema`] reads a Rust type, into whose schema
//! `#[union(patch_strategy, patch_merge_key)]` puts both keywords, and [`switch`] creates patches
//! from two states of a union, in every form. [`PatchSchema::switch_member`] switches a union of a
//! JSON object.
//!
//! # Rules
//!
//! - `merge` merges lists of objects by their merge key and lists of scalars as sets; other lists
//!   are replaced. `replace` replaces an object, which would otherwise be merged. `retainKeys`
//!   creates patches that list the fields to keep; when a patch is applied, such a list is always
//!   obeyed. An unknown word does not count as a strategy.
//! - Integers and floats are two kinds: a change from `1` to `1.0` changes the kind. A number that
//!   does not fit 64 bits is a float. Numbers stay as they are: [`normalize_numbers`] rewrites the
//!   `1.0` of a file, or of a result, as the `1` that an API server stores.
//! - An object or a list is merged only if the schema knows the field; see [`UnknownFieldPolicy`].
//! - Null, as a document, is the empty object.
//!
//! # Kept and fixed
//!
//! Accidental behavior of Kubernetes, in `k8s.io/apimachinery` v0.37. These rules are kept, because
//! clients and API servers rely on them:
//!
//! - A1: If a patch has an order and deletes n elements, its first n new elements count as the last
//!   elements of the live list.
//! - A2: New elements precede the elements that only the live list has.
//! - A3: An object with `$patch` is dropped if the target does not have the object that it applies
//!   to.
//! - A4: Objects that are replaced are part of every difference, even if they did not change.
//! - A5: Differences pair elements by the strings of their keys, so that `1` and `"1"` are the
//!   same; applying does not.
//! - A6: In a three-way patch, elements that only the live list has add the order to the patch,
//!   even if nothing changed.
//! - A7: An empty list in a patch does not change a list that is merged.
//! - A8: A list that was empty gets no order in a difference.
//!
//! These are fixed:
//!
//! - B1: A new order of a merged list of scalars is lost, and an old one may be sent without need.
//!   Here: the order is sent iff the lists differ.
//! - B2: Duplicate scalars in a live list put the others out of order. Here: the first duplicate
//!   counts.
//! - B3: Directives remain in values that a patch inserts at an empty place, and nulls in new
//!   elements. Here: neither remains, also not below `$patch: replace`. Fields that their strategy
//!   replaces take the value of the patch as data.
//! - B4: If both sides removed scalars of one list, the search for conflicts fails. Here: the
//!   search continues.
//! - B5: Kubernetes crashes: on nulls in lists, on keys and names that are objects or lists, on
//!   orders of lists without keys, on duplicate scalars. Here: errors, or conflicts.
//! - B6: If scalars are added and deleted without an order, the result changes from run to run.
//!   Here: deletions follow additions.
//! - B7: An order for an empty list is rejected. Here: the list stays empty.
//! - B8: Objects in `$deleteFromPrimitiveList` are merged into the list. Here: they are rejected.
//! - B9: Elements with the same key may be paired crosswise, so that the patch changes or deletes
//!   another element than its author. Here: they are paired by their other fields. If a server
//!   would change another element, the patch replaces the list, with a [warning](PatchWarning).
//! - B10: The search for conflicts sorts lists in the patch that it then returns. Here: the
//!   returned patch is not changed.
//!
//! The character `|` separates the words of a strategy too, as the proposal of `retainKeys` writes
//! it; Kubernetes accepts only the comma. If a document has several errors, Kubernetes reports a
//! random one first; here the order is fixed. A conflict precedes an error in the search for
//! conflicts. Every error has a path.
//!
//! # Limits
//!
//! Documents deeper than [`Limits::max_depth`] are rejected, and a document that was passed by
//! value is then dropped without recursion. Time is n log n in the size of documents and patch, but
//! quadratic in the number of patches that [`compose`](PatchSchema::compose) combines; a patch that
//! changes little copies little.

#![forbid(unsafe_code)]
// Input of a client must not panic. A remaining `expect` has the reason why it cannot fail.
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

// Folders, lowest first: values, error, schema, elements, merge, diff, conflict, requests, switch
mod conflict;
mod diff;
mod elements;
mod error;
mod merge;
mod requests;
mod schema;
mod switch;
mod values;

pub use conflict::{Conflict, Conflicts};
pub use elements::patch::Patch;
pub use elements::warning::{PatchWarning, PatchWarningKind};
pub use error::{PatchError, PatchErrorKind};
pub use requests::precondition::{
    DiffError, OnConflict, Precondition, PreconditionFailedError, ThreeWayOptions,
    check_preconditions, require_key_unchanged, require_metadata_key_unchanged,
};
pub use schema::compiler::Compiler;
#[cfg(feature = "schemars")]
pub use schema::from_rust_type::patch_schema;
pub use schema::schema::{PatchSchema, UnknownFieldPolicy};
pub use switch::member_switch::MemberChoice;
pub use switch::member_switch_error::MemberSwitchError;
pub use switch::owner::FieldOwner;
#[cfg(feature = "schemars")]
pub use switch::switch::switch;
pub use switch::switch::{ElementKey, Switch, SwitchError};
/// The limits for schemas and documents, the error of a schema, and stored numbers.
#[doc(inline)]
pub use union_json::{Limits, SchemaError, normalize_numbers};
