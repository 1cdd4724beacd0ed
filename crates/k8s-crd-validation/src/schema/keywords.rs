//! The keywords of one schema of a CRD, with checked types. The schemas inside it are not checked.

use serde_json::{Map, Value};

/// The keywords of one schema.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a keyword")]
pub(crate) struct Keywords<'v> {
    pub(crate) id: &'v str,
    pub(crate) schema: &'v str,
    pub(crate) reference: Option<&'v str>,
    pub(crate) description: &'v str,
    pub(crate) schema_type: &'v str,
    pub(crate) format: &'v str,
    pub(crate) title: &'v str,
    pub(crate) default: Option<&'v Value>,
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_maximum: bool,
    pub(crate) minimum: Option<f64>,
    pub(crate) exclusive_minimum: bool,
    pub(crate) max_length: Option<i64>,
    pub(crate) min_length: Option<i64>,
    pub(crate) pattern: &'v str,
    pub(crate) max_items: Option<i64>,
    pub(crate) min_items: Option<i64>,
    pub(crate) unique_items: bool,
    pub(crate) multiple_of: Option<f64>,
    pub(crate) enum_values: Option<&'v [Value]>,
    pub(crate) max_properties: Option<i64>,
    pub(crate) min_properties: Option<i64>,
    pub(crate) required: Vec<&'v str>,
    pub(crate) items: Option<Items<'v>>,
    pub(crate) all_of: &'v [Value],
    pub(crate) one_of: &'v [Value],
    pub(crate) any_of: &'v [Value],
    pub(crate) not: Option<&'v Value>,
    pub(crate) properties: Option<&'v Map<String, Value>>,
    pub(crate) additional_properties: Option<&'v Value>,
    pub(crate) pattern_properties: Option<&'v Map<String, Value>>,
    pub(crate) dependencies: Option<&'v Map<String, Value>>,
    pub(crate) additional_items: Option<&'v Value>,
    pub(crate) definitions: Option<&'v Map<String, Value>>,
    pub(crate) external_docs: Option<&'v Value>,
    pub(crate) example: Option<&'v Value>,
    pub(crate) nullable: bool,
    pub(crate) preserve_unknown_fields: Option<bool>,
    pub(crate) embedded_resource: bool,
    pub(crate) int_or_string: bool,
    pub(crate) list_map_keys: Vec<&'v str>,
    pub(crate) list_type: Option<&'v str>,
    pub(crate) map_type: Option<&'v str>,
    pub(crate) validations: &'v [Value],
}

/// The value of `items`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Items<'v> {
    Schema(&'v Value),
    Array(&'v [Value]),
}

/// A keyword whose value has the wrong type. A server cannot decode such a CRD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnmarshalTypeError {
    pub(crate) keyword: &'static str,
    pub(crate) wanted: &'static str,
}

impl<'v> Keywords<'v> {
    /// Reads a schema. Null values count as absent, as in a server that decodes a CRD.
    pub(crate) fn decode(schema: &'v Value) -> Result<Self, UnmarshalTypeError> {
        let of = KeywordDecoder(match schema {
            Value::Object(object) => Some(object),
            // Null counts as absent everywhere in a CRD.
            Value::Null => None,
            _ => {
                return Err(UnmarshalTypeError {
                    keyword: "",
                    wanted: "an object",
                });
            }
        });
        Ok(Self {
            id: of.string("id")?,
            schema: of.string("$schema")?,
            reference: of.optional_string("$ref")?,
            description: of.string("description")?,
            schema_type: of.string("type")?,
            format: of.string("format")?,
            title: of.string("title")?,
            default: of.get("default"),
            maximum: of.number("maximum")?,
            exclusive_maximum: of.boolean("exclusiveMaximum")?,
            minimum: of.number("minimum")?,
            exclusive_minimum: of.boolean("exclusiveMinimum")?,
            max_length: of.integer("maxLength")?,
            min_length: of.integer("minLength")?,
            pattern: of.string("pattern")?,
            max_items: of.integer("maxItems")?,
            min_items: of.integer("minItems")?,
            unique_items: of.boolean("uniqueItems")?,
            multiple_of: of.number("multipleOf")?,
            enum_values: of.optional_list("enum")?,
            max_properties: of.integer("maxProperties")?,
            min_properties: of.integer("minProperties")?,
            required: of.strings("required")?,
            items: of.get("items").map(|items| match items {
                Value::Array(items) => Items::Array(items),
                items => Items::Schema(items),
            }),
            all_of: of.list("allOf")?,
            one_of: of.list("oneOf")?,
            any_of: of.list("anyOf")?,
            not: of.get("not"),
            properties: of.object("properties")?,
            additional_properties: of.get("additionalProperties"),
            pattern_properties: of.object("patternProperties")?,
            dependencies: of.object("dependencies")?,
            additional_items: of.get("additionalItems"),
            definitions: of.object("definitions")?,
            external_docs: of.get("externalDocs"),
            example: of.get("example"),
            nullable: of.boolean("nullable")?,
            preserve_unknown_fields: of.optional_boolean("x-kubernetes-preserve-unknown-fields")?,
            embedded_resource: of.boolean("x-kubernetes-embedded-resource")?,
            int_or_string: of.boolean("x-kubernetes-int-or-string")?,
            list_map_keys: of.strings("x-kubernetes-list-map-keys")?,
            list_type: of.optional_string("x-kubernetes-list-type")?,
            map_type: of.optional_string("x-kubernetes-map-type")?,
            validations: of.list("x-kubernetes-validations")?,
        })
    }
}

impl Keywords<'_> {
    /// Returns true if the schema has no keyword.
    pub(crate) fn is_empty(&self) -> bool {
        let texts = [
            self.id,
            self.schema,
            self.description,
            self.schema_type,
            self.format,
            self.title,
            self.pattern,
        ];
        let numbers = [self.maximum, self.minimum, self.multiple_of];
        let integers = [
            self.max_length,
            self.min_length,
            self.max_items,
            self.min_items,
            self.max_properties,
            self.min_properties,
        ];
        let flags = [
            self.exclusive_maximum,
            self.exclusive_minimum,
            self.unique_items,
            self.nullable,
            self.embedded_resource,
            self.int_or_string,
        ];
        let schemas = [
            self.not,
            self.additional_properties,
            self.additional_items,
            self.external_docs,
            self.example,
            self.default,
        ];
        let maps = [
            self.properties,
            self.pattern_properties,
            self.dependencies,
            self.definitions,
        ];
        let lists = [self.all_of, self.one_of, self.any_of, self.validations];
        let others = [self.reference, self.list_type, self.map_type];
        texts.iter().all(|text| text.is_empty())
            && numbers.iter().all(Option::is_none)
            && integers.iter().all(Option::is_none)
            && flags.iter().all(|flag| !flag)
            && schemas.iter().all(Option::is_none)
            && maps.iter().all(|map| map.is_none_or(Map::is_empty))
            && lists.iter().all(|list| list.is_empty())
            && others.iter().all(Option::is_none)
            && self.enum_values.is_none()
            && self.items.is_none()
            && self.required.is_empty()
            && self.list_map_keys.is_empty()
            && self.preserve_unknown_fields.is_none()
    }
}

/// A reader of single keywords.
struct KeywordDecoder<'v>(Option<&'v Map<String, Value>>);

impl<'v> KeywordDecoder<'v> {
    fn get(&self, keyword: &str) -> Option<&'v Value> {
        self.0?.get(keyword).filter(|value| !value.is_null())
    }

    /// Reads a keyword with `read`. `wanted` describes the type in errors.
    fn typed<T>(
        &self,
        keyword: &'static str,
        wanted: &'static str,
        read: impl FnOnce(&'v Value) -> Option<T>,
    ) -> Result<Option<T>, UnmarshalTypeError> {
        let value = self.get(keyword);
        value
            .map(|value| read(value).ok_or(UnmarshalTypeError { keyword, wanted }))
            .transpose()
    }

    fn optional_string(
        &self,
        keyword: &'static str,
    ) -> Result<Option<&'v str>, UnmarshalTypeError> {
        self.typed(keyword, "a string", Value::as_str)
    }

    fn string(&self, keyword: &'static str) -> Result<&'v str, UnmarshalTypeError> {
        self.optional_string(keyword).map(Option::unwrap_or_default)
    }

    fn optional_boolean(&self, keyword: &'static str) -> Result<Option<bool>, UnmarshalTypeError> {
        self.typed(keyword, "true or false", Value::as_bool)
    }

    fn boolean(&self, keyword: &'static str) -> Result<bool, UnmarshalTypeError> {
        self.optional_boolean(keyword)
            .map(Option::unwrap_or_default)
    }

    fn number(&self, keyword: &'static str) -> Result<Option<f64>, UnmarshalTypeError> {
        self.typed(keyword, "a number", Value::as_f64)
    }

    fn integer(&self, keyword: &'static str) -> Result<Option<i64>, UnmarshalTypeError> {
        self.typed(keyword, "a 64-bit integer", Value::as_i64)
    }

    fn optional_list(
        &self,
        keyword: &'static str,
    ) -> Result<Option<&'v [Value]>, UnmarshalTypeError> {
        self.typed(keyword, "a list", |value| {
            value.as_array().map(Vec::as_slice)
        })
    }

    fn list(&self, keyword: &'static str) -> Result<&'v [Value], UnmarshalTypeError> {
        self.optional_list(keyword).map(Option::unwrap_or_default)
    }

    fn object(
        &self,
        keyword: &'static str,
    ) -> Result<Option<&'v Map<String, Value>>, UnmarshalTypeError> {
        self.typed(keyword, "an object", Value::as_object)
    }

    fn strings(&self, keyword: &'static str) -> Result<Vec<&'v str>, UnmarshalTypeError> {
        let text = |value: &'v Value| match value {
            // Null counts as an empty string in a list of strings.
            Value::Null => Some(""),
            value => value.as_str(),
        };
        let texts = self.typed(keyword, "a list of strings", |value| {
            value.as_array()?.iter().map(text).collect()
        });
        texts.map(Option::unwrap_or_default)
    }
}
