//! The positions of unions in an object.

use k8s_json_internals::quote::quote_list;
use serde_json::Value;
use union_json::{SchemaNode, UnionAtNode, Unions};
use union_runtime::MemberSpec;

use crate::limitation::Limitation;

/// A union, and the steps from the root object to it.
#[derive(Clone, Debug)]
pub(crate) struct UnionLocation<'a> {
    pub(crate) steps: Vec<LocationStep<'a>>,
    pub(crate) union: UnionAtNode<'a>,
}

/// A step on the way to a union.
#[derive(Clone, Debug)]
pub(crate) enum LocationStep<'a> {
    /// A step to a field.
    Field(&'a str),
    /// A step to the elements of a list, with the names and defaults of its keys if it is of type
    /// map.
    Items(Vec<(&'a str, Option<&'a Value>)>),
    /// A step to the values of a map, except the values of these keys.
    Values(Vec<&'a str>),
}

/// Returns all unions in the order of normalization and validation, parents first. Adds a gap for
/// each recursive schema.
pub(crate) fn union_locations<'a>(
    unions: &'a Unions,
    gaps: &mut Vec<Limitation>,
) -> Vec<UnionLocation<'a>> {
    let mut found = UnionFinder {
        sites: Vec::new(),
        steps: Vec::new(),
        above: Vec::new(),
        gaps,
    };
    if let Some(root) = unions.root_node() {
        found.visit(root);
    }
    found.sites
}

struct UnionFinder<'a, 'g> {
    sites: Vec<UnionLocation<'a>>,
    steps: Vec<LocationStep<'a>>,
    above: Vec<u32>,
    gaps: &'g mut Vec<Limitation>,
}

impl<'a> UnionFinder<'a, '_> {
    fn visit(&mut self, place: SchemaNode<'a>) {
        if self.above.contains(&place.id()) {
            let why = "the schema refers to itself; the policy covers only the first level of the recursion";
            self.gaps
                .push(Limitation::new(steps_path(&self.steps), why));
            return;
        }
        self.above.push(place.id());
        for union in place.unions() {
            let steps = self.steps.clone();
            self.sites.push(UnionLocation { steps, union });
        }
        for (name, below) in place.fields() {
            self.step(LocationStep::Field(name), below);
        }
        if let Some(below) = place.additional_properties() {
            self.step(
                LocationStep::Values(place.property_names().collect()),
                below,
            );
        }
        if let Some(below) = place.items() {
            self.step(LocationStep::Items(place.list_map_keys().collect()), below);
        }
        self.above.pop();
    }

    fn step(&mut self, step: LocationStep<'a>, below: SchemaNode<'a>) {
        self.steps.push(step);
        self.visit(below);
        self.steps.pop();
    }
}

/// Returns the path of the steps: `spec.rules[].filters[]`.
pub(crate) fn steps_path(steps: &[LocationStep<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            LocationStep::Field(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            LocationStep::Items(_) | LocationStep::Values(_) => path.push_str("[]"),
        }
    }
    path
}

impl UnionLocation<'_> {
    pub(crate) fn path(&self) -> String {
        steps_path(&self.steps)
    }

    /// Returns true if the union is below a list or a map.
    pub(crate) fn is_in_loop(&self) -> bool {
        self.loop_count() > 0
    }

    /// Returns the number of lists and maps above the union.
    pub(crate) fn loop_count(&self) -> usize {
        let steps = self.steps.iter();
        steps
            .filter(|step| !matches!(step, LocationStep::Field(_)))
            .count()
    }

    /// Returns true if the objects of the site can have old ones: the union is not below a list
    /// without keys.
    pub(crate) fn has_old_objects(&self) -> bool {
        let mut steps = self.steps.iter();
        !steps.any(|step| matches!(step, LocationStep::Items(keys) if keys.is_empty()))
    }

    /// Returns true if the union is in the status.
    pub(crate) fn is_in_status(&self) -> bool {
        matches!(self.steps.first(), Some(LocationStep::Field("status")))
    }

    /// Returns the description of the union in messages.
    pub(crate) fn describe_union(&self) -> String {
        let spec = self.union.spec();
        if let Some(discriminator) = spec.discriminator() {
            return format!("by {}", quote_list([discriminator.name()].into_iter()));
        }
        let members = spec.members().map(MemberSpec::name);
        format!("of {}", quote_list(members))
    }
}
