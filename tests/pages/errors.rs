//! Tests of the public error types of all crates: each type is `Error + Send + Sync + 'static`, as
//! `?` and `anyhow` require, and `source` returns the cause of the error.

use std::error::Error;

use serde_json::json;
use union_json::{SchemaSource, Unions};

fn is_error<T: Error + Send + Sync + 'static>() {}

#[test]
fn public_errors_are_send_and_sync_errors() {
    is_error::<crd_to_rust::GenerateError>();
    is_error::<crd_unions::AnalyzeError>();
    is_error::<k8s_cel::CompileError>();
    is_error::<k8s_cel::DeclareError>();
    is_error::<k8s_cel::EvalError>();
    is_error::<k8s_cel::ParseVersionError>();
    is_error::<k8s_cel::pattern::PatternError>();
    is_error::<k8s_cel::syntax::SourceErrors>();
    is_error::<k8s_strategic_merge_patch::Conflicts>();
    is_error::<k8s_strategic_merge_patch::DiffError>();
    is_error::<k8s_strategic_merge_patch::PatchError>();
    is_error::<k8s_strategic_merge_patch::PreconditionFailedError>();
    is_error::<k8s_strategic_merge_patch::SwitchError>();
    is_error::<union_compat::skew::SkewError>();
    is_error::<union_compat::VersionError>();
    is_error::<union_json::KeywordError>();
    is_error::<union_json::SchemaError>();
    is_error::<union_kube::CrdError>();
    is_error::<union_policy::PolicyError>();
    is_error::<union_runtime::Report>();
}

/// Returns the messages of an error and of the errors that caused it.
fn messages_of_chain(error: &dyn Error) -> Vec<String> {
    let first_error = Some(error);
    std::iter::successors(first_error, |&error| error.source())
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_schema_error_has_its_cause() {
    let schema = json!({"properties": {"a": {"$ref": 5}}});
    let error = Unions::compile(SchemaSource::Schema(&schema)).unwrap_err();
    let message = "`$ref` is 5; expected a string, such as \"#/components/schemas/Name\"";
    assert_eq!(
        messages_of_chain(&error),
        [&*format!("/properties/a/$ref: {message}"), message]
    );
}

#[test]
fn a_version_error_has_its_cause() {
    let crd = json!({"spec": {"versions": [{"name": "v1", "storage": true}]}});
    let error = union_compat::ApiVersion::from_crd(&crd, None).unwrap_err();
    let [error, cause] = &*messages_of_chain(&error) else {
        panic!("{error}");
    };
    assert_eq!(error, cause);
    let schema = json!({"type": "object", "properties": {"a": 5}});
    let error = union_compat::ApiVersion::from_schema("v1", &schema).unwrap_err();
    let report = error.source().unwrap();
    let report = report.downcast_ref::<union_runtime::Report>();
    assert_eq!(error.to_string(), format!("v1: {}", report.unwrap()));
}

#[test]
fn a_compile_error_contains_the_errors_of_the_expression() {
    use k8s_cel::{CompileError, DeclaredType, DeclaredTypes, Environment};

    let types = DeclaredType::object([("a", DeclaredType::string())]);
    let types = types.build().unwrap();
    let environment = Environment::new(&types, DeclaredTypes::ROOT);
    let error = environment.compile("self.a == 1 && self.b").unwrap_err();
    let CompileError::Compilation(source_errors) = &error else {
        panic!("{error}");
    };
    let offsets: Vec<u32> = source_errors
        .iter()
        .map(|source_error| source_error.offset)
        .collect();
    assert_eq!(offsets, [7, 19]);
    assert_eq!(
        error.to_string(),
        format!("compilation failed: {source_errors}")
    );
    assert_eq!(
        error.source().unwrap().to_string(),
        source_errors.to_string()
    );
}

#[test]
fn a_pattern_error_has_a_code_and_the_invalid_part() {
    use k8s_cel::pattern::{PatternErrorCode, compile};

    let error = compile("a[b").unwrap_err();
    assert_eq!(error.code(), PatternErrorCode::MissingBracket);
    assert_eq!(error.part(), "[b");
}
