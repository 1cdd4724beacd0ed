//! Compares the unions that crd-unions infers from CEL rules with the API server's own code: see
//! `tests/reference/foreign/run`. The unions must accept each object that the server accepts. If a
//! union represents all rules, the union must reject each object that the server rejects for a
//! rule.
//!
//! `foreign_reference PROGRAM SEED|fresh OBJECTS [CASES]` runs:
//!
//! - every form in which unions are written, complete and with one rule removed
//! - the smallest schema of each finding
//! - small lists, with rules that compare several items
//! - OBJECTS small objects of schemas with random rules
//! - OBJECTS random objects of the schemas of real CRDs, if CASES is given
//!
//! PROGRAM is the Go program of `../crd`. CASES is a file with the schemas of real CRDs.

#[allow(
    dead_code,
    reason = "only the schemas and objects of the cases are compared"
)]
#[path = "../../../crates/crd-unions/tests/findings/cases.rs"]
mod cases;
#[path = "../crd_cases/reference.rs"]
mod reference;
mod server;
#[path = "../../../crates/crd-unions/tests/server_comparison/mod.rs"]
mod server_comparison;

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::process::ExitCode;

use serde_json::{Value, json};
use union_random::Random;

use reference::Reference;
use server_comparison::{
    ServerComparison, compare_findings_with_server, compare_with_server, forms, lists, objects,
    rules,
};

/// The maximum number of printed differences.
const MAX_PRINTED: usize = 10;
/// The maximum number of objects of a schema with random rules. A limit leaves time for more
/// schemas.
const MAX_OBJECTS_PER_SCHEMA: usize = 60;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(program), Some(seed), Some(count)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("give the program, a seed or `fresh`, and how many objects".into());
    };
    let seed = match seed.as_str() {
        "fresh" => RandomState::new().hash_one(0),
        seed => seed.parse()?,
    };
    let count: usize = count.parse()?;
    println!("unions of others' rules, seed {seed}");
    let mut server = Reference::start(&program)?;
    let (found, of_findings) = all_forms(&mut server)?;
    let mut is_right = found.finish("forms");
    is_right &= of_findings.finish("their findings");
    is_right &= every_finding(&mut server)?.finish("every finding");
    is_right &= rules_of_lists(&mut server)?.finish("rules of lists");
    is_right &= random_rules(&mut server, seed, count)?.finish("random rules");
    if let Some(file) = arguments.next() {
        let text = std::fs::read_to_string(file)?;
        let (found, of_findings) = real_schemas(&mut server, &text, seed, count)?;
        is_right &= found.finish("real schemas");
        is_right &= of_findings.finish("their findings");
    }
    Ok(if is_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Tests every form, complete and with one rule removed.
fn all_forms(server: &mut Reference) -> Result<(Tally, Tally), Box<dyn Error>> {
    let (mut tally, mut of_findings) = (Tally::default(), Tally::default());
    for form in forms::forms() {
        let objects = form.objects();
        let schema = form.schema(&form.rules);
        let analysis = crd_unions::analyze_object(&schema);
        let mut comparison = compare_with_server(server, &schema, "", &analysis, &objects)?;
        if !form.matches(&analysis) {
            let read = format!("{} is read as {}", form.name, json!(analysis));
            comparison.inexact.push(read);
        }
        tally.add(comparison);
        for position in 0..form.rules.len() {
            let mut rules = form.rules.clone();
            rules.remove(position);
            let schema = form.schema(&rules);
            let analysis = crd_unions::analyze_object(&schema);
            tally.add(compare_with_server(
                server, &schema, "", &analysis, &objects,
            )?);
            of_findings.add(compare_findings_with_server(server, &schema, &analysis)?);
        }
    }
    Ok((tally, of_findings))
}

/// Tests the smallest schema of each finding, with the object that shows the finding.
fn every_finding(server: &mut Reference) -> Result<Tally, Box<dyn Error>> {
    let mut tally = Tally::default();
    for case in cases::cases() {
        let analysis = crd_unions::analyze_object(&case.schema);
        tally.add(compare_findings_with_server(
            server,
            &case.schema,
            &analysis,
        )?);
    }
    Ok(tally)
}

/// Tests rules of lists that compare several items.
fn rules_of_lists(server: &mut Reference) -> Result<Tally, Box<dyn Error>> {
    let mut tally = Tally::default();
    for case in lists::cases() {
        tally.add(lists::compare_with_server(server, &case)?);
    }
    Ok(tally)
}

fn random_rules(server: &mut Reference, seed: u64, count: usize) -> Result<Tally, Box<dyn Error>> {
    let small_objects = rules::small_objects();
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    while tally.comparison.object_count < count {
        let schema = rules::random_schema(&mut random);
        let analysis = crd_unions::analyze_object(&schema);
        if !analysis.unions.iter().any(crd_unions::Union::is_sound) {
            continue;
        }
        let objects: Vec<Value> = (0..MAX_OBJECTS_PER_SCHEMA)
            .map(|_| random.pick(&small_objects).clone())
            .collect();
        tally.add(compare_with_server(
            server, &schema, "", &analysis, &objects,
        )?);
    }
    Ok(tally)
}

/// Tests the schemas of real CRDs, and the objects of their findings.
fn real_schemas(
    server: &mut Reference,
    text: &str,
    seed: u64,
    count: usize,
) -> Result<(Tally, Tally), Box<dyn Error>> {
    let file: Value = serde_json::from_str(text)?;
    let cases = file["cases"].as_array().ok_or("the file has no cases")?;
    let (mut tally, mut of_findings) = (Tally::default(), Tally::default());
    for (number, case) in (0..).zip(cases) {
        let (schema, pointer) = (&case["schema"], case["at"].as_str().unwrap_or_default());
        let analysis = crd_unions::analyze_at(schema, pointer)?;
        let objects =
            objects::random_objects(schema, count / cases.len(), seed.wrapping_add(number));
        tally.add(compare_with_server(
            server, schema, pointer, &analysis, &objects,
        )?);
        let place = schema.pointer(pointer).ok_or("a case is about no place")?;
        of_findings.add(compare_findings_with_server(server, place, &analysis)?);
    }
    Ok((tally, of_findings))
}

#[derive(Default)]
struct Tally {
    schemas: usize,
    comparison: ServerComparison,
}

impl Tally {
    fn add(&mut self, found: ServerComparison) {
        self.schemas += 1;
        let all = &mut self.comparison;
        all.object_count += found.object_count;
        all.accepted_count += found.accepted_count;
        all.rejected_by_unions += found.rejected_by_unions;
        all.unsound.extend(found.unsound);
        all.inexact.extend(found.inexact);
        all.wrong_findings.extend(found.wrong_findings);
    }

    /// Prints the counts, and returns true if there is no difference.
    fn finish(&self, what: &str) -> bool {
        let all = &self.comparison;
        println!(
            "{what}: {} schemas, {} objects: {} accepted, {} rejected, {} of them by unions that represent all rules; \
             {} unsound, {} not exact, {} objects of findings with another verdict",
            self.schemas,
            all.object_count,
            all.accepted_count,
            all.object_count - all.accepted_count,
            all.rejected_by_unions,
            all.unsound.len(),
            all.inexact.len(),
            all.wrong_findings.len(),
        );
        for wrong in all.differences().take(MAX_PRINTED) {
            println!("  {wrong}");
        }
        if all.accepted_count == 0 {
            println!("  the server accepts no object, so the unions are not tested");
        }
        all.accepted_count > 0 && all.differences().next().is_none()
    }
}
