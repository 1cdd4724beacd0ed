//! The positions of unions in an object.

use k8s_json_internals::quote::quoted;
use serde_json::Value;
use union_json::{Place, PlacedUnion, Unions};
use union_runtime::MemberSpec;

use crate::gap::Gap;

/// A union, and the steps from the root object to it.
#[derive(Clone, Debug)]
pub(crate) struct Site<'a> {
    pub(crate) steps: Vec<Step<'a>>,
    pub(crate) union: PlacedUnion<'a>,
}

/// A step on the way to a union.
#[derive(Clone, Debug)]
pub(crate) enum Step<'a> {
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
pub(crate) fn sites<'a>(unions: &'a Unions, gaps: &mut Vec<Gap>) -> Vec<Site<'a>> {
    let mut found = Finder {
        sites: Vec::new(),
        steps: Vec::new(),
        above: Vec::new(),
        gaps,
    };
    if let Some(root) = unions.places() {
        found.visit(root);
    }
    found.sites
}

struct Finder<'a, 'g> {
    sites: Vec<Site<'a>>,
    steps: Vec<Step<'a>>,
    above: Vec<u32>,
    gaps: &'g mut Vec<Gap>,
}

impl<'a> Finder<'a, '_> {
    fn visit(&mut self, place: Place<'a>) {
        if self.above.contains(&place.id()) {
            let why = "the schema refers to itself; the policy covers only the first level of the recursion";
            self.gaps.push(Gap::new(path_of(&self.steps), why));
            return;
        }
        self.above.push(place.id());
        for union in place.unions() {
            let steps = self.steps.clone();
            self.sites.push(Site { steps, union });
        }
        for (name, below) in place.fields() {
            self.step(Step::Field(name), below);
        }
        if let Some(below) = place.values() {
            self.step(Step::Values(place.described().collect()), below);
        }
        if let Some(below) = place.items() {
            self.step(Step::Items(place.keys().collect()), below);
        }
        self.above.pop();
    }

    fn step(&mut self, step: Step<'a>, below: Place<'a>) {
        self.steps.push(step);
        self.visit(below);
        self.steps.pop();
    }
}

/// Returns the path of the steps: `spec.rules[].filters[]`.
pub(crate) fn path_of(steps: &[Step<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Field(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Step::Items(_) | Step::Values(_) => path.push_str("[]"),
        }
    }
    path
}

impl Site<'_> {
    pub(crate) fn path(&self) -> String {
        path_of(&self.steps)
    }

    /// Returns true if the union is below a list or a map.
    pub(crate) fn is_in_loop(&self) -> bool {
        self.loops() > 0
    }

    /// Returns the number of lists and maps above the union.
    pub(crate) fn loops(&self) -> usize {
        let steps = self.steps.iter();
        steps.filter(|step| !matches!(step, Step::Field(_))).count()
    }

    /// Returns true if the objects of the site can have old ones: the union is not below a list
    /// without keys.
    pub(crate) fn has_old(&self) -> bool {
        let mut steps = self.steps.iter();
        !steps.any(|step| matches!(step, Step::Items(keys) if keys.is_empty()))
    }

    /// Returns true if the union is in the status.
    pub(crate) fn is_in_status(&self) -> bool {
        matches!(self.steps.first(), Some(Step::Field("status")))
    }

    /// Returns the description of the union in messages.
    pub(crate) fn called(&self) -> String {
        let spec = self.union.spec();
        if let Some(discriminator) = spec.discriminator() {
            return format!("by {}", quoted([discriminator.name()].into_iter()));
        }
        let members = spec.members().map(MemberSpec::name);
        format!("of {}", quoted(members))
    }
}
