//! Every form in which CRDs declare unions, complete and without one of its rules.

use crd_unions::ObjectAnalysis;
use serde_json::{Value, json};

use crate::evaluator::Evaluator;
use crate::server_comparison::forms::forms;
use crate::server_comparison::{Server, accepts};

/// Returns true for each object that the server accepts.
fn server_accepts(schema: &Value, objects: &[Value]) -> Vec<bool> {
    let stored = Evaluator.create(schema, objects).unwrap();
    stored.iter().map(Option::is_some).collect()
}

fn unions_accept(analysis: &ObjectAnalysis, objects: &[Value]) -> Vec<bool> {
    let accepted_by_unions = |object: &Value| {
        let fields = object.as_object().unwrap();
        analysis.unions.iter().all(|union| accepts(union, fields))
    };
    objects.iter().map(accepted_by_unions).collect()
}

#[test]
fn every_form_is_analyzed_as_the_union_that_it_declares() {
    let forms = forms();
    for form in &forms {
        let schema = form.schema(&form.rules);
        let analysis = crd_unions::analyze_object(&schema);
        assert!(
            form.matches(&analysis),
            "{}: {}\n{schema}",
            form.name,
            json!(analysis)
        );
        let strong_findings = analysis
            .findings
            .iter()
            .filter(|finding| finding.confidence == crd_unions::Confidence::Strong);
        assert_eq!(
            strong_findings.count(),
            0,
            "{}: {}",
            form.name,
            json!(analysis)
        );
        let objects = form.objects();
        assert_eq!(
            unions_accept(&analysis, &objects),
            server_accepts(&schema, &objects),
            "{}",
            form.name
        );
        let replaceable_rules = &analysis.unions[0].replaceable_rules;
        assert_eq!(
            replaceable_rules.len(),
            analysis.rules.len(),
            "{}",
            form.name
        );
    }
    println!("{} forms", forms.len());
}

#[test]
fn removing_a_rule_changes_the_analysis_and_keeps_unions_sound() {
    let (mut removed_count, mut redundant_count) = (0, 0);
    for form in forms() {
        let complete_analysis = crd_unions::analyze_object(&form.schema(&form.rules));
        let objects = form.objects();
        let accepted_by_all_rules = server_accepts(&form.schema(&form.rules), &objects);
        for position in 0..form.rules.len() {
            let mut rules = form.rules.clone();
            rules.remove(position);
            let schema = form.schema(&rules);
            let analysis = crd_unions::analyze_object(&schema);
            let accepted = server_accepts(&schema, &objects);
            for ((object, accepted), accepted_by_union) in objects
                .iter()
                .zip(&accepted)
                .zip(unions_accept(&analysis, &objects))
            {
                assert!(
                    accepted_by_union || !accepted,
                    "{} without {}: {} rejects {object}",
                    form.name,
                    form.rules[position],
                    json!(analysis)
                );
            }
            removed_count += 1;
            if accepted == accepted_by_all_rules {
                redundant_count += 1;
            } else {
                let is_unchanged = complete_analysis.unions == analysis.unions
                    && complete_analysis.findings.len() == analysis.findings.len();
                assert!(
                    !is_unchanged,
                    "{} without {}: the analysis is unchanged",
                    form.name, form.rules[position]
                );
            }
        }
    }
    println!("{removed_count} rules removed, {redundant_count} of them redundant");
    assert!(
        removed_count > 100 && redundant_count < removed_count / 10,
        "{removed_count}, {redundant_count}"
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
    let with_rule = |schema: &Value, rule: String| {
        let mut schema = schema.clone();
        schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
        schema
    };
    let parent = json!({"type": "object", "properties": {"list": list, "one": object}});
    let cases = [
        (with_rule(&list, format!("self.all(x, {rule})")), "/items"),
        (
            with_rule(&list, format!("!self.exists(x, !({rule}))")),
            "/items",
        ),
        (
            with_rule(&parent, format!("self.list.all(x, {rule})")),
            "/properties/list/items",
        ),
        (
            with_rule(
                &parent,
                format!("!has(self.list) || self.list.all(x, {rule})"),
            ),
            "/properties/list/items",
        ),
        (
            with_rule(
                &parent,
                format!("has(self.list) ? self.list.all(x, {rule}) : true"),
            ),
            "/properties/list/items",
        ),
        (
            with_rule(&parent, rule.replace("x.", "self.one.")),
            "/properties/one",
        ),
        (
            with_rule(
                &parent,
                format!("!has(self.one) || ({})", rule.replace("x.", "self.one.")),
            ),
            "/properties/one",
        ),
    ];
    for (schema, pointer) in cases {
        let analysis = crd_unions::analyze_at(&schema, pointer).unwrap();
        assert_eq!(analysis.unions.len(), 1, "{schema}");
        assert!(analysis.unions[0].exact, "{schema}");
        // The rule is in the schema above, so the union must not replace it.
        assert_eq!(
            analysis.unions[0].replaceable_rules, [0_usize; 0],
            "{schema}"
        );
        let analyzed_objects = crd_unions::analyze_schema(&schema);
        let objects_with_union = analyzed_objects
            .iter()
            .filter(|object| !object.analysis.unions.is_empty());
        assert_eq!(
            objects_with_union
                .map(|object| &*object.pointer)
                .collect::<Vec<_>>(),
            [pointer]
        );
    }
}
