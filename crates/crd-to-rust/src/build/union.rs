//! Builds unions: as enums, or as roles of a struct's fields.

use std::collections::HashMap;

use crd_unions::{Member, Union, UnionModel};
use serde_json::Value;

use super::builder::{Builder, RULES, description};
use crate::build::keywords::{self, COVERED_BY_STRUCT, COVERED_BY_TYPE};
use crate::build::object_unions::ObjectUnions;
use crate::model::{Field, Presence, Struct, UnionEnum, UnionRole, Variant};
use crate::rust_text::identifiers::{self, NameScope};
use crate::schema::schema_graph::SchemaUse;
use crate::settings::StringEnums;

impl<'a> Builder<'a, '_> {
    /// Returns the enum form, if the object consists of one exact union, and an enum can express
    /// its complete schema.
    pub(super) fn union_body(
        &mut self,
        schema: &Value,
        properties: &[(&'a str, SchemaUse<'a>)],
        unions: &ObjectUnions,
        prefix: &str,
    ) -> Option<UnionEnum> {
        let [union] = &*unions.list else { return None };
        let has_discriminator = usize::from(union.discriminator.is_some());
        let is_complete = properties.len() == union.members.len() + has_discriminator
            && keywords::rules(schema).is_some_and(|rules| rules.is_empty())
            && keywords::keywords_without(schema, &COVERED_BY_STRUCT).is_empty();
        if !(union.exact && is_complete) {
            return None;
        }
        let find_property = |name: &str| {
            let mut properties = properties.iter();
            properties
                .find(|(property, _)| *property == name)
                .map(|(_, used)| *used)
        };
        let discriminator = union.discriminator.as_ref();
        let property = match discriminator {
            Some(discriminator) => Some(find_property(&discriminator.name)?.schema),
            None => None,
        };
        let values = values(union, property)?;
        let mut names = NameScope::default();
        // The names of the fixed variants are reserved first.
        let is_open = self.settings.enums == StringEnums::Open;
        let other = is_open.then(|| identifiers::variant_name("Other", "Other", &mut names));
        let mut variants = Vec::new();
        for (value, member) in values {
            let field = match member {
                None => None,
                Some(member) => {
                    let mut field = self.member(member, find_property(&member.name)?, prefix)?;
                    let comments = unions.comments_of_field(&member.name).map(str::to_owned);
                    field.comments.extend(comments);
                    Some((field, member.optional && discriminator.is_some()))
                }
            };
            let name =
                identifiers::variant_name(&identifiers::pascal_case(value), "Value", &mut names);
            let value = value.to_owned();
            variants.push(Variant { name, value, field });
        }
        let none = match discriminator {
            Some(discriminator) if !discriminator.required => Some("Absent"),
            None if union.arity == UnionModel::AtMostOne => Some("Nothing"),
            _ => None,
        };
        Some(UnionEnum {
            discriminator: discriminator.map(|discriminator| discriminator.name.clone()),
            discriminator_doc: property.map(description).unwrap_or_default(),
            none: none.map(|name| identifiers::variant_name(name, "Nothing", &mut names)),
            variants,
            other,
        })
    }

    /// Returns a member of the enum form. A variant has no schema attributes, so the type of the
    /// member must express the complete schema.
    fn member(&mut self, member: &Member, used: SchemaUse<'a>, prefix: &str) -> Option<Field> {
        let field = self.field(&member.name, String::new(), used, false, prefix);
        let needs_no_attributes =
            field.keywords.is_empty() && field.inner.is_empty() && field.rules.is_empty();
        let has_own_schema = field.with.as_ref().is_none_or(|with| *with == field.ty);
        (needs_no_attributes && has_own_schema).then_some(field)
    }
}

/// Returns the values of the variants, each with its member, if any. `property` is the schema of
/// the discriminator.
fn values<'u>(
    union: &'u Union,
    property: Option<&'u Value>,
) -> Option<Vec<(&'u str, Option<&'u Member>)>> {
    let (Some(discriminator), Some(property)) = (&union.discriminator, property) else {
        let members = union.members.iter();
        return Some(
            members
                .map(|member| (&*member.name, Some(member)))
                .collect(),
        );
    };
    let mut unsupported = ["default", "nullable", RULES].iter();
    let is_plain = unsupported.all(|keyword| property.get(keyword).is_none())
        && keywords::keywords_without(property, &COVERED_BY_TYPE).is_empty();
    if !is_plain {
        return None;
    }
    let values = keywords::string_enum_values(property)?
        .into_iter()
        .map(|value| {
            let member = union.members.iter().find(|member| member.value == value);
            let is_empty_member = discriminator
                .empty_members
                .iter()
                .any(|empty| empty == value);
            let is_known = member.is_some() || is_empty_member;
            // An enum treats an absent discriminator as empty, but an API server does not.
            (is_known && !value.is_empty()).then_some((value, member))
        });
    values.collect()
}

/// Adds the roles of fields in the unions of their struct.
pub(super) fn add_roles(body: &mut Struct, unions: &ObjectUnions, idents: &HashMap<&str, String>) {
    let discriminators = || {
        unions
            .list
            .iter()
            .filter_map(|union| union.discriminator.as_ref())
    };
    let has_several_discriminators = discriminators().count() > 1;
    let mut groups = NameScope::default();
    let mut roles: HashMap<&str, UnionRole> = HashMap::new();
    for union in &unions.list {
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
        field.role = roles.remove(&*field.json);
        // The CEL rules reject an object without the discriminator, even if `required` does not
        // contain it.
        let is_required = discriminators().any(|discriminator| {
            discriminator.name == field.json
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
    body.is_union = !unions.list.is_empty();
}
