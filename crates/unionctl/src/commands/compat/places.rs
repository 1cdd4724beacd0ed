//! The places of findings in the files of the CRDs.

use serde_json::Value;
use union_compat::Finding;
use union_json::document::Crd;

use crate::input::resolve_field::path_at_pointer;
use crate::input::{ObjectSource, Position};
use crate::output::print::{PLAIN, TextBuffer};

/// The file, the document and the source of a CRD.
pub(super) type ComparedCrd<'c> = (&'c str, &'c Value, Option<&'c ObjectSource>);

/// A CRD, and the JSON pointer of a schema in the CRD.
pub(super) type SchemaInFile<'c> = (ComparedCrd<'c>, String);

/// Returns the CRD with the pointer of the schema of a version.
pub(super) fn schema_in_file<'c>(
    crd: Option<ComparedCrd<'c>>,
    version: &str,
) -> Option<SchemaInFile<'c>> {
    let crd = crd?;
    let version = Crd::new(crd.1).version(version)?;
    Some((crd, version.schema_pointer()))
}

/// The places of a finding in the files.
#[derive(Debug)]
pub(super) struct FindingPlaces {
    /// The name of the new file, or else of the old file.
    pub(super) file: String,
    /// The position of the schema in `file`.
    pub(super) position: Option<Position>,
    /// The places in both files, such as `old.yaml:12`.
    pub(super) lines: Vec<String>,
}

impl FindingPlaces {
    /// Returns the places of two schemas, of the old and the new CRD.
    pub(super) fn new(places: [Option<SchemaInFile<'_>>; 2], default_file: &str) -> Self {
        let positions = places.map(|place| {
            let ((file, document, source), pointer) = place?;
            let path = path_at_pointer(document, &pointer);
            let position = source.and_then(|source| source.position(&path));
            Some((file.to_owned(), position))
        });
        let lines = positions.iter().flatten().filter_map(|(file, position)| {
            let line = position.as_ref()?.line;
            Some(format!("{file}:{line}"))
        });
        let lines = lines.collect();
        let [old, new] = positions;
        let (file, position) = new
            .or(old)
            .unwrap_or_else(|| (default_file.to_owned(), None));
        Self {
            file,
            position,
            lines,
        }
    }

    /// Returns the places of a finding about a union or an enum, in the schemas that have the
    /// object or the field.
    pub(super) fn of_union(
        schemas: &[Option<SchemaInFile<'_>>; 2],
        finding: &Finding,
        default_file: &str,
    ) -> Self {
        let places = schemas.each_ref().map(|schema| {
            let (crd, schema_pointer) = schema.as_ref()?;
            let pointer = format!("{schema_pointer}{}", finding.pointer);
            crd.1.pointer(&pointer)?;
            Some((*crd, pointer))
        });
        Self::new(places, default_file)
    }

    pub(super) fn add_to(&self, text: &mut TextBuffer) {
        if !self.lines.is_empty() {
            text.add_indented_line(2, &format!("at: {}", self.lines.join(", ")), PLAIN);
        }
    }
}
