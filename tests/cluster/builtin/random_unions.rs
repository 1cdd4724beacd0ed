//! The kinds with unions, and the places of the unions in them.

use std::collections::BTreeSet;

use k8s_builtin_unions::{KindUnions, find_kind};
use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};
use union_json::{SchemaNode, UnionAtNode};
use union_runtime::{DiscriminatorSpec, DiscriminatorValues, MemberSpec, UnionSpec};

use crate::cluster::Fallible;
use crate::place::{Place, Step};
use crate::types::{Form, Kind, Types};

/// The minor version of the server.
const MINOR: u32 = 37;

/// A kind of the server, with its unions.
pub(crate) struct KindWithUnions {
    pub(crate) kind: Kind,
    /// The unions that the server enforces.
    pub(crate) enforced: KindUnions,
    pub(crate) places: Vec<UnionPlace>,
}

/// An object with unions in a kind.
pub(crate) struct UnionPlace {
    pub(crate) place: Place,
    pub(crate) unions: Vec<Union>,
}

/// A union, with the members of the server's version.
pub(crate) struct Union {
    pub(crate) discriminator: Option<String>,
    /// The values of the discriminator.
    pub(crate) values: Vec<String>,
    pub(crate) members: Vec<Member>,
}

pub(crate) struct Member {
    pub(crate) field: String,
    pub(crate) value: String,
}

/// Returns the kinds that the server serves.
pub(crate) fn kinds(types: &Types) -> Fallible<Vec<KindWithUnions>> {
    let mut kinds = Vec::new();
    for kind in &types.kinds {
        let Some(builtin) = find_kind(&kind.api_version, &kind.name) else {
            continue;
        };
        let compiler = builtin.compiler().minor(MINOR).strict();
        let enforced = compiler.compile()?;
        let paths: BTreeSet<SchemaPath> = builtin
            .unions()
            .into_iter()
            .map(|found| found.path)
            .collect();
        let places = paths.iter().filter_map(|path| {
            let unions: Vec<Union> = specs_at(&enforced, path).iter().map(Union::new).collect();
            let place = place(types, kind, path)?;
            (!unions.is_empty()).then_some(UnionPlace { place, unions })
        });
        kinds.push(KindWithUnions {
            places: places.collect(),
            kind: kind.clone(),
            enforced,
        });
    }
    Ok(kinds)
}

fn specs_at<'u>(unions: &'u KindUnions, path: &SchemaPath) -> Vec<UnionSpec<'u>> {
    let nodes = unions.layers().iter().filter_map(|layer| {
        let root = layer.root_node()?;
        path.steps().try_fold(root, |node, step| match step {
            SchemaStep::Property(name) => field(node, name),
            SchemaStep::Items => node.items(),
            SchemaStep::AdditionalProperties => node.additional_properties(),
        })
    });
    nodes.flat_map(specs).collect()
}

pub(crate) fn field<'u>(node: SchemaNode<'u>, name: &str) -> Option<SchemaNode<'u>> {
    let mut fields = node.fields();
    fields
        .find(|(field, _)| *field == name)
        .map(|(_, node)| node)
}

pub(crate) fn specs(node: SchemaNode<'_>) -> impl Iterator<Item = UnionSpec<'_>> {
    let specs = node.unions().map(UnionAtNode::spec);
    specs.filter(|spec| spec.members().len() > 0)
}

/// Returns the place of an object in a kind; `None` if the server does not have a field of the
/// path, or if a client cannot write it.
fn place(types: &Types, kind: &Kind, path: &SchemaPath) -> Option<Place> {
    let steps = path.steps().map(|step| match step {
        SchemaStep::Property(name) => Step::Field(name.to_owned()),
        SchemaStep::Items => Step::Element,
        SchemaStep::AdditionalProperties => Step::MapValue,
    });
    let steps: Vec<Step> = steps.collect();
    if steps.first() == Some(&Step::Field("status".to_owned())) {
        return None;
    }
    let mut form = Form::Object(kind.definition.clone());
    for step in &steps {
        form = match (step, form) {
            (Step::Field(name), Form::Object(definition)) => {
                let mut fields = types.fields(&definition).into_iter();
                fields.find(|field| field.name == *name)?.form
            }
            (Step::Element, Form::List(element)) => *element,
            (Step::MapValue, Form::Map(value)) => *value,
            _ => return None,
        };
    }
    let Form::Object(definition) = form else {
        return None;
    };
    let kind = kind.clone();
    Some(Place {
        kind,
        name: definition.clone(),
        definition,
        steps,
    })
}

impl Union {
    fn new(spec: &UnionSpec<'_>) -> Self {
        let members = spec.members().map(|member: MemberSpec<'_>| Member {
            field: member.name().to_owned(),
            value: member.value().to_owned(),
        });
        let values = spec.discriminator().map(DiscriminatorSpec::values);
        let values = values.into_iter().flat_map(DiscriminatorValues::iter);
        Self {
            discriminator: spec.discriminator().map(|found| found.name().to_owned()),
            values: values.map(str::to_owned).collect(),
            members: members.collect(),
        }
    }

    /// Sets the discriminator to the value of a member.
    pub(crate) fn select(&self, object: &mut Value, member: &Member) {
        if let Some(discriminator) = &self.discriminator {
            object[discriminator] = member.value.as_str().into();
        }
    }
}
