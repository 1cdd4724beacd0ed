//! Prepares an object for validation: removes values that count as unset, and replaces members that
//! this build does not know by members that it knows.

use std::borrow::Cow;

use serde_json::{Map, Value};
use union_runtime::path::FieldPath;
use union_runtime::{ChangeKind, Changes};

use crate::table::data::{ArityRow, MemberRow, Shape, TypeField, UnionRow, table};

/// The preparation of objects of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preparation {
    /// The type of the whole object.
    pub(crate) type_name: &'static str,
    /// True if an unknown field may be the member that a union with exactly one member needs.
    pub(crate) allows_unknown_members: bool,
}

impl Preparation {
    /// Returns the object as a server sees it, for validation.
    pub(crate) fn prepare(self, object: &Value) -> Cow<'_, Value> {
        if !self.has_work(object) {
            return Cow::Borrowed(object);
        }
        let mut prepared = object.clone();
        self.for_each_object(&mut prepared, |fields, type_name, _| {
            for name in unset_fields(type_name) {
                remove_if_empty(fields, name);
            }
            if self.allows_unknown_members {
                for member in members_for_unknown_fields(fields, type_name) {
                    fields.insert(member.to_owned(), Value::Bool(true));
                }
            }
        });
        Cow::Owned(prepared)
    }

    /// Removes the values that count as unset, as a server does when it stores the object. Returns
    /// the removed fields, in the order of the object.
    pub(crate) fn remove_unset(self, object: &mut Value) -> Changes {
        let mut changes = Changes::default();
        if self.has_work(object) {
            self.for_each_object(object, |fields, type_name, path| {
                for name in unset_fields(type_name) {
                    if remove_if_empty(fields, name) {
                        changes.push(path.clone().field(name), ChangeKind::Cleared);
                    }
                }
            });
        }
        changes
    }

    /// Calls `visit` with each object of a type of the table, its type and its path.
    fn for_each_object(
        self,
        object: &mut Value,
        mut visit: impl FnMut(&mut Map<String, Value>, &str, &FieldPath),
    ) {
        let mut pending = vec![(object, self.type_name, FieldPath::root())];
        while let Some((value, type_name, path)) = pending.pop() {
            let (Value::Object(fields), Some(types)) = (value, table().types.get(type_name)) else {
                continue;
            };
            visit(fields, type_name, &path);
            let start = pending.len();
            for (name, child) in fields {
                let Some((field, type_name)) = types.get(name).and_then(with_type) else {
                    continue;
                };
                let path = path.clone().field(name);
                match (field.shape, child) {
                    (Shape::Object, child) => pending.push((child, type_name, path)),
                    (Shape::List, Value::Array(items)) => {
                        let items = items.iter_mut().enumerate();
                        pending.extend(
                            items.map(|(i, item)| (item, type_name, path.clone().index(i))),
                        );
                    }
                    (Shape::Map, Value::Object(values)) => {
                        let values = values.iter_mut();
                        pending.extend(
                            values.map(|(key, value)| (value, type_name, path.clone().key(key))),
                        );
                    }
                    _ => {}
                }
            }
            // The last element is visited first.
            if let Some(children) = pending.get_mut(start..) {
                children.reverse();
            }
        }
    }

    /// Returns true if the object contains an object that must be changed.
    fn has_work(self, object: &Value) -> bool {
        let mut pending = vec![(object, self.type_name)];
        while let Some((value, type_name)) = pending.pop() {
            let (Value::Object(fields), Some(types)) = (value, table().types.get(type_name)) else {
                continue;
            };
            let unset =
                unset_fields(type_name).any(|name| fields.get(name).is_some_and(is_empty_value));
            let may_have_unknown_member = || {
                self.allows_unknown_members
                    && !members_for_unknown_fields(fields, type_name).is_empty()
            };
            if unset || may_have_unknown_member() {
                return true;
            }
            for (name, child) in fields {
                let Some((field, type_name)) = types.get(name).and_then(with_type) else {
                    continue;
                };
                match (field.shape, child) {
                    (Shape::Object, child) => pending.push((child, type_name)),
                    (Shape::List, Value::Array(items)) => {
                        pending.extend(items.iter().map(|item| (item, type_name)));
                    }
                    (Shape::Map, Value::Object(values)) => {
                        pending.extend(values.values().map(|value| (value, type_name)));
                    }
                    _ => {}
                }
            }
        }
        false
    }
}

fn with_type(field: &TypeField) -> Option<(&TypeField, &str)> {
    Some((field, field.type_name.as_deref()?))
}

/// Returns the members and discriminators of a type whose empty values count as unset.
fn unset_fields(type_name: &str) -> impl Iterator<Item = &'static str> {
    table().unions_of(type_name).iter().flat_map(|row| {
        let members = row.members.iter().filter(|member| member.unset_if_empty);
        let discriminator = row.discriminator.iter();
        let discriminator = discriminator.filter(|discriminator| discriminator.unset_if_empty);
        let members = members.map(|member| member.field.as_str());
        members.chain(discriminator.map(|discriminator| discriminator.field.as_str()))
    })
}

/// Removes a field if its value is empty. Returns true if the field was removed.
fn remove_if_empty(fields: &mut Map<String, Value>, name: &str) -> bool {
    let is_empty = fields.get(name).is_some_and(is_empty_value);
    is_empty && fields.remove(name).is_some()
}

/// Returns true for the zero value of a Go field that is not a pointer: an empty string or list, 0
/// or false.
fn is_empty_value(value: &Value) -> bool {
    match value {
        Value::Null | Value::Object(_) => false,
        Value::Bool(value) => !value,
        Value::Number(value) => value.as_f64() == Some(0.0),
        Value::String(value) => value.is_empty(),
        Value::Array(values) => values.is_empty(),
    }
}

/// Returns a member of each union that needs a member and has none, if an unknown field of the
/// object may be the member of a newer version. The member is in no other union of the type.
fn members_for_unknown_fields(fields: &Map<String, Value>, type_name: &str) -> Vec<&'static str> {
    let unions = table().unions_of(type_name);
    let is_unset = |member: &&MemberRow| {
        let value = fields.get(&member.field);
        value.is_none_or(|value| value.is_null() || member.unset_if_empty && is_empty_value(value))
    };
    let needs_member = |row: &&UnionRow| {
        row.arity == ArityRow::ExactlyOne
            && row.default_member.is_none()
            && row.members.iter().all(|member| is_unset(&member))
    };
    let known_fields = table().types.get(type_name);
    let is_unknown = |(name, value): (&String, &Value)| {
        !value.is_null() && known_fields.is_some_and(|known| !known.contains_key(name))
    };
    if !unions.iter().any(|row| needs_member(&row)) || !fields.iter().any(is_unknown) {
        return Vec::new();
    }
    let own_member = |row: &'static UnionRow| {
        let mut members = row.members.iter();
        members.find(|member| {
            let rows = unions.iter().filter(|row| {
                let mut members = row.members.iter();
                members.any(|other| other.field == member.field)
            });
            rows.count() == 1
        })
    };
    let unions = unions.iter().filter(needs_member);
    let members = unions.filter_map(own_member);
    members.map(|member| member.field.as_str()).collect()
}
