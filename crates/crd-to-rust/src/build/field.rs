//! Fields: the type of a field, whether the field may be absent, and its schema attributes.

use serde_json::Value;

use super::builder::{Builder, RULES, description};
use crate::build::keywords::{self, SAID_BY_A_TYPE};
use crate::build::paths::{BYTES, INT_OR_STRING, MICRO_TIME, QUANTITY_TYPE, RAW, TIME};
use crate::model::{Field, Presence, Ty};
use crate::rust_text::names;
use crate::schema::core_types::core_type;
use crate::schema::crd;
use crate::schema::shape::{Kind, Use};
use crate::settings::{Schema, Unions};

/// The part of a pattern by which quantities of controller-gen are recognized.
const QUANTITY: &str = "([KMGTPE]i)|[numkMGTPE]|([eE]";

impl<'a> Builder<'a, '_> {
    pub(super) fn field(
        &mut self,
        name: &str,
        ident: String,
        used: Use<'a>,
        required: bool,
        prefix: &str,
    ) -> Field {
        let path = format!("{prefix}{}", names::pascal(name));
        let ty = self.ty(name, used, &path);
        self.field_of(name, ident, used, required, ty)
    }

    /// Returns a field whose type is known.
    pub(super) fn field_of(
        &self,
        name: &str,
        ident: String,
        used: Use<'a>,
        required: bool,
        ty: Ty,
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
            list_keys: if self.settings.unions == Unions::Off {
                Vec::new()
            } else {
                list_keys(schema)
            },
            is_nested: false,
            is_key: false,
        };
        if let (Ty::Path(_), Some(values)) = (&field.ty, schema.get("enum")) {
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
        if self.settings.schema == Schema::Derived {
            self.add_schema(&mut field, used);
        }
        field
    }

    /// Adds the schema attributes of a field.
    fn add_schema(&self, field: &mut Field, used: Use<'a>) {
        let schema = used.schema;
        let is_struct = matches!(&field.ty, Ty::Named(_)) && !keywords::is_listed(schema);
        if !is_struct {
            if let Some(own_rules) = keywords::rules(schema) {
                field.rules = own_rules;
            } else {
                let kept = schema.get(RULES).cloned();
                field
                    .keywords
                    .extend(kept.map(|kept| (RULES.to_owned(), kept)));
            }
        }
        if field.ty.named().is_none() {
            add_leaf(field, schema);
            return;
        }
        if field.presence != Presence::Required {
            field.with = Some(field.ty.clone());
        }
        if is_struct {
            let of_the_place = ["default", "nullable"].iter().filter_map(|name| {
                let value = schema.get(name)?;
                Some(((*name).to_owned(), value.clone()))
            });
            field.keywords.extend(of_the_place);
        } else {
            field
                .keywords
                .extend(keywords::kept(schema, &SAID_BY_A_TYPE));
            self.add_inner(field, used);
        }
    }

    /// Adds the schema attributes of a field's elements, down to the first type that has its own.
    fn add_inner(&self, field: &mut Field, used: Use<'a>) {
        let mut pointer = String::new();
        let mut at = used;
        while let Some(kind) = self.graph.node(at.node).map(|node| &node.kind) {
            let (step, inner) = match kind {
                Kind::List(inner) => ("/items", inner),
                Kind::Map(inner) => ("/additionalProperties", inner),
                _ => return,
            };
            pointer.push_str(step);
            at = *inner;
            let node = self.graph.node(at.node);
            if node.is_some_and(|node| matches!(node.kind, Kind::Object { .. })) {
                return;
            }
            let without: Vec<&str> = SAID_BY_A_TYPE
                .into_iter()
                .filter(|name| *name != RULES)
                .collect();
            let kept = keywords::kept(at.schema, &without);
            if !kept.is_empty() {
                field.inner.push((pointer.clone(), kept));
            }
        }
    }

    fn ty(&mut self, name: &str, used: Use<'a>, path: &str) -> Ty {
        let graph = self.graph;
        let schema = used.schema;
        match graph.node(used.node).map(|node| &node.kind) {
            None | Some(Kind::Any) => {
                let is_embedded = keywords::is_true(schema, "x-kubernetes-embedded-resource");
                if is_embedded { Ty::Path(RAW) } else { Ty::ANY }
            }
            Some(Kind::Scalar) if keywords::is_listed(schema) => Ty::Named(self.named(used, path)),
            Some(Kind::Scalar) => Ty::Path(scalar(name, schema)),
            Some(Kind::List(inner)) => Ty::List(Box::new(self.element(name, *inner, path))),
            Some(Kind::Map(inner)) => Ty::Map(Box::new(self.element(name, *inner, path))),
            Some(Kind::Object { .. }) => {
                match core_type(schema, self.settings.kubernetes_minor()) {
                    Some(core) => Ty::Path(core),
                    None => Ty::Named(self.named(used, path)),
                }
            }
        }
    }

    fn element(&mut self, name: &str, used: Use<'a>, path: &str) -> Ty {
        let ty = self.ty(name, used, path);
        if keywords::is_true(used.schema, "nullable") {
            Ty::Option(Box::new(ty))
        } else {
            ty
        }
    }
}

/// Returns the merge keys of a list.
fn list_keys(schema: &Value) -> Vec<String> {
    let is_map = schema
        .get("x-kubernetes-list-type")
        .is_some_and(|of| of == "map");
    let keys = crd::texts(schema, "/x-kubernetes-list-map-keys");
    keys.filter(|_| is_map).map(str::to_owned).collect()
}

/// Adds the schema attributes of a field without types of the module.
fn add_leaf(field: &mut Field, schema: &Value) {
    if says_by_itself(&field.ty, schema) {
        let mut said = vec![
            "description",
            "example",
            "externalDocs",
            "title",
            "type",
            RULES,
        ];
        if field.ty != Ty::TEXT {
            said.push("format");
        }
        if field.presence != Presence::Required {
            field.with = Some(field.ty.clone());
        }
        field.keywords.extend(keywords::kept(schema, &said));
        return;
    }
    field.with = Some(Ty::ANY);
    field.keywords.extend(keywords::whole(schema));
}

/// Returns the type of a value that is neither an object nor a list.
fn scalar(name: &str, schema: &Value) -> &'static str {
    let keyword = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
    if keywords::is_true(schema, "x-kubernetes-int-or-string") {
        let is_quantity = keyword("pattern").contains(QUANTITY);
        return if is_quantity {
            QUANTITY_TYPE
        } else {
            INT_OR_STRING
        };
    }
    match (keyword("type"), keyword("format")) {
        ("boolean", _) => "bool",
        ("integer", _) => keywords::integer(schema),
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

/// Returns true if schemars generates the schema of a type without attributes.
fn says_by_itself(ty: &Ty, schema: &Value) -> bool {
    let format = schema.get("format").and_then(Value::as_str);
    match ty {
        Ty::Path("String") => schema.get("type").is_some_and(|found| found == "string"),
        Ty::Path("bool") => format.is_none(),
        Ty::Path("i32") => true,
        Ty::Path("i64") => format == Some("int64"),
        Ty::Path("f64") => format == Some("double"),
        _ => false,
    }
}
