//! Rows of `union-json`, the engine for unions of JSON objects. The object has a growing list, and
//! every element of the list has a union.

use std::hint::black_box;
use std::rc::Rc;

use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::Settings;

use crate::row::{PreparedRow, Row, Sizes};

/// The name of the part of the report.
const REPORT_PART: &str = "engine";

/// The operations: name, operation, and the matching operation of the program for
/// structured-merge-diff if such a function exists.
const OPS: [(&str, Op, Option<&str>); 9] = [
    (
        "create, normalize",
        Op::Normalize(Request::Create),
        Some("normalize"),
    ),
    (
        "echo, normalize",
        Op::Normalize(Request::Echo),
        Some("normalize"),
    ),
    (
        "switch, normalize",
        Op::Normalize(Request::Switch),
        Some("normalize"),
    ),
    (
        "switch, normalize and validate",
        Op::Admit(Request::Switch),
        Some("normalize"),
    ),
    (
        "switch, normalize, text to text",
        Op::NormalizeJson(Request::Switch),
        Some("text"),
    ),
    ("apply, normalize", Op::Apply, Some("apply")),
    ("echo, validate", Op::Validate(Request::Echo), None),
    (
        "errors that are not new, validate",
        Op::Validate(Request::Ratcheted),
        None,
    ),
    (
        "errors that are new, validate",
        Op::Validate(Request::Invalid),
        None,
    ),
];

#[derive(Clone, Copy)]
enum Op {
    Normalize(Request),
    Admit(Request),
    Validate(Request),
    NormalizeJson(Request),
    /// A server-side apply of every tenth element. After the merge, each of these elements has one
    /// member too many.
    Apply,
}

#[derive(Clone, Copy)]
enum Request {
    Create,
    /// An update that changes nothing.
    Echo,
    /// An update that changes the discriminator of every tenth element. The element has the new
    /// member, and still has the old member.
    Switch,
    /// An update where every tenth element has one member too many, in the old and in the new
    /// object.
    Ratcheted,
    /// An update that adds one member too many to every tenth element.
    Invalid,
}

pub(crate) fn rows(sizes: Sizes) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, op, _) in OPS {
        for size in sizes.at_least(1) {
            rows.push(Row::new(REPORT_PART, name, Some(size), move || {
                prepare(op, size)
            }));
        }
    }
    rows
}

/// Returns the workloads for `tests/reference/unions -bench`.
pub(crate) fn workloads(sizes: Sizes) -> impl Iterator<Item = Value> {
    let unions = compile_unions();
    let ops = OPS
        .into_iter()
        .filter_map(|(name, op, reference_op)| Some((name, op, reference_op?)));
    ops.flat_map(move |(name, op, reference_op)| {
        sizes
            .at_least(1)
            .map(move |size| (name, op, reference_op, size))
    })
    .map(move |(name, op, reference_op, size)| {
        let (new, old) = objects(op, size);
        let mut expected = new.clone();
        run(op, &unions, &mut expected, old.as_ref());
        json!({
            "what": REPORT_PART, "row": name, "size": size, "op": reference_op, "schema": schema(),
            "cases": [{"old": old, "new": new, "want": expected}],
        })
    })
}

/// Compiles the unions of the growing list.
fn compile_unions() -> Unions {
    Unions::compile(SchemaSource::Schema(&schema())).expect("a schema")
}

fn prepare(op: Op, size: usize) -> PreparedRow {
    let unions = compile_unions();
    let (new, old) = objects(op, size);
    if let Op::NormalizeJson(_) = op {
        let json_strings =
            [Some(&new), old.as_ref()].map(|document| document.map(Value::to_string));
        return PreparedRow::new(1, move |_| {
            let [new, old] = json_strings.each_ref().map(|json| {
                let json = json.as_deref()?;
                serde_json::from_str::<Value>(json).ok()
            });
            let mut new = new.unwrap_or_default();
            run(op, &unions, &mut new, old.as_ref());
            black_box(new.to_string());
        });
    }
    // Only an operation that changes its object works on a copy.
    let mut result = new.clone();
    run(op, &unions, &mut result, old.as_ref());
    if result == new {
        return PreparedRow::new(1, move |_| run(op, &unions, &mut result, old.as_ref()));
    }
    let new = Rc::new(new);
    let object_to_copy = Rc::clone(&new);
    let work = PreparedRow::new(1, move |_| {
        run(op, &unions, &mut Value::clone(&new), old.as_ref());
    });
    work.with_overhead(move |_| drop(black_box(Value::clone(&object_to_copy))))
}

/// Runs an operation once. The tests of the engine check the results.
fn run(op: Op, unions: &Unions, new: &mut Value, old: Option<&Value>) {
    let settings = Settings::default();
    match op {
        Op::Normalize(_) | Op::NormalizeJson(_) => {
            drop(black_box(unions.normalize(new, old, &settings)));
        }
        Op::Admit(_) => {
            let report = unions.admit(new, old, &settings);
            drop(black_box(report.into_result().expect("a valid value")));
        }
        Op::Validate(_) => match old {
            None => drop(black_box(unions.validate(new))),
            Some(old) => drop(black_box(unions.validate_update(new, old, &settings))),
        },
        Op::Apply => {
            let applied = old.expect("an applied object");
            let report = unions.normalize_apply(new, applied, None, &settings);
            drop(black_box(
                report.into_result().expect("the intent is clear"),
            ));
        }
    }
}

/// Returns the new and the old object. For an apply: the merged object and the applied object.
fn objects(op: Op, size: usize) -> (Value, Option<Value>) {
    let list = |elements: Vec<Value>| json!({"checks": elements});
    let valid_elements = (0..size).map(|i| element(i, i, &[i])).collect();
    // Element 0 counts as a tenth element, so that a list of one element has one.
    let is_tenth = |i: usize| i.is_multiple_of(10);
    let element_changed_if_tenth = |i: usize, discriminator: usize, members: &[usize]| {
        if is_tenth(i) {
            element(i, discriminator, members)
        } else {
            element(i, i, &[i])
        }
    };
    let list_with_stray_members = || {
        list(
            (0..size)
                .map(|i| element_changed_if_tenth(i, i, &[i, i + 1]))
                .collect(),
        )
    };
    match op {
        Op::Normalize(request)
        | Op::Admit(request)
        | Op::Validate(request)
        | Op::NormalizeJson(request) => match request {
            Request::Create => (list(valid_elements), None),
            Request::Echo => (
                list(valid_elements),
                Some(list((0..size).map(|i| element(i, i, &[i])).collect())),
            ),
            Request::Switch => {
                let new = (0..size).map(|i| element_changed_if_tenth(i, i + 1, &[i, i + 1]));
                (list(new.collect()), Some(list(valid_elements)))
            }
            Request::Ratcheted => (list_with_stray_members(), Some(list_with_stray_members())),
            Request::Invalid => (list_with_stray_members(), Some(list(valid_elements))),
        },
        Op::Apply => {
            let applied = (0..size)
                .filter(|i| is_tenth(*i))
                .map(|i| element(i, i + 1, &[i + 1]));
            let merged = (0..size).map(|i| element_changed_if_tenth(i, i + 1, &[i, i + 1]));
            (list(merged.collect()), Some(list(applied.collect())))
        }
    }
}

/// The members, each with its discriminator value.
const MEMBERS: [(&str, &str); 4] = [
    ("exec", "Exec"),
    ("httpGet", "HttpGet"),
    ("port", "Port"),
    ("grpc", "Grpc"),
];

fn element(number: usize, discriminator: usize, members: &[usize]) -> Value {
    let member_at = |i: usize| MEMBERS[i % MEMBERS.len()];
    let mut element = json!({
        "name": format!("check-{number}"), "type": member_at(discriminator).1, "periodSeconds": 10,
    });
    for member in members {
        let (name, _) = member_at(*member);
        element[name] = match name {
            "exec" => json!(["/bin/check"]),
            "httpGet" => json!({"path": "/healthz", "port": 8080}),
            "port" => json!(5432),
            _ => json!("liveness"),
        };
    }
    element
}

/// Returns the schema of the union of `src`, in the form that structured-merge-diff reads.
pub(crate) fn check_schema() -> Value {
    let [exec, http_get, port, grpc] = MEMBERS;
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "type": {"type": "string"},
            "periodSeconds": {"type": "integer"},
            "exec": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "atomic"},
            "httpGet": {"type": "object", "properties": {
                "path": {"type": "string"}, "port": {"type": "integer"},
            }},
            "port": {"type": "integer"},
            "grpc": {"type": "string"},
        },
        "x-kubernetes-unions": [{
            "discriminator": "type",
            "fields-to-discriminateBy": {exec.0: exec.1, http_get.0: http_get.1, port.0: port.1, grpc.0: grpc.1},
        }],
    })
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"checks": {
            "type": "array", "items": check_schema(),
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        }},
    })
}
