//! The keywords of one schema of a CRD, with checked types. Schemas inside the schema are not
//! decoded.

use serde_json::{Map, Value};

/// The keywords of one schema. A missing string or list is empty, unless the field is an `Option`.
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

/// The error for a keyword whose value has a wrong type. A server cannot decode such a CRD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnmarshalTypeError {
    /// The keyword, or an empty string if the schema or the rule itself has a wrong type.
    pub(crate) keyword: &'static str,
    pub(crate) expected: &'static str,
}

impl<'v> Keywords<'v> {
    /// Decodes the keywords of a schema. A null counts as a missing value, as in a server.
    ///
    /// # Errors
    ///
    /// Returns an error for the first keyword whose value has a wrong type.
    pub(crate) fn decode(schema: &'v Value) -> Result<Self, UnmarshalTypeError> {
        let decoder = KeywordDecoder::new(schema)?;
        Ok(Self {
            id: decoder.string("id")?,
            schema: decoder.string("$schema")?,
            reference: decoder.optional_string("$ref")?,
            description: decoder.string("description")?,
            schema_type: decoder.string("type")?,
            format: decoder.string("format")?,
            title: decoder.string("title")?,
            default: decoder.get("default"),
            maximum: decoder.number("maximum")?,
            exclusive_maximum: decoder.boolean("exclusiveMaximum")?,
            minimum: decoder.number("minimum")?,
            exclusive_minimum: decoder.boolean("exclusiveMinimum")?,
            max_length: decoder.integer("maxLength")?,
            min_length: decoder.integer("minLength")?,
            pattern: decoder.string("pattern")?,
            max_items: decoder.integer("maxItems")?,
            min_items: decoder.integer("minItems")?,
            unique_items: decoder.boolean("uniqueItems")?,
            multiple_of: decoder.number("multipleOf")?,
            enum_values: decoder.optional_list("enum")?,
            max_properties: decoder.integer("maxProperties")?,
            min_properties: decoder.integer("minProperties")?,
            required: decoder.strings("required")?,
            items: decoder.get("items").map(|items| match items {
                Value::Array(items) => Items::Array(items),
                items => Items::Schema(items),
            }),
            all_of: decoder.list("allOf")?,
            one_of: decoder.list("oneOf")?,
            any_of: decoder.list("anyOf")?,
            not: decoder.get("not"),
            properties: decoder.object("properties")?,
            additional_properties: decoder.get("additionalProperties"),
            pattern_properties: decoder.object("patternProperties")?,
            dependencies: decoder.object("dependencies")?,
            additional_items: decoder.get("additionalItems"),
            definitions: decoder.object("definitions")?,
            external_docs: decoder.get("externalDocs"),
            example: decoder.get("example"),
            nullable: decoder.boolean("nullable")?,
            preserve_unknown_fields: decoder
                .optional_boolean("x-kubernetes-preserve-unknown-fields")?,
            embedded_resource: decoder.boolean("x-kubernetes-embedded-resource")?,
            int_or_string: decoder.boolean("x-kubernetes-int-or-string")?,
            list_map_keys: decoder.strings("x-kubernetes-list-map-keys")?,
            list_type: decoder.optional_string("x-kubernetes-list-type")?,
            map_type: decoder.optional_string("x-kubernetes-map-type")?,
            validations: decoder.list("x-kubernetes-validations")?,
        })
    }
}

impl Keywords<'_> {
    /// Returns true if the schema has no keyword.
    pub(crate) fn is_empty(&self) -> bool {
        let strings = [
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
        strings.iter().all(|string| string.is_empty())
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

/// A decoder of single keywords of a schema, or of single fields of a rule.
pub(super) struct KeywordDecoder<'v>(Option<&'v Map<String, Value>>);

impl<'v> KeywordDecoder<'v> {
    pub(super) fn new(value: &'v Value) -> Result<Self, UnmarshalTypeError> {
        match value {
            Value::Object(object) => Ok(Self(Some(object))),
            Value::Null => Ok(Self(None)),
            _ => Err(UnmarshalTypeError {
                keyword: "",
                expected: "an object",
            }),
        }
    }

    fn get(&self, keyword: &str) -> Option<&'v Value> {
        self.0?.get(keyword).filter(|value| !value.is_null())
    }

    /// Decodes a keyword with `decode`. `expected` is the expected type in errors.
    fn typed<T>(
        &self,
        keyword: &'static str,
        expected: &'static str,
        decode: impl FnOnce(&'v Value) -> Option<T>,
    ) -> Result<Option<T>, UnmarshalTypeError> {
        let value = self.get(keyword);
        value
            .map(|value| decode(value).ok_or(UnmarshalTypeError { keyword, expected }))
            .transpose()
    }

    pub(super) fn optional_string(
        &self,
        keyword: &'static str,
    ) -> Result<Option<&'v str>, UnmarshalTypeError> {
        self.typed(keyword, "a string", Value::as_str)
    }

    pub(super) fn string(&self, keyword: &'static str) -> Result<&'v str, UnmarshalTypeError> {
        self.optional_string(keyword).map(Option::unwrap_or_default)
    }

    pub(super) fn optional_boolean(
        &self,
        keyword: &'static str,
    ) -> Result<Option<bool>, UnmarshalTypeError> {
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
        let string = |value: &'v Value| match value {
            // Go decodes a null in a list of strings as an empty string.
            Value::Null => Some(""),
            value => value.as_str(),
        };
        let strings = self.typed(keyword, "a list of strings", |value| {
            value.as_array()?.iter().map(string).collect()
        });
        strings.map(Option::unwrap_or_default)
    }
}
