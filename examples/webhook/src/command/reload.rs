//! Reads certificates and CRDs.

use std::collections::BTreeSet;
use std::sync::Arc;

use union_webhook::app::AppState;
use union_webhook::error::WebhookError;
use union_webhook::files;
use union_webhook::schemas::{CheckScope, Schemas};
use union_webhook::tls::{self, LoadedTls};

use super::cli::ServeArgs;
use super::signals::LoopAction;
use super::warnings::warn_about_missing_crds;

/// The hosts of certificates for local runs.
const LOCAL_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Returns the contents of the certificate and key files, which a cluster may renew at any time.
/// `None` means that the file is unreadable or not configured.
pub(crate) fn certificate_files(args: &ServeArgs) -> [Option<Vec<u8>>; 2] {
    [&args.tls_cert, &args.tls_key].map(|file| std::fs::read(file.as_ref()?).ok())
}

/// Loads the configured certificates, or creates self-signed certificates.
pub(crate) fn load_tls(args: &ServeArgs) -> Result<LoadedTls, WebhookError> {
    if let Some(folder) = &args.self_signed {
        tls::create_self_signed(folder, &LOCAL_HOSTS.map(str::to_owned))?;
        let [_, certificate, key] = tls::CERTIFICATE_FILES.map(|name| folder.join(name));
        return tls::load(&certificate, &key);
    }
    match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => tls::load(certificate, key),
        _ => Err(WebhookError::new(
            "--tls-cert",
            "missing certificate; pass --tls-cert and --tls-key, or --self-signed",
        )),
    }
}

/// Reads and compiles the CRDs. If an error is returned, the schemas are unchanged.
pub(crate) async fn load_schemas(
    args: &Arc<ServeArgs>,
    app: &Arc<AppState>,
    action: LoopAction,
) -> Result<(), Vec<WebhookError>> {
    let load_result = compile_schemas(args, app).await;
    let previous = app.schemas();
    if previous.is_some() {
        match &load_result {
            Ok(_) => app.metrics.count_reload(),
            Err(_) => app.metrics.count_failed_reload(),
        }
    }
    let schemas = load_result?;
    let previous_missing = app.missing_crds();
    let version_names = schemas.version_names();
    app.set_schemas(schemas);
    // A periodic refresh is logged only if it changes the kinds.
    if action == LoopAction::Reload
        || previous.is_none_or(|previous| previous.version_names() != version_names)
    {
        tracing::info!(kinds = version_names.join(", "), "schemas compiled");
    }
    let newly_missing: Vec<String> = app
        .missing_crds()
        .into_iter()
        .filter(|version| !previous_missing.contains(version))
        .collect();
    warn_about_missing_crds(&newly_missing, args.missing_crd.into());
    Ok(())
}

/// Reads and compiles the CRDs of files and of the cluster, without blocking the runtime.
async fn compile_schemas(
    args: &Arc<ServeArgs>,
    app: &Arc<AppState>,
) -> Result<Schemas, Vec<WebhookError>> {
    let checks = if args.review.whole_schema {
        CheckScope::WholeSchema
    } else {
        CheckScope::Unions
    };
    let inferred_kinds: BTreeSet<String> = args.foreign.iter().cloned().collect();
    #[cfg(feature = "cluster")]
    let crds = if args.cluster {
        union_webhook::cluster::crds(&inferred_kinds)
            .await
            .map_err(|problem| vec![problem])?
    } else {
        Vec::new()
    };
    let (args, app) = (Arc::clone(args), Arc::clone(app));
    let compile_task = tokio::task::spawn_blocking(move || {
        let schemas = Schemas::with_inferred_kinds(inferred_kinds);
        let mut schemas = files::read_schemas_into(schemas, &args.crds, checks)?;
        #[cfg(feature = "cluster")]
        union_webhook::cluster::add_crds(&mut schemas, &crds, checks);
        for kind in schemas.missing_inferred_kinds() {
            tracing::warn!(kind, "the kind of --foreign has no CRD with unions");
        }
        if let Some(previous) = app.schemas() {
            for kind in schemas.keep_valid_versions(&previous) {
                tracing::warn!(
                    kind,
                    "the new schema is invalid; the old schema stays in use"
                );
            }
            schemas.add_missing_versions(&previous, args.missing_crd.into());
        }
        Ok(schemas)
    });
    let result = compile_task.await;
    result.unwrap_or_else(|error| Err(vec![WebhookError::new("--crds", error.to_string())]))
}
