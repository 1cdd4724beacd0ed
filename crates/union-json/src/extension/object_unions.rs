//! Collects the unions of one object from the extension in the shapes of 2019 and 2022 (KEP-1027,
//! section "`OpenAPI`" of both texts).

use serde_json::{Map, Value};

use crate::extension::property_schemas::{PropertySchemas, property_message};
use crate::extension::shape_2022::read_2022;
use union_runtime::ExtensionShape;
use union_runtime::MemberSpec;
use union_runtime::spec::MAX_VALUES;
use union_runtime::spec::OwnedUnionSpec;

/// The unions that have been found for one object.
pub(crate) struct ObjectUnions<'d> {
    /// The sorted names of the object's fields, or an empty list if the schema describes no fields.
    property_names: &'d [Box<str>],
    unions: Vec<OwnedUnionSpec>,
}

impl<'d> ObjectUnions<'d> {
    pub(crate) const fn new(property_names: &'d [Box<str>]) -> Self {
        Self {
            property_names,
            unions: Vec::new(),
        }
    }

    /// Adds a union in the shape of 2022:
    /// `{"fieldMembers": {"ALPHA": {"name": "alpha", "optional": false}, "NONE": null}}`. `name`
    /// and `property` are the name and the schemas of the discriminator.
    pub(crate) fn add_2022(
        &mut self,
        name: &str,
        property: &PropertySchemas<'_>,
        extension: &Value,
        is_required: bool,
    ) -> Result<(), String> {
        self.add(read_2022(name, property, extension, is_required)?)
    }

    /// Returns the union with this discriminator that was added in the shape of 2022. If a schema
    /// has both shapes, the shape of 2022 takes precedence.
    pub(crate) fn union_2022(&self, name: Option<&str>) -> Option<&OwnedUnionSpec> {
        let mut unions = self.unions.iter();
        unions.find(|union| {
            let spec = union.spec();
            let discriminator = spec.discriminator();
            spec.shape() == ExtensionShape::V2022
                && discriminator.is_some_and(|discriminator| Some(discriminator.name()) == name)
        })
    }

    /// Adds a union. Returns an error if a field of the union is not a property of the object, or
    /// is used twice.
    pub(crate) fn add(&mut self, union: OwnedUnionSpec) -> Result<(), String> {
        if self.unions.len() >= MAX_VALUES {
            return Err(format!(
                "an object has more than {MAX_VALUES} unions; move some into objects of their own"
            ));
        }
        for (i, name) in field_names(&union).enumerate() {
            let is_property = |name: &str| {
                let names = self.property_names;
                names.binary_search_by(|field| (**field).cmp(name)).is_ok()
            };
            if !self.property_names.is_empty() && !is_property(name) {
                return Err(format!(
                    "the union has a field {name:?}, which is not a property of the object; \
                     add the property, or correct the name"
                ));
            }
            let later_fields = field_names(&union).skip(i + 1);
            let mut other_fields = later_fields.chain(self.unions.iter().flat_map(field_names));
            if other_fields.any(|field| field == name) {
                return Err(format!(
                    "duplicate field {name:?} in the object's unions; a field can be used only \
                     once, in one union"
                ));
            }
        }
        self.unions.push(union);
        Ok(())
    }

    /// Adds a union of a third-party type. `property` has the schemas of the discriminator, which
    /// may have a default.
    pub(crate) fn add_declared(
        &mut self,
        union: OwnedUnionSpec,
        property: Option<&PropertySchemas<'_>>,
    ) -> Result<(), String> {
        let spec = union.spec();
        let discriminator = spec.discriminator().into_iter();
        let mut values: Vec<&str> = discriminator
            .flat_map(|discriminator| discriminator.values().iter())
            .collect();
        if values.is_empty() {
            values = spec.members().map(MemberSpec::value).collect();
        }
        let default = property.map_or(Ok(None), |property| property.default(&values));
        let default = match spec.discriminator() {
            Some(discriminator) => {
                default.map_err(|problem| property_message(discriminator.name(), &problem))?
            }
            None => None,
        };
        let union = union.with_default(default);
        self.add(union)
    }

    pub(crate) fn finish(self) -> Box<[OwnedUnionSpec]> {
        self.unions.into()
    }
}

fn field_names(union: &OwnedUnionSpec) -> impl Iterator<Item = &str> {
    union.fields().map(|(name, _)| name)
}

/// Returns the size of an extension, for [`Limits::max_schemas`](crate::Limits::max_schemas): the
/// number of its discriminator values, or of its unions and members.
pub(crate) fn extension_size(extension: &Value) -> usize {
    let entries = |value: &Value| value.as_object().map_or(1, Map::len);
    match extension {
        Value::Array(unions) => {
            let fields = unions
                .iter()
                .filter_map(|union| union.get("fields-to-discriminateBy"));
            unions.len() + fields.map(entries).sum::<usize>()
        }
        extension => extension.get("fieldMembers").map_or(1, entries),
    }
}
