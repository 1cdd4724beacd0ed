//! The switch of a union of a JSON object to another member, by the rules of the union.

use serde_json::{Map, Value, json};
use union_json::{SchemaNode, UnionAtNode, Unions};
use union_runtime::path::{FieldPath, Path, PathStep};
use union_runtime::{
    DiscriminatorSpec, DiscriminatorValues, MemberSpec, Report, UnionSpec, Violation,
};

use super::json_merge_patch::{is_set, merge_patch, without_nulls};
use super::list_element::{ListElement, shared_key_warnings};
use super::member_switch_error::MemberSwitchError;
use super::switch::Switch;
use crate::elements::document;
use crate::elements::warning::PatchWarningKind;
use crate::error::PatchError;
use crate::merge::directive_names::{DIRECTIVE_MARKER, REPLACE_DIRECTIVE, RETAIN_KEYS_DIRECTIVE};
use crate::schema::schema::{FieldPatchMeta, NodeId, PatchSchema};
use crate::schema::strategy::BaseStrategy;

/// A union of an object, and the member to switch to.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberChoice {
    union_path: FieldPath,
    member: String,
    value: Option<Value>,
}

impl MemberChoice {
    /// Creates the choice of a member: the name of its field, or its discriminator value. The path
    /// leads to the object with the union.
    pub fn new(union_path: impl Into<FieldPath>, member: impl Into<String>) -> Self {
        Self {
            union_path: union_path.into(),
            member: member.into(),
            value: None,
        }
    }

    /// Sets the value of the member. Without a value, the member keeps the value of the live
    /// object.
    #[must_use]
    pub fn with_value(mut self, value: Value) -> Self {
        self.value = Some(value);
        self
    }
}

impl PatchSchema {
    /// Returns the patches that switch a union of a JSON object to another member. `self` is the
    /// schema of the object, `unions` are its unions, and `validate` returns the errors about the
    /// unions of an object.
    ///
    /// The patches set the discriminator and the member, and clear the other members. If the field
    /// of the union has the strategy `retainKeys`, the strategic merge patch has `$retainKeys` with
    /// the other fields of the live object. Otherwise it has a null for each other member. If the
    /// member is set, its value is replaced, not merged.
    ///
    /// The strategic merge patch and the JSON merge patch are applied to the live object before
    /// they are returned: the result must have only the wanted change, and a valid union.
    ///
    /// ```
    /// use k8s_strategic_merge_patch::{MemberChoice, PatchSchema};
    /// use serde_json::json;
    /// use union_json::{SchemaSource, Unions};
    /// use union_runtime::path::FieldPath;
    ///
    /// let schema = json!({"properties": {"env": {
    ///     "x-kubernetes-patch-strategy": "merge",
    ///     "x-kubernetes-patch-merge-key": "name",
    ///     "items": {
    ///         "properties": {"name": {"type": "string"}, "value": {}, "valueFrom": {}},
    ///         "x-kubernetes-unions": [
    ///             {"fields-to-discriminateBy": {"value": "Value", "valueFrom": "ValueFrom"}},
    ///         ],
    ///     },
    /// }}});
    /// let unions = Unions::compile(SchemaSource::Schema(&schema))?;
    /// let live = json!({"env": [{"name": "A", "value": "x"}, {"name": "B", "value": "y"}]});
    /// let path = FieldPath::resolve("env[1]", &live).expect("the path of an element");
    /// let choice = MemberChoice::new(path, "valueFrom").with_value(json!({"fieldRef": {}}));
    ///
    /// let switch = PatchSchema::compile(&schema)?.switch_member(
    ///     std::slice::from_ref(&unions),
    ///     &live,
    ///     &choice,
    ///     |object| unions.validate(object),
    /// )?;
    /// assert_eq!(
    ///     switch.strategic_patch(),
    ///     &json!({"env": [{"name": "B", "value": null, "valueFrom": {"fieldRef": {}}}]}),
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the path has no union, if the union does not have the member, if the
    /// value of the member is missing or invalid, or if no patch has the wanted result.
    pub fn switch_member(
        &self,
        unions: &[Unions],
        live: &Value,
        choice: &MemberChoice,
        validate: impl Fn(&Value) -> Report,
    ) -> Result<Switch, MemberSwitchError> {
        document::check_depth(live, self.depth)?;
        let path = &choice.union_path;
        let nodes: Vec<SchemaNode<'_>> = nodes_at(unions, path).collect();
        let specs: Vec<UnionSpec<'_>> = nodes.iter().copied().flat_map(specs).collect();
        let old = match path.find(live) {
            Some(Value::Object(object)) => Some(object.clone()),
            Some(Value::Null) => Some(Map::new()),
            // The last field of the path may be missing.
            None if is_missing_field(live, path) => Some(Map::new()),
            _ => None,
        };
        let Some(old) = old.filter(|_| !specs.is_empty()) else {
            return Err(no_union(unions, live, path));
        };
        let target = Target::find(&specs, choice)?;
        let new = target.new_state(&old, choice)?;
        document::check_depth(&Value::Object(new.clone()), self.depth)?;
        let route = Route::new(self, unions, live, path)?;
        let switch = route.wrap(target.switch(&old, &new, &route, self)?);
        let mut wanted = live.clone();
        set(&mut wanted, path, new.into());
        if switch.switched_object(live) != wanted {
            let (path, form) = (path.clone(), "JSON merge patch");
            return Err(MemberSwitchError::NotExpressible { path, form });
        }
        if self.apply(live.clone(), &switch.strategic_patch)? != wanted {
            let (path, form) = (path.clone(), "strategic merge patch");
            return Err(MemberSwitchError::NotExpressible { path, form });
        }
        let errors = validate(&wanted);
        let errors = errors.errors().iter();
        let errors: Vec<Violation> = errors
            .filter(|error| error.path().starts_with(path))
            .cloned()
            .collect();
        if errors.is_empty() {
            Ok(switch)
        } else {
            Err(MemberSwitchError::Invalid { errors })
        }
    }
}

fn no_union(unions: &[Unions], live: &Value, path: &FieldPath) -> MemberSwitchError {
    let mut found = Vec::new();
    for unions in unions {
        if let Some(node) = unions.root_node() {
            add_paths(node, live, &FieldPath::root(), &mut found);
        }
    }
    found.sort();
    found.dedup();
    MemberSwitchError::NoUnion {
        path: path.clone(),
        unions: found,
    }
}

/// Adds the paths of the unions of a value. The function recurses, because the live object is not
/// deeper than the limits allow.
fn add_paths(node: SchemaNode<'_>, value: &Value, path: &FieldPath, found: &mut Vec<FieldPath>) {
    match value {
        Value::Object(fields) => {
            if specs(node).next().is_some() {
                found.push(path.clone());
            }
            for (name, child) in fields {
                if let Some(node) = child_node(node, PathStep::Field(name)) {
                    add_paths(node, child, &path.clone().field(name), found);
                }
            }
        }
        Value::Array(elements) => {
            for (index, child) in elements.iter().enumerate() {
                if let Some(node) = node.items() {
                    add_paths(node, child, &path.clone().index(index), found);
                }
            }
        }
        _ => {}
    }
}

/// Returns the unions of an object.
fn specs(node: SchemaNode<'_>) -> impl Iterator<Item = UnionSpec<'_>> {
    node.unions().map(UnionAtNode::spec)
}

fn child_node<'u>(node: SchemaNode<'u>, step: PathStep<'_>) -> Option<SchemaNode<'u>> {
    let (PathStep::Field(name) | PathStep::Key(name)) = step else {
        return node.items();
    };
    let mut fields = node.fields();
    if let Some((_, node)) = fields.find(|(field, _)| *field == name) {
        return Some(node);
    }
    let is_described = node.property_names().any(|property| property == name);
    node.additional_properties().filter(|_| !is_described)
}

/// Returns the nodes at a path, of all unions that have one.
fn nodes_at<'u>(
    unions: &'u [Unions],
    path: &FieldPath,
) -> impl Iterator<Item = SchemaNode<'u>> + use<'u> {
    let steps: FieldPath = path.clone();
    unions.iter().filter_map(move |unions| {
        let root = unions.root_node()?;
        steps.steps().try_fold(root, child_node)
    })
}

/// Returns true if the last field of a path is missing in its object.
fn is_missing_field(live: &Value, path: &FieldPath) -> bool {
    let parent = path.parent();
    let last_step = path.steps().next_back();
    let is_field = matches!(last_step, Some(PathStep::Field(_) | PathStep::Key(_)));
    is_field && parent.is_some_and(|parent| parent.find(live).is_some_and(Value::is_object))
}

/// Replaces the value at a path, whose last field may be missing.
fn set(object: &mut Value, path: &FieldPath, new: Value) {
    let mut value = object;
    for step in path.steps() {
        let child = match step {
            PathStep::Field(name) | PathStep::Key(name) => value
                .as_object_mut()
                .map(|fields| fields.entry(name).or_insert(Value::Null)),
            PathStep::Index(index) => value.get_mut(index),
        };
        let Some(child) = child else { return };
        value = child;
    }
    *value = new;
}

/// A union, and the member or the value to select in it.
struct Selected<'u> {
    spec: UnionSpec<'u>,
    member: Option<MemberSpec<'u>>,
    value: &'u str,
}

impl<'u> Selected<'u> {
    const fn new(spec: UnionSpec<'u>, member: Option<MemberSpec<'u>>, value: &'u str) -> Self {
        Self {
            spec,
            member,
            value,
        }
    }

    /// Returns true if the discriminator may select the member while the member is unset.
    fn is_optional(&self) -> bool {
        self.spec.discriminator().is_some() && self.member.is_none_or(MemberSpec::is_optional)
    }
}

/// The member to switch to, in all unions that have it.
struct Target<'u> {
    /// The field of the member; `None` if the discriminator value has no member.
    field: Option<&'u str>,
    is_optional: bool,
    /// The discriminators to set, with their values.
    discriminators: Vec<(&'u str, &'u str)>,
    /// The other members of the unions.
    other_members: Vec<&'u str>,
}

impl<'u> Target<'u> {
    /// Finds the member by the name of its field, or else by its discriminator value.
    fn find(specs: &[UnionSpec<'u>], choice: &MemberChoice) -> Result<Self, MemberSwitchError> {
        let name = choice.member.as_str();
        let with_member = specs.iter().filter_map(|spec| {
            let mut members = spec.members();
            Some((*spec, members.find(|member| member.name() == name)?))
        });
        let selected: Vec<Selected<'u>> = with_member
            .map(|(spec, member)| Selected::new(spec, Some(member), member.value()))
            .collect();
        if !selected.is_empty() {
            return Ok(Self::new(&selected));
        }
        let with_value = specs.iter().filter_map(|spec| {
            let values = spec.discriminator()?.values();
            let value = values.get(values.position(name)?)?;
            Some((*spec, value))
        });
        let with_value: Vec<(UnionSpec<'u>, &str)> = with_value.collect();
        match with_value.as_slice() {
            [] => Err(MemberSwitchError::UnknownMember {
                path: choice.union_path.clone(),
                member: name.to_owned(),
                allowed: allowed_names(specs),
            }),
            [(spec, value)] => {
                let mut members = spec.members();
                let member = members.find(|member| member.value() == *value);
                Ok(Self::new(&[Selected::new(*spec, member, value)]))
            }
            several => {
                let discriminators = several.iter().filter_map(|(spec, _)| spec.discriminator());
                let discriminators = discriminators.map(|found| found.name().to_owned());
                Err(MemberSwitchError::AmbiguousValue {
                    path: choice.union_path.clone(),
                    value: name.to_owned(),
                    discriminators: discriminators.collect(),
                })
            }
        }
    }

    fn new(selected: &[Selected<'u>]) -> Self {
        let field = selected.first().and_then(|first| first.member);
        let field = field.map(MemberSpec::name);
        let mut other_members = Vec::new();
        for selected in selected {
            let names = selected.spec.members().map(MemberSpec::name);
            other_members.extend(names.filter(|name| Some(*name) != field));
        }
        other_members.sort_unstable();
        other_members.dedup();
        let discriminators = selected.iter().filter_map(|selected| {
            let discriminator = selected.spec.discriminator()?;
            Some((discriminator.name(), selected.value))
        });
        Self {
            field,
            is_optional: selected.iter().all(Selected::is_optional),
            discriminators: discriminators.collect(),
            other_members,
        }
    }

    /// Returns the object of the union after the switch.
    fn new_state(
        &self,
        old: &Map<String, Value>,
        choice: &MemberChoice,
    ) -> Result<Map<String, Value>, MemberSwitchError> {
        let mut new = old.clone();
        for member in &self.other_members {
            new.remove(*member);
        }
        for (discriminator, value) in &self.discriminators {
            new.insert((*discriminator).to_owned(), (*value).into());
        }
        let path = &choice.union_path;
        let value = choice.value.as_ref().filter(|value| !value.is_null());
        match (self.field, value) {
            (Some(field), Some(value)) => {
                new.insert(field.to_owned(), without_nulls(value.clone()));
            }
            (Some(field), None) if !is_set(old, field) && !self.is_optional => {
                let path = path.clone().field(field);
                return Err(MemberSwitchError::MissingValue { path });
            }
            (None, Some(_)) => {
                let (path, value) = (path.clone(), choice.member.clone());
                return Err(MemberSwitchError::UnexpectedValue { path, value });
            }
            _ => {}
        }
        Ok(new)
    }

    /// Returns the patches of the union itself.
    fn switch(
        &self,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        route: &Route<'_>,
        schema: &PatchSchema,
    ) -> Result<Switch, MemberSwitchError> {
        let mut json_merge_patch = merge_patch(old, new);
        let mut strategic_patch = Map::new();
        for (name, value) in new {
            let old_value = old.get(name).filter(|value| !value.is_null());
            if old.get(name) != Some(value) {
                let value = match (route.union_node, old_value) {
                    (Some(node), Some(_)) => replacing(schema, node, name, value)?,
                    _ => value.clone(),
                };
                strategic_patch.insert(name.clone(), value);
            }
        }
        if route.has_retain_keys {
            let set_fields = new.iter().filter(|(_, value)| !value.is_null());
            let mut names: Vec<&str> = set_fields.map(|(name, _)| name.as_str()).collect();
            names.sort_unstable();
            strategic_patch.insert(RETAIN_KEYS_DIRECTIVE.to_owned(), json!(names));
        }
        for member in &self.other_members {
            json_merge_patch.insert((*member).to_owned(), Value::Null);
            if !route.has_retain_keys {
                strategic_patch.insert((*member).to_owned(), Value::Null);
            }
        }
        let mut switch = Switch::new(old, new, schema.depth);
        switch.merge_patch = json_merge_patch.into();
        switch.strategic_patch = strategic_patch.into();
        Ok(switch)
    }
}

/// Returns the names by which a member can be selected: its field, or a discriminator value without
/// a member.
fn allowed_names(specs: &[UnionSpec<'_>]) -> Vec<String> {
    let mut allowed = Vec::new();
    for spec in specs {
        allowed.extend(spec.members().map(|member| member.name().to_owned()));
        let values = spec.discriminator().map(DiscriminatorSpec::values);
        for value in values.into_iter().flat_map(DiscriminatorValues::iter) {
            if spec.members().all(|member| member.value() != value) {
                allowed.push(value.to_owned());
            }
        }
    }
    let mut known = std::collections::BTreeSet::new();
    allowed.retain(|name| known.insert(name.clone()));
    allowed
}

/// Returns the value of a field in a strategic merge patch, so that it replaces the live value.
/// Objects and merged lists need a directive.
fn replacing(
    schema: &PatchSchema,
    node: NodeId,
    name: &str,
    value: &Value,
) -> Result<Value, PatchError> {
    let marker = || json!({ DIRECTIVE_MARKER: REPLACE_DIRECTIVE });
    Ok(match value {
        Value::Object(fields) => {
            let meta = schema.patch_meta_for_object(node, name, &Path::ROOT)?;
            let mut fields = fields.clone();
            if meta.strategy != BaseStrategy::Replace {
                fields.insert(DIRECTIVE_MARKER.to_owned(), REPLACE_DIRECTIVE.into());
            }
            fields.into()
        }
        Value::Array(elements) => {
            let meta = schema.patch_meta_for_list(node, name, &Path::ROOT)?;
            let needs_marker = meta.strategy == BaseStrategy::Merge;
            let marker = needs_marker.then(marker).into_iter();
            marker.chain(elements.iter().cloned()).collect()
        }
        scalar => scalar.clone(),
    })
}

/// The way from an object to a union, with the patch strategies on it.
struct Route<'l> {
    steps: Vec<RouteStep<'l>>,
    /// The node of the union; `None` inside a list that strategic merge patches replace.
    union_node: Option<NodeId>,
    has_retain_keys: bool,
}

enum RouteStep<'l> {
    Field(String),
    Element {
        list: &'l [Value],
        position: usize,
        strategic_keys: Vec<(&'l str, Value)>,
        apply_keys: Vec<(&'l str, Value)>,
    },
}

impl<'l> Route<'l> {
    fn new(
        schema: &'l PatchSchema,
        unions: &'l [Unions],
        live: &'l Value,
        path: &FieldPath,
    ) -> Result<Self, PatchError> {
        let mut route = Route {
            steps: Vec::new(),
            union_node: Some(schema.root),
            has_retain_keys: false,
        };
        let mut value = live;
        let mut location = FieldPath::root();
        // The strategy of the list whose element is next.
        let mut list_meta: Option<FieldPatchMeta<'l>> = None;
        for step in path.steps() {
            let child = step.find(value).unwrap_or(&Value::Null);
            let meta = list_meta.take();
            match step {
                PathStep::Field(name) | PathStep::Key(name) => {
                    let meta = route.union_node.map(|node| {
                        if child.is_array() {
                            schema.patch_meta_for_list(node, name, &Path::ROOT)
                        } else {
                            schema.patch_meta_for_object(node, name, &Path::ROOT)
                        }
                    });
                    let meta = meta.transpose().map_err(|error| error.under(&location))?;
                    route.union_node = meta.map(|meta| meta.node);
                    route.has_retain_keys = meta.is_some_and(|meta| meta.retain_keys);
                    list_meta = meta.filter(|_| child.is_array());
                    route.steps.push(RouteStep::Field(name.to_owned()));
                }
                PathStep::Index(position) => {
                    let merge_key = meta
                        .filter(|meta| meta.strategy == BaseStrategy::Merge)
                        .map(|meta| meta.merge_key);
                    let key = merge_key.and_then(|key| Some((key, child.get(key)?.clone())));
                    if key.is_none() {
                        route.union_node = None;
                        route.has_retain_keys = false;
                    }
                    let list_path = &location;
                    route.steps.push(RouteStep::Element {
                        list: value.as_array().map(Vec::as_slice).unwrap_or_default(),
                        position,
                        strategic_keys: key.into_iter().collect(),
                        apply_keys: list_map_keys(unions, list_path, child),
                    });
                }
            }
            location = location.step(step);
            value = child;
        }
        Ok(route)
    }

    /// Adds the path to the patches of the union.
    fn wrap(&self, mut switch: Switch) -> Switch {
        for step in self.steps.iter().rev() {
            switch = match step {
                RouteStep::Field(name) => switch.field(name),
                RouteStep::Element {
                    list,
                    position,
                    strategic_keys,
                    apply_keys,
                } => {
                    let element = ListElement {
                        list,
                        position: *position,
                        strategic_keys,
                        apply_keys,
                    };
                    let warnings = shared_key_warnings(strategic_keys, list, *position);
                    let warnings = warnings.into_iter();
                    // The position names one of the elements, so none is ambiguous.
                    let warnings = warnings
                        .filter(|warning| warning.kind() == PatchWarningKind::ListReplaced)
                        .collect();
                    switch.in_list(&element, warnings)
                }
            };
        }
        switch
    }
}

/// Returns the keys of an element of a list of type map; empty for other lists, and if the element
/// lacks a key.
fn list_map_keys<'u>(
    unions: &'u [Unions],
    list_path: &FieldPath,
    element: &Value,
) -> Vec<(&'u str, Value)> {
    let Some(list) = nodes_at(unions, list_path).next() else {
        return Vec::new();
    };
    let keys = list.list_map_keys().map(|(name, default)| {
        let value = element.get(name).or(default)?;
        Some((name, value.clone()))
    });
    keys.collect::<Option<Vec<_>>>().unwrap_or_default()
}
