//! Every form in which CRDs declare unions: the whole form, and the form without one of its rules.

use crd_unions::ObjectAnalysis;
use serde_json::{Value, json};

use crate::evaluator::Evaluator;
use crate::judged::forms::forms;
use crate::judged::{Server, accepts};

/// Returns true for each object that the server accepts.
fn answers(schema: &Value, objects: &[Value]) -> Vec<bool> {
    let stored = Evaluator.create(schema, objects).unwrap();
    stored.iter().map(Option::is_some).collect()
}

fn union_answers(reading: &ObjectAnalysis, objects: &[Value]) -> Vec<bool> {
    let say = |object: &Value| {
        let fields = object.as_object().unwrap();
        reading.unions.iter().all(|union| accepts(union, fields))
    };
    objects.iter().map(say).collect()
}

#[test]
fn every_form_is_read_as_the_union_that_it_writes() {
    let forms = forms();
    for form in &forms {
        let schema = form.schema(&form.rules);
        let reading = crd_unions::analyze_object(&schema);
        assert!(
            form.is_read(&reading),
            "{}: {}\n{schema}",
            form.name,
            json!(reading)
        );
        let strong = reading
            .findings
            .iter()
            .filter(|finding| finding.confidence == crd_unions::Confidence::Strong);
        assert_eq!(strong.count(), 0, "{}: {}", form.name, json!(reading));
        let objects = form.objects();
        assert_eq!(
            union_answers(&reading, &objects),
            answers(&schema, &objects),
            "{}",
            form.name
        );
        let covered = &reading.unions[0].replaceable_rules;
        assert_eq!(covered.len(), reading.rules.len(), "{}", form.name);
    }
    println!("{} forms", forms.len());
}

#[test]
fn a_union_without_one_of_its_rules_is_a_finding_or_less_and_never_refuses_what_is_accepted() {
    let (mut taken, mut redundant) = (0, 0);
    for form in forms() {
        let whole = crd_unions::analyze_object(&form.schema(&form.rules));
        let objects = form.objects();
        let before = answers(&form.schema(&form.rules), &objects);
        for position in 0..form.rules.len() {
            let mut rules = form.rules.clone();
            rules.remove(position);
            let schema = form.schema(&rules);
            let reading = crd_unions::analyze_object(&schema);
            let accepted = answers(&schema, &objects);
            for ((object, accepted), by_union) in objects
                .iter()
                .zip(&accepted)
                .zip(union_answers(&reading, &objects))
            {
                assert!(
                    by_union || !accepted,
                    "{} without {}: {} refuses {object}",
                    form.name,
                    form.rules[position],
                    json!(reading)
                );
            }
            taken += 1;
            if accepted == before {
                redundant += 1;
            } else {
                let same = whole.unions == reading.unions
                    && whole.findings.len() == reading.findings.len();
                assert!(
                    !same,
                    "{} without {}: nothing shows",
                    form.name, form.rules[position]
                );
            }
        }
    }
    println!("{taken} rules taken out, {redundant} of them said nothing");
    assert!(
        taken > 100 && redundant < taken / 10,
        "{taken}, {redundant}"
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of forms")]
fn rules_move_to_the_object_that_they_are_about() {
    let rule = "x.type == 'Alpha' ? has(x.alpha) : !has(x.alpha)";
    let object = json!({
        "type": "object",
        "properties": {"type": {"type": "string", "enum": ["Alpha", "None"]}, "alpha": {"type": "object"}},
        "required": ["type"],
    });
    let list = json!({"type": "array", "maxItems": 4, "items": object});
    let with = |schema: &Value, rule: String| {
        let mut schema = schema.clone();
        schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
        schema
    };
    let holder = json!({"type": "object", "properties": {"list": list, "one": object}});
    let cases = [
        (with(&list, format!("self.all(x, {rule})")), "/items"),
        (with(&list, format!("!self.exists(x, !({rule}))")), "/items"),
        (
            with(&holder, format!("self.list.all(x, {rule})")),
            "/properties/list/items",
        ),
        (
            with(
                &holder,
                format!("!has(self.list) || self.list.all(x, {rule})"),
            ),
            "/properties/list/items",
        ),
        (
            with(
                &holder,
                format!("has(self.list) ? self.list.all(x, {rule}) : true"),
            ),
            "/properties/list/items",
        ),
        (
            with(&holder, rule.replace("x.", "self.one.")),
            "/properties/one",
        ),
        (
            with(
                &holder,
                format!("!has(self.one) || ({})", rule.replace("x.", "self.one.")),
            ),
            "/properties/one",
        ),
    ];
    for (schema, pointer) in cases {
        let reading = crd_unions::analyze_at(&schema, pointer).unwrap();
        assert_eq!(reading.unions.len(), 1, "{schema}");
        assert!(reading.unions[0].exact, "{schema}");
        // The rule is not at the object itself, so users must not drop it there.
        assert_eq!(
            reading.unions[0].replaceable_rules, [0_usize; 0],
            "{schema}"
        );
        let places = crd_unions::analyze_schema(&schema);
        let with_union = places
            .iter()
            .filter(|place| !place.analysis.unions.is_empty());
        assert_eq!(
            with_union.map(|place| &*place.pointer).collect::<Vec<_>>(),
            [pointer]
        );
    }
}
