//! Builds fields: the type, the presence, and the schema attributes.

use serde_json::Value;

use super::builder::{Builder, RULES, description};
use crate::build::keywords::{self, COVERED_BY_TYPE};
use crate::build::paths::{BYTES, INT_OR_STRING, MICRO_TIME, QUANTITY_TYPE, RAW, TIME};
use crate::model::{Field, Presence, RustType};
use crate::rust_text::identifiers;
use crate::schema::core_types::find_core_type;
use crate::schema::crd;
use crate::schema::schema_graph::{NodeKind, SchemaUse};
use crate::settings::{SchemaOutput, UnionStyle};

/// The part of a pattern that identifies quantities, as controller-gen writes it.
const QUANTITY_PATTERN: &str = "([KMGTPE]i)|[numkMGTPE]|([eE]";

impl<'a> Builder<'a, '_> {
    /// Returns the field for a property. `prefix` begins the names of the types in the field.
    pub(super) fn build_field(
        &mut self,
        name: &str,
        ident: String,
        schema_use: SchemaUse<'a>,
        is_required: bool,
        prefix: &str,
    ) -> Field {
        let path = format!("{prefix}{}", identifiers::pascal_case(name));
        let ty = self.build_type(name, schema_use, &path);
        self.build_field_with_type(name, ident, schema_use, is_required, ty)
    }

    /// Returns a field with a given type.
    pub(super) fn build_field_with_type(
        &self,
        name: &str,
        ident: String,
        schema_use: SchemaUse<'a>,
        is_required: bool,
        ty: RustType,
    ) -> Field {
        let schema = schema_use.schema;
        let has_default = schema.get("default").is_some();
        let presence = match (
            is_required && !has_default,
            keywords::is_true(schema, "nullable"),
        ) {
            (true, false) => Presence::Required,
            (true, true) => Presence::Nullable,
            (false, _) => Presence::Optional,
        };
        let mut field = Field {
            ident,
            json_name: name.to_owned(),
            doc: description(schema),
            comments: Vec::new(),
            ty,
            presence,
            with: None,
            keywords: Vec::new(),
            subschema_keywords: Vec::new(),
            rules: Vec::new(),
            role: None,
            list_keys: if self.settings.unions == UnionStyle::Off {
                Vec::new()
            } else {
                list_keys(schema)
            },
            is_nested: false,
            is_key: false,
        };
        if let (RustType::Path(_), Some(values)) = (&field.ty, schema.get("enum")) {
            let values = values
                .as_array()
                .into_iter()
                .flatten()
                .map(|value| format!("`{value}`"));
            let values: Vec<String> = values.collect();
            if !field.doc.is_empty() {
                field.doc.push_str("\n\n");
            }
            let values = values.join(", ");
            field.doc.extend(["Allowed: ", &values, "."]);
        }
        if self.settings.schema == SchemaOutput::Derived {
            self.add_schema_attributes(&mut field, schema_use);
        }
        field
    }

    /// Adds the schema attributes of a field.
    fn add_schema_attributes(&self, field: &mut Field, schema_use: SchemaUse<'a>) {
        let schema = schema_use.schema;
        let is_struct =
            matches!(&field.ty, RustType::Named(_)) && !keywords::has_enum_values(schema);
        if !is_struct {
            if let Some(rules) = keywords::parse_rules(schema) {
                field.rules = rules;
            } else {
                let rules = schema.get(RULES).cloned();
                field
                    .keywords
                    .extend(rules.map(|rules| (RULES.to_owned(), rules)));
            }
        }
        if field.ty.item_id().is_none() {
            add_plain_type_schema(field, schema);
            return;
        }
        if field.presence != Presence::Required {
            field.with = Some(field.ty.clone());
        }
        if is_struct {
            let use_site_keywords = ["default", "nullable"].iter().filter_map(|name| {
                let value = schema.get(name)?;
                Some(((*name).to_owned(), value.clone()))
            });
            field.keywords.extend(use_site_keywords);
        } else {
            field
                .keywords
                .extend(keywords::keywords_without(schema, &COVERED_BY_TYPE));
            self.add_subschema_keywords(field, schema_use);
        }
    }

    /// Adds the keywords of the elements of a list or map, down to the first object, whose type has
    /// its own attributes.
    fn add_subschema_keywords(&self, field: &mut Field, schema_use: SchemaUse<'a>) {
        let mut pointer = String::new();
        let mut current_use = schema_use;
        while let Some(kind) = self.graph.node(current_use.node).map(|node| &node.kind) {
            let (step, element_use) = match kind {
                NodeKind::List(element_use) => ("/items", element_use),
                NodeKind::Map(element_use) => ("/additionalProperties", element_use),
                _ => return,
            };
            pointer.push_str(step);
            current_use = *element_use;
            let node = self.graph.node(current_use.node);
            if node.is_some_and(|node| matches!(node.kind, NodeKind::Object { .. })) {
                return;
            }
            let excluded_keywords: Vec<&str> = COVERED_BY_TYPE
                .into_iter()
                .filter(|name| *name != RULES)
                .collect();
            let kept_keywords = keywords::keywords_without(current_use.schema, &excluded_keywords);
            if !kept_keywords.is_empty() {
                field
                    .subschema_keywords
                    .push((pointer.clone(), kept_keywords));
            }
        }
    }

    pub(super) fn build_type(
        &mut self,
        name: &str,
        schema_use: SchemaUse<'a>,
        path: &str,
    ) -> RustType {
        let graph = self.graph;
        let schema = schema_use.schema;
        match graph.node(schema_use.node).map(|node| &node.kind) {
            None | Some(NodeKind::Any) => {
                let is_embedded = keywords::is_true(schema, "x-kubernetes-embedded-resource");
                if is_embedded {
                    RustType::Path(RAW)
                } else {
                    RustType::ANY
                }
            }
            Some(NodeKind::Scalar) if keywords::has_enum_values(schema) => {
                RustType::Named(self.item_for_node(schema_use, path))
            }
            Some(NodeKind::Scalar) => RustType::Path(scalar_type(name, schema)),
            Some(NodeKind::List(element_use)) => {
                RustType::List(Box::new(self.element_type(name, *element_use, path)))
            }
            Some(NodeKind::Map(element_use)) => {
                RustType::Map(Box::new(self.element_type(name, *element_use, path)))
            }
            Some(NodeKind::Object { .. }) => {
                match find_core_type(schema, self.settings.kubernetes_minor()) {
                    Some(type_path) => RustType::Path(type_path),
                    None => RustType::Named(self.item_for_node(schema_use, path)),
                }
            }
        }
    }

    fn element_type(&mut self, name: &str, schema_use: SchemaUse<'a>, path: &str) -> RustType {
        let ty = self.build_type(name, schema_use, path);
        if keywords::is_true(schema_use.schema, "nullable") {
            RustType::Option(Box::new(ty))
        } else {
            ty
        }
    }
}

/// Returns the keys of a list of the type `map`.
fn list_keys(schema: &Value) -> Vec<String> {
    let is_map = schema
        .get("x-kubernetes-list-type")
        .is_some_and(|list_type| list_type == "map");
    let keys = crd::strings_at(schema, "/x-kubernetes-list-map-keys");
    keys.filter(|_| is_map).map(str::to_owned).collect()
}

/// Adds the schema attributes of a field whose type contains no generated type.
fn add_plain_type_schema(field: &mut Field, schema: &Value) {
    if is_schema_implied(&field.ty, schema) {
        let mut implied_keywords = vec![
            "description",
            "example",
            "externalDocs",
            "title",
            "type",
            RULES,
        ];
        if field.ty != RustType::STRING {
            implied_keywords.push("format");
        }
        if field.presence != Presence::Required {
            field.with = Some(field.ty.clone());
        }
        field
            .keywords
            .extend(keywords::keywords_without(schema, &implied_keywords));
        return;
    }
    field.with = Some(RustType::ANY);
    field
        .keywords
        .extend(keywords::inline_schema_keywords(schema));
}

/// Returns the Rust type of a scalar.
fn scalar_type(name: &str, schema: &Value) -> &'static str {
    let keyword = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
    if keywords::is_true(schema, "x-kubernetes-int-or-string") {
        let is_quantity = keyword("pattern").contains(QUANTITY_PATTERN);
        return if is_quantity {
            QUANTITY_TYPE
        } else {
            INT_OR_STRING
        };
    }
    match (keyword("type"), keyword("format")) {
        ("boolean", _) => "bool",
        ("integer", _) => keywords::integer_type(schema),
        ("number", _) => "f64",
        ("string", "date-time") => {
            let is_micro_time =
                name.ends_with("MicroTime") || keyword("description").contains("MicroTime");
            if is_micro_time { MICRO_TIME } else { TIME }
        }
        ("string", "byte") => BYTES,
        _ => "String",
    }
}

/// Returns true if schemars generates the `type` and `format` of the schema without attributes.
fn is_schema_implied(ty: &RustType, schema: &Value) -> bool {
    let format = schema.get("format").and_then(Value::as_str);
    match ty {
        RustType::Path("String") => schema
            .get("type")
            .is_some_and(|schema_type| schema_type == "string"),
        RustType::Path("bool") => format.is_none(),
        RustType::Path("i32") => true,
        RustType::Path("i64") => format == Some("int64"),
        RustType::Path("f64") => format == Some("double"),
        _ => false,
    }
}
