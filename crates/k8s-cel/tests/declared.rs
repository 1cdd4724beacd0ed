//! Tests of declared types: types built with `DeclaredType` equal types from a table, and no table
//! causes a panic.

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::declared::{
    Declaration, DeclareError, DeclaredId, DeclaredTypes, Field, ListType, MAX_REQUEST,
};
use k8s_cel::{Binding, DeclaredType, Environment, EvalError, Evaluator, Type};
use proptest::prelude::*;
use serde_json::{Value, json};

const ROOT: DeclaredId = DeclaredTypes::ROOT;

/// Returns the declaration at a path, in which `*` stands for the elements of a list or map.
fn declaration_at<'t>(types: &'t DeclaredTypes, path: &str) -> &'t Declaration {
    use k8s_cel::declared::DeclaredKind;
    path.split('.')
        .filter(|name| !name.is_empty())
        .fold(types.get(ROOT), |parent, name| {
            types.get(match &parent.kind {
                DeclaredKind::List { items, .. } | DeclaredKind::Map(items) => *items,
                _ => parent.field(name).expect(name).ty,
            })
        })
}

/// The minimum size of a value and its maximum number of elements, as an API server estimates them
/// from a schema.
#[test]
fn values_have_the_sizes_of_an_api_server() {
    const MAX_CONTENT: u64 = MAX_REQUEST - 2;
    let element = DeclaredType::object([
        ("name", DeclaredType::string()),
        ("port", DeclaredType::int()),
        ("on", DeclaredType::bool()),
    ]);
    let types = DeclaredType::object([
        ("text", DeclaredType::string()),
        ("short", DeclaredType::string().max_size(10)),
        ("one", DeclaredType::string().allowed_values(["a", "abc"])),
        ("bytes", DeclaredType::bytes().max_size(10)),
        ("either", DeclaredType::int_or_string().max_size(10)),
        ("date", DeclaredType::date().max_size(1)),
        ("time", DeclaredType::date_time()),
        ("duration", DeclaredType::duration()),
        ("bools", DeclaredType::list(DeclaredType::bool())),
        ("ints", DeclaredType::list(DeclaredType::int()).max_size(7)),
        ("doubles", DeclaredType::map(DeclaredType::double())),
        ("few", DeclaredType::map(DeclaredType::string()).max_size(3)),
        ("loose", DeclaredType::list(element.clone())),
        (
            "tight",
            DeclaredType::list(element.required(["name", "port", "none"])),
        ),
    ])
    .build()
    .expect("types");
    for (path, min_size, max_elements) in [
        ("text", 2, MAX_CONTENT),
        ("short", 2, 40),
        ("one", 2, 3),
        ("bytes", 2, 10),
        ("either", 1, 40),
        ("date", 12, 12),
        ("time", 21, 32),
        ("duration", 3, 32),
        ("bools", 2, MAX_CONTENT / 5),
        ("bools.*", 4, 0),
        ("ints", 2, 7),
        ("doubles", 2, MAX_CONTENT / 7),
        ("few", 2, 3),
        ("loose", 2, MAX_CONTENT / 3),
        ("tight", 2, MAX_CONTENT / 22),
        ("tight.*", 2 + (4 + 2 + 4) + (4 + 1 + 4), 0),
    ] {
        let declaration = declaration_at(&types, path);
        assert_eq!(
            (declaration.min_size, declaration.max_elements),
            (min_size, max_elements),
            "{path}"
        );
    }
}

#[test]
fn a_built_type_equals_a_table() {
    let by_hand = DeclaredType::object([
        (
            "b",
            DeclaredType::list(DeclaredType::map(DeclaredType::string().nullable())),
        ),
        (
            "a-c",
            DeclaredType::list(DeclaredType::object([("k", DeclaredType::int())])).list_map(["k"]),
        ),
    ]);
    let mut null = Declaration::string();
    null.nullable = true;
    let inner = Declaration::map(5, &null);
    let element = Declaration::object([Field::new("k", 6)]);
    let mut map_list = Declaration::list(2, &element);
    map_list.set_list_type(ListType::map(["k"]));
    let table = vec![
        Declaration::object([Field::new("b", 3), Field::new("a-c", 1)]),
        map_list,
        element,
        Declaration::list(4, &inner),
        inner,
        null,
        Declaration::int(),
    ];
    let table = DeclaredTypes::new(table).expect("a table");
    let by_hand = by_hand.build().expect("types");
    for path in ["", "b", "b.*", "b.*.*", "a-c", "a-c.*", "a-c.*.k"] {
        let [a, b] = [&by_hand, &table].map(|types| {
            let declaration = declaration_at(types, path);
            let names: Vec<_> = declaration
                .fields()
                .iter()
                .map(|field| (&field.name, &field.escaped))
                .collect();
            format!(
                "{:?} {} {} {names:?}",
                declaration.min_size, declaration.max_elements, declaration.nullable
            )
        });
        assert_eq!(a, b, "{path}");
    }
    let object = json!({"b": [{"x": null}], "a-c": [{"k": 1}, {"k": 2}]});
    for (source, expected) in [
        ("dyn(self.b[0].x) == null", true),
        ("self.a__dash__c == self.a__dash__c.filter(e, true)", true),
        ("self.a__dash__c[1].k == 2", true),
    ] {
        for types in [&by_hand, &table] {
            assert_eq!(run(types, source, &object), Ok(json!(expected)), "{source}");
        }
    }
}

fn run(types: &DeclaredTypes, source: &str, value: &Value) -> Result<Value, EvalError> {
    let program = Environment::new(types, ROOT).compile(source).expect(source);
    let self_binding = Binding::new(types, value, ROOT);
    let evaluation = Evaluator::new(types).run(&program, &self_binding, None, PER_CALL_LIMIT);
    evaluation
        .result
        .map(|value| value.to_json().unwrap_or_default())
}

#[test]
fn the_last_field_with_a_name_counts() {
    let fields = [
        ("a", DeclaredType::int()),
        ("b", DeclaredType::int()),
        ("a", DeclaredType::string()),
    ];
    let types = DeclaredType::object(fields).build().expect("types");
    assert_eq!(
        run(&types, "self.a + 'x'", &json!({"a": "y"})),
        Ok(json!("yx"))
    );
    let object = Declaration::object([Field::new("a", 1), Field::new("b", 1), Field::new("a", 2)]);
    assert_eq!(object.field("a").map(|field| field.ty), Some(2));
    assert_eq!(object.fields().len(), 2);
}

#[test]
fn unknown_types_are_hidden_from_expressions() {
    let types = DeclaredType::object([
        ("hidden", DeclaredType::list(DeclaredType::unknown())),
        ("seen", DeclaredType::int()),
    ])
    .required(["hidden"])
    .build()
    .expect("types");
    let environment = Environment::new(&types, ROOT);
    let error = environment
        .compile("self.hidden.size() > 0")
        .expect_err("the field is hidden");
    assert!(
        error.to_string().contains("undefined field 'hidden'"),
        "{error}"
    );
    assert_eq!(types.get(ROOT).min_size, 2);
    // An id outside of the table has the type `dyn`.
    let out_of_table = Environment::new(&types, 99).compile("self");
    assert_eq!(
        out_of_table.map(|program| program.ty().clone()),
        Ok(Type::Dyn)
    );
}

#[test]
fn invalid_tables_are_rejected() {
    let string = Declaration::string();
    for table in [
        vec![Declaration::list(0, &string)],
        vec![Declaration::list(1, &string)],
        vec![Declaration::list(DeclaredId::MAX, &string)],
        vec![Declaration::object([Field::new("a", 0)])],
    ] {
        let error = DeclaredTypes::new(table).map(|_| ());
        assert_eq!(error, Err(DeclareError::ChildBeforeParent { position: 0 }));
    }
    assert!(DeclaredTypes::new(Vec::new()).is_ok());
    let error = DeclareError::ChildBeforeParent { position: 3 }.to_string();
    assert_eq!(
        error,
        "the types inside the value of declaration 3 must follow it"
    );
}

/// Values of the maximum depth are compared, because a comparison recurses.
#[test]
fn the_depth_of_types_is_limited() {
    let nested = |levels: usize, wrap: fn(DeclaredType) -> DeclaredType| {
        (1..levels)
            .fold(DeclaredType::int(), |inner, _| wrap(inner))
            .build()
    };
    for (wrap, value) in [
        (
            DeclaredType::list as fn(_) -> _,
            (|inner| json!([inner])) as fn(Value) -> Value,
        ),
        (DeclaredType::map, |inner| json!({"a": inner})),
        (
            |inner| DeclaredType::object([("a", inner)]),
            |inner| json!({"a": inner}),
        ),
    ] {
        for levels in [257, 100_000] {
            let error = nested(levels, wrap).map(|_| ());
            assert_eq!(
                error,
                Err(DeclareError::TooDeep { max_depth: 256 }),
                "{levels}"
            );
        }
        let types = nested(256, wrap).expect("256 levels");
        let deepest = (1..256).fold(json!(1), |inner, _| value(inner));
        assert_eq!(run(&types, "self == self", &deepest), Ok(json!(true)));
        assert_eq!(run(&types, "[self] == [self]", &deepest), Ok(json!(true)));
        // The value is deeper than the limit of `to_json`.
        assert_eq!(run(&types, "self", &deepest), Ok(Value::Null));
    }
}

proptest! {
    #[test]
    fn any_table_is_rejected_or_usable(
        rows in prop::collection::vec((0..9_u8, 0..8_u32, 0..8_u32), 0..7),
        root in 0..9_u32,
        value in prop_oneof![Just(json!({"a": {"a": [1, null]}, "b": ["x"]})), Just(json!([[1], ["a"]])), Just(json!(1))],
    ) {
        let table = rows.iter().map(|(kind, first_id, second_id)| match kind {
            0 => Declaration::string(),
            1 => Declaration::int(),
            2 => Declaration::list(*first_id, &Declaration::untyped()),
            3 => Declaration::map(*first_id, &Declaration::string()),
            4 => Declaration::unknown(),
            5 => Declaration::without_items(),
            6 => Declaration::int_or_string(),
            _ => Declaration::object([Field::new("a", *first_id), Field::new("b", *second_id)]),
        });
        if let Ok(types) = DeclaredTypes::new(table.collect()) {
            // The program is compiled with one table, and runs with another table.
            let other_types = DeclaredTypes::default();
            for source in ["self.a.a[0] == self.a", "self == oldSelf", "self.all(x, x == self)", "self[0]", "has(self.b)"] {
                if let Ok(program) = Environment::new(&types, root).compile(source) {
                    for types in [&types, &other_types] {
                        let self_binding = Binding::new(types, &value, root);
                        let _ = Evaluator::new(types).run(&program, &self_binding, Some(&self_binding), PER_CALL_LIMIT);
                    }
                }
            }
        }
    }
}
