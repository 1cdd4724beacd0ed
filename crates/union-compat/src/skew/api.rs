//! A version whose requests a table contains: its type, and the union in the type.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use union_json::{SchemaError, Source, Unions};
use union_runtime::schema_keys::UNIONS;
use union_runtime::spec::{Arity, UnionSpec, UnionType};
use union_runtime::{Report, Settings, Union as _};

use crate::json;
use crate::version::declared::{Declared, shallow};
use crate::version::version::{BESIDE, PART, Version};

/// A version and its union.
pub(super) struct Api {
    pub(super) version: Version,
    pub(super) declared: Declared,
    unions: Unions,
    checks: fn(&Value) -> Result<(), String>,
}

/// Returns the unions of a type, as specifications and as data.
pub(super) fn unions_of<T: UnionType>(version: &Version) -> Vec<(UnionSpec<'static>, Declared)> {
    let specs = T::unions().iter();
    specs
        .map(|spec| (*spec, Declared::of(spec, version.schema())))
        .collect()
}

impl Api {
    pub(super) fn new<T: UnionType + Serialize + DeserializeOwned>(
        version: Version,
        (spec, declared): (UnionSpec<'static>, Declared),
    ) -> Result<Self, SchemaError> {
        let mut schema = shallow(version.schema());
        // Extensions express less than the specification of the type, which replaces them.
        remove_extensions(&mut schema);
        let unions = Unions::compiler()
            .union_at("", spec)
            .compile(Source::Schema(&schema))?;
        Ok(Self {
            version,
            declared,
            unions,
            checks: reads::<T>,
        })
    }

    pub(super) fn knows(&self, member: &str) -> bool {
        self.declared.member(member).is_some()
    }

    /// Returns an error if the type cannot read an object, or if it reports violations of unions.
    pub(super) fn reads(&self, object: &Value) -> Result<(), String> {
        (self.checks)(object)
    }

    /// Returns the whole object with the fields that a structured client keeps.
    pub(super) fn known(&self, whole: &Value) -> Result<Value, String> {
        let inner = whole.get(PART).unwrap_or(&Value::Null);
        let read = match self.version.reader() {
            Some(read) => read(inner)?,
            None => json::prune(inner, self.version.schema()),
        };
        Ok(with_part(whole, read))
    }

    /// Returns the whole object with the fields that a server keeps.
    pub(super) fn pruned(&self, whole: &Value) -> Value {
        let inner = whole.get(PART).unwrap_or(&Value::Null);
        with_part(whole, json::prune(inner, self.version.schema()))
    }

    /// Returns the value of the discriminator if no member is set; `None` if the discriminator is
    /// absent then. Returns an error if a member must be set.
    pub(super) fn cleared(&self) -> Result<Option<String>, ()> {
        let Some(discriminator) = &self.declared.discriminator else {
            return match self.declared.arity {
                Arity::ExactlyOne => Err(()),
                _ => Ok(None),
            };
        };
        let mut empty = discriminator
            .values
            .iter()
            .filter(|value| self.declared.member_of(value).is_none());
        let none = discriminator.values.iter().find(|value| value.is_empty());
        match none.or_else(|| empty.next()) {
            Some(value) if self.declared.is_selected() => Ok(Some(value.clone())),
            _ if !discriminator.is_required || !self.declared.is_selected() => Ok(None),
            _ => Err(()),
        }
    }

    /// Sets the discriminator of an object, or removes it.
    pub(super) fn say(&self, object: &mut Map<String, Value>, value: Option<&str>) {
        if let Some(discriminator) = &self.declared.discriminator {
            match value {
                Some(value) => object.insert(discriminator.name.clone(), value.into()),
                None => object.remove(&discriminator.name),
            };
        }
    }

    /// Normalizes and validates the object of a request, as the server does.
    pub(super) fn admit(
        &self,
        new: &mut Value,
        live: Option<&Value>,
        applied: Option<&Value>,
        settings: Settings,
    ) -> Result<(), String> {
        let settings = &settings;
        let part = |whole: &Value| whole.get(PART).cloned().unwrap_or_default();
        let live = live.map(part);
        let mut inner = part(new);
        let report = match (applied.map(part), &live) {
            (Some(applied), live) => {
                let live = live.as_ref();
                let report = self
                    .unions
                    .normalize_apply(&mut inner, &applied, live, settings);
                match live {
                    _ if !report.is_accepted() => report,
                    Some(live) => self.unions.validate_update(&inner, live, settings),
                    None => self.unions.validate(&inner),
                }
            }
            (None, live) => self.unions.admit(&mut inner, live.as_ref(), settings),
        };
        accepted(report)?;
        *new = with_part(new, inner);
        Ok(())
    }

    /// Returns an object for comparisons: an absent discriminator has its default, or the empty
    /// string.
    pub(super) fn plain(&self, whole: &Value) -> Value {
        let mut inner = whole.get(PART).cloned().unwrap_or_default();
        if let (Some(discriminator), Value::Object(object)) =
            (&self.declared.discriminator, &mut inner)
        {
            let absent = discriminator.default.as_deref().unwrap_or_default();
            object
                .entry(discriminator.name.as_str())
                .or_insert_with(|| absent.into());
        }
        with_part(whole, inner)
    }
}

fn reads<T: UnionType + DeserializeOwned>(object: &Value) -> Result<(), String> {
    let typed = T::deserialize(object).map_err(|error| error.to_string())?;
    accepted(typed.validate_unions())
}

fn accepted(report: Report) -> Result<(), String> {
    let result = report.into_result();
    result.map(drop).map_err(|report| report.to_string())
}

fn with_part(whole: &Value, part: Value) -> Value {
    let mut whole = whole.clone();
    if let Value::Object(whole) = &mut whole {
        whole.insert(PART.to_owned(), part);
    }
    whole
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

/// Returns a whole object with a part.
pub(super) fn whole(beside: u32, part: &Value) -> Value {
    serde_json::json!({BESIDE: beside, PART: part})
}
