//! Tests of deep, long and large input: validation neither panics nor takes long.

use allocation_counter::measure;
use k8s_crd_validation::{ServerSettings, StructuralSchema, cost_report};
use serde_json::{Value, json};

fn rule_errors(rule: &str, spec: &Value) -> Vec<String> {
    let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "s": {"type": "string"}, "l": {"type": "array", "items": {"type": "string"}},
        "m": {"type": "object", "additionalProperties": {"type": "string"}},
    }, "x-kubernetes-validations": [{"rule": rule}]}}});
    let crd = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "schema": {"openAPIV3Schema": schema}},
    ]}});
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .expect("a schema");
    let mut object = json!({
        "apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n", "namespace": "n"}, "spec": spec,
    });
    let report = schema.create(&mut object, &ServerSettings::default());
    report.errors().iter().map(ToString::to_string).collect()
}

fn spec() -> Value {
    json!({"s": "x".repeat(10_000), "l": vec!["y".repeat(100); 1_000], "m": {"a": "b"}})
}

#[test]
fn deep_and_long_expressions_are_rejected_or_evaluated() {
    let repetitions = 20_000;
    let rules = [
        "(".repeat(repetitions) + "true" + &")".repeat(repetitions),
        "!".repeat(repetitions) + "true",
        "-".repeat(repetitions) + "1 == 1",
        "[".repeat(repetitions) + &"]".repeat(repetitions),
        "{1: ".repeat(repetitions) + "1" + &"}".repeat(repetitions),
        "1".to_owned() + &" + 1".repeat(repetitions) + " == 1",
        "true".to_owned() + &" && true".repeat(repetitions / 2),
        "true".to_owned() + &" ? true : true".repeat(repetitions / 4),
        "self".to_owned() + &".s".repeat(repetitions) + " == 'x'",
        "self.l".to_owned() + &"[0]".repeat(repetitions) + " == 'x'",
        "self.l.all(x, ".repeat(1_000) + "true" + &")".repeat(1_000),
        "'".to_owned() + &"\\u00e9".repeat(repetitions / 2) + "' == ''",
        "\u{0}\u{1}\u{2}`~@#$%^&*".to_owned(),
        "'é'.charAt(1) == 'ü' // 🙂".to_owned(),
        "0x".to_owned() + &"f".repeat(100) + " == 1",
        "9".repeat(400) + ".0 == 1.0",
        "1e999999 > 1.0".to_owned(),
        "b'\\xff' == b'\\400'".to_owned(),
    ];
    for rule in rules {
        let errors = rule_errors(&rule, &spec());
        assert!(
            errors.iter().all(|error| error.starts_with("spec: ")),
            "{errors:?}"
        );
    }
}

#[test]
fn work_and_memory_are_bounded() {
    let rules = [
        "self.l.all(a, self.l.all(b, self.l.all(c, self.l.all(d, a + b != c + d))))",
        "self.l.map(a, self.l.map(b, self.l.map(c, a + b + c))).size() > 0",
        "self.s.replace('', self.s).replace('', self.s).replace('', self.s).size() > 0",
        "self.l.join(self.s).split('').join(self.s).size() > 0",
        "lists.range(9223372036854775807).size() > 0",
        "[self.l, self.l].flatten(9223372036854775807).size() > 0",
        "self.s.matches('(a*)*' + self.s) || self.s.find('(x+x+)+y') == ''",
        "self.s.matches('((x{100}){100}){100}')",
        "self.l.transformMap(i, v, self.l).size() > 0",
        "'%s %s'.format([self.l, self.l]).size() > 0",
        "self.l.sort().distinct().reverse().slice(0, 1) == []",
        "sets.equivalent(self.l + self.l, self.l + self.l)",
        "quantity('1e999999999').isGreaterThan(quantity('1'))",
        "timestamp('9999-12-31T23:59:59Z') + duration('999999h') > timestamp('0001-01-01T00:00:00Z')",
        "duration('-9223372036854775808ns').getHours() == -1 || -duration('1s') == duration('1s')",
        "-9223372036854775808 / -1 == 1 || -9223372036854775808 % -1 == 0",
        "self.s.substring(9223372036854775807, -9223372036854775808) == ''",
    ];
    let start = std::time::Instant::now();
    for rule in rules {
        let start = std::time::Instant::now();
        let errors = rule_errors(rule, &spec());
        assert!(
            errors.iter().all(|error| error.starts_with("spec: ")),
            "{errors:?}"
        );
        println!("{:?} {rule} {:.200}", start.elapsed(), errors.join(", "));
    }
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

#[test]
fn rules_cause_no_panic_on_invalid_objects() {
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!({"m": [deep]});
    }
    let specs = [
        json!(null),
        json!([]),
        json!("x"),
        json!({"s": 1, "l": {}, "m": []}),
        json!({"l": [null, 1]}),
        deep,
    ];
    for spec in specs {
        rule_errors(
            "self.s == 'x' || self.l.all(x, x != '') || self.m.all(k, self.m[k] == '')",
            &spec,
        );
    }
}

#[test]
fn a_numeric_escape_has_no_sign() {
    assert_eq!(rule_errors(r"'\x41\u0041' == 'AA'", &spec()), [""; 0]);
    for rule in [r"'\x+1' != ''", r"'\u+041' != ''", r"b'\x+1' != b''"] {
        assert_eq!(rule_errors(rule, &spec()).len(), 1, "{rule}");
    }
}

/// The limits of a compilation: the bytes that are allocated at the same time, and the number of
/// allocations.
const MAX_BYTES: u64 = 50 << 20;
const MAX_ALLOCATIONS: u64 = 2_000_000;

/// Compiles a schema of `count` properties within the limits, and returns the errors.
fn compile_errors(count: usize, property: impl Fn(usize) -> Value) -> String {
    let properties = (0..count).map(|number| (format!("p{number}"), property(number)));
    let properties: serde_json::Map<String, Value> = properties.collect();
    let schema = json!({"type": "object", "properties": properties});
    let mut errors = String::new();
    let allocations = measure(|| {
        errors = StructuralSchema::compile(&schema)
            .map_or_else(|errors| errors.to_string(), |_| String::new());
    });
    assert!(
        allocations.bytes_max < MAX_BYTES,
        "{} bytes",
        allocations.bytes_max
    );
    assert!(
        allocations.count_total < MAX_ALLOCATIONS,
        "{} times",
        allocations.count_total
    );
    errors
}

#[test]
fn patterns_of_a_schema_share_a_size_limit() {
    for pattern in ["[^a]{1000}", ".{1000}", r"\pL{100}", "(a|b|c|[^x]){1000}"] {
        let distinct_pattern =
            |number| json!({"type": "string", "pattern": format!("{pattern}{number}")});
        assert_eq!(compile_errors(2, distinct_pattern), "");
        let errors = compile_errors(80, distinct_pattern);
        assert!(errors.contains("].pattern: Invalid value: "), "{errors}");
        assert!(errors.contains("expression too large"), "{errors}");
        // The same pattern is compiled once, so it stays within the limit.
        let same_pattern = |_| json!({"type": "string", "pattern": pattern});
        assert_eq!(compile_errors(80, same_pattern), "");
    }
}

#[test]
fn patterns_in_the_rules_of_a_schema_share_a_size_limit() {
    let distinct_rule = |number| {
        let rule = format!("!self.matches('[^a]{{1000}}{number}')");
        json!({"type": "string", "maxLength": 10, "x-kubernetes-validations": [{"rule": rule}]})
    };
    assert_eq!(compile_errors(2, distinct_rule), "");
    let errors = compile_errors(80, distinct_rule);
    assert!(errors.contains("invalid matches argument"), "{errors}");
}

/// A cost report estimates rules again for each suggested bound, but not each rule for each bound.
#[test]
fn a_report_on_costs_takes_linear_work() {
    let schema_with_lists = |count: usize| {
        let list = || json!({"type": "array", "items": {"type": "string"}});
        let lists = (0..count).map(|number| (format!("l{number}"), list()));
        let rules = (0..count).map(|number| {
            json!({"rule": format!("self.l{number}.all(x, self.l{number}.all(y, x != y || x == y))")})
        });
        json!({"type": "object", "properties": {"spec": {
            "type": "object", "properties": lists.collect::<serde_json::Map<_, _>>(),
            "x-kubernetes-validations": rules.collect::<Vec<_>>(),
        }}})
    };
    let measure_report = |count: usize| {
        let schema = schema_with_lists(count);
        let mut report = None;
        let allocations = measure(|| report = cost_report(&schema).ok());
        assert!(
            allocations.bytes_max < MAX_BYTES,
            "{} bytes",
            allocations.bytes_max
        );
        (report.expect("a report"), allocations.count_total)
    };
    let (small_report, small_allocations) = measure_report(40);
    assert!(
        small_report
            .rules
            .iter()
            .all(|rule| rule.remedies.len() == 1)
    );
    let (large_report, large_allocations) = measure_report(320);
    assert!(
        large_allocations < 8 * small_allocations,
        "{small_allocations} times, then {large_allocations}"
    );
    assert_eq!(large_report.rules.len(), 320);
    let printed_report = large_report.to_string();
    assert!(
        printed_report.contains("set maxItems of `spec.l"),
        "{printed_report}"
    );
    assert!(
        printed_report.contains("bounds for this rule were not computed"),
        "{printed_report}"
    );
    assert!(
        !printed_report.contains("no bound helps"),
        "{printed_report}"
    );
}
