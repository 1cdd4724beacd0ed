//! The public error types of all crates can leave their thread, and are errors to `?` and `anyhow`.

fn is_error<T: std::error::Error + Send + Sync + 'static>() {}

#[test]
fn public_errors_can_leave_their_thread() {
    is_error::<crd_to_rust::Refused>();
    is_error::<crd_unions::ReadError>();
    is_error::<k8s_cel::CompileError>();
    is_error::<k8s_cel::DeclareError>();
    is_error::<k8s_cel::Fault>();
    is_error::<k8s_cel::ParseVersionError>();
    is_error::<k8s_cel::pattern::PatternError>();
    is_error::<k8s_strategic_merge_patch::Conflicts>();
    is_error::<k8s_strategic_merge_patch::DiffError>();
    is_error::<k8s_strategic_merge_patch::PatchError>();
    is_error::<k8s_strategic_merge_patch::PreconditionFailed>();
    is_error::<k8s_strategic_merge_patch::SwitchError>();
    is_error::<union_compat::skew::SkewError>();
    is_error::<union_compat::VersionError>();
    is_error::<union_json::SchemaError>();
    is_error::<union_kube::CrdError>();
    is_error::<union_policy::PolicyError>();
    is_error::<union_runtime::Violations>();
}
