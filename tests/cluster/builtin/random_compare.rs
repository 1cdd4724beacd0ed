//! Compares the server's errors about the unions of an object with ours.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use union_json::SchemaNode;
use union_runtime::UnionSpec;
use union_runtime::path::{FieldPath, PathStep};

use crate::errors::{Error, Errors};
use crate::random_names::{self, Side};
use crate::random_unions::{self, KindWithUnions};
use crate::types::{Form, Types};

/// The counts of a run.
pub(crate) struct Comparison<'t> {
    types: &'t Types,
    kinds: BTreeSet<String>,
    objects: usize,
    accepted: usize,
    /// Objects that the server cannot decode.
    undecoded: usize,
    /// Unions in objects that both accept, and that both refuse.
    valid: usize,
    invalid: usize,
    named: BTreeMap<&'static str, usize>,
    /// Differences without a name, with their numbers and the first example of each.
    unnamed: BTreeMap<String, (usize, String)>,
    /// The members that were set in an object, by type.
    made: BTreeSet<(String, String)>,
}

/// An object with unions in an object.
struct Location {
    fields: BTreeSet<String>,
    definition: String,
}

impl<'t> Comparison<'t> {
    pub(crate) const fn new(types: &'t Types) -> Self {
        Self {
            types,
            kinds: BTreeSet::new(),
            objects: 0,
            accepted: 0,
            undecoded: 0,
            valid: 0,
            invalid: 0,
            named: BTreeMap::new(),
            unnamed: BTreeMap::new(),
            made: BTreeSet::new(),
        }
    }

    /// Compares the errors about an object.
    pub(crate) fn add(&mut self, kind: &KindWithUnions, object: &Value, errors: &Errors) {
        self.objects += 1;
        if errors.iter().any(|error| error.field.is_empty()) {
            self.undecoded += 1;
            return;
        }
        self.kinds.insert(kind.kind.definition.clone());
        self.accepted += usize::from(errors.is_empty());
        let locations = self.locations(kind, object);
        let ours = kind.enforced.validate(object);
        let ours: BTreeSet<&str> = ours
            .errors()
            .iter()
            .filter_map(|error| locations_of(&locations, error.path().as_str()).next())
            .collect();
        let mut theirs: BTreeMap<&str, Vec<&Error>> = BTreeMap::new();
        for error in errors {
            let field = match kind.kind.api_version.as_str() {
                "resource.k8s.io/v1beta1" => field_of_v1beta1(&error.field),
                _ => error.field.clone(),
            };
            let found: Vec<&str> = locations_of(&locations, &field).collect();
            // An error at a member that has unions itself may be about either of both.
            let about = found.iter().filter(|path| ours.contains(**path));
            let about: Vec<&str> = about.copied().collect();
            let about = if about.is_empty() {
                found.get(..1).unwrap_or_default().to_vec()
            } else {
                about
            };
            for path in about {
                theirs.entry(path).or_default().push(error);
            }
        }
        for (path, location) in &locations {
            let path = path.as_str();
            match (ours.contains(path), theirs.get(path)) {
                (true, Some(_)) => self.invalid += 1,
                (false, None) => self.valid += 1,
                (true, None) => {
                    let is_inside_refused = errors.iter().any(|error| {
                        let is_around = path.strip_prefix(error.field.as_str());
                        is_around.is_some_and(|rest| rest.starts_with(['.', '[']))
                    });
                    let name = if is_inside_refused {
                        Some("the server does not validate the content of a value that it refuses")
                    } else {
                        let details = details_beside(errors, path);
                        random_names::find(&location.definition, Side::Ours, &details)
                    };
                    let difference = format!("the server accepts {}", location.definition);
                    self.count(name, difference, || format!("{path}: {object}: {errors:?}"));
                }
                (false, Some(found)) => {
                    for error in found {
                        let definition = &location.definition;
                        let name = random_names::find(definition, Side::Server, &error.detail);
                        let difference =
                            format!("the server refuses {definition}: {}", error.detail);
                        self.count(name, difference, || format!("{}: {object}", error.field));
                    }
                }
            }
        }
    }

    fn count(
        &mut self,
        name: Option<&'static str>,
        difference: String,
        example: impl Fn() -> String,
    ) {
        if let Some(name) = name {
            *self.named.entry(name).or_default() += 1;
        } else {
            let entry = self.unnamed.entry(difference);
            entry.or_insert_with(|| (0, example())).0 += 1;
        }
    }

    /// Returns the objects with unions, by their paths.
    fn locations(&mut self, kind: &KindWithUnions, object: &Value) -> BTreeMap<String, Location> {
        let mut locations = BTreeMap::new();
        for layer in kind.enforced.layers() {
            let mut pending: Vec<(SchemaNode<'_>, &Value, FieldPath, Form)> = Vec::new();
            let root = Form::Object(kind.kind.definition.clone());
            pending.extend(
                layer
                    .root_node()
                    .map(|node| (node, object, FieldPath::root(), root)),
            );
            while let Some((node, value, path, form)) = pending.pop() {
                match (value, form) {
                    (Value::Object(fields), Form::Object(definition)) => {
                        for spec in random_unions::specs(node) {
                            self.add_location(&mut locations, &path, &definition, &spec, value);
                        }
                        for field in self.types.fields(&definition) {
                            let child = fields.get(&field.name);
                            let node = random_unions::field(node, &field.name);
                            if let (Some(child), Some(node)) = (child, node) {
                                pending.push((
                                    node,
                                    child,
                                    path.clone().field(&field.name),
                                    field.form,
                                ));
                            }
                        }
                    }
                    (Value::Object(fields), Form::Map(form)) => {
                        for (name, child) in fields {
                            if let Some(node) = node.additional_properties() {
                                let path = path.clone().step(PathStep::Key(name));
                                pending.push((node, child, path, (*form).clone()));
                            }
                        }
                    }
                    (Value::Array(elements), Form::List(form)) => {
                        for (index, child) in elements.iter().enumerate() {
                            if let Some(node) = node.items() {
                                let path = path.clone().index(index);
                                pending.push((node, child, path, (*form).clone()));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        locations
    }

    fn add_location(
        &mut self,
        locations: &mut BTreeMap<String, Location>,
        path: &FieldPath,
        definition: &str,
        spec: &UnionSpec<'_>,
        value: &Value,
    ) {
        let location = locations
            .entry(path.as_str().to_owned())
            .or_insert_with(|| Location {
                fields: BTreeSet::new(),
                definition: definition.to_owned(),
            });
        for member in spec.members() {
            location.fields.insert(member.name().to_owned());
            if !value[member.name()].is_null() {
                self.made
                    .insert((definition.to_owned(), member.name().to_owned()));
            }
        }
        location
            .fields
            .extend(spec.discriminator().map(|found| found.name().to_owned()));
    }

    /// Prints the counts. Returns true if each difference has a name.
    pub(crate) fn print<'k>(
        &self,
        kinds: impl Iterator<Item = &'k KindWithUnions>,
        seed: u64,
    ) -> bool {
        for (line, (count, example)) in &self.unnamed {
            println!("DIFFERS   {count} times: {line}, first at {example}");
        }
        for (name, count) in &self.named {
            println!("named     {count} times: {name}");
        }
        let mut all: BTreeSet<(String, String)> = BTreeSet::new();
        for place in kinds.flat_map(|kind| &kind.places) {
            for field in place.unions.iter().flat_map(|union| union.members.iter()) {
                all.insert((place.place.definition.clone(), field.field.clone()));
            }
        }
        let never: Vec<String> = all
            .difference(&self.made)
            .map(|(definition, field)| format!("{definition}.{field}"))
            .collect();
        println!(
            "never set: {} of {} members: {}",
            never.len(),
            all.len(),
            never.join(", ")
        );
        println!(
            "seed {seed}: {} objects of {} kinds, {} accepted, {} not decoded; unions: {} accepted by both, {} refused \
             by both; {} differences with a name, {} without",
            self.objects,
            self.kinds.len(),
            self.accepted,
            self.undecoded,
            self.valid,
            self.invalid,
            self.named.values().sum::<usize>(),
            self.unnamed.values().map(|(count, _)| count).sum::<usize>(),
        );
        self.unnamed.is_empty()
    }
}

/// Returns the paths of the objects with the unions that an error may be about: the object itself,
/// and the object that has the field in a union.
fn locations_of<'l>(
    locations: &'l BTreeMap<String, Location>,
    path: &str,
) -> impl Iterator<Item = &'l str> {
    let exact = locations.get_key_value(path).map(|(path, _)| path.as_str());
    let (parent, field) = path.rsplit_once('.').unwrap_or(("", path));
    let parent = locations.get_key_value(parent);
    let parent = parent.filter(|(_, location)| location.fields.contains(field));
    exact
        .into_iter()
        .chain(parent.map(|(path, _)| path.as_str()))
}

/// Returns the field of an object of `resource.k8s.io/v1beta1`. Some errors have the fields of
/// later versions, but the fields of `exactly` are in the request itself, and those of a device in
/// `basic`.
fn field_of_v1beta1(field: &str) -> String {
    let device = field.strip_prefix("spec.devices[");
    match device.and_then(|device| device.split_once("].")) {
        Some((index, rest)) if !rest.starts_with("basic") => {
            format!("spec.devices[{index}].basic.{rest}")
        }
        _ => field.replace(".exactly", ""),
    }
}

/// Returns the details of the errors about fields of the objects around a path.
fn details_beside(errors: &Errors, path: &str) -> String {
    let details = errors.iter().filter_map(|error| {
        let (parent, _) = error.field.rsplit_once('.')?;
        let rest = path.strip_prefix(parent)?;
        rest.starts_with(['.', '['])
            .then_some(error.detail.as_str())
    });
    details.collect::<Vec<_>>().join("\n")
}
