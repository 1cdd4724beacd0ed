//! Searches for valid objects with a value at a place.

use std::collections::HashMap;
use std::rc::Rc;

use k8s_crd_validation::Violation;
use serde_json::Value;
use union_json::document::SchemaPath;
use union_runtime::path::FieldPath;

use super::place_search::{repair, search_at, small_root};
use crate::edges::placement::{field_path, with_value};
use crate::judge::cause_score::Side;
use crate::judge::judged_version::JudgedVersion;
use crate::sample::changeable_schema;
use crate::sample::small_value::small_filled_value;

/// An object with a value at a place.
#[derive(Clone, Debug)]
pub(crate) struct BaseObject {
    pub(crate) object: Value,
    /// True if both versions accept the object.
    pub(crate) is_valid: bool,
}

/// The versions that accept an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sides {
    Both,
    Old,
    New,
}

/// The objects around the places of a comparison. The objects of a place are searched once.
pub(crate) struct BaseObjects<'a> {
    versions: [&'a JudgedVersion<'a>; 2],
    /// The schemas of the values that may change: merged, old and new.
    changeable: [Value; 3],
    root: Value,
    by_path: HashMap<SchemaPath, Rc<[BaseObject]>>,
}

impl<'a> BaseObjects<'a> {
    pub(crate) fn new(versions: [&'a JudgedVersion<'a>; 2], merged: &Value) -> Self {
        let [old, new] = versions.map(|version| version.schema);
        let changeable = [merged, old, new].map(changeable_schema);
        let mut objects = Self {
            versions,
            root: small_root(&changeable[0]),
            changeable,
            by_path: HashMap::new(),
        };
        let valid_root = objects.search(objects.root.clone(), &FieldPath::root(), Sides::Both);
        if let Some(root) = valid_root {
            objects.root = root;
        }
        objects
    }

    /// Returns the merged schema of the values that may change.
    pub(crate) const fn changeable_schema(&self) -> &Value {
        &self.changeable[0]
    }

    const fn schema_of(&self, sides: Sides) -> &Value {
        let [merged, old, new] = &self.changeable;
        match sides {
            Sides::Both => merged,
            Sides::Old => old,
            Sides::New => new,
        }
    }

    /// Returns an object that the versions accept, that has a value at `place`, and that a search
    /// finds from an object.
    fn search(&self, object: Value, place: &FieldPath, sides: Sides) -> Option<Value> {
        search_at(object, self.schema_of(sides), place, |object| {
            self.errors(object, sides)
        })
    }

    fn errors(&self, object: &Value, sides: Sides) -> Vec<Violation> {
        let [old, new] = self.versions;
        let mut errors = Vec::new();
        if sides != Sides::New {
            errors.extend(old.create_errors(object));
        }
        if sides != Sides::Old {
            errors.extend(new.create_errors(object));
        }
        errors
    }

    /// Returns an object that a version accepts, that is a change of an object, and for which
    /// `is_wanted` returns true.
    pub(crate) fn repaired(
        &self,
        object: Value,
        path: &SchemaPath,
        side: Side,
        is_wanted: impl Fn(&Value) -> bool,
    ) -> Option<Value> {
        let sides = match side {
            Side::Old => Sides::Old,
            Side::New => Sides::New,
        };
        let (schema, place) = (self.schema_of(sides), field_path(path));
        let validate = |object: &Value| self.errors(object, sides);
        repair(object, schema, &place, is_wanted, validate)
    }

    /// Returns objects with a value at a path, which both versions accept, or else one of them. If
    /// no such object was found, returns an object that is not valid.
    pub(crate) fn at(&mut self, path: &SchemaPath) -> Rc<[BaseObject]> {
        if let Some(objects) = self.by_path.get(path) {
            return Rc::clone(objects);
        }
        let place = field_path(path);
        let mut objects = Vec::new();
        let mut first_object = self.root.clone();
        for sides in [Sides::Both, Sides::Old, Sides::New] {
            let schema = self.schema_of(sides);
            let root = match sides {
                Sides::Both => self.root.clone(),
                _ => small_root(schema),
            };
            let value = path
                .find(schema)
                .map(|schema| small_filled_value(schema, 0));
            let object = with_value(&root, schema, path, value.as_ref());
            let object = object.unwrap_or(root);
            if sides == Sides::Both {
                first_object = object.clone();
            }
            let found = self.search(object, &place, sides);
            objects.extend(found.map(|object| BaseObject {
                object,
                is_valid: sides == Sides::Both,
            }));
            if objects.first().is_some_and(|base| base.is_valid) {
                break;
            }
        }
        if objects.is_empty() {
            objects.push(BaseObject {
                object: first_object,
                is_valid: false,
            });
        }
        let objects: Rc<[BaseObject]> = objects.into();
        self.by_path.insert(path.clone(), Rc::clone(&objects));
        objects
    }
}
