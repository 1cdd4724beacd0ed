//! A version of a simulated API: its type, and the union in the type.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use union_json::{SchemaError, SchemaSource, Unions};
use union_runtime::schema_keys::UNIONS;
use union_runtime::spec::{UnionModel, UnionSpec, UnionType};
use union_runtime::{Report, Settings, Union as _};

use crate::json;
use crate::version::compared_union::{ComparedUnion, without_nested_schemas};
use crate::version::version::{ApiVersion, EMBEDDED_FIELD, SIBLING_FIELD};

/// A version of an API with one union.
pub(super) struct SimulatedApi {
    pub(super) version: ApiVersion,
    pub(super) union: ComparedUnion,
    validator: Unions,
    read_check: fn(&Value) -> Result<(), String>,
}

/// Returns the unions of a type, as specifications and as compared data.
pub(super) fn unions_of<T: UnionType>(
    version: &ApiVersion,
) -> Vec<(UnionSpec<'static>, ComparedUnion)> {
    let specs = T::unions().iter();
    specs
        .map(|spec| (*spec, ComparedUnion::from_spec(spec, version.schema())))
        .collect()
}

impl SimulatedApi {
    pub(super) fn new<T: UnionType + Serialize + DeserializeOwned>(
        version: ApiVersion,
        (spec, union): (UnionSpec<'static>, ComparedUnion),
    ) -> Result<Self, SchemaError> {
        let mut schema = without_nested_schemas(version.schema());
        // An extension expresses less than the specification of the type, so the specification
        // replaces it.
        remove_extensions(&mut schema);
        let unions = Unions::compiler()
            .union_at("", spec)
            .compile(SchemaSource::Schema(&schema))?;
        Ok(Self {
            version,
            union,
            validator: unions,
            read_check: check_deserializable::<T>,
        })
    }

    pub(super) fn has_member(&self, member: &str) -> bool {
        self.union.member(member).is_some()
    }

    /// Returns an error if the type cannot deserialize an object, or reports violations of its
    /// unions.
    pub(super) fn check_readable(&self, object: &Value) -> Result<(), String> {
        (self.read_check)(object)
    }

    /// Returns the enclosing object with the fields that a structured client keeps.
    pub(super) fn known_fields(&self, enclosing: &Value) -> Result<Value, String> {
        let embedded = enclosing.get(EMBEDDED_FIELD).unwrap_or(&Value::Null);
        let round_trip = match self.version.client_round_trip() {
            Some(round_trip) => round_trip(embedded)?,
            None => json::prune(embedded, self.version.schema()),
        };
        Ok(with_embedded(enclosing, round_trip))
    }

    /// Returns the enclosing object with the fields that a server keeps.
    pub(super) fn prune(&self, enclosing: &Value) -> Value {
        let embedded = enclosing.get(EMBEDDED_FIELD).unwrap_or(&Value::Null);
        with_embedded(enclosing, json::prune(embedded, self.version.schema()))
    }

    /// Returns the discriminator value of a union without a set member; `None` if the discriminator
    /// is then absent. Returns an error if a member must be set.
    pub(super) fn cleared_discriminator(&self) -> Result<Option<String>, ()> {
        let Some(discriminator) = &self.union.discriminator else {
            return match self.union.model {
                UnionModel::ExactlyOne => Err(()),
                _ => Ok(None),
            };
        };
        let mut values_without_member = discriminator
            .values
            .iter()
            .filter(|value| self.union.member_for_value(value).is_none());
        let empty_string = discriminator.values.iter().find(|value| value.is_empty());
        match empty_string.or_else(|| values_without_member.next()) {
            Some(value) if self.union.is_discriminated() => Ok(Some(value.clone())),
            _ if !discriminator.is_required || !self.union.is_discriminated() => Ok(None),
            _ => Err(()),
        }
    }

    /// Sets or removes the discriminator of an object.
    pub(super) fn set_discriminator(&self, object: &mut Map<String, Value>, value: Option<&str>) {
        if let Some(discriminator) = &self.union.discriminator {
            match value {
                Some(value) => object.insert(discriminator.name.clone(), value.into()),
                None => object.remove(&discriminator.name),
            };
        }
    }

    /// Normalizes and validates the object of a request, as a server with a webhook does.
    pub(super) fn admit(
        &self,
        new: &mut Value,
        live: Option<&Value>,
        applied: Option<&Value>,
        settings: Settings,
    ) -> Result<(), String> {
        let settings = &settings;
        let embedded_object =
            |enclosing: &Value| enclosing.get(EMBEDDED_FIELD).cloned().unwrap_or_default();
        let live = live.map(embedded_object);
        let mut embedded = embedded_object(new);
        let report = match (applied.map(embedded_object), &live) {
            (Some(applied), live) => {
                let live = live.as_ref();
                let report =
                    self.validator
                        .normalize_apply(&mut embedded, &applied, live, settings);
                match live {
                    _ if !report.is_accepted() => report,
                    Some(live) => self.validator.validate_update(&embedded, live, settings),
                    None => self.validator.validate(&embedded),
                }
            }
            (None, live) => self.validator.admit(&mut embedded, live.as_ref(), settings),
        };
        require_accepted(report)?;
        *new = with_embedded(new, embedded);
        Ok(())
    }

    /// Returns the enclosing object in a form for comparisons: an absent discriminator has its
    /// default, or the empty string.
    pub(super) fn with_default_discriminator(&self, enclosing: &Value) -> Value {
        let mut embedded = enclosing.get(EMBEDDED_FIELD).cloned().unwrap_or_default();
        if let (Some(discriminator), Value::Object(object)) =
            (&self.union.discriminator, &mut embedded)
        {
            let default = discriminator.default.as_deref().unwrap_or_default();
            object
                .entry(discriminator.name.as_str())
                .or_insert_with(|| default.into());
        }
        with_embedded(enclosing, embedded)
    }
}

fn check_deserializable<T: UnionType + DeserializeOwned>(object: &Value) -> Result<(), String> {
    let value = T::deserialize(object).map_err(|error| error.to_string())?;
    require_accepted(value.validate_unions())
}

fn require_accepted(report: Report) -> Result<(), String> {
    let result = report.into_result();
    result.map(drop).map_err(|report| report.to_string())
}

fn with_embedded(enclosing: &Value, embedded: Value) -> Value {
    let mut enclosing = enclosing.clone();
    if let Value::Object(enclosing) = &mut enclosing {
        enclosing.insert(EMBEDDED_FIELD.to_owned(), embedded);
    }
    enclosing
}

fn remove_extensions(schema: &mut Value) {
    let Value::Object(schema) = schema else {
        return;
    };
    schema.remove(UNIONS);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut() {
            if let Value::Object(property) = property {
                property.remove(UNIONS);
            }
        }
    }
}

/// Returns an enclosing object with an embedded object and a sibling field.
pub(super) fn enclose(sibling: u32, embedded: &Value) -> Value {
    serde_json::json!({SIBLING_FIELD: sibling, EMBEDDED_FIELD: embedded})
}
