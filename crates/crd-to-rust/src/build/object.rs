//! Builds the bodies of types: fields of structs, and values of enums.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::builder::{Builder, PendingType, RULES};
use super::union;
use crate::build::keywords::{self, COVERED_BY_STRUCT, COVERED_BY_TYPE};
use crate::build::object_unions::ObjectUnions;
use crate::build::paths::METADATA;
use crate::model::{Body, NamedValue, Presence, RustType, Struct};
use crate::rust_text::identifiers::{self, NameScope};
use crate::schema::crd;
use crate::schema::schema_graph::{NodeKind, SchemaUse};
use crate::settings::{self, SchemaOutput, StringEnums};

impl<'a> Builder<'a, '_> {
    /// Builds the body of a type, without the `omitted` properties.
    pub(super) fn build_body(&mut self, pending: &PendingType<'a>, omitted: &[&str]) -> Body {
        let schema = pending.schema_use.schema;
        let graph = self.graph;
        let node = graph.node(pending.schema_use.node);
        let is_scalar = node.is_some_and(|node| matches!(node.kind, NodeKind::Scalar));
        if is_scalar && !self.needs_newtype(pending) {
            if let Some(values) = keywords::string_enum_values(schema) {
                return self.string_enum_body(&values);
            }
            if let Some((integer_type, values)) = keywords::integer_enum_values(schema) {
                return self.integer_enum_body(integer_type, &values);
            }
        }
        let is_object = match node.map(|node| &node.kind) {
            Some(NodeKind::Object { .. }) => true,
            Some(NodeKind::Any) => schema.get("type").is_some_and(|ty| ty == "object"),
            _ => false,
        };
        if is_object {
            self.object_body(pending, omitted)
        } else {
            self.newtype_body(pending)
        }
    }

    /// Returns true if an enum of values cannot be the spec, because kube derives the root type
    /// from a struct, or if it cannot be the status, because an enum has no other keywords.
    fn needs_newtype(&self, pending: &PendingType<'a>) -> bool {
        let schema = pending.schema_use.schema;
        let has_other_keywords = schema.get(RULES).is_some()
            || !keywords::keywords_without(schema, &COVERED_BY_TYPE).is_empty();
        self.roots.contains(&pending.id) && (pending.id == 0 || has_other_keywords)
    }

    /// Builds a struct around a value that is not an object.
    fn newtype_body(&mut self, pending: &PendingType<'a>) -> Body {
        let schema = pending.schema_use.schema;
        let ty = self.build_type("", pending.schema_use, &format!("{}Item", pending.name));
        let mut field = self.build_field_with_type("", String::new(), pending.schema_use, true, ty);
        field.presence = Presence::Required;
        field.list_keys.clear();
        // kube's attribute for rules supports only named fields.
        if !std::mem::take(&mut field.rules).is_empty() {
            let rules = schema.get(RULES).cloned().unwrap_or_default();
            field.keywords.push((RULES.to_owned(), rules));
        }
        Body::Newtype(Box::new(field))
    }

    fn object_body(&mut self, pending: &PendingType<'a>, omitted: &[&str]) -> Body {
        let SchemaUse { schema, node } = pending.schema_use;
        let graph = self.graph;
        let mut body = Struct::default();
        let mut names = NameScope::default();
        let is_embedded = keywords::is_true(schema, "x-kubernetes-embedded-resource");
        let (properties, keeps_unknown_fields) = match graph.node(node).map(|node| &node.kind) {
            Some(NodeKind::Object {
                properties,
                keeps_unknown_fields,
            }) => (&**properties, *keeps_unknown_fields || is_embedded),
            _ => (&[][..], true),
        };
        let required: BTreeSet<&str> = crd::strings_at(schema, "/required").collect();
        let included_properties: Vec<(&str, SchemaUse<'a>)> = properties
            .iter()
            .filter(|(name, _)| !omitted.contains(name))
            .copied()
            .collect();
        let object_unions = self.find_unions(pending, keeps_unknown_fields, omitted);
        let reduced_schema = object_unions.remove_replaced_rules(schema);
        if self.settings.unions == settings::UnionStyle::Enum
            && !self.roots.contains(&pending.id)
            && let Some(union_enum) = self.build_union_enum(
                &reduced_schema,
                &included_properties,
                &object_unions,
                &pending.prefix,
            )
        {
            return Body::Union(union_enum);
        }
        let field_idents = field_idents(&included_properties, &mut names);
        for (name, schema_use) in included_properties {
            let ident = field_idents.get(name).cloned().unwrap_or_default();
            let is_required = required.contains(name);
            // An API server keeps all metadata of an embedded resource, even without a schema.
            let mut field = if is_embedded && name == "metadata" {
                let ty = RustType::Path(METADATA);
                self.build_field_with_type(name, ident, schema_use, is_required, ty)
            } else {
                self.build_field(name, ident, schema_use, is_required, &pending.prefix)
            };
            let comments = object_unions.comments_of_field(name);
            field.comments.extend(comments.map(str::to_owned));
            body.fields.push(field);
        }
        if keeps_unknown_fields {
            body.unknown_fields = Some(identifiers::field_name("rest", &mut names));
            body.is_flattened_in_root = !omitted.is_empty();
        }
        union::add_roles(&mut body, &object_unions, &field_idents);
        if self.settings.schema == SchemaOutput::Derived {
            let is_root = self.roots.contains(&pending.id);
            add_schema_attributes(&mut body, schema, &reduced_schema, is_root);
            let is_property = |name: &&str| properties.iter().any(|(property, _)| property == name);
            if !required.iter().all(is_property) && omitted.is_empty() {
                let required_names = schema.get("required").cloned().unwrap_or_default();
                body.keywords.push(("required".to_owned(), required_names));
            }
        }
        Body::Struct(body)
    }

    /// Returns the unions of an object, if unions are enabled, the object keeps no unknown fields,
    /// and no property is omitted.
    fn find_unions(
        &self,
        pending: &PendingType<'a>,
        keeps_unknown_fields: bool,
        omitted: &[&str],
    ) -> ObjectUnions {
        let is_off = self.settings.unions == settings::UnionStyle::Off;
        if is_off || keeps_unknown_fields || !omitted.is_empty() {
            ObjectUnions::default()
        } else {
            ObjectUnions::from_schema(pending.schema_use.schema)
        }
    }

    fn string_enum_body(&self, values: &[&str]) -> Body {
        let mut names = NameScope::default();
        let variants = values.iter().map(|value| {
            let fallback = if value.is_empty() { "Empty" } else { "Value" };
            let name =
                identifiers::variant_name(&identifiers::pascal_case(value), fallback, &mut names);
            NamedValue {
                value: (*value).to_owned(),
                name,
            }
        });
        let variants = variants.collect();
        let other_variant = self.other_variant(&mut names);
        Body::StringEnum {
            variants,
            other_variant,
        }
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
        let other_variant = self.other_variant(&mut names);
        Body::IntegerEnum {
            integer_type,
            variants,
            other_variant,
        }
    }

    fn other_variant(&self, names: &mut NameScope) -> Option<String> {
        let is_open = self.settings.enums == StringEnums::Open;
        is_open.then(|| identifiers::variant_name("Other", "Other", names))
    }
}

/// Returns the identifiers of fields. A JSON name that is already in snake case keeps its name,
/// independent of the other fields.
fn field_idents<'a>(
    properties: &[(&'a str, SchemaUse<'a>)],
    names: &mut NameScope,
) -> HashMap<&'a str, String> {
    let properties = properties.iter().map(|(name, _)| *name);
    let (snake_case_names, other_names): (Vec<&str>, Vec<&str>) =
        properties.partition(|name| identifiers::snake_case(name) == *name);
    let ordered_names = snake_case_names.into_iter().chain(other_names);
    ordered_names
        .map(|name| (name, identifiers::field_name(name, names)))
        .collect()
}

/// Adds the rules and the keywords of a struct's schema that the fields do not express.
/// `reduced_schema` is the schema without the rules that the derive generates.
fn add_schema_attributes(body: &mut Struct, schema: &Value, reduced_schema: &Value, is_root: bool) {
    let rules = keywords::parse_rules(reduced_schema);
    let mut excluded_keywords = COVERED_BY_STRUCT.to_vec();
    if rules.is_none() {
        excluded_keywords.retain(|keyword| *keyword != RULES);
    }
    body.rules = rules.unwrap_or_default();
    body.keywords = keywords::keywords_without(reduced_schema, &excluded_keywords);
    // kube's derive generates the fields `spec` and `status` without defaults, so the defaults are
    // added to the structs.
    let default = schema.get("default").filter(|_| is_root);
    let default = default.map(|default| ("default".to_owned(), default.clone()));
    body.keywords.extend(default);
}
