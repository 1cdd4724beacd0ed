//! Translates the keywords of a schema to terms over fields: `required`, `oneOf`, `anyOf`, `allOf`,
//! `not`, enums of properties.

use serde_json::{Map, Value};

use crate::terms::fields::{FieldId, Fields, json_property};
use crate::terms::term::{Comparison, FieldAccess, Term};

/// The maximum nesting depth of keywords, which bounds the recursion. Deeper keywords are not
/// understood.
const MAX_DEPTH: usize = 32;

/// The subject of keywords: the object, or the value of a field below it.
#[derive(Clone, Copy)]
struct KeywordTarget<'p, 's> {
    path: &'p [&'s str],
    field: Option<FieldId>,
}

impl KeywordTarget<'_, '_> {
    const OBJECT: Self = KeywordTarget {
        path: &[],
        field: None,
    };
}

/// A translator of the keywords of an object's schema. It records the fields that keywords name.
pub(crate) struct KeywordLowering<'f, 's> {
    pub(crate) fields: &'f mut Fields<'s>,
    pub(crate) named_fields: Vec<FieldId>,
}

impl<'s> KeywordLowering<'_, 's> {
    /// Returns the term of a subschema in a combining keyword of the object's schema.
    pub(crate) fn lower_subschema(&mut self, schema: &'s Value) -> Term {
        self.lower_schema(schema, KeywordTarget::OBJECT, 0)
    }

    /// Returns the terms of the subschemas in the list of a combining keyword.
    pub(crate) fn lower_subschemas(&mut self, schemas: &'s Value) -> Vec<Term> {
        self.lower_schemas(schemas, KeywordTarget::OBJECT, 0)
    }

    /// Returns the term of all keywords of a schema. Keywords that are not understood become
    /// [`Term::UnknownBool`].
    fn lower_schema(
        &mut self,
        schema: &'s Value,
        target: KeywordTarget<'_, 's>,
        depth: usize,
    ) -> Term {
        let object = match schema {
            Value::Object(object) if depth < MAX_DEPTH => object,
            Value::Bool(value) => return Term::bool(*value),
            _ => return Term::UnknownBool,
        };
        let terms = object.iter().filter_map(|(keyword, value)| {
            Some(match &**keyword {
                "required" => self.lower_required(value, target),
                "properties" => self.lower_properties(value, target, depth),
                "enum" => self.lower_enum(value, target),
                "oneOf" => Term::OneOf(self.lower_schemas(value, target, depth)),
                "anyOf" => any_of(self.lower_schemas(value, target, depth)),
                "allOf" => Term::AllOf(self.lower_schemas(value, target, depth)),
                "not" => self.lower_schema(value, target, depth + 1).negated(),
                "description" | "title" | "example" | "default" | "type" | "nullable" => {
                    return None;
                }
                keyword if keyword.starts_with("x-") => return None,
                _ => Term::UnknownBool,
            })
        });
        let terms: Vec<Term> = terms.collect();
        Term::AllOf(terms)
    }

    fn lower_schemas(
        &mut self,
        schemas: &'s Value,
        target: KeywordTarget<'_, 's>,
        depth: usize,
    ) -> Vec<Term> {
        let schemas = schemas.as_array().map_or(&[][..], Vec::as_slice);
        let schemas = schemas.iter();
        schemas
            .map(|schema| self.lower_schema(schema, target, depth + 1))
            .collect()
    }

    fn lower_required(&mut self, names: &'s Value, target: KeywordTarget<'_, 's>) -> Term {
        let names = names.as_array().map_or(&[][..], Vec::as_slice);
        let terms = names.iter().filter_map(Value::as_str).map(|name| {
            self.resolve_field(target.path, name)
                .map_or(Term::UnknownBool, |field| {
                    self.record_null(field);
                    Term::Present(field)
                })
        });
        Term::AllOf(terms.collect())
    }

    /// Returns the term of `properties`: each present field must be valid for its schema.
    fn lower_properties(
        &mut self,
        properties: &'s Value,
        target: KeywordTarget<'_, 's>,
        depth: usize,
    ) -> Term {
        let properties = properties.as_object().into_iter().flatten();
        let terms = properties.map(|(name, schema)| {
            if is_unconstrained(schema) {
                return Term::bool(true);
            }
            let Some(field) = self.resolve_field(target.path, name) else {
                return Term::UnknownBool;
            };
            self.record_null(field);
            let mut path = target.path.to_vec();
            path.push(name);
            let property_target = KeywordTarget {
                path: &path,
                field: Some(field),
            };
            let value_check = self.lower_schema(schema, property_target, depth + 1);
            // For null, the API server checks only the type and the enum.
            let values = schema.get("enum").and_then(Value::as_array);
            let allows_null = values.is_none_or(|values| values.contains(&Value::Null));
            // With `optional_from`, an absent parent makes the term false instead of an error.
            let is_not_null = Term::Has(FieldAccess {
                field,
                optional_from: Some(0),
            });
            let check = Term::If(Box::new([
                is_not_null,
                value_check,
                Term::bool(allows_null),
            ]));
            Term::Present(field).negated().or(check)
        });
        Term::AllOf(terms.collect())
    }

    fn lower_enum(&mut self, values: &'s Value, target: KeywordTarget<'_, 's>) -> Term {
        let (Some(field), Some(values)) = (target.field, values.as_array()) else {
            return Term::UnknownBool;
        };
        any_of(
            values
                .iter()
                .map(|value| self.lower_equality(field, value))
                .collect(),
        )
    }

    /// Returns the term that compares a field with an entry of an `enum`, and records the entry as
    /// a use of the field.
    fn lower_equality(&mut self, field: FieldId, value: &Value) -> Term {
        let constant = match value {
            Value::String(string) => {
                if let Some(field) = self.fields.get_mut(field) {
                    if string.is_empty() {
                        field.usage.checks_emptiness = true;
                    } else if !field.usage.literals.contains(string) {
                        field.usage.literals.push(string.clone());
                    }
                }
                Term::string(string)
            }
            Value::Null => Term::Const(crate::terms::value::ValueClass::Null),
            Value::Bool(value) => {
                if let Some(field) = self.fields.get_mut(field) {
                    field.usage.reads_truth = true;
                }
                Term::bool(*value)
            }
            _ => return Term::UnknownBool,
        };
        Term::Compare(
            Comparison::Equal,
            Box::new([Term::JsonValue(field), constant]),
        )
    }

    /// Returns the field with this name below a path, and records the fields on the path. `None` if
    /// the schema does not describe the whole path.
    fn resolve_field(&mut self, parents: &[&'s str], name: &'s str) -> Option<FieldId> {
        let mut path = parents.to_vec();
        path.push(name);
        let resolved = self.fields.find_or_add(&path, json_property);
        let last_field = match resolved {
            Ok(field) => Some(field),
            Err(last_field) => last_field,
        };
        let chain = last_field.and_then(|last_field| self.fields.get(last_field));
        for field in chain.map_or(&[][..], |field| &field.chain) {
            if !self.named_fields.contains(field) {
                self.named_fields.push(*field);
            }
        }
        resolved.ok()
    }

    fn record_null(&mut self, field: FieldId) {
        if let Some(field) = self.fields.get_mut(field) {
            field.usage.distinguishes_null = true;
        }
    }
}

fn any_of(terms: Vec<Term>) -> Term {
    let no_term_holds = Term::bool(false);
    terms.into_iter().fold(no_term_holds, Term::or)
}

/// Returns true if a schema requires nothing: `{}`, or a description.
fn is_unconstrained(schema: &Value) -> bool {
    schema.as_object().is_some_and(|schema| {
        let mut keywords = schema.keys();
        keywords.all(|keyword| {
            matches!(&**keyword, "description" | "title" | "example") || keyword.starts_with("x-")
        })
    })
}

/// Returns the field that a branch requires, if the branch requires only the presence of one field.
pub(crate) fn single_required_field(term: &Term) -> Option<FieldId> {
    let mut required_field = None;
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match term {
            Term::AllOf(terms) => stack.extend(terms),
            Term::Present(field) if required_field.is_none() => required_field = Some(*field),
            Term::Const(crate::terms::value::ValueClass::Bool(true)) => {}
            _ => return None,
        }
    }
    required_field
}

/// The schema keywords that combine subschemas and relate the fields of an object.
pub(crate) const COMBINING_KEYWORDS: [&str; 4] = ["oneOf", "anyOf", "allOf", "not"];

/// Returns true if an object cannot have keys other than its properties, so that `minProperties`
/// and `maxProperties` count its properties.
pub(crate) fn is_closed(schema: &Map<String, Value>) -> bool {
    schema.contains_key("properties")
        && !schema.contains_key("additionalProperties")
        && schema.get("x-kubernetes-preserve-unknown-fields") != Some(&Value::Bool(true))
        && schema.get("x-kubernetes-embedded-resource") != Some(&Value::Bool(true))
}
