//! Finds the locations of unions in an object.

use k8s_json_internals::quote::quote_list;
use serde_json::Value;
use union_json::{SchemaNode, UnionAtNode, Unions};
use union_runtime::MemberSpec;

use crate::limitation::Limitation;

/// A union, and the steps from the root object to the object with the union.
#[derive(Clone, Debug)]
pub(crate) struct UnionLocation<'a> {
    pub(crate) steps: Vec<LocationStep<'a>>,
    pub(crate) union: UnionAtNode<'a>,
    /// The members of a built-in type whose empty values count as unset.
    pub(crate) unset_if_empty: Vec<&'a str>,
}

/// A step towards a union.
#[derive(Clone, Debug)]
pub(crate) enum LocationStep<'a> {
    /// A step to a field.
    Field(&'a str),
    /// A step to the elements of a list. A list of type map has the names and defaults of its keys.
    Items(Vec<(&'a str, Option<&'a Value>)>),
    /// A step to the values of a map, except the values of these properties.
    Values(Vec<&'a str>),
}

/// Returns all unions in the order of normalization and validation, outer objects first. Adds a
/// limitation for each recursive schema.
pub(crate) fn union_locations<'a>(
    unions: &'a Unions,
    limitations: &mut Vec<Limitation>,
) -> Vec<UnionLocation<'a>> {
    let mut finder = UnionFinder {
        locations: Vec::new(),
        steps: Vec::new(),
        ancestors: Vec::new(),
        limitations,
    };
    if let Some(root) = unions.root_node() {
        finder.visit(root);
    }
    finder.locations
}

struct UnionFinder<'a, 'g> {
    locations: Vec<UnionLocation<'a>>,
    steps: Vec<LocationStep<'a>>,
    ancestors: Vec<u32>,
    limitations: &'g mut Vec<Limitation>,
}

impl<'a> UnionFinder<'a, '_> {
    fn visit(&mut self, node: SchemaNode<'a>) {
        if self.ancestors.contains(&node.id()) {
            let message = "the schema refers to itself; the policy covers only the first level of the recursion";
            self.limitations
                .push(Limitation::new(path_of_steps(&self.steps), message));
            return;
        }
        self.ancestors.push(node.id());
        for union in node.unions() {
            let steps = self.steps.clone();
            self.locations.push(UnionLocation {
                steps,
                union,
                unset_if_empty: Vec::new(),
            });
        }
        for (name, child) in node.fields() {
            self.visit_child(LocationStep::Field(name), child);
        }
        if let Some(child) = node.additional_properties() {
            self.visit_child(LocationStep::Values(node.property_names().collect()), child);
        }
        if let Some(child) = node.items() {
            self.visit_child(LocationStep::Items(node.list_map_keys().collect()), child);
        }
        self.ancestors.pop();
    }

    fn visit_child(&mut self, step: LocationStep<'a>, child: SchemaNode<'a>) {
        self.steps.push(step);
        self.visit(child);
        self.steps.pop();
    }
}

/// Returns the path of steps, such as `spec.rules[*].filters[*]`.
pub(crate) fn path_of_steps(steps: &[LocationStep<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            LocationStep::Field(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            LocationStep::Items(_) | LocationStep::Values(_) => path.push_str("[*]"),
        }
    }
    path
}

impl UnionLocation<'_> {
    pub(crate) fn path(&self) -> String {
        path_of_steps(&self.steps)
    }

    /// Returns true if the union is inside a list or a map.
    pub(crate) fn is_in_loop(&self) -> bool {
        self.loop_count() > 0
    }

    /// Returns the number of lists and maps around the union.
    pub(crate) fn loop_count(&self) -> usize {
        let steps = self.steps.iter();
        steps
            .filter(|step| !matches!(step, LocationStep::Field(_)))
            .count()
    }

    /// Returns true if objects at this location can have old objects, because the union is not
    /// inside a list without keys.
    pub(crate) fn has_old_objects(&self) -> bool {
        let mut steps = self.steps.iter();
        !steps.any(|step| matches!(step, LocationStep::Items(keys) if keys.is_empty()))
    }

    /// Returns true if the union is inside the status.
    pub(crate) fn is_in_status(&self) -> bool {
        matches!(self.steps.first(), Some(LocationStep::Field("status")))
    }

    /// Returns a description of the union for messages.
    pub(crate) fn describe_union(&self) -> String {
        let spec = self.union.spec();
        if let Some(discriminator) = spec.discriminator() {
            return format!("by {}", quote_list([discriminator.name()].into_iter()));
        }
        let members = spec.members().map(MemberSpec::name);
        format!("of {}", quote_list(members))
    }
}
