//! The data of a listing: kinds, their versions, and the objects of their schemas.

use crd_unions::{ListRule, ObjectAnalysis};

use super::declared::DeclaredUnion;
use super::finding::ListedFinding;
use crate::input::{Position, SourceMap};

/// The listing of a file.
pub(super) struct Listing {
    pub(super) file: String,
    pub(super) notes: Vec<String>,
    pub(super) kinds: Vec<ListedKind>,
    /// The content of the file.
    pub(super) source: Vec<u8>,
}

/// A kind of a CRD, or a schema without a CRD.
pub(super) struct ListedKind {
    /// The kind; for a schema without a CRD, its name or its file.
    pub(super) name: String,
    /// The API group; `None` for a schema without a CRD.
    pub(super) group: Option<String>,
    /// The index of the document in the file.
    pub(super) document: usize,
    /// The versions. Versions with equal rules are one entry.
    pub(super) versions: Vec<ListedVersion>,
}

/// One or more versions of a kind, whose rules are equal.
pub(super) struct ListedVersion {
    /// The names of the versions; empty for a schema without a CRD.
    pub(super) names: Vec<String>,
    /// The JSON pointer to the schema of the first of these versions, in its document.
    pub(super) pointer: String,
    pub(super) objects: Vec<ListedObject>,
    /// The rules that relate the items of a list, if they were requested.
    pub(super) lists: Vec<ListRule>,
    /// The paths at which this entry differs from the first entry of the kind.
    pub(super) differing_paths: Vec<String>,
}

/// An object of a schema, with its unions and findings.
pub(super) struct ListedObject {
    pub(super) pointer: String,
    pub(super) path: String,
    pub(super) analysis: ObjectAnalysis,
    /// The declared unions, which take precedence over unions of the rules.
    pub(super) declared_unions: Vec<DeclaredUnion>,
    pub(super) findings: Vec<ListedFinding>,
}

impl Listing {
    /// Returns all findings, in the order of their objects.
    pub(super) fn findings(&self) -> impl Iterator<Item = &ListedFinding> {
        let versions = self.kinds.iter().flat_map(|kind| &kind.versions);
        let objects = versions.flat_map(|version| &version.objects);
        objects.flat_map(|object| &object.findings)
    }

    /// Returns the positions of all findings, in the order of [`findings`](Self::findings).
    pub(super) fn finding_positions(&self) -> Vec<Option<Position>> {
        self.positions_of(|object| object.findings.iter().map(|finding| &*finding.pointer))
    }

    /// Returns the positions of all objects, in the order of the listing.
    pub(super) fn object_positions(&self) -> Vec<Option<Position>> {
        self.positions_of(|object| [&*object.pointer])
    }

    /// Returns the positions of the JSON pointers that `object_pointers` returns for each object.
    /// The pointers are relative to the schema.
    fn positions_of<'l, P: IntoIterator<Item = &'l str>>(
        &'l self,
        object_pointers: impl Fn(&'l ListedObject) -> P,
    ) -> Vec<Option<Position>> {
        let mut document_pointers = Vec::new();
        for kind in &self.kinds {
            for version in &kind.versions {
                let schema_pointers = version.objects.iter().flat_map(&object_pointers);
                document_pointers.extend(schema_pointers.map(|pointer| {
                    let pointer = format!("{}{pointer}", version.pointer);
                    (kind.document, pointer)
                }));
            }
        }
        let requested_pointers = document_pointers
            .iter()
            .map(|(document, pointer): &(usize, String)| (*document, pointer.as_str()));
        // The reader of the file has rejected bytes that are not UTF-8.
        let source = String::from_utf8_lossy(&self.source);
        let positions = SourceMap::build(&source, requested_pointers);
        document_pointers
            .iter()
            .map(|(document, pointer)| positions.nearest_position(*document, pointer))
            .collect()
    }
}
