//! The types of a structural schema in CEL: one declared type for every schema.

use k8s_cel::declared::{Declaration, DeclaredId, Field, ListType};
use k8s_cel::{DeclaredTypes, Feature, KubeVersion};
use k8s_json_internals::rows::{row, row_mut};

use crate::schema::{self, AdditionalProperties, Node, SchemaType, StructuralSchema};

/// Returns the declared types of a schema on a server of a version. The type of a schema has the
/// index of the schema.
pub(super) fn declared_types(schema: &StructuralSchema, version: KubeVersion) -> DeclaredTypes {
    let schema_count = schema.nodes.len();
    let virtual_meta = declared_id(schema_count);
    let virtual_string = declared_id(schema_count + 1);
    let mut builder = DeclTypeBuilder {
        schema,
        declarations: vec![Declaration::string(); schema_count + 2],
        virtual_meta,
        virtual_string,
        version,
    };
    let names = ["generateName", "name"].map(|name| Field::new(name, virtual_string));
    *row_mut(&mut builder.declarations, virtual_meta) = Declaration::object(names);
    // The schemas inside a schema have larger indices, so their types are declared first.
    for node_id in (0..virtual_meta).rev() {
        let node = schema.node(node_id);
        let is_resource = node_id == StructuralSchema::ROOT || node.embedded;
        let mut declaration = builder.declaration(node, is_resource);
        declaration.nullable = node.nullable;
        *row_mut(&mut builder.declarations, node_id) = declaration;
    }
    let types = DeclaredTypes::new(builder.declarations).unwrap_or_default();
    types.with_server_version(version)
}

/// A builder of the declared types of a schema.
struct DeclTypeBuilder<'s> {
    schema: &'s StructuralSchema,
    declarations: Vec<Declaration>,
    /// The metadata that all resources have, even if the schema does not describe them.
    virtual_meta: DeclaredId,
    /// The type of the strings in `virtual_meta`.
    virtual_string: DeclaredId,
    /// The version of the server.
    version: KubeVersion,
}

/// The maximum length of the name of a resource, and of `generateName`, to which the server appends
/// at least one character.
const MAX_NAME_LENGTH: i64 = 253;
const MAX_GENERATE_NAME_LENGTH: i64 = MAX_NAME_LENGTH - 1;

impl DeclTypeBuilder<'_> {
    fn get(&self, id: DeclaredId) -> &Declaration {
        row(&self.declarations, id)
    }

    fn declaration(&mut self, node: &Node, is_resource: bool) -> Declaration {
        if node.int_or_string {
            let limit = max_length(node).filter(|_| self.version.has(Feature::IntOrStringLengths));
            return with_limit(Declaration::int_or_string(), limit);
        }
        match node.schema_type {
            Some(SchemaType::Boolean) => Declaration::bool(),
            Some(SchemaType::Integer) => Declaration::int(),
            Some(SchemaType::Number) => Declaration::double(),
            Some(SchemaType::String) => string(node, self.version),
            // A stored schema may be a list and an embedded resource at once. Such a list is
            // invisible to rules.
            Some(SchemaType::Array) if is_resource => Declaration::without_items(),
            Some(SchemaType::Array) => self.list(node),
            Some(SchemaType::Object) => self.object(node, is_resource),
            None if node.preserves_unknown => Declaration::unknown(),
            None => match &node.unknown_type {
                Some(name) => Declaration::of_unknown_type(name),
                None => Declaration::untyped(),
            },
        }
    }

    fn list(&self, node: &Node) -> Declaration {
        let Some(items) = node.items else {
            return Declaration::without_items();
        };
        let mut list = Declaration::list(items, self.get(items));
        list.set_list_type(match node.list_type() {
            schema::ListType::Atomic => ListType::Atomic,
            schema::ListType::Set => ListType::Set,
            schema::ListType::Map => ListType::map(node.list_keys().iter().map(|key| &**key)),
        });
        with_limit(list, node.list.as_ref().and_then(|list| list.max_items))
    }

    fn object(&mut self, node: &Node, is_resource: bool) -> Declaration {
        // In CEL, an embedded resource with `additionalProperties` is a map as well, and has no
        // `apiVersion`, `kind` or `metadata`.
        if let (AdditionalProperties::Schema(values), false) =
            (node.additional_properties, node.has_properties)
        {
            return with_limit(
                Declaration::map(values, self.get(values)),
                node.max_properties,
            );
        }
        let properties = node.properties.iter();
        let mut fields: Vec<Field> = properties
            .map(|property| Field::new(&property.name, property.id))
            .collect();
        if is_resource {
            self.add_type_and_meta(node, &mut fields);
        }
        // On an old server, only fields make an object readable.
        if !node.has_properties
            && !is_resource
            && !node.preserves_unknown
            && !self.version.has(Feature::ObjectsWithoutFields)
        {
            return Declaration::unreadable_object();
        }
        let mut object = Declaration::object(fields);
        for property in &node.properties {
            let has_default = self.schema.node(property.id).default.is_some();
            if property.is_required && !has_default {
                object.require(&property.name, self.get(property.id));
            }
        }
        object
    }

    /// Adds the fields `apiVersion`, `kind` and `metadata` that all resources have, even if the
    /// schema does not describe the fields.
    fn add_type_and_meta(&mut self, node: &Node, fields: &mut Vec<Field>) {
        let find_declaration = |name: &str| {
            let field = fields.iter().find(|field| *field.name == *name);
            field.map(|field| self.get(field.ty))
        };
        let is_string = |declaration: Option<&Declaration>| {
            declaration.is_some_and(|declaration| declaration.kind.is_string())
        };
        let has_names = find_declaration("metadata").is_some_and(|metadata| {
            let find_field = |name| metadata.field(name).map(|field| self.get(field.ty));
            is_string(find_field("name")) && is_string(find_field("generateName"))
        });
        if has_names
            && is_string(find_declaration("kind"))
            && is_string(find_declaration("apiVersion"))
        {
            return;
        }
        // Of several fields with the same name, the last field counts.
        fields.extend([
            Field::new("apiVersion", self.virtual_string),
            Field::new("kind", self.virtual_string),
            Field::new("metadata", self.metadata(node)),
        ]);
    }

    /// Returns the declaration of the metadata of a resource. The names have the maximum lengths of
    /// the schema, if these are smaller than the maximum lengths of the server.
    fn metadata(&mut self, resource: &Node) -> DeclaredId {
        if !self.version.has(Feature::NameLengths) {
            return self.virtual_meta;
        }
        let schema = self.schema;
        let metadata = resource.property("metadata").map(|id| schema.node(id));
        let max_length_of = |name: &str, server_max: i64| {
            let property = metadata.and_then(|metadata| metadata.property(name));
            let schema_max = property.and_then(|property| max_length(schema.node(property)));
            schema_max.map_or(server_max, |max| max.min(server_max))
        };
        let max_lengths = [
            max_length_of("generateName", MAX_GENERATE_NAME_LENGTH),
            max_length_of("name", MAX_NAME_LENGTH),
        ];
        let metadata = declared_id(self.declarations.len());
        let fields = [
            Field::new("generateName", metadata.saturating_add(1)),
            Field::new("name", metadata.saturating_add(2)),
        ];
        self.declarations.push(Declaration::object(fields));
        let names = max_lengths.map(|max| with_limit(Declaration::string(), Some(max)));
        self.declarations.extend(names);
        metadata
    }
}

/// Returns the type of a string. The format of the schema can select another CEL type.
fn string(node: &Node, version: KubeVersion) -> Declaration {
    let mut declaration = match node.format.as_ref().map(|format| &*format.name) {
        Some("byte") => Declaration::bytes(),
        Some("duration") => Declaration::duration(),
        Some("date") => Declaration::date(),
        Some("date-time") => Declaration::date_time(),
        _ => Declaration::string(),
    };
    if let Some(values) = node
        .enum_values
        .as_ref()
        .filter(|values| !values.is_empty() && version.has(Feature::EnumLengths))
    {
        declaration.set_allowed_values(values.iter().filter_map(|value| value.as_str()));
    }
    with_limit(declaration, max_length(node))
}

fn max_length(node: &Node) -> Option<i64> {
    node.string
        .as_ref()
        .and_then(|keywords| keywords.max_length)
}

/// Returns the declaration with a maximum size. A negative size counts as zero.
fn with_limit(mut declaration: Declaration, max_size: Option<i64>) -> Declaration {
    if let Some(max_size) = max_size {
        declaration.set_max_size(u64::try_from(max_size).unwrap_or_default());
    }
    declaration
}

/// Returns the id of the declared type at an index. The number of schemas always fits.
fn declared_id(index: usize) -> DeclaredId {
    DeclaredId::try_from(index).unwrap_or(DeclaredId::MAX)
}
