//! The subcommand `serve`: starts the server, reloads CRDs and certificates, and handles signals.

use std::collections::BTreeSet;
use std::sync::Arc;
#[cfg(feature = "cluster")]
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_rustls::rustls::ServerConfig;
use union_webhook::app::AppState;
use union_webhook::error::WebhookError;
use union_webhook::files;
use union_webhook::schemas::{CheckScope, Schemas};
use union_webhook::serve::Server;
use union_webhook::tls;

use super::cli::ServeArgs;

/// The hosts of certificates for local runs.
const LOCAL_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Serves until the process receives SIGTERM or SIGINT.
pub(crate) fn serve(args: ServeArgs) -> Result<(), Vec<WebhookError>> {
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_max_level(args.log)
        .with_writer(std::io::stderr)
        .init();
    let mut builder = Builder::new_multi_thread();
    if let Some(threads) = args.threads {
        builder.worker_threads(threads.get());
    }
    let runtime = builder
        .enable_all()
        .build()
        .map_err(|error| vec![WebhookError::new("--threads", error.to_string())])?;
    runtime.block_on(run(args))
}

async fn run(args: ServeArgs) -> Result<(), Vec<WebhookError>> {
    let mut signals = Signals::new().map_err(|error| {
        let message = format!("cannot install signal handlers: {error}");
        vec![WebhookError::new("signals", message)]
    })?;
    let loaded_files = certificate_files(&args);
    let config = load_tls_config(&args).map_err(|problem| vec![problem])?;
    let app = Arc::new(AppState::new(
        args.review.review_settings(),
        args.limits.limits(),
    ));
    // The server listens before it is ready, so that probes reach it early.
    let server = Server::start(args.listen, config, app)
        .await
        .map_err(|error| {
            let message = format!(
                "cannot listen on {}: {error}; use a free address",
                args.listen
            );
            vec![WebhookError::new("--listen", message)]
        })?;
    tracing::info!(address = %server.address(), "listening");
    // Schemas are compiled on a blocking thread, so that the server responds meanwhile.
    let args = Arc::new(args);
    let load_result = load_schemas(&args, server.app(), LoopAction::Reload).await;
    #[cfg(feature = "cluster")]
    let load_result = load_result.or_else(|problems| {
        if !args.cluster {
            return Err(problems);
        }
        // The cluster may become available later.
        for problem in problems {
            tracing::error!(%problem, "schemas not loaded yet");
        }
        Ok(())
    });
    load_result?;
    reload_until_shutdown(&args, &server, loaded_files, &mut signals).await;
    tracing::info!(drain = ?args.drain, grace = ?args.grace, "stopping");
    if server.stop(args.drain, args.grace).await {
        tracing::info!("stopped");
    } else {
        tracing::warn!("stopped before all requests were answered; increase --grace");
    }
    Ok(())
}

/// Reloads CRDs and certificates after signals and, in a cluster, periodically. Returns after the
/// signal to shut down.
async fn reload_until_shutdown(
    args: &Arc<ServeArgs>,
    server: &Server,
    mut loaded_files: [Option<Vec<u8>>; 2],
    signals: &mut Signals,
) {
    #[cfg(feature = "cluster")]
    let mut refresh = tokio::time::interval_at(
        tokio::time::Instant::now() + args.refresh,
        args.refresh.max(Duration::from_secs(1)),
    );
    loop {
        #[cfg(feature = "cluster")]
        let tick = async {
            if args.cluster {
                refresh.tick().await;
            } else {
                std::future::pending::<()>().await;
            }
        };
        #[cfg(not(feature = "cluster"))]
        let tick = std::future::pending::<()>();
        let action = tokio::select! {
            action = signals.next() => action,
            () = tick => LoopAction::Refresh,
        };
        if action == LoopAction::Shutdown {
            return;
        }
        let current_files = certificate_files(args);
        if action == LoopAction::Reload || current_files != loaded_files {
            match load_tls_config(args) {
                Ok(config) => {
                    server.set_tls(config);
                    loaded_files = current_files;
                    tracing::info!("certificates loaded");
                }
                Err(problem) => {
                    server.app().metrics.count_failed_reload();
                    tracing::error!(%problem, "cannot load the certificates; the old certificates stay in use");
                }
            }
        }
        if let Err(problems) = load_schemas(args, server.app(), action).await {
            for problem in problems {
                tracing::error!(%problem, "cannot load the schemas; the old schemas stay in use");
            }
        }
    }
}

/// An action of [`reload_until_shutdown`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoopAction {
    Shutdown,
    /// Reads certificates and CRDs again.
    Reload,
    /// Reads CRDs again.
    Refresh,
}

/// The signals that the process handles.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> LoopAction {
        tokio::select! {
            _ = self.terminate.recv() => LoopAction::Shutdown,
            _ = self.interrupt.recv() => LoopAction::Shutdown,
            _ = self.hangup.recv() => LoopAction::Reload,
        }
    }
}

/// Returns the contents of the certificate and key files, which a cluster may renew at any time.
/// `None` means that the file is unreadable or not configured.
fn certificate_files(args: &ServeArgs) -> [Option<Vec<u8>>; 2] {
    [&args.tls_cert, &args.tls_key].map(|file| std::fs::read(file.as_ref()?).ok())
}

/// Loads the configured certificates, or creates self-signed certificates.
fn load_tls_config(args: &ServeArgs) -> Result<Arc<ServerConfig>, WebhookError> {
    if let Some(folder) = &args.self_signed {
        tls::create_self_signed(folder, &LOCAL_HOSTS.map(str::to_owned))?;
        let [_, certificate, key] = tls::CERTIFICATE_FILES.map(|name| folder.join(name));
        return tls::load_config(&certificate, &key);
    }
    match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => tls::load_config(certificate, key),
        _ => Err(WebhookError::new(
            "--tls-cert",
            "missing certificate; pass --tls-cert and --tls-key, or --self-signed",
        )),
    }
}

/// Reads and compiles the CRDs. If an error is returned, the schemas are unchanged.
async fn load_schemas(
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
    let version_names = schemas.version_names();
    app.set_schemas(schemas);
    // A periodic refresh is logged only if it changes the kinds.
    if action == LoopAction::Reload
        || previous.is_none_or(|previous| previous.version_names() != version_names)
    {
        tracing::info!(kinds = version_names.join(", "), "schemas compiled");
    }
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
        }
        Ok(schemas)
    });
    let result = compile_task.await;
    result.unwrap_or_else(|error| Err(vec![WebhookError::new("--crds", error.to_string())]))
}
