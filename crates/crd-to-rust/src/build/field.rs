//! Builds fields: the type, the presence, and the schema attributes.

use serde_json::Value;

use super::builder::{Builder, RULES, description};
use crate::build::keywords::{self, COVERED_BY_TYPE};
use crate::build::paths::{BYTES, INT_OR_STRING, MICRO_TIME, QUANTITY_TYPE, RAW, TIME};
use crate::model::{Field, Presence, RustType};
use crate::rust_text::identifiers;
use crate::schema::core_types::core_type;
use crate::schema::crd;
use crate::schema::schema_graph::{NodeKind, SchemaUse};
use crate::settings::{SchemaOutput, UnionStyle};

/// The part of a pattern that identifies quantities, as controller-gen writes it.
const QUANTITY_PATTERN: &str = "([KMGTPE]i)|[numkMGTPE]|([eE]";

impl<'a> Builder<'a, '_> {
    pub(super) fn field(
        &mut self,
        name: &str,
        ident: String,
        used: SchemaUse<'a>,
        required: bool,
        prefix: &str,
    ) -> Field {
        let path = format!("{prefix}{}", identifiers::pascal_case(name));
        let ty = self.ty(name, used, &path);
        self.field_with_type(name, ident, used, required, ty)
    }

    /// Returns a field with a given type.
    pub(super) fn field_with_type(
        &self,
        name: &str,
        ident: String,
        used: SchemaUse<'a>,
        required: bool,
        ty: RustType,
    ) -> Field {
        let schema = used.schema;
        let has_default = schema.get("default").is_some();
        let presence = match (
            required && !has_default,
            keywords::is_true(schema, "nullable"),
        ) {
            (true, false) => Presence::Required,
            (true, true) => Presence::Nullable,
            (false, _) => Presence::Optional,
        };
        let mut field = Field {
            ident,
            json: name.to_owned(),
            doc: description(schema),
            comments: Vec::new(),
            ty,
            presence,
            with: None,
            keywords: Vec::new(),
            inner: Vec::new(),
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
            self.add_schema(&mut field, used);
        }
        field
    }

    /// Adds the schema attributes of a field.
    fn add_schema(&self, field: &mut Field, used: SchemaUse<'a>) {
        let schema = used.schema;
        let is_struct =
            matches!(&field.ty, RustType::Named(_)) && !keywords::has_enum_values(schema);
        if !is_struct {
            if let Some(own_rules) = keywords::rules(schema) {
                field.rules = own_rules;
            } else {
                let rules = schema.get(RULES).cloned();
                field
                    .keywords
                    .extend(rules.map(|rules| (RULES.to_owned(), rules)));
            }
        }
        if field.ty.item_id().is_none() {
            add_leaf(field, schema);
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
            self.add_inner(field, used);
        }
    }

    /// Adds the schema attributes of the elements of a list or map, down to the first type with its
    /// own attributes.
    fn add_inner(&self, field: &mut Field, used: SchemaUse<'a>) {
        let mut pointer = String::new();
        let mut current = used;
        while let Some(kind) = self.graph.node(current.node).map(|node| &node.kind) {
            let (step, inner) = match kind {
                NodeKind::List(inner) => ("/items", inner),
                NodeKind::Map(inner) => ("/additionalProperties", inner),
                _ => return,
            };
            pointer.push_str(step);
            current = *inner;
            let node = self.graph.node(current.node);
            if node.is_some_and(|node| matches!(node.kind, NodeKind::Object { .. })) {
                return;
            }
            let excluded: Vec<&str> = COVERED_BY_TYPE
                .into_iter()
                .filter(|name| *name != RULES)
                .collect();
            let kept_keywords = keywords::keywords_without(current.schema, &excluded);
            if !kept_keywords.is_empty() {
                field.inner.push((pointer.clone(), kept_keywords));
            }
        }
    }

    fn ty(&mut self, name: &str, used: SchemaUse<'a>, path: &str) -> RustType {
        let graph = self.graph;
        let schema = used.schema;
        match graph.node(used.node).map(|node| &node.kind) {
            None | Some(NodeKind::Any) => {
                let is_embedded = keywords::is_true(schema, "x-kubernetes-embedded-resource");
                if is_embedded {
                    RustType::Path(RAW)
                } else {
                    RustType::ANY
                }
            }
            Some(NodeKind::Scalar) if keywords::has_enum_values(schema) => {
                RustType::Named(self.item_of_node(used, path))
            }
            Some(NodeKind::Scalar) => RustType::Path(scalar_type(name, schema)),
            Some(NodeKind::List(inner)) => {
                RustType::List(Box::new(self.element_type(name, *inner, path)))
            }
            Some(NodeKind::Map(inner)) => {
                RustType::Map(Box::new(self.element_type(name, *inner, path)))
            }
            Some(NodeKind::Object { .. }) => {
                match core_type(schema, self.settings.kubernetes_minor()) {
                    Some(core) => RustType::Path(core),
                    None => RustType::Named(self.item_of_node(used, path)),
                }
            }
        }
    }

    fn element_type(&mut self, name: &str, used: SchemaUse<'a>, path: &str) -> RustType {
        let ty = self.ty(name, used, path);
        if keywords::is_true(used.schema, "nullable") {
            RustType::Option(Box::new(ty))
        } else {
            ty
        }
    }
}

/// Returns the merge keys of a list.
fn list_keys(schema: &Value) -> Vec<String> {
    let is_map = schema
        .get("x-kubernetes-list-type")
        .is_some_and(|list_type| list_type == "map");
    let keys = crd::strings_at(schema, "/x-kubernetes-list-map-keys");
    keys.filter(|_| is_map).map(str::to_owned).collect()
}

/// Adds the schema attributes of a field whose type is not a generated type.
fn add_leaf(field: &mut Field, schema: &Value) {
    if is_schema_implied(&field.ty, schema) {
        let mut implied = vec![
            "description",
            "example",
            "externalDocs",
            "title",
            "type",
            RULES,
        ];
        if field.ty != RustType::STRING {
            implied.push("format");
        }
        if field.presence != Presence::Required {
            field.with = Some(field.ty.clone());
        }
        field
            .keywords
            .extend(keywords::keywords_without(schema, &implied));
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
            let is_micro =
                name.ends_with("MicroTime") || keyword("description").contains("MicroTime");
            if is_micro { MICRO_TIME } else { TIME }
        }
        ("string", "byte") => BYTES,
        _ => "String",
    }
}

/// Returns true if schemars generates the type of the schema without attributes.
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
