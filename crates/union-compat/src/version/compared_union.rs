//! The unions of an object as data, for every kind of declaration.

use serde_json::{Map, Value, json};
use union_runtime::schema_keys::UNIONS;
use union_runtime::{UnionModel, UnionSpec};

use crate::json::properties;

/// A union of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComparedUnion {
    pub(crate) discriminator: Option<Discriminator>,
    pub(crate) members: Vec<Member>,
    pub(crate) model: UnionModel,
}

/// A discriminator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Discriminator {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
    /// True if any other string is also a value.
    pub(crate) is_open: bool,
    pub(crate) is_required: bool,
    pub(crate) default: Option<String>,
}

/// A member of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// The discriminator value that selects the member.
    pub(crate) value: String,
    pub(crate) is_optional: bool,
}

impl ComparedUnion {
    /// Returns the union of a specification. The default of the discriminator comes from the schema
    /// of the object.
    pub(crate) fn from_spec(spec: &UnionSpec<'_>, schema: &Value) -> Self {
        let discriminator = spec.discriminator().map(|discriminator| {
            let name = discriminator.name();
            let property = schema
                .get("properties")
                .and_then(|properties| properties.get(name));
            let default = property.and_then(|property| property.get("default")?.as_str());
            Discriminator {
                name: name.to_owned(),
                values: discriminator.values().iter().map(str::to_owned).collect(),
                is_open: discriminator.is_open(),
                is_required: discriminator.is_required(),
                default: default.map(str::to_owned),
            }
        });
        let members = spec.members().map(|member| Member {
            name: member.name().to_owned(),
            value: member.value().to_owned(),
            is_optional: member.is_optional(),
        });
        Self {
            discriminator,
            members: members.collect(),
            model: spec.model(),
        }
    }

    /// Returns the names of the discriminator and the members.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &str> {
        let discriminator = self.discriminator.iter().map(|field| &*field.name);
        discriminator.chain(self.members.iter().map(|member| &*member.name))
    }

    pub(crate) fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }

    /// Returns the member that a discriminator value selects.
    pub(crate) fn member_for_value(&self, value: &str) -> Option<&Member> {
        let has_discriminator = self.discriminator.is_some();
        self.members
            .iter()
            .find(|member| has_discriminator && member.value == value)
    }

    /// Returns the value of the discriminator in an object, or the default if the discriminator is
    /// absent.
    pub(crate) fn discriminator_value<'v>(&'v self, object: &'v Value) -> Option<&'v str> {
        let discriminator = self.discriminator.as_ref()?;
        let value = object.get(&discriminator.name).and_then(Value::as_str);
        value.or(discriminator.default.as_deref())
    }

    /// Returns true if the discriminator selects the member (the 2022 model).
    pub(crate) fn is_discriminated(&self) -> bool {
        self.model == UnionModel::Discriminated
    }
}

impl Discriminator {
    pub(crate) fn allows(&self, value: &str) -> bool {
        self.is_open || self.values.iter().any(|listed_value| listed_value == value)
    }
}

/// Returns the union that the property of a discriminator declares. A list declares the unions of
/// the property's own value.
pub(crate) fn unions_of_discriminator(property: &Value) -> Option<&Value> {
    property.get(UNIONS).filter(|unions| !unions.is_array())
}

/// Returns the schema of an object without the schemas of its fields' contents. The result is
/// sufficient to read the unions of the object itself.
#[must_use]
pub fn without_nested_schemas(schema: &Value) -> Value {
    let shallow_property = |property: &Value| {
        let keywords = ["type", "enum", "default", "nullable"].into_iter();
        let keywords = keywords.filter_map(|key| Some((key, property.get(key)?)));
        let unions = unions_of_discriminator(property).map(|unions| (UNIONS, unions));
        let keywords = keywords.chain(unions);
        let keywords = keywords.map(|(key, value)| (key.to_owned(), value.clone()));
        Value::Object(keywords.collect())
    };
    let fields: Map<String, Value> = properties(schema)
        .map(|(name, property)| (name.clone(), shallow_property(property)))
        .collect();
    let required = schema.get("required").cloned().unwrap_or(json!([]));
    let mut shallow_schema = json!({"type": "object", "properties": fields, "required": required});
    if let (Some(unions), Value::Object(shallow_schema)) = (schema.get(UNIONS), &mut shallow_schema)
    {
        shallow_schema.insert(UNIONS.to_owned(), unions.clone());
    }
    shallow_schema
}
