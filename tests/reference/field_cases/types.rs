//! The types of the values of a document: a schema, or a type of Kubernetes' Go code.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::process::Command;

use serde_json::Value;

/// A type of the Go code, as the reference prints it.
#[derive(Clone, Debug)]
pub(crate) enum GoType {
    String,
    Boolean,
    Integer,
    Number,
    Bytes,
    List(Box<Self>),
    Map(Box<Self>),
    Struct(String),
    /// A type with its own `UnmarshalJSON`, so that a server does not report its unknown fields.
    Own(String),
}

/// The own types (`GoType::Own`). The generator in `make.rs` knows all of them. The first three
/// contain schemas.
const OWN: [&str; 6] = [
    "JSONSchemaPropsOrArray",
    "JSONSchemaPropsOrBool",
    "JSONSchemaPropsOrStringArray",
    "JSON",
    "Time",
    "FieldsV1",
];

pub(crate) const CRD: &str = "CustomResourceDefinition";
const SCHEMA: &str = "JSONSchemaProps";

/// The fields of each struct that a CRD is decoded into.
pub(crate) struct Structs {
    fields: BTreeMap<String, Vec<(String, GoType)>>,
    /// The names of the structs that each struct can contain at any depth, and its own name.
    inside: BTreeMap<String, BTreeSet<String>>,
    pub(crate) crd: GoType,
    metadata: GoType,
    pub(crate) schema: GoType,
    pub(crate) schemas: GoType,
    string: GoType,
}

impl Structs {
    /// Reads the structs from the Go program of `../crd`.
    pub(crate) fn of(program: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let output = Command::new(program).arg("-fields").output()?;
        let printed: BTreeMap<String, Vec<Value>> = serde_json::from_slice(&output.stdout)?;
        let mut fields = BTreeMap::new();
        for (name, members) in printed {
            let mut found = Vec::new();
            for member in &members {
                let name = member["name"].as_str().ok_or("a field without a name")?;
                found.push((name.to_owned(), GoType::read(member)?));
            }
            fields.insert(name, found);
        }
        let of = |name: &str| GoType::Struct(name.to_owned());
        let mut structs = Self {
            fields,
            inside: BTreeMap::new(),
            crd: of(CRD),
            metadata: of("ObjectMeta"),
            schema: of(SCHEMA),
            schemas: GoType::List(Box::new(of(SCHEMA))),
            string: GoType::String,
        };
        for name in structs.fields.keys() {
            let mut inside = BTreeSet::new();
            structs.collect(&of(name), &mut inside);
            structs.inside.insert(name.clone(), inside);
        }
        Ok(structs)
    }

    fn collect(&self, of: &GoType, inside: &mut BTreeSet<String>) {
        match of {
            GoType::List(of) | GoType::Map(of) => self.collect(of, inside),
            GoType::Struct(name) if inside.insert(name.clone()) => {
                for (_, field) in self.fields(name) {
                    self.collect(field, inside);
                }
            }
            GoType::Own(name) if is_schema(name) => self.collect(&self.schema, inside),
            _ => {}
        }
    }

    pub(crate) fn fields(&self, of: &str) -> &[(String, GoType)] {
        self.fields.get(of).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns each struct with each of its fields.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().flat_map(|(name, fields)| {
            let fields = fields.iter();
            fields.map(|(field, _)| (name.as_str(), field.as_str()))
        })
    }

    /// Returns the structs and fields whose values have own types that contain JSON or schemas.
    pub(crate) fn own(&self) -> impl Iterator<Item = (&str, &str)> {
        fn is_own(of: &GoType) -> bool {
            match of {
                GoType::List(of) | GoType::Map(of) => is_own(of),
                GoType::Own(name) => name.starts_with("JSON"),
                _ => false,
            }
        }
        self.fields.iter().flat_map(|(name, fields)| {
            let fields = fields.iter().filter(|(_, of)| is_own(of));
            fields.map(|(field, _)| (name.as_str(), field.as_str()))
        })
    }

    /// Returns true if a value of the type can contain the struct.
    pub(crate) fn can_contain(&self, of: &GoType, name: &str) -> bool {
        match of {
            GoType::List(of) | GoType::Map(of) => self.can_contain(of, name),
            GoType::Struct(of) => self.inside.get(of).is_some_and(|all| all.contains(name)),
            GoType::Own(own) => is_schema(own) && self.can_contain(&self.schema, name),
            _ => false,
        }
    }
}

/// Returns true if a value of a type with this name is a schema or can contain schemas.
pub(crate) fn is_schema(own: &str) -> bool {
    own.starts_with(SCHEMA)
}

impl GoType {
    fn read(printed: &Value) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let go = printed["go"].as_str().unwrap_or_default();
        Ok(match printed["type"].as_str().unwrap_or_default() {
            "string" => Self::String,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "bytes" => Self::Bytes,
            "list" => Self::List(Box::new(Self::read(&printed["of"])?)),
            "map" => Self::Map(Box::new(Self::read(&printed["of"])?)),
            "struct" => Self::Struct(go.to_owned()),
            "own" if OWN.contains(&go) => Self::Own(go.to_owned()),
            _ => return Err(format!("the type of a field is not known here: {printed}").into()),
        })
    }
}

/// The type of a value in a document.
#[derive(Clone, Copy)]
pub(crate) enum Type<'t> {
    /// A value described by a schema, and true if the schema is the root.
    Schema(&'t Value, bool),
    Go(&'t GoType),
    /// A value in which a server reports every field as unknown.
    Nothing,
    /// A value whose fields a server does not check.
    Anything,
}

/// The surroundings of a value, such as a list.
pub(crate) type Context = &'static str;

pub(crate) const IN_LIST: Context = "in a list";
pub(crate) const IN_LISTS: Context = "in a list of lists";
pub(crate) const IN_MAP: Context = "in a map";
pub(crate) const IN_EMBEDDED: Context = "in an embedded resource";
pub(crate) const BELOW_PRESERVED: Context =
    "in a described field of an object that preserves unknown fields";
pub(crate) const BELOW_OWN: Context = "in a type that reads JSON itself";

impl<'t> Type<'t> {
    /// Returns the type of a field, and its context.
    pub(crate) fn child(self, key: &str, structs: &'t Structs) -> (Self, Option<Context>) {
        match self {
            Self::Schema(schema, is_root) => {
                let is_embedded = schema.get("x-kubernetes-embedded-resource").is_some();
                let preserves = preserves(schema);
                let context = if preserves {
                    Some(BELOW_PRESERVED)
                } else if is_embedded {
                    Some(IN_EMBEDDED)
                } else {
                    None
                };
                if is_root || is_embedded {
                    let context = is_embedded.then_some(IN_EMBEDDED);
                    match key {
                        "apiVersion" | "kind" => return (Self::Go(&structs.string), context),
                        "metadata" => return (Self::Go(&structs.metadata), context),
                        _ => {}
                    }
                }
                let values = schema.get("additionalProperties");
                match (
                    schema.get("properties").and_then(|all| all.get(key)),
                    values,
                ) {
                    (Some(property), _) => (Self::Schema(property, false), context),
                    (None, Some(Value::Bool(true))) => (Self::Nothing, context),
                    (None, Some(values)) => (Self::Schema(values, false), context.or(Some(IN_MAP))),
                    (None, None) => (Self::Anything, None),
                }
            }
            Self::Go(GoType::Struct(name)) => {
                let field = structs.fields(name).iter().find(|(name, _)| name == key);
                (field.map_or(Self::Anything, |(_, of)| Self::Go(of)), None)
            }
            Self::Go(GoType::Map(of)) => (Self::Go(of), Some(IN_MAP)),
            Self::Go(GoType::Own(name)) if is_schema(name) => {
                let (of, _) = Self::Go(&structs.schema).child(key, structs);
                (of, Some(BELOW_OWN))
            }
            _ => (Self::Anything, None),
        }
    }

    /// Returns the type of the elements.
    pub(crate) fn element(self, structs: &'t Structs) -> (Self, Option<Context>) {
        match self {
            Self::Schema(schema, _) => match schema.get("items") {
                Some(items) => (Self::Schema(items, false), Some(IN_LIST)),
                None if preserves(schema) => (Self::Anything, None),
                None => (Self::Nothing, None),
            },
            Self::Nothing => (Self::Nothing, None),
            Self::Go(GoType::List(of)) => (Self::Go(of), Some(IN_LIST)),
            Self::Go(GoType::Own(name)) if is_schema(name) => {
                (Self::Go(&structs.schema), Some(BELOW_OWN))
            }
            Self::Go(_) | Self::Anything => (Self::Anything, None),
        }
    }

    /// Returns a description of an object of this type, as in [`super::tally`].
    pub(crate) fn kind(self) -> String {
        let kind = match self {
            Self::Nothing => "an object without described fields",
            Self::Anything => "an object that is not checked",
            Self::Go(GoType::Struct(name)) => return format!("struct {name}"),
            Self::Go(GoType::Own(name)) => return format!("own type {name}"),
            Self::Go(GoType::Map(_)) => "a map of the metadata or of a CRD",
            Self::Go(_) => "an object in place of another Go type",
            Self::Schema(schema, is_root) => schema_kind(schema, is_root),
        };
        kind.to_owned()
    }
}

fn preserves(schema: &Value) -> bool {
    schema.get("x-kubernetes-preserve-unknown-fields").is_some()
}

fn schema_kind(schema: &Value, is_root: bool) -> &'static str {
    let is_embedded = schema.get("x-kubernetes-embedded-resource").is_some();
    let has_fields = |of: &Value| of.as_object().is_some_and(|fields| !fields.is_empty());
    let has_fields = schema.get("properties").is_some_and(has_fields);
    let kind = schema.get("type").and_then(Value::as_str);
    match (preserves(schema), schema.get("additionalProperties")) {
        (true, _) if is_root => "a root that preserves unknown fields",
        (false, _) if is_root => "the root",
        (true, _) if is_embedded => "an embedded resource that preserves unknown fields",
        (false, _) if is_embedded => "an embedded resource",
        (true, Some(_)) => "a map that preserves unknown fields",
        (true, None) if has_fields => "an object with fields that preserves unknown fields",
        (true, None) => "an object that preserves unknown fields",
        (false, Some(Value::Bool(_))) => "a map of anything",
        (false, Some(_)) => "a map",
        (false, None) if has_fields => "an object",
        (false, None) => match kind {
            Some("object") => "an object without fields",
            Some("array") => "an object in place of a list",
            _ => "an object in place of a scalar",
        },
    }
}
