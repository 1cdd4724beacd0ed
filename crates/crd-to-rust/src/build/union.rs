//! Builds unions: as enums, or as roles of a struct's fields.

use std::collections::HashMap;

use crd_unions::{Member, Union, UnionModel};
use serde_json::Value;

use super::builder::{Builder, RULES, description};
use crate::build::keywords::{self, COVERED_BY_STRUCT, COVERED_BY_TYPE};
use crate::build::object_unions::ObjectUnions;
use crate::model::{Field, Presence, Struct, UnionEnum, UnionRole, Variant, VariantMember};
use crate::rust_text::identifiers::{self, NameScope};
use crate::schema::schema_graph::SchemaUse;
use crate::settings::StringEnums;

impl<'a> Builder<'a, '_> {
    /// Returns the enum form, if the object consists of one exact union, and an enum can express
    /// its complete schema.
    pub(super) fn build_union_enum(
        &mut self,
        schema: &Value,
        properties: &[(&'a str, SchemaUse<'a>)],
        object_unions: &ObjectUnions,
        prefix: &str,
    ) -> Option<UnionEnum> {
        let [union] = &*object_unions.unions else {
            return None;
        };
        let discriminator_count = usize::from(union.discriminator.is_some());
        let is_complete = properties.len() == union.members.len() + discriminator_count
            && keywords::parse_rules(schema).is_some_and(|rules| rules.is_empty())
            && keywords::keywords_without(schema, &COVERED_BY_STRUCT).is_empty();
        if !(union.exact && is_complete) {
            return None;
        }
        let find_property = |name: &str| {
            let mut properties = properties.iter();
            let property = properties.find(|(property, _)| *property == name);
            property.map(|(_, schema_use)| *schema_use)
        };
        let discriminator = union.discriminator.as_ref();
        let discriminator_schema = match discriminator {
            Some(discriminator) => Some(find_property(&discriminator.name)?.schema),
            None => None,
        };
        let values = variant_values(union, discriminator_schema)?;
        let mut names = NameScope::default();
        // `Other` is reserved first, so that a variant for a value `other` gets another name.
        let is_open = self.settings.enums == StringEnums::Open;
        let other_variant =
            is_open.then(|| identifiers::variant_name("Other", "Other", &mut names));
        let mut variants = Vec::new();
        for (value, member) in values {
            let variant_member = match member {
                None => None,
                Some(member) => {
                    let schema_use = find_property(&member.name)?;
                    let mut field = self.build_member_field(member, schema_use, prefix)?;
                    let comments = object_unions.comments_of_field(&member.name);
                    field.comments.extend(comments.map(str::to_owned));
                    let is_optional = member.optional && discriminator.is_some();
                    Some(VariantMember { field, is_optional })
                }
            };
            let name =
                identifiers::variant_name(&identifiers::pascal_case(value), "Value", &mut names);
            variants.push(Variant {
                name,
                value: value.to_owned(),
                member: variant_member,
            });
        }
        let empty_name = match discriminator {
            Some(discriminator) if !discriminator.required => Some("Absent"),
            None if union.arity == UnionModel::AtMostOne => Some("Nothing"),
            _ => None,
        };
        let empty_variant =
            empty_name.map(|name| identifiers::variant_name(name, "Nothing", &mut names));
        Some(UnionEnum {
            discriminator: discriminator.map(|discriminator| discriminator.name.clone()),
            discriminator_doc: discriminator_schema.map(description).unwrap_or_default(),
            empty_variant,
            variants,
            other_variant,
        })
    }

    /// Returns the field of a member in the enum form. A variant has no schema attributes, so the
    /// type of the member must express the complete schema. Returns `None` for other types.
    fn build_member_field(
        &mut self,
        member: &Member,
        schema_use: SchemaUse<'a>,
        prefix: &str,
    ) -> Option<Field> {
        let field = self.build_field(&member.name, String::new(), schema_use, false, prefix);
        let needs_no_attributes = field.keywords.is_empty()
            && field.subschema_keywords.is_empty()
            && field.rules.is_empty();
        let has_schema_of_type = field.with.as_ref().is_none_or(|with| *with == field.ty);
        (needs_no_attributes && has_schema_of_type).then_some(field)
    }
}

/// Returns the values of the variants, each with its member, if any. Returns `None` if an enum
/// cannot express the schema of the discriminator.
fn variant_values<'u>(
    union: &'u Union,
    discriminator_schema: Option<&'u Value>,
) -> Option<Vec<(&'u str, Option<&'u Member>)>> {
    let (Some(discriminator), Some(discriminator_schema)) =
        (&union.discriminator, discriminator_schema)
    else {
        let members = union.members.iter();
        return Some(
            members
                .map(|member| (&*member.name, Some(member)))
                .collect(),
        );
    };
    let mut unsupported = ["default", "nullable", RULES].iter();
    let is_plain = unsupported.all(|keyword| discriminator_schema.get(keyword).is_none())
        && keywords::keywords_without(discriminator_schema, &COVERED_BY_TYPE).is_empty();
    if !is_plain {
        return None;
    }
    let values = keywords::string_enum_values(discriminator_schema)?
        .into_iter()
        .map(|value| {
            let member = union.members.iter().find(|member| member.value == value);
            let is_empty_member = discriminator
                .empty_members
                .iter()
                .any(|empty_member| empty_member == value);
            let is_known = member.is_some() || is_empty_member;
            // An enum cannot have a variant for the value `""`, because it would also match an
            // absent discriminator. An API server distinguishes the two.
            (is_known && !value.is_empty()).then_some((value, member))
        });
    values.collect()
}

/// Adds the roles of fields in the unions of their struct.
pub(super) fn add_roles(
    body: &mut Struct,
    object_unions: &ObjectUnions,
    idents: &HashMap<&str, String>,
) {
    let discriminators = || {
        object_unions
            .unions
            .iter()
            .filter_map(|union| union.discriminator.as_ref())
    };
    let has_several_discriminators = discriminators().count() > 1;
    let mut groups = NameScope::default();
    let mut roles: HashMap<&str, UnionRole> = HashMap::new();
    for union in &object_unions.unions {
        let discriminator = union.discriminator.as_ref();
        roles.extend(
            discriminator.map(|discriminator| (&*discriminator.name, UnionRole::Discriminator)),
        );
        let group = discriminator
            .is_none()
            .then(|| groups.reserve("one_of", "_"));
        if union.arity == UnionModel::ExactlyOne {
            body.exactly_one.extend(group.clone());
        }
        let discriminator = discriminator.filter(|_| has_several_discriminators);
        for member in &union.members {
            let role = UnionRole::Member {
                value: group.is_none().then(|| member.value.clone()),
                optional: group.is_none() && member.optional,
                discriminated_by: discriminator
                    .and_then(|discriminator| idents.get(&*discriminator.name))
                    .cloned(),
                group: group.clone(),
            };
            roles.insert(&member.name, role);
        }
    }
    for field in &mut body.fields {
        field.role = roles.remove(&*field.json_name);
        // The CEL rules reject an object without the discriminator, even if `required` does not
        // contain it.
        let is_required = discriminators().any(|discriminator| {
            discriminator.name == field.json_name
                && discriminator.required
                && discriminator.default.is_none()
        });
        if is_required && field.presence == Presence::Optional {
            field.presence = Presence::Required;
            field.with = None;
        }
        // The derive reports an unmarked field whose name equals a value, so the field is marked.
        let needs_mark = field.presence != Presence::Required && discriminators().next().is_some();
        if field.role.is_none() && needs_mark {
            field.role = Some(UnionRole::NotMember);
        }
    }
    body.has_unions = !object_unions.unions.is_empty();
}
