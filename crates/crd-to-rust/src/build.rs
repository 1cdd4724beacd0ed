//! From a schema to the model: which types there are, what they are called, and what each field is.

use std::collections::{BTreeSet, HashMap, VecDeque};

use serde_json::Value;

use crate::core_types::core_type;
use crate::keywords;
use crate::model::{Body, Field, Presence, Role, Struct, Ty, Type, TypeId, UnionEnum, Variant};
use crate::settings::{self, Enums, Schema, Settings};
use crate::shape::{Graph, Id, Kind, Use};
use crate::unions::Unions;
use crate::words::{self, Names};

/// What a struct's own attributes and fields say.
const SAID_BY_A_STRUCT: [&str; 11] = [
    "additionalProperties",
    "default",
    "description",
    "example",
    "externalDocs",
    "nullable",
    "properties",
    "required",
    "title",
    "type",
    "x-kubernetes-validations",
];

/// What a field's type says where it is made of types of the module.
const SAID_BY_A_TYPE: [&str; 9] = [
    "additionalProperties",
    "description",
    "enum",
    "example",
    "externalDocs",
    "items",
    "title",
    "type",
    "x-kubernetes-validations",
];

/// The keyword of CEL rules.
const RULES: &str = "x-kubernetes-validations";

/// The pattern that controller-gen writes for quantities.
const QUANTITY: &str = "([KMGTPE]i)|[numkMGTPE]|([eE]";

const TIME: &str = "::k8s_openapi::apimachinery::pkg::apis::meta::v1::Time";
const MICRO_TIME: &str = "::k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime";
const INT_OR_STRING: &str = "::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString";
const QUANTITY_TYPE: &str = "::k8s_openapi::apimachinery::pkg::api::resource::Quantity";
const BYTES: &str = "::k8s_openapi::ByteString";
const RAW: &str = "::k8s_openapi::apimachinery::pkg::runtime::RawExtension";

/// A type whose body is still to be made.
struct Waiting<'a> {
    id: TypeId,
    used: Use<'a>,
    /// What the names of types in it start with.
    prefix: String,
}

/// The types of a version, the nearest to the root first.
pub(crate) struct Builder<'a, 'g> {
    graph: &'g Graph<'a>,
    settings: &'g Settings,
    pub(crate) names: Names,
    types: Vec<Option<Type>>,
    /// The node of each type, by its place.
    nodes: Vec<Id>,
    of_node: HashMap<Id, TypeId>,
    /// The spec and the status, whose fields are kube's.
    roots: Vec<TypeId>,
    waiting: VecDeque<Waiting<'a>>,
}

impl<'a, 'g> Builder<'a, 'g> {
    pub(crate) fn new(graph: &'g Graph<'a>, settings: &'g Settings) -> Self {
        Self {
            graph,
            settings,
            names: Names::default(),
            types: Vec::new(),
            nodes: Vec::new(),
            of_node: HashMap::new(),
            roots: Vec::new(),
            waiting: VecDeque::new(),
        }
    }

    /// A struct of its own, whatever else has the same fields: the spec and the status.
    pub(crate) fn root_struct(&mut self, name: &str, prefix: &str, used: Use<'a>) -> TypeId {
        let name = words::type_name(name, "Type", &mut self.names);
        let id = self.reserve(name, prefix.to_owned(), used);
        self.roots.push(id);
        id
    }

    fn reserve(&mut self, name: String, prefix: String, used: Use<'a>) -> TypeId {
        let id = self.types.len();
        self.types.push(Some(Type {
            name,
            doc: String::new(),
            comments: Vec::new(),
            body: Body::Struct(Struct::default()),
            has_default: false,
        }));
        self.nodes.push(used.node);
        self.waiting.push_back(Waiting { id, used, prefix });
        id
    }

    /// Makes the bodies of all types that are asked for. `left_out` are fields of the first struct that are no fields of
    /// it.
    pub(crate) fn finish(mut self, left_out: &[&str]) -> Vec<Type> {
        while let Some(next) = self.waiting.pop_front() {
            let left_out = if next.id == 0 { left_out } else { &[] };
            let body = self.body(&next, left_out);
            if let Some(Some(of)) = self.types.get_mut(next.id) {
                of.doc = description(next.used.schema);
                of.body = body;
            }
        }
        let mut types: Vec<Type> = self.types.into_iter().flatten().collect();
        // Children have the smaller nodes.
        let mut order: Vec<(Id, TypeId)> = self.nodes.iter().copied().zip(0..).collect();
        order.sort_unstable();
        for (_, id) in order {
            let has_default = types.get(id).is_some_and(|of| has_default(of, &types));
            if let Some(of) = types.get_mut(id) {
                of.has_default = has_default;
            }
        }
        types
    }

    fn body(&mut self, of: &Waiting<'a>, left_out: &[&str]) -> Body {
        let schema = of.used.schema;
        let graph = self.graph;
        let node = graph.node(of.used.node);
        if let Some(values) = keywords::texts(schema)
            .filter(|_| node.is_some_and(|node| matches!(node.kind, Kind::Scalar)))
        {
            return self.enum_body(&values);
        }
        let mut body = Struct::default();
        let mut names = Names::default();
        let embedded = keywords::is_true(schema, "x-kubernetes-embedded-resource");
        let (properties, rest) = match node.map(|node| &node.kind) {
            Some(Kind::Object { properties, rest }) => (&**properties, *rest || embedded),
            _ => (&[][..], true),
        };
        let required: BTreeSet<&str> = crate::crd::texts(schema, "/required").collect();
        let kept: Vec<(&str, Use<'a>)> = properties
            .iter()
            .filter(|(name, _)| !left_out.contains(name))
            .copied()
            .collect();
        let unions = if self.settings.unions == settings::Unions::Off
            || rest
            || self.roots.contains(&of.id) && !left_out.is_empty()
        {
            Unions::default()
        } else {
            Unions::read(schema)
        };
        // What the derives write equals of is not written again.
        let ruled = unions.without_rules(schema);
        if self.settings.unions == settings::Unions::Enum
            && !self.roots.contains(&of.id)
            && let Some(body) = self.union_body(&ruled, &kept, &unions, &of.prefix)
        {
            return Body::Union(body);
        }
        // What is called as in Rust keeps its name, whatever stands beside it.
        let (same, others): (Vec<_>, Vec<_>) = kept
            .iter()
            .copied()
            .partition(|(name, _)| words::snake(name) == **name);
        let idents: HashMap<&str, String> = same
            .into_iter()
            .chain(others)
            .map(|(name, _)| (name, words::field_name(name, &mut names)))
            .collect();
        for (name, used) in kept {
            let ident = idents.get(name).cloned().unwrap_or_default();
            let mut field = self.field(name, ident, used, required.contains(name), &of.prefix);
            field
                .comments
                .extend(unions.comments_at(name).map(str::to_owned));
            body.fields.push(field);
        }
        if rest {
            body.rest = Some(words::field_name("rest", &mut names));
        }
        add_roles(&mut body, &unions, &idents);
        if self.settings.schema == Schema::Derived {
            let rules = keywords::rules(&ruled);
            let mut without = SAID_BY_A_STRUCT.to_vec();
            if rules.is_none() {
                without.pop();
            }
            body.rules = rules.unwrap_or_default();
            body.keywords = keywords::kept(&ruled, &without);
            // There is no field of ours to say it.
            let default = schema
                .get("default")
                .filter(|_| self.roots.contains(&of.id));
            body.keywords
                .extend(default.map(|default| ("default".to_owned(), default.clone())));
            let is_unnamed =
                |name: &&&str| properties.iter().all(|(property, _)| property != *name);
            if required.iter().any(|name| is_unnamed(&name)) && left_out.is_empty() {
                let all = schema.get("required").cloned().unwrap_or_default();
                body.keywords.push(("required".to_owned(), all));
            }
        }
        Body::Struct(body)
    }

    /// The enum form, where one union is exact, alone in its object, and all of its schema can be said so.
    fn union_body(
        &mut self,
        schema: &Value,
        properties: &[(&'a str, Use<'a>)],
        unions: &Unions,
        prefix: &str,
    ) -> Option<UnionEnum> {
        let [union] = &*unions.list else { return None };
        let has_discriminator = usize::from(union.discriminator.is_some());
        let is_alone = properties.len() == union.members.len() + has_discriminator
            && keywords::rules(schema).is_some_and(|rules| rules.is_empty())
            && keywords::kept(schema, &SAID_BY_A_STRUCT).is_empty();
        if !(union.exact && is_alone) {
            return None;
        }
        let place = |name: &str| {
            properties
                .iter()
                .find(|(found, _)| *found == name)
                .map(|(_, used)| *used)
        };
        let mut doc = String::new();
        let mut values: Vec<(String, Option<&crd_unions::Member>)> = Vec::new();
        if let Some(discriminator) = &union.discriminator {
            let property = place(&discriminator.name)?.schema;
            let is_plain = ["default", "nullable", RULES]
                .iter()
                .all(|keyword| property.get(keyword).is_none())
                && keywords::kept(property, &SAID_BY_A_TYPE).is_empty();
            if !is_plain {
                return None;
            }
            for value in keywords::texts(property)? {
                let member = union.members.iter().find(|member| member.value == value);
                let is_known = member.is_some()
                    || discriminator
                        .empty_members
                        .iter()
                        .any(|empty| empty == value);
                if value.is_empty() || !is_known {
                    return None;
                }
                values.push((value.to_owned(), member));
            }
            doc = description(property);
        } else {
            values.extend(
                union
                    .members
                    .iter()
                    .map(|member| (member.name.clone(), Some(member))),
            );
        }
        let mut names = Names::default();
        // The names of the variants that are always there come first.
        let is_open = self.settings.enums == Enums::Open;
        let other = is_open.then(|| words::variant_name("Other", "Other", &mut names));
        let mut variants = Vec::new();
        for (value, member) in values {
            let field = match member {
                None => None,
                Some(member) => {
                    let mut field = self.field(
                        &member.name,
                        String::new(),
                        place(&member.name)?,
                        false,
                        prefix,
                    );
                    field
                        .comments
                        .extend(unions.comments_at(&member.name).map(str::to_owned));
                    let is_said = field.keywords.is_empty()
                        && field.inner.is_empty()
                        && field.rules.is_empty();
                    let is_of_type = field.with.as_ref().is_none_or(|with| *with == field.ty);
                    if !(is_said && is_of_type) {
                        return None;
                    }
                    Some((field, member.optional && union.discriminator.is_some()))
                }
            };
            let name = words::variant_name(&words::pascal(&value), "Value", &mut names);
            variants.push(Variant { name, value, field });
        }
        let none = match &union.discriminator {
            Some(discriminator) if !discriminator.required => Some("Absent"),
            None if union.arity == crd_unions::Arity::AtMostOne => Some("Nothing"),
            _ => None,
        };
        Some(UnionEnum {
            discriminator: union
                .discriminator
                .as_ref()
                .map(|discriminator| discriminator.name.clone()),
            discriminator_doc: doc,
            none: none.map(|name| words::variant_name(name, "Nothing", &mut names)),
            variants,
            other,
        })
    }

    fn enum_body(&self, values: &[&str]) -> Body {
        let mut names = Names::default();
        let variants = values.iter().map(|value| {
            let otherwise = if value.is_empty() { "Empty" } else { "Value" };
            let name = words::variant_name(&words::pascal(value), otherwise, &mut names);
            ((*value).to_owned(), name)
        });
        let variants = variants.collect();
        let is_open = self.settings.enums == Enums::Open;
        let other = is_open.then(|| words::variant_name("Other", "Other", &mut names));
        Body::Enum { variants, other }
    }

    fn field(
        &mut self,
        name: &str,
        ident: String,
        used: Use<'a>,
        required: bool,
        prefix: &str,
    ) -> Field {
        let schema = used.schema;
        let has_default = schema.get("default").is_some();
        let presence = match (
            required && !has_default,
            keywords::is_true(schema, "nullable"),
        ) {
            (true, false) => Presence::Required,
            (true, true) => Presence::Nullable,
            (false, _) => Presence::Optional,
        };
        let path = format!("{prefix}{}", words::pascal(name));
        let ty = self.ty(name, used, &path);
        let mut field = Field {
            ident,
            json: name.to_owned(),
            doc: description(schema),
            comments: Vec::new(),
            ty,
            presence,
            with: None,
            keywords: Vec::new(),
            inner: Vec::new(),
            rules: Vec::new(),
            role: None,
        };
        if let (Ty::Path(_), Some(values)) = (&field.ty, schema.get("enum")) {
            let values = values
                .as_array()
                .into_iter()
                .flatten()
                .map(|value| format!("`{value}`"));
            let values: Vec<String> = values.collect();
            if !field.doc.is_empty() {
                field.doc.push_str("\n\n");
            }
            field
                .doc
                .push_str(&format!("Allowed: {}.", values.join(", ")));
        }
        if self.settings.schema == Schema::Derived {
            self.add_schema(&mut field, used);
        }
        field
    }

    /// What a field says of its schema.
    fn add_schema(&self, field: &mut Field, used: Use<'a>) {
        let schema = used.schema;
        let is_struct = matches!(&field.ty, Ty::Named(_)) && keywords::texts(schema).is_none();
        if !is_struct {
            match keywords::rules(schema) {
                Some(rules) => field.rules = rules,
                None => {
                    let rules = schema.get("x-kubernetes-validations").cloned();
                    field
                        .keywords
                        .extend(rules.map(|rules| ("x-kubernetes-validations".to_owned(), rules)));
                }
            }
        }
        if field.ty.named().is_some() {
            if field.presence != Presence::Required {
                field.with = Some(field.ty.clone());
            }
            if is_struct {
                let place = ["default", "nullable"].iter().filter_map(|name| {
                    let value = schema.get(name)?;
                    Some(((*name).to_owned(), value.clone()))
                });
                field.keywords.extend(place);
                return;
            }
            field
                .keywords
                .extend(keywords::kept(schema, &SAID_BY_A_TYPE));
            let mut pointer = String::new();
            let mut at = used;
            while let Some(Kind::List(inner) | Kind::Map(inner)) =
                self.graph.node(at.node).map(|node| &node.kind)
            {
                pointer.push_str(if inner.schema == &at.schema["items"] {
                    "/items"
                } else {
                    "/additionalProperties"
                });
                at = *inner;
                if matches!(
                    self.graph.node(at.node).map(|node| &node.kind),
                    Some(Kind::Object { .. })
                ) {
                    break;
                }
                let mut without = SAID_BY_A_TYPE.to_vec();
                without.pop();
                let kept = keywords::kept(at.schema, &without);
                if !kept.is_empty() {
                    field.inner.push((pointer.clone(), kept));
                }
            }
            return;
        }
        let mut said = vec![
            "description",
            "example",
            "externalDocs",
            "title",
            "x-kubernetes-validations",
        ];
        if says_by_itself(&field.ty, schema) {
            said.extend(
                ["type", "format"]
                    .iter()
                    .filter(|name| **name == "type" || field.ty != Ty::TEXT),
            );
            if field.presence != Presence::Required {
                field.with = Some(field.ty.clone());
            }
            field.keywords.extend(keywords::kept(schema, &said));
            return;
        }
        field.with = Some(Ty::ANY);
        field.keywords.extend(keywords::whole(schema));
        if keywords::is_true(schema, "x-kubernetes-int-or-string")
            && schema.get("nullable").is_none()
        {
            // Without it, kube's generator takes what is optional for nullable.
            field.keywords.push(("nullable".to_owned(), false.into()));
        }
    }

    fn ty(&mut self, name: &str, used: Use<'a>, path: &str) -> Ty {
        let graph = self.graph;
        let schema = used.schema;
        match graph.node(used.node).map(|node| &node.kind) {
            None | Some(Kind::Any) => {
                let is_embedded = keywords::is_true(schema, "x-kubernetes-embedded-resource");
                if is_embedded { Ty::Path(RAW) } else { Ty::ANY }
            }
            Some(Kind::Scalar) => match keywords::texts(schema) {
                Some(_) => Ty::Named(self.named(used, path)),
                None => Ty::Path(scalar(name, schema)),
            },
            Some(Kind::List(inner)) => Ty::List(Box::new(self.element(name, *inner, path))),
            Some(Kind::Map(inner)) => Ty::Map(Box::new(self.element(name, *inner, path))),
            Some(Kind::Object { .. }) => match core_type(schema) {
                Some(core) => Ty::Path(core),
                None => Ty::Named(self.named(used, path)),
            },
        }
    }

    fn element(&mut self, name: &str, used: Use<'a>, path: &str) -> Ty {
        let ty = self.ty(name, used, path);
        if keywords::is_true(used.schema, "nullable") {
            Ty::Option(Box::new(ty))
        } else {
            ty
        }
    }

    /// The type for a node, which is named after the place where it is first met.
    fn named(&mut self, used: Use<'a>, path: &str) -> TypeId {
        if let Some(id) = self.of_node.get(&used.node) {
            return *id;
        }
        let name = words::type_name(path, "Type", &mut self.names);
        let id = self.reserve(name, path.to_owned(), used);
        self.of_node.insert(used.node, id);
        id
    }
}

fn description(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// The type of what is neither an object nor a list.
fn scalar(name: &str, schema: &Value) -> &'static str {
    let keyword = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
    if keywords::is_true(schema, "x-kubernetes-int-or-string") {
        let is_quantity = keyword("pattern").contains(QUANTITY);
        return if is_quantity {
            QUANTITY_TYPE
        } else {
            INT_OR_STRING
        };
    }
    match (keyword("type"), keyword("format")) {
        ("boolean", _) => "bool",
        ("integer", "int32") => "i32",
        ("integer", _) => "i64",
        ("number", _) => "f64",
        ("string", "date-time") => {
            let is_micro =
                name.ends_with("MicroTime") || keyword("description").contains("MicroTime");
            if is_micro { MICRO_TIME } else { TIME }
        }
        ("string", "byte") => BYTES,
        _ => "String",
    }
}

/// Whether schemars writes for a type what its schema says: then it need not be said again.
fn says_by_itself(ty: &Ty, schema: &Value) -> bool {
    let format = schema.get("format").and_then(Value::as_str);
    match ty {
        Ty::Path("String") => schema.get("type").is_some_and(|found| found == "string"),
        Ty::Path("bool") => format.is_none(),
        Ty::Path("i32") => true,
        Ty::Path("i64") => format == Some("int64"),
        Ty::Path("f64") => format == Some("double"),
        _ => false,
    }
}

/// What each field is to the unions of its struct.
fn add_roles(body: &mut Struct, unions: &Unions, idents: &HashMap<&str, String>) {
    let several = unions
        .list
        .iter()
        .filter(|union| union.discriminator.is_some())
        .count()
        > 1;
    let mut groups = Names::default();
    let mut roles: HashMap<&str, Role> = HashMap::new();
    for union in &unions.list {
        let group = match &union.discriminator {
            Some(discriminator) => {
                roles.insert(&discriminator.name, Role::Discriminator);
                None
            }
            None => {
                let group = groups.take("one_of", "_");
                if union.arity == crd_unions::Arity::ExactlyOne {
                    body.exactly_one.push(group.clone());
                }
                Some(group)
            }
        };
        let by = union.discriminator.as_ref().filter(|_| several);
        for member in &union.members {
            let role = Role::Member {
                value: group.is_none().then(|| member.value.clone()),
                optional: group.is_none() && member.optional,
                discriminated_by: by.and_then(|by| idents.get(&*by.name)).cloned(),
                group: group.clone(),
            };
            roles.insert(&member.name, role);
        }
    }
    let is_discriminated = unions
        .list
        .iter()
        .any(|union| union.discriminator.is_some());
    for field in &mut body.fields {
        field.role = roles.remove(&*field.json);
        // The rules refuse an object without it, whatever `required` says.
        let is_demanded = unions
            .list
            .iter()
            .filter_map(|union| union.discriminator.as_ref())
            .any(|discriminator| {
                discriminator.name == field.json
                    && discriminator.required
                    && discriminator.default.is_none()
            });
        if is_demanded && field.presence == Presence::Optional {
            field.presence = Presence::Required;
            field.with = None;
        }
        // The derive asks whether a field was forgotten that is named like a value.
        if field.role.is_none() && is_discriminated && field.presence != Presence::Required {
            field.role = Some(Role::NotMember);
        }
    }
    body.is_union = !unions.list.is_empty();
}

fn has_default(of: &Type, types: &[Type]) -> bool {
    let Body::Struct(body) = &of.body else {
        return false;
    };
    body.fields.iter().all(|field| {
        field.presence != Presence::Required
            || match &field.ty {
                Ty::Named(id) => types.get(*id).is_some_and(|of| of.has_default),
                Ty::Path(path) => {
                    *path != TIME && *path != MICRO_TIME && !path.ends_with("::Condition")
                }
                Ty::List(_) | Ty::Map(_) | Ty::Option(_) => true,
            }
    })
}
