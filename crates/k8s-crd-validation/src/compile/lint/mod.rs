//! What an API server refuses in the schema of a CRD, in its words (spec `ratcheting.md` 8).

mod defaults;
pub(crate) mod demands;
mod expressions;
mod keywords;
mod lists;
mod root;
mod rules;
mod structural;

use serde_json::Value;

use self::demands::Demands;
use crate::schema::StructuralSchema;
use crate::schema::depth::{DEEPEST, check_data, too_deep};
use crate::schema::place::Place;
use crate::schema::props::{Items, Props};
use k8s_cel::pattern::Patterns;
use union_runtime::path::FieldPath;
use union_runtime::{Violation, Violations};

/// What is wrong with a schema as it is written.
pub(super) struct Linted {
    /// By keyword.
    errors: Vec<Violation>,
    /// Which schemas they are errors of: rules are not compiled there, and around them.
    wrong: Vec<FieldPath>,
    /// What the root may not say, and what keeps the schema from being structural.
    others: Vec<Violation>,
    /// Whether a server can go on with it at all.
    pub(super) is_readable: bool,
    /// Whether it is structural: else, defaults and rules are not looked at.
    is_structural: bool,
    /// Whether all patterns compile: a server judges no default and compiles no rule beside one that does not.
    has_sound_patterns: bool,
    demands: Demands,
}

impl Linted {
    /// Nothing, as nobody looked.
    pub(super) const fn fine() -> Self {
        Self {
            errors: Vec::new(),
            wrong: Vec::new(),
            others: Vec::new(),
            is_readable: true,
            is_structural: true,
            has_sound_patterns: true,
            demands: Demands::ALL,
        }
    }

    /// Whether it is structural, demanded or not.
    pub(super) const fn is_structural(&self) -> bool {
        self.is_structural
    }

    /// Whether nothing is wrong so far.
    pub(super) const fn is_fine(&self) -> bool {
        self.errors.is_empty() && self.others.is_empty()
    }

    pub(super) fn into_list(mut self) -> Vec<Violation> {
        self.errors.extend(self.others);
        self.errors
    }

    pub(super) fn into_violations(self) -> Violations {
        Violations::new(self.into_list(), Vec::new())
    }
}

/// Finds what an API server refuses in a schema as it is written.
pub(super) fn lint(schema: &Value, path: &FieldPath, has_status: bool, demands: Demands) -> Linted {
    let (mut errors, mut wrong) = (Vec::new(), Vec::new());
    let mut patterns = Patterns::default();
    let at = Place::root(path);
    walk(
        schema,
        &at,
        DEEPEST,
        &mut errors,
        &mut |props, at, errors| {
            let before = errors.len();
            keywords::check(props, at, path, demands, &mut patterns, errors);
            lists::check(props, at, demands, errors);
            if errors.len() > before {
                wrong.push(at.to_field_path());
            }
        },
    );
    let mut others = Vec::new();
    let is_readable = !errors.iter().any(|(_, stops)| *stops);
    if let (true, Ok(props)) = (is_readable, Props::read(schema)) {
        structural::check_root(&props, &at, &mut others);
        root::check_combinators(&props, &at, &mut others);
        root::check_types(&props, &at, &mut others);
        let before = errors.len();
        root::check_meta(&props, &at, true, &mut errors);
        let of_meta = errors.iter().skip(before);
        wrong.extend(of_meta.map(|(violation, _)| violation.path().clone()));
    }
    let is_structural = is_readable && others.is_empty();
    let mut places = errors.iter().map(|(violation, _)| violation.path());
    let has_sound_patterns = !places.any(keywords::is_of_pattern);
    if !demands.structural {
        others.clear();
    }
    if let Ok(props) = Props::read(schema) {
        if is_readable {
            root::check_nullable(&props, &at, &mut others);
        }
        if has_status {
            root::check_status(schema, &props, &at, &mut others);
        }
    }
    Linted {
        errors: violations(errors),
        wrong,
        others: violations(others),
        is_readable,
        is_structural,
        has_sound_patterns,
        demands,
    }
}

/// Whether a stored schema is structural, so that an API server can serve it whatever the CRD says. One that is not is served where
/// the CRD preserves unknown fields.
///
/// # Errors
///
/// What keeps a server from serving it, or us from judging by it, in the words in which a server refuses the CRD.
pub(super) fn is_served_structural(
    schema: &Value,
    path: &FieldPath,
    preserves_unknown: bool,
) -> Result<bool, Violations> {
    let mut errors = Vec::new();
    let mut patterns = Patterns::default();
    let at = Place::root(path);
    walk(
        schema,
        &at,
        DEEPEST,
        &mut errors,
        &mut |props, at, errors| {
            keywords::check(props, at, path, Demands::ALL, &mut patterns, errors);
        },
    );
    errors.retain(|(_, stops)| *stops);
    let is_structural = errors.is_empty();
    if preserves_unknown {
        errors.retain(|(violation, _)| keywords::is_unjudged(violation.path()));
    }
    if errors.is_empty() {
        return Ok(is_structural);
    }
    Err(Violations::new(violations(errors), Vec::new()))
}

/// All that an API server refuses in a structural schema that is compiled, with what it refuses of it as it is written.
pub(super) fn lint_compiled(
    schema: &StructuralSchema,
    path: &FieldPath,
    written: Linted,
) -> Vec<Violation> {
    let Linted {
        mut errors,
        mut wrong,
        mut others,
        is_structural,
        has_sound_patterns,
        demands,
        ..
    } = written;
    let of_rules = found(|errors| rules::check(schema, path, errors));
    wrong.extend(of_rules.iter().map(|error| error.path().clone()));
    errors.extend(of_rules);
    if is_structural && has_sound_patterns {
        let of_defaults = found(|errors| defaults::check(schema, path, demands, errors));
        // Seen: rules are not compiled where a default is wrong.
        if let (Some(programs), true) = (&schema.programs, of_defaults.is_empty()) {
            others.extend(programs.lint(schema, path, demands, wrong));
        }
        errors.extend(of_defaults);
    }
    errors.extend(others);
    errors
}

fn found(check: impl FnOnce(&mut Errors)) -> Vec<Violation> {
    let mut errors = Vec::new();
    check(&mut errors);
    violations(errors)
}

/// The errors so far, and whether one keeps the schema from being looked at any further.
pub(super) type Errors = Vec<(Violation, bool)>;

fn violations(errors: Errors) -> Vec<Violation> {
    errors.into_iter().map(|(violation, _)| violation).collect()
}

type Visit<'a> = dyn FnMut(&Props<'_>, &Place<'_>, &mut Errors) + 'a;

/// Shows every schema; one that cannot be read, or is too deep, is an error that stops.
fn walk(schema: &Value, at: &Place<'_>, levels: usize, errors: &mut Errors, visit: &mut Visit<'_>) {
    let Some(levels) = levels.checked_sub(1) else {
        errors.push((too_deep(at), true));
        return;
    };
    let props = match Props::read(schema) {
        Ok(props) => props,
        Err(wrong) => {
            errors.push((at.wrong_type(&wrong), true));
            return;
        }
    };
    if let Err(wrong) = check_data(&props, at) {
        errors.push((wrong, true));
        return;
    }
    visit(&props, at, errors);
    each_child(&props, at, &mut |schema, at| {
        walk(schema, at, levels, errors, &mut *visit);
    });
}

/// Shows a schema and all that it holds, what a server does not support included. It is of bounded depth.
pub(crate) fn every_schema(schema: &Value, show: &mut dyn FnMut(&Props<'_>)) {
    let Ok(props) = Props::read(schema) else {
        return;
    };
    show(&props);
    each_child(
        &props,
        &Place::root(&FieldPath::root()),
        &mut |schema, _| {
            every_schema(schema, &mut *show);
        },
    );
    let maps = [
        props.pattern_properties,
        props.dependencies,
        props.definitions,
    ];
    let inside = maps.into_iter().flatten().flat_map(serde_json::Map::values);
    for schema in inside.chain(props.additional_items) {
        if schema.is_object() {
            every_schema(schema, &mut *show);
        }
    }
}

/// Shows what a schema holds.
fn each_child(props: &Props<'_>, at: &Place<'_>, show: &mut dyn FnMut(&Value, &Place<'_>)) {
    for (name, schema) in props.properties.into_iter().flatten() {
        show(schema, &at.key("properties", name));
    }
    match props.items {
        Some(Items::One(items)) => show(items, &at.field("items")),
        Some(Items::Several(items)) => {
            for (i, schema) in items.iter().enumerate() {
                show(schema, &at.index("items", i));
            }
        }
        None => {}
    }
    if let Some(schema) = props
        .additional_properties
        .filter(|schema| !schema.is_boolean())
    {
        show(schema, &at.field("additionalProperties"));
    }
    each_branch(props, at, show);
}

/// Shows what is combined in a schema.
fn each_branch(props: &Props<'_>, at: &Place<'_>, show: &mut dyn FnMut(&Value, &Place<'_>)) {
    for (keyword, schemas) in [
        ("allOf", props.all_of),
        ("anyOf", props.any_of),
        ("oneOf", props.one_of),
    ] {
        for (i, schema) in schemas.iter().enumerate() {
            show(schema, &at.index(keyword, i));
        }
    }
    if let Some(not) = props.not {
        show(not, &at.field("not"));
    }
}
