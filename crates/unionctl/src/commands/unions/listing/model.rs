//! The listing as data: the kinds of a file, their versions, the places of their schemas.

use crd_unions::{ListRule, ObjectAnalysis};

use super::declared::DeclaredUnion;
use super::finding::ListedFinding;
use crate::input::{Position, SourceMap};

/// The unions of a file.
pub(super) struct Listing {
    pub(super) file: String,
    pub(super) notes: Vec<String>,
    pub(super) kinds: Vec<ListedKind>,
    pub(super) text: Vec<u8>,
}

/// A kind, or a schema alone.
pub(super) struct ListedKind {
    /// The kind; the name or the file of a schema alone.
    pub(super) name: String,
    /// The group, of a CRD.
    pub(super) group: Option<String>,
    pub(super) document: usize,
    /// The versions; versions with equal rules are one entry.
    pub(super) versions: Vec<ListedVersion>,
}

/// Versions of a kind whose rules are equal.
pub(super) struct ListedVersion {
    /// The names of the versions; empty for a schema alone.
    pub(super) names: Vec<String>,
    /// The pointer to the schema of the first version in its document.
    pub(super) pointer: String,
    pub(super) objects: Vec<ListedObject>,
    /// The rules of lists about several items together, if the arguments ask for them.
    pub(super) lists: Vec<ListRule>,
    /// The paths of the differences from the version that is listed first.
    pub(super) differing_paths: Vec<String>,
}

/// An object of a schema.
pub(super) struct ListedObject {
    pub(super) pointer: String,
    pub(super) path: String,
    pub(super) reading: ObjectAnalysis,
    /// Declarations, which take precedence over the rules.
    pub(super) declared: Vec<DeclaredUnion>,
    pub(super) findings: Vec<ListedFinding>,
}

impl Listing {
    /// Returns all remarks, in the order of their places.
    pub(super) fn findings(&self) -> impl Iterator<Item = &ListedFinding> {
        let versions = self.kinds.iter().flat_map(|kind| &kind.versions);
        let places = versions.flat_map(|version| &version.objects);
        places.flat_map(|place| &place.findings)
    }

    /// Returns the positions of remarks in the file, in their order.
    pub(super) fn finding_positions(&self) -> Vec<Option<Position>> {
        self.positions_of(|place| place.findings.iter().map(|remark| &*remark.pointer))
    }

    /// Returns the positions of objects in the file, in their order.
    pub(super) fn object_positions(&self) -> Vec<Option<Position>> {
        self.positions_of(|place| [&*place.pointer])
    }

    /// Returns the positions that pointers of places lead to, which begin at the schema.
    fn positions_of<'l, P: IntoIterator<Item = &'l str>>(
        &'l self,
        pointers: impl Fn(&'l ListedObject) -> P,
    ) -> Vec<Option<Position>> {
        let mut wanted = Vec::new();
        for kind in &self.kinds {
            for version in &kind.versions {
                let pointers = version.objects.iter().flat_map(&pointers);
                wanted.extend(pointers.map(|pointer| {
                    let pointer = format!("{}{pointer}", version.pointer);
                    (kind.document, pointer)
                }));
            }
        }
        let all = wanted.iter();
        let all = all.map(|(document, pointer): &(usize, String)| (*document, pointer.as_str()));
        // The bytes were valid UTF-8 when they were read.
        let positions = SourceMap::build(&String::from_utf8_lossy(&self.text), all);
        let wanted = wanted.iter();
        wanted
            .map(|(document, pointer)| positions.nearest(*document, pointer))
            .collect()
    }
}
