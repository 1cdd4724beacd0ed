//! Strategic merge patches as `kubectl` and Kubernetes API servers make and apply them: diff, three-way, apply, compose.
//!
//! A strategic merge patch follows the schema of the object that it patches: it merges lists of objects by their keys, and
//! `$retainKeys` lists the fields of an object to keep. So a client that sets one member of a union clears the others, even
//! those that it does not know. A [`PatchSchema`] is compiled once from a schema, and then
//! [`diff`](PatchSchema::diff) and [`three_way`](PatchSchema::three_way) make patches, [`apply`](PatchSchema::apply)
//! applies them, and [`compose`](PatchSchema::compose) puts several together, as `pkg/util/strategicpatch` of
//! `k8s.io/apimachinery` v0.36 and Kubernetes' proposal of the `retainKeys` strategy do.
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
//! // The server filled in what the client never said.
//! let live = json!({"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}});
//!
//! let patch = schema.three_way(&applied, &wanted, &live, OnConflict::Fail).unwrap();
//! assert_eq!(patch, json!({"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}));
//! assert_eq!(schema.apply(live, &patch).unwrap(), wanted);
//! # Ok::<(), k8s_strategic_merge_patch::SchemaError>(())
//! ```
//!
//! The schema says how each field is patched: `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key`, as in
//! Kubernetes' `OpenAPI` documents. [`PatchSchema::compiler`] reads such documents and CRDs, within
//! [`Limits`]. With feature `schemars` (default), [`patch_schema`] reads a Rust type, into whose schema
//! `#[union(patch_strategy, patch_merge_key)]` puts them, and [`switch`] makes patches from two states of a union in
//! whatever form.
//!
//! # Rules
//!
//! - `merge` merges lists of objects by their merge key and lists of scalars as sets; other lists are replaced.
//!   `replace` replaces an object, which would otherwise be merged. `retainKeys` makes patches that list the fields to keep;
//!   when a patch is applied, such a list is always obeyed. An unknown word does not count as a strategy.
//! - Integers and floats are two kinds: `1` becoming `1.0` is a change of kind. What does not fit 64 bits is a float.
//! - An object or a list is merged only where the schema knows the field; see [`Policy`].
//! - Null, as a document, is the empty object.
//!
//! # Kept and fixed
//!
//! What Kubernetes does by accident, in `k8s.io/apimachinery` v0.36. These are kept, because clients and servers rely on
//! them:
//!
//! | | |
//! | --- | --- |
//! | A1 | Where a patch has an order, as many of its new elements as it deletes count as the last ones of the live list. |
//! | A2 | New elements come before those that only the live list has. |
//! | A3 | An object with `$patch` is dropped if there is nothing that it applies to. |
//! | A4 | Objects that are replaced are part of every difference, even if they did not change. |
//! | A5 | Differences pair elements by the text of their keys, so that `1` and `"1"` are the same; applying does not. |
//! | A6 | In a three-way patch, elements that only the live list has add the order to the patch, even if nothing changed. |
//! | A7 | An empty list in a patch does not change a list that is merged. |
//! | A8 | A list that was empty gets no order in a difference. |
//!
//! These are fixed:
//!
//! | | Kubernetes | here |
//! | --- | --- | --- |
//! | B1 | A new order of a merged list of scalars is lost, and an old one may be sent without need. | It is sent iff the lists differ. |
//! | B2 | Duplicate scalars in a live list put the others out of order. | The first of them counts. |
//! | B3 | Directives are left in what a patch puts in where nothing was, and nulls in new elements. | Neither; also not below `$patch: replace`. Fields whose strategy is to be replaced take what the patch has as data. |
//! | B4 | When both sides removed scalars of one list, the search for conflicts fails. | It goes on. |
//! | B5 | It crashes: on nulls in lists, on keys and names that are objects or lists, on orders of lists without keys, on duplicate scalars. | Errors, or conflicts. |
//! | B6 | Where scalars are added and deleted without an order, the result changes from run to run. | Deletions come last. |
//! | B7 | An order for an empty list is refused. | It stays empty. |
//! | B8 | Objects in `$deleteFromPrimitiveList` are merged into the list. | They are refused. |
//! | B9 | Elements with one key may be paired crosswise. | They are paired one by one, in their order. |
//! | B10 | Searching for conflicts sorts lists in the patch that it then returns. | It returns what was asked for. |
//!
//! `|` separates the words of a strategy too, as the proposal of `retainKeys` writes it; Kubernetes takes the comma alone.
//! Which of several errors comes first is by chance there; here it is not. A conflict comes before an error in the search
//! for conflicts. Every error has a path.
//!
//! # Limits
//!
//! Documents deeper than [`Limits::depth`] are refused, and taken apart without recursion
//! where they were handed over. Time is n log n in the size of documents and patch; a patch that touches little copies
//! little.

#![forbid(unsafe_code)]
// Whatever a client sends is answered, never a panic. What is left says why it cannot happen.
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
pub use error::{PatchError, PatchErrorKind};
pub use requests::precondition::{
    DiffError, OnConflict, Precondition, PreconditionFailed, ThreeWayOptions, check_preconditions,
    key_unchanged, metadata_key_unchanged,
};
pub use schema::compiler::Compiler;
#[cfg(feature = "schemars")]
pub use schema::derived::patch_schema;
pub use schema::schema::{PatchSchema, Policy};
pub use switch::owner::Owner;
#[cfg(feature = "schemars")]
pub use switch::switch::switch;
pub use switch::switch::{ElementKey, Switch, SwitchError};
/// How large schemas and documents may be, and what is wrong with a schema.
#[doc(inline)]
pub use union_json::{Limits, SchemaError};
