//! Searches for enclosing objects that the versions accept.

use crd_compat::sample::changeable_schema;
use crd_compat::{PlaceValue, field_path, find_object_at, merge_schemas, repair_object_at};
use k8s_crd_validation::{ServerSettings, StructuralSchema, Violation};
use serde_json::{Value, json};
use union_json::document::{SchemaPath, SchemaStep};
use union_runtime::path::FieldPath;

use crate::json::merge_patch;
use crate::version::version::{ApiVersion, EMBEDDED_FIELD, Root, SIBLING_FIELD, embed_schema};
use crate::version::version_side::VersionSide;

/// A search for objects that contain a value at a path.
pub(crate) struct EnclosingSearch<'a> {
    versions: [&'a ApiVersion; 2],
    servers: [&'a StructuralSchema; 2],
    /// The schemas of the enclosing objects in both versions.
    schemas: [Value; 2],
    /// The path of the value in the schemas of the enclosing objects.
    pub(crate) path: SchemaPath,
    pub(crate) root: Root,
    /// The path of the object that the search includes, in the schemas of the versions.
    outermost: SchemaPath,
}

impl<'a> EnclosingSearch<'a> {
    /// Returns a search for objects with all parents of the value at a path.
    pub(crate) fn with_parents(versions: [&'a ApiVersion; 2], path: &SchemaPath) -> Self {
        let [old, _] = versions;
        let root = old.root();
        Self {
            versions,
            servers: versions.map(ApiVersion::server),
            schemas: versions.map(|version| match root {
                Root::Resource => changeable_schema(version.schema()),
                Root::Embedded => embed_schema(version.schema()),
            }),
            path: match root {
                Root::Resource => path.clone(),
                Root::Embedded => embedded(path),
            },
            root,
            outermost: SchemaPath::root(),
        }
    }

    /// Returns a search for the value at a path without its parents; `None` if a version does not
    /// have the path.
    pub(crate) fn without_parents(
        versions: [&'a ApiVersion; 2],
        servers: [&'a StructuralSchema; 2],
        path: &SchemaPath,
    ) -> Option<Self> {
        let [old, new] = versions.map(|version| path.find(version.schema()).map(embed_schema));
        Some(Self {
            versions,
            servers,
            schemas: [old?, new?],
            path: embedded(&SchemaPath::root()),
            root: Root::Embedded,
            outermost: path.clone(),
        })
    }

    /// Returns an object that both versions accept, or else the fields of an object of each
    /// version.
    pub(crate) fn find_any(&self) -> Option<Value> {
        self.find(&VersionSide::BOTH, PlaceValue::Any).or_else(|| {
            let mut object = self.find(&[VersionSide::New], PlaceValue::Any)?;
            let old_object = self.find(&[VersionSide::Old], PlaceValue::Any)?;
            merge_patch(&mut object, &old_object);
            Some(object)
        })
    }

    /// Returns a small object that the versions accept, with the value at the path.
    pub(crate) fn find(&self, sides: &[VersionSide], value: PlaceValue<'_>) -> Option<Value> {
        let schema = self.schema_for(sides);
        find_object_at(&schema, &self.path, value, |object| {
            self.errors_for(sides, object)
        })
    }

    /// Returns an object that the versions accept, that is a change of `object`, and that has a
    /// value at the path for which `is_wanted` returns true.
    pub(crate) fn repair(
        &self,
        sides: &[VersionSide],
        object: Value,
        is_wanted: impl Fn(&Value) -> bool,
    ) -> Option<Value> {
        let schema = self.schema_for(sides);
        let validate = |object: &Value| self.errors_for(sides, object);
        repair_object_at(object, &schema, &self.path, is_wanted, validate)
    }

    /// Returns the schema of objects that the versions may accept.
    fn schema_for(&self, sides: &[VersionSide]) -> Value {
        let [old, new] = &self.schemas;
        match sides {
            [VersionSide::Old] => old.clone(),
            [VersionSide::New] => new.clone(),
            _ => merge_schemas(old, new),
        }
    }

    fn errors_for(&self, sides: &[VersionSide], object: &Value) -> Vec<Violation> {
        let errors = sides.iter().map(|side| self.errors(*side, object));
        errors.flatten().collect()
    }

    fn errors(&self, side: VersionSide, object: &Value) -> Vec<Violation> {
        let server = side.select(self.servers);
        let mut stored = self.complete(object.clone());
        let report = server.create(&mut stored, &ServerSettings::default());
        let mut errors = report.errors().to_vec();
        errors.extend(self.union_errors(side, object));
        errors
    }

    /// Returns an object with the name that a resource has, or with the sibling of an embedded
    /// object.
    pub(crate) fn complete(&self, mut object: Value) -> Value {
        let Value::Object(fields) = &mut object else {
            return object;
        };
        match self.root {
            Root::Embedded => {
                fields.insert(SIBLING_FIELD.to_owned(), json!(1));
            }
            Root::Resource => {
                let metadata = fields.entry("metadata").or_insert_with(|| json!({}));
                if let Value::Object(metadata) = metadata {
                    metadata.entry("name").or_insert_with(|| json!("example"));
                }
            }
        }
        object
    }

    /// Returns an error for each parent whose declared unions reject the object. A server does not
    /// check the unions.
    fn union_errors(&self, side: VersionSide, object: &Value) -> Vec<Violation> {
        let union_objects = side.select(self.versions).union_objects().iter();
        let errors = union_objects.filter_map(|union_object| {
            let inner = union_object.path.strip_prefix(&self.outermost)?;
            let path = match self.root {
                Root::Resource => inner,
                Root::Embedded => embedded(&inner),
            };
            if path == self.path || !self.path.starts_with(&path) {
                return None;
            }
            let place: FieldPath = field_path(&path);
            let report = union_object.validator.validate(place.find(object)?);
            (!report.is_accepted()).then(|| Violation::required(place, ""))
        });
        errors.collect()
    }
}

/// Returns the path of a value inside the object that contains an embedded object.
fn embedded(path: &SchemaPath) -> SchemaPath {
    let outer = SchemaPath::root().property(EMBEDDED_FIELD);
    path.steps()
        .fold(outer, |outer, step: SchemaStep<'_>| outer.step(step))
}
