//! Where in an object the unions of a schema are.

use k8s_json_internals::quote::quoted;
use serde_json::Value;
use union_json::{Place, PlacedUnion, Unions};
use union_runtime::MemberSpec;

use crate::gap::Gap;

/// A union, and how one gets to it.
#[derive(Clone, Debug)]
pub(crate) struct Site<'a> {
    pub(crate) steps: Vec<Step<'a>>,
    pub(crate) union: PlacedUnion<'a>,
}

/// A step on the way to a union.
#[derive(Clone, Debug)]
pub(crate) enum Step<'a> {
    /// To a field.
    Field(&'a str),
    /// To the elements of a list, with their keys if it is of type map.
    Items(Vec<(&'a str, Option<&'a Value>)>),
    /// To what is under all keys of a map but these.
    Values(Vec<&'a str>),
}

/// All unions, in the order in which normalization and validation come to them: parents first. What cannot be reached is a gap.
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
            let why = "the schema refers to itself, and a policy goes down one round of it";
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

/// A path for people: `spec.rules[].filters[]`.
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

    /// Whether it is below a list or a map.
    pub(crate) fn is_in_loop(&self) -> bool {
        self.loops() > 0
    }

    /// How many lists and maps it is below.
    pub(crate) fn loops(&self) -> usize {
        let steps = self.steps.iter();
        steps.filter(|step| !matches!(step, Step::Field(_))).count()
    }

    /// Whether each object here has an old one: it is not below a list without keys.
    pub(crate) fn has_old(&self) -> bool {
        let mut steps = self.steps.iter();
        !steps.any(|step| matches!(step, Step::Items(keys) if keys.is_empty()))
    }

    /// Whether it is in the status.
    pub(crate) fn is_in_status(&self) -> bool {
        matches!(self.steps.first(), Some(Step::Field("status")))
    }

    /// What it is called, for people.
    pub(crate) fn called(&self) -> String {
        let spec = self.union.spec();
        if let Some(discriminator) = spec.discriminator() {
            return format!("by {}", quoted([discriminator.name()].into_iter()));
        }
        let members = spec.members().map(MemberSpec::name);
        format!("of {}", quoted(members))
    }
}
