//! Applies the schema hooks of the derives to arbitrary schemas. A hook panics only as its
//! documentation says, changes only what it describes, and changes nothing the second time. A
//! server with the changed schema accepts the objects that a server with the original schema
//! accepts, if the unions of the objects are valid.

#![no_main]

#[path = "../../schema/enforcement"]
mod enforcement {
    pub(crate) mod enums;
    pub(crate) mod types;
}

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use enforcement::types::{self, Visit};
use enforcement::{enums, types::TwoKind};
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use k8s_json_internals::free_json::preserve_free_json;
use k8s_json_internals::normalized_numbers::normalize_numbers;
use libfuzzer_sys::fuzz_target;
use schemars::transform::Transform as _;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use union_fuzz::Source;
use union_json::{SchemaSource, Unions};
use union_runtime::schema::{FinishSchema, MARKS};
use union_runtime::spec::{DiscriminatorSpec, MemberSpec, UnionSpec, UnionType};
use union_runtime::{EnumType, Report, add_enum, add_rules, add_unions};

/// The number of types that are visited: structs and enums, each with four kinds of enforcement.
const TYPE_COUNT: usize = 124;

/// The beginnings of the messages of documented panics.
const DOCUMENTED_PANICS: [&str; 4] = [
    "discriminator `",
    "the schema lists the values ",
    "the schema has a default for the member ",
    "the member `",
];

/// The keywords of an object that `add_unions` may change.
const CHANGED_KEYWORDS: [&str; 6] = [
    "allOf",
    "oneOf",
    "properties",
    "required",
    "x-kubernetes-unions",
    "x-kubernetes-validations",
];

fuzz_target!(|bytes: &[u8]| {
    install_panic_hook();
    let mut source = Source::new(bytes);
    match source.below(8) {
        0 => check_enum_hook(&mut source),
        1 => check_schema_of_any_shape(&mut source),
        _ => {
            let mut choice = TypeChoice {
                remaining: source.below(TYPE_COUNT),
                source,
            };
            types::visit_all(&mut choice);
            enums::visit_all(&mut choice);
        }
    }
});

thread_local! {
    /// True while `apply` runs a hook, and catches its panics.
    static PANICS_ARE_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Replaces the panic hook of libFuzzer, which aborts the process, so that `apply` can catch
/// panics.
fn install_panic_hook() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let abort = take_hook();
        set_hook(Box::new(move |info| {
            if !PANICS_ARE_CAUGHT.get() {
                abort(info);
            }
        }));
    });
}

/// Applies a hook. Returns `None` if the hook panics as documented.
fn apply(hook: fn(&mut Schema), schema: &Value) -> Option<Value> {
    let mut schema = Schema::try_from(schema.clone()).ok()?;
    PANICS_ARE_CAUGHT.set(true);
    let result = catch_unwind(AssertUnwindSafe(|| hook(&mut schema)));
    PANICS_ARE_CAUGHT.set(false);
    match result {
        Ok(()) => Some(schema.to_value()),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map_or("", String::as_str);
            let mut documented = DOCUMENTED_PANICS.into_iter();
            let is_documented = documented.any(|start| message.starts_with(start));
            assert!(is_documented, "{message:?}\n{schema:?}");
            None
        }
    }
}

fn finish(schema: &mut Schema) {
    FinishSchema.transform(schema);
}

/// Applies a hook that must not panic.
fn apply_without_panic(hook: fn(&mut Schema), schema: &Value) -> Value {
    apply(hook, schema).unwrap_or_else(|| panic!("a panic or no schema: {schema}"))
}

fn check_schema_of_any_shape(source: &mut Source<'_>) {
    const WORDS: [&str; 14] = [
        "properties",
        "kind",
        "alpha",
        "enum",
        "x-kubernetes-unions",
        "fieldMembers",
        "x-kubernetes-validations",
        "items",
        "required",
        "x-enum-values",
        "components",
        "schemas",
        "description",
        "name",
    ];
    let schema = source.json(&WORDS);
    if !schema.is_object() && !schema.is_boolean() {
        return;
    }
    for hook in [finish, add_rules] {
        let changed = apply_without_panic(hook, &schema);
        assert_eq!(apply_without_panic(hook, &changed), changed, "{schema}");
    }
    if let Some(changed) = apply(add_enum::<TwoKind>, &schema) {
        assert_eq!(
            apply_without_panic(add_enum::<TwoKind>, &changed),
            changed,
            "{schema}"
        );
    }
}

/// Checks the hook of an enum type on a schema of any type.
fn check_enum_hook(source: &mut Source<'_>) {
    let mut schema = union_fuzz::schema(source);
    if source.chance(128) {
        schema["description"] = json!(source.text(&["", "A kind.", "Possible enum values:", "\n"]));
    }
    let Some(changed) = apply(add_enum::<TwoKind>, &schema) else {
        return;
    };
    assert_eq!(changed["type"], "string");
    assert_eq!(changed["enum"], json!(TwoKind::VALUES));
    let description = changed["description"].as_str().unwrap_or_default();
    let list_start = description.find("Possible enum values:");
    assert!(list_start.is_some(), "{changed}");
    for value in TwoKind::VALUES {
        assert!(
            description.contains(&format!("- `\"{value}\"`")),
            "{changed}"
        );
    }
    let written = [
        "$ref", "anyOf", "oneOf", "const", "format", "nullable", "type", "enum",
    ];
    let written = [&written[..], &["description", "default", MARKS[1]]].concat();
    assert_eq!(without(&schema, &written), without(&changed, &written));
    assert_eq!(
        apply_without_panic(add_enum::<TwoKind>, &changed),
        changed,
        "{schema}"
    );
    let finished = apply_without_panic(finish, &changed);
    assert_has_no_marks(&finished);
    assert_eq!(apply_without_panic(finish, &finished), finished);
}

/// A visitor that checks one of the types.
struct TypeChoice<'b> {
    /// The number of types to visit before the chosen type; `usize::MAX` after that type.
    remaining: usize,
    source: Source<'b>,
}

impl Visit for TypeChoice<'_> {
    fn visit<T: UnionType + JsonSchema + DeserializeOwned>(&mut self, _: &str, enforce: &str) {
        let is_chosen = self.remaining == 0;
        self.remaining = self.remaining.checked_sub(1).unwrap_or(usize::MAX);
        if is_chosen {
            check_union_hook::<T>(&mut self.source, enforce);
        }
    }
}

/// Checks the hook of a union on an object schema with arbitrary properties.
fn check_union_hook<T: UnionType>(source: &mut Source<'_>, enforce: &str) {
    let mut specs = Vec::new();
    T::visit_unions(&mut |spec| specs.push(spec));
    let schema = object_schema(source, &specs);
    let Some(changed) = apply(add_unions::<T>, &schema) else {
        return;
    };
    let context = || format!("{enforce} {}\n{schema}", std::any::type_name::<T>());
    assert_eq!(
        apply_without_panic(add_unions::<T>, &changed),
        changed,
        "{}",
        context()
    );
    assert_only_unions_are_changed(&schema, &changed, &specs);
    let finished = apply_without_panic(finish, &changed);
    assert_has_no_marks(&finished);
    assert_eq!(
        apply_without_panic(finish, &finished),
        finished,
        "{}",
        context()
    );
    assert_eq!(
        apply_without_panic(add_unions::<T>, &finished),
        finished,
        "{}",
        context()
    );
    let unions = Unions::compile(SchemaSource::Schema(&finished));
    let properties = &schema["properties"];
    let mut names = specs.iter().flat_map(|spec| field_names(spec));
    if names.all(|name| properties[name].is_object()) {
        let had_valid_unions = Unions::compile(SchemaSource::Schema(&schema)).is_ok();
        if let (true, Err(error)) = (had_valid_unions, unions) {
            panic!("{error}\n{}\n{finished}", context());
        }
        let mut object = random_object(source, &specs, properties);
        // A server rejects a float without a fraction as an integer if its object has a rule.
        normalize_numbers([&mut object]);
        if enforce != "none" {
            check_enforcement([&schema, &finished], &specs, &object, &context());
        }
    }
}

fn field_names<'s>(spec: &UnionSpec<'s>) -> impl Iterator<Item = &'s str> + use<'s> {
    let discriminator = spec.discriminator().map(DiscriminatorSpec::name);
    let members: Vec<&str> = spec.members().map(|member| member.name()).collect();
    discriminator.into_iter().chain(members)
}

/// Returns an object schema that has most of the fields of the unions, and others.
fn object_schema(source: &mut Source<'_>, specs: &[&'static UnionSpec<'static>]) -> Value {
    let mut schema = union_fuzz::schema(source);
    if schema["type"] != "object" || !schema["additionalProperties"].is_null() {
        schema = json!({"type": "object"});
    }
    let has_all_fields = source.chance(200);
    // Like schemars, requires the discriminators whose absence no rule rejects.
    let discriminators = specs.iter().filter_map(|spec| spec.discriminator());
    let required = discriminators.filter(|discriminator| discriminator.is_required());
    let mut required: Vec<&str> = required.map(DiscriminatorSpec::name).collect();
    for spec in specs {
        let discriminator = spec.discriminator().map(DiscriminatorSpec::name);
        // A discriminator without a list of values is a string.
        let is_open = spec.discriminator().is_some_and(DiscriminatorSpec::is_open);
        for name in field_names(spec) {
            if !has_all_fields && source.chance(60) {
                continue;
            }
            let property = if Some(name) == discriminator && (is_open || !source.chance(20)) {
                let mut property = json!({"type": "string"});
                if source.chance(60) {
                    let values = spec.discriminator().map(DiscriminatorSpec::values);
                    let mut values: Vec<&str> = values.iter().flat_map(|v| v.iter()).collect();
                    values.extend(is_open.then_some("Alpha"));
                    property["default"] = json!(source.word(&values));
                }
                property
            } else {
                let mut property = union_fuzz::schema(source);
                // A hook rejects the default of a member, and keeps the default of a discriminator,
                // which must be one of its values.
                let has_no_default = Some(name) == discriminator || source.chance(250);
                if let Some(keywords) = property.as_object_mut().filter(|_| has_no_default) {
                    keywords.remove("default");
                }
                // A hook makes each discriminator a string, in which the unions of inner objects
                // would be invalid. No type of a discriminator has inner objects.
                if Some(name) == discriminator {
                    let inner = ["properties", "items", "additionalProperties"];
                    property = Value::Object(without(&property, &inner));
                    // The form of 2019 is a list, which belongs on an object too.
                    if property["x-kubernetes-unions"].is_array() {
                        property = Value::Object(without(&property, &["x-kubernetes-unions"]));
                    }
                }
                property
            };
            schema["properties"][name] = property;
            if source.chance(20) {
                required.extend([name, "a"]);
            }
        }
    }
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    remove_overlapping_unions(&mut schema, specs);
    schema
}

/// Removes the schema's own unions that have a field of the type's unions. A field can be used only
/// in one union, so a hook that adds the second one makes an invalid schema.
fn remove_overlapping_unions(schema: &mut Value, specs: &[&'static UnionSpec<'static>]) {
    let fields: Vec<String> = specs
        .iter()
        .flat_map(|spec| field_names(spec))
        .map(|name| json!(name).to_string())
        .collect();
    let remove = |keywords: &mut Map<String, Value>| {
        let unions = keywords.get("x-kubernetes-unions").map(Value::to_string);
        if unions.is_some_and(|unions| fields.iter().any(|field| unions.contains(field))) {
            keywords.remove("x-kubernetes-unions");
        }
    };
    if let Some(keywords) = schema.as_object_mut() {
        remove(keywords);
    }
    // The keyword of a string is about the fields beside the string.
    let properties = schema["properties"].as_object_mut().into_iter().flatten();
    let properties = properties.filter(|(_, property)| property["type"] == "string");
    for keywords in properties.filter_map(|(_, property)| property.as_object_mut()) {
        remove(keywords);
    }
}

/// Returns an object with random states of the unions.
fn random_object(
    source: &mut Source<'_>,
    specs: &[&'static UnionSpec<'static>],
    properties: &Value,
) -> Value {
    let schema = json!({"type": "object", "properties": properties});
    let mut object = union_fuzz::object(source, &schema);
    let Some(fields) = object.as_object_mut() else {
        return object;
    };
    for spec in specs {
        if let Some(discriminator) = spec.discriminator()
            && !source.chance(60)
        {
            let mut values: Vec<&str> = discriminator.values().iter().collect();
            values.extend(spec.members().map(|member| member.value()));
            values.extend(["", "nobody"]);
            fields.insert(discriminator.name().to_owned(), json!(source.word(&values)));
        }
        let members: Vec<MemberSpec<'_>> = spec.members().collect();
        for member in members {
            if source.chance(150) {
                fields.remove(member.name());
            }
        }
    }
    object
}

/// Asserts that the hook changed only the keywords and the properties of unions, and kept the rules
/// and branches that the schema had.
fn assert_only_unions_are_changed(schema: &Value, changed: &Value, specs: &[&UnionSpec<'_>]) {
    let context = || format!("{schema}\n{changed}");
    assert_eq!(
        without(schema, &CHANGED_KEYWORDS),
        without(changed, &CHANGED_KEYWORDS),
        "{}",
        context()
    );
    let names: Vec<&str> = specs.iter().flat_map(|spec| field_names(spec)).collect();
    assert_eq!(
        without(&schema["properties"], &names),
        without(&changed["properties"], &names),
        "{}",
        context()
    );
    let discriminators = specs.iter().filter_map(|spec| spec.discriminator());
    let discriminators: Vec<&str> = discriminators.map(DiscriminatorSpec::name).collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    for (name, property) in properties {
        let name = name.as_str();
        if names.contains(&name) && !discriminators.contains(&name) {
            let mut member = property.clone();
            preserve_free_json(&mut member);
            let changed_member = &changed["properties"][name];
            assert_eq!(
                without(&member, &[]),
                without(changed_member, &MARKS),
                "{}",
                context()
            );
        }
    }
    for keyword in ["x-kubernetes-validations", "allOf"] {
        let rules = schema[keyword].as_array().map_or(&[][..], Vec::as_slice);
        let changed_rules = changed[keyword].as_array().map_or(&[][..], Vec::as_slice);
        assert!(changed_rules.starts_with(rules), "{}", context());
    }
    if !schema["oneOf"].is_null() {
        assert_eq!(schema["oneOf"], changed["oneOf"], "{}", context());
    }
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        let is_kept = changed["required"]
            .as_array()
            .is_some_and(|names| names.contains(&json!(name)));
        assert!(is_kept || names.contains(&name), "{}", context());
    }
}

/// Asserts that a server with the finished schema accepts the same objects as a server with the
/// original schema that also validates the unions.
fn check_enforcement(
    [schema, finished]: [&Value; 2],
    specs: &[&'static UnionSpec<'static>],
    object: &Value,
    context: &str,
) {
    // The unions of the type are used, because `x-kubernetes-unions`, in the form of the 2019 text
    // of KEP-1027, cannot describe all settings of the type.
    let compiler = specs.iter().fold(Unions::compiler(), |compiler, spec| {
        compiler.union_at("", **spec)
    });
    let unions = compiler
        .compile(SchemaSource::WithoutSchema)
        .expect("valid unions");
    // The original schema, with the changes that are not rules.
    let mut without_rules = finished.clone();
    for keyword in ["x-kubernetes-validations", "oneOf", "allOf"] {
        match schema.get(keyword) {
            Some(original) => without_rules[keyword] = original.clone(),
            None => drop(
                without_rules
                    .as_object_mut()
                    .map(|schema| schema.remove(keyword)),
            ),
        }
    }
    let compile = |schema: &Value| {
        let root = json!({"type": "object", "properties": {"spec": schema}});
        StructuralSchema::compile(&root)
    };
    let Ok(plain) = compile(&without_rules) else {
        return;
    };
    let enforcing = match (compile(finished), finished.get("default")) {
        (Ok(enforcing), _) => enforcing,
        // A server rejects a default that the unions reject. With a format, a server does not check
        // that the default of an object is an object.
        (Err(errors), Some(default))
            if !is_valid_object(&unions, default) && are_about_default(&errors) =>
        {
            return;
        }
        (Err(errors), _) => panic!("{errors}\n{context}\n{finished}"),
    };
    let mut request = json!({"spec": object});
    let plain_report = plain.create(&mut request, &ServerSettings::default());
    let unions_report = unions.validate(&request["spec"]);
    let is_expected = plain_report.is_accepted() && unions_report.is_accepted();
    let mut request = json!({"spec": object});
    let report = enforcing.create(&mut request, &ServerSettings::default());
    assert_eq!(
        report.is_accepted(),
        is_expected,
        "{context}\n{object}\nplain: {plain_report}\nunions: {unions_report}\nserver: {report}\n{finished}"
    );
}

/// Returns true if all errors are about the default of `spec`.
fn are_about_default(report: &Report) -> bool {
    let mut errors = report.errors().iter();
    errors.all(|error| {
        error
            .path()
            .to_string()
            .ends_with("properties[spec].default")
    })
}

fn is_valid_object(unions: &Unions, value: &Value) -> bool {
    value.is_object() && unions.validate(value).is_accepted()
}

/// Returns the fields of an object without some of them.
fn without(object: &Value, names: &[&str]) -> Map<String, Value> {
    let mut fields = object.as_object().cloned().unwrap_or_default();
    fields.retain(|name, _| !names.contains(&name.as_str()));
    fields
}

fn assert_has_no_marks(schema: &Value) {
    let text = schema.to_string();
    for mark in MARKS {
        assert!(
            !text.contains(&format!("\"{mark}\":")),
            "{mark} is left: {schema}"
        );
    }
}
