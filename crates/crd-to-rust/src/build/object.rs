//! Builds the bodies of types: fields of structs, and values of enums.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::builder::{Builder, PendingType};
use super::union;
use crate::build::keywords::{self, COVERED_BY_STRUCT};
use crate::build::object_unions::ObjectUnions;
use crate::build::paths::METADATA;
use crate::model::{Body, NamedValue, RustType, Struct};
use crate::rust_text::identifiers::{self, NameScope};
use crate::schema::crd;
use crate::schema::schema_graph::{NodeKind, SchemaUse};
use crate::settings::{self, SchemaOutput, StringEnums};

impl<'a> Builder<'a, '_> {
    pub(super) fn body(&mut self, pending: &PendingType<'a>, omitted: &[&str]) -> Body {
        let schema = pending.used.schema;
        let graph = self.graph;
        let node = graph.node(pending.used.node);
        if node.is_some_and(|node| matches!(node.kind, NodeKind::Scalar)) {
            if let Some(values) = keywords::string_enum_values(schema) {
                return self.string_enum_body(&values);
            }
            if let Some((integer_type, values)) = keywords::integer_enum_values(schema) {
                return self.integer_enum_body(integer_type, &values);
            }
        }
        self.object_body(pending, omitted)
    }

    fn object_body(&mut self, pending: &PendingType<'a>, omitted: &[&str]) -> Body {
        let schema = pending.used.schema;
        let graph = self.graph;
        let node = graph.node(pending.used.node);
        let mut body = Struct::default();
        let mut names = NameScope::default();
        let embedded = keywords::is_true(schema, "x-kubernetes-embedded-resource");
        let (properties, rest) = match node.map(|node| &node.kind) {
            Some(NodeKind::Object { properties, rest }) => (&**properties, *rest || embedded),
            _ => (&[][..], true),
        };
        let required: BTreeSet<&str> = crd::strings_at(schema, "/required").collect();
        let included: Vec<(&str, SchemaUse<'a>)> = properties
            .iter()
            .filter(|(name, _)| !omitted.contains(name))
            .copied()
            .collect();
        let unions = self.unions(pending, rest, omitted);
        // The derive generates the replaced rules, so they are not written again.
        let without_replaced_rules = unions.without_rules(schema);
        if self.settings.unions == settings::UnionStyle::Enum
            && !self.roots.contains(&pending.id)
            && let Some(body) =
                self.union_body(&without_replaced_rules, &included, &unions, &pending.prefix)
        {
            return Body::Union(body);
        }
        let idents = idents(&included, &mut names);
        for (name, used) in included {
            let ident = idents.get(name).cloned().unwrap_or_default();
            let required = required.contains(name);
            // An API server keeps all metadata of an embedded resource, even without a schema.
            let mut field = if embedded && name == "metadata" {
                self.field_with_type(name, ident, used, required, RustType::Path(METADATA))
            } else {
                self.field(name, ident, used, required, &pending.prefix)
            };
            field
                .comments
                .extend(unions.comments_of_field(name).map(str::to_owned));
            body.fields.push(field);
        }
        if rest {
            body.rest = Some(identifiers::field_name("rest", &mut names));
        }
        union::add_roles(&mut body, &unions, &idents);
        if self.settings.schema == SchemaOutput::Derived {
            let is_root = self.roots.contains(&pending.id);
            add_schema(&mut body, schema, &without_replaced_rules, is_root);
            let is_named = |name: &&str| properties.iter().any(|(property, _)| property == name);
            if !required.iter().all(is_named) && omitted.is_empty() {
                let all = schema.get("required").cloned().unwrap_or_default();
                body.keywords.push(("required".to_owned(), all));
            }
        }
        Body::Struct(body)
    }

    /// Returns the unions of an object, if unions are enabled and the object has no other unknown
    /// fields.
    fn unions(&self, pending: &PendingType<'a>, rest: bool, omitted: &[&str]) -> ObjectUnions {
        let is_off = self.settings.unions == settings::UnionStyle::Off;
        if is_off || rest || !omitted.is_empty() {
            ObjectUnions::default()
        } else {
            ObjectUnions::from_schema(pending.used.schema)
        }
    }

    fn string_enum_body(&self, values: &[&str]) -> Body {
        let mut names = NameScope::default();
        let variants = values.iter().map(|value| {
            let otherwise = if value.is_empty() { "Empty" } else { "Value" };
            let name =
                identifiers::variant_name(&identifiers::pascal_case(value), otherwise, &mut names);
            NamedValue {
                value: (*value).to_owned(),
                name,
            }
        });
        let variants = variants.collect();
        let other = self.other_variant(&mut names);
        Body::StringEnum { variants, other }
    }

    fn integer_enum_body(&self, integer_type: &'static str, values: &[i64]) -> Body {
        let mut names = NameScope::default();
        let variants = values.iter().map(|value| {
            let sign = if *value < 0 { "Minus" } else { "" };
            let name = format!("Value{sign}{}", value.unsigned_abs());
            NamedValue {
                value: *value,
                name: identifiers::variant_name(&name, "Value", &mut names),
            }
        });
        let variants = variants.collect();
        let other = self.other_variant(&mut names);
        Body::IntegerEnum {
            integer_type,
            variants,
            other,
        }
    }

    fn other_variant(&self, names: &mut NameScope) -> Option<String> {
        let is_open = self.settings.enums == StringEnums::Open;
        is_open.then(|| identifiers::variant_name("Other", "Other", names))
    }
}

/// Returns the identifiers of fields. A JSON name that is already in snake case keeps its name,
/// independent of the other fields.
fn idents<'a>(
    properties: &[(&'a str, SchemaUse<'a>)],
    names: &mut NameScope,
) -> HashMap<&'a str, String> {
    let properties = properties.iter().map(|(name, _)| *name);
    let (unchanged, others): (Vec<&str>, Vec<&str>) =
        properties.partition(|name| identifiers::snake_case(name) == *name);
    let all = unchanged.into_iter().chain(others);
    all.map(|name| (name, identifiers::field_name(name, names)))
        .collect()
}

/// Adds the keywords of a struct's schema that the fields do not express. `without_replaced_rules`
/// is the schema without the rules that the derive generates.
fn add_schema(body: &mut Struct, schema: &Value, without_replaced_rules: &Value, is_root: bool) {
    let own_rules = keywords::rules(without_replaced_rules);
    let mut excluded = COVERED_BY_STRUCT.to_vec();
    if own_rules.is_none() {
        excluded.pop();
    }
    body.rules = own_rules.unwrap_or_default();
    body.keywords = keywords::keywords_without(without_replaced_rules, &excluded);
    // The root derive writes the spec and the status as fields, so their defaults are added to
    // their structs.
    let default = schema.get("default").filter(|_| is_root);
    let default = default.map(|default| ("default".to_owned(), default.clone()));
    body.keywords.extend(default);
}
