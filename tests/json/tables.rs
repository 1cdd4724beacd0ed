//! Tests of the case tables in `tests/cases`, with the schema of each table, read from every kind
//! of document.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};

use crate::documents::{crd_of, with_annotation, without_extensions};
use crate::table::{Case, Table};

fn tables() -> Vec<Table> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a present value")
        .map(|entry| entry.expect("a readable folder entry").path())
        .filter(|file| file.extension() == Some(OsStr::new("json")))
        .collect();
    files.sort();
    let read = |file| Table::read(&fs::read_to_string(file).expect("a readable value"));
    files.iter().map(read).collect()
}

/// Returns the unions of a schema, read from every kind of document that can contain the schema.
fn compile_from_every_source(schema: &Value) -> [(&'static str, Unions); 6] {
    let openapi_document = json!({"components": {"schemas": {"a.b.C": schema, "D": {"allOf": [
        {"$ref": "#/components/schemas/a.b.C"},
    ]}}}});
    let schema_with_reference = json!({"$ref": "#/$defs/C", "$defs": {"C": schema}});
    let crd = crd_of(schema);
    let crd_with_annotation = with_annotation(&crd, &without_extensions(&crd));
    let results = [
        ("schema", Unions::compile(SchemaSource::Schema(schema))),
        (
            "reference",
            Unions::compile(SchemaSource::Schema(&schema_with_reference)),
        ),
        (
            "name",
            Unions::compile(SchemaSource::OpenApi(&openapi_document, "a.b.C")),
        ),
        (
            "allOf",
            Unions::compile(SchemaSource::OpenApi(&openapi_document, "D")),
        ),
        ("CRD", Unions::compile(SchemaSource::Crd(&crd, None))),
        (
            "annotation",
            Unions::compile(SchemaSource::Crd(&crd_with_annotation, Some("v1"))),
        ),
    ];
    results.map(|(source, unions)| {
        (
            source,
            unions.unwrap_or_else(|error| panic!("{source}: {error}")),
        )
    })
}

fn assert_case(case: &Case, unions: &Unions) {
    let settings = case.settings();
    let mut normalized = case.new.clone();
    let changes = unions.normalize(&mut normalized, case.old(), &settings);
    let cleared: Vec<&str> = changes.cleared().map(AsRef::as_ref).collect();
    assert_eq!(cleared.len(), changes.len(), "{}: {changes}", case.name);
    assert_eq!(normalized, case.normalized, "{}", case.name);

    let mut admitted = case.new.clone();
    let report = unions.admit(&mut admitted, case.old(), &settings);
    case.check(&cleared, &report);
    assert_eq!(admitted, normalized, "{}", case.name);
}

#[test]
fn all_tables_have_the_expected_results_for_every_schema_source() {
    let tables = tables();
    let mut readable_cases = 0;
    for table in &tables {
        for (source, unions) in compile_from_every_source(&table.schema()) {
            println!("{source}");
            for case in &table.cases {
                assert_case(case, &unions);
            }
        }
        readable_cases += table.cases.iter().filter(|case| case.reads).count();
    }
    let cases: usize = tables.iter().map(|table| table.cases.len()).sum();
    assert!(tables.len() >= 3 && cases >= 92, "{cases} cases");
    assert!(readable_cases < cases, "some of them only JSON can hold");
}
