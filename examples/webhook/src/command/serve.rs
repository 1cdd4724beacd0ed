//! The subcommand `serve`: starts the server, reloads CRDs and certificates, and handles signals.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Builder;
use union_webhook::app::AppState;
use union_webhook::error::WebhookError;
use union_webhook::log::{self, LogQueue};
use union_webhook::probes::serve_probes;
use union_webhook::serve::Server;

use super::cli::ServeArgs;
use super::reload::{certificate_files, load_schemas, load_tls};
use super::signals::{LoopAction, Signals};
use super::warnings::ConditionWarnings;

/// The shortest interval of warnings.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(100);

/// Serves until the process receives SIGTERM or SIGINT.
pub(crate) fn serve(args: ServeArgs) -> Result<(), Vec<WebhookError>> {
    let queue =
        log::install(args.log, args.log_format.into(), args.log_queue).map_err(|error| {
            let message = format!("cannot start the log: {error}");
            vec![WebhookError::new("stderr", message)]
        })?;
    let mut builder = Builder::new_multi_thread();
    if let Some(threads) = args.threads {
        builder.worker_threads(threads.get());
    }
    let runtime = builder
        .enable_all()
        .build()
        .map_err(|error| vec![WebhookError::new("--threads", error.to_string())])?;
    let result = runtime.block_on(run(args, &queue));
    // A review that is still being processed does not delay the end of the process.
    runtime.shutdown_background();
    log::flush(&queue);
    result
}

async fn run(args: ServeArgs, queue: &LogQueue) -> Result<(), Vec<WebhookError>> {
    let mut signals = Signals::new().map_err(|error| {
        let message = format!("cannot install signal handlers: {error}");
        vec![WebhookError::new("signals", message)]
    })?;
    let loaded_files = certificate_files(&args);
    let loaded_tls = load_tls(&args).map_err(|problem| vec![problem])?;
    let mut app = AppState::new(args.review.review_settings(), args.limits.limits());
    app.metrics.log_lines = Arc::clone(queue.dropped());
    app.set_certificate(loaded_tls.validity);
    let app = Arc::new(app);
    // The server listens before it is ready, so that probes reach it early.
    if let Some(address) = args.probes {
        let address = serve_probes(address, Arc::clone(&app))
            .map_err(|error| vec![listen_error("--probes", address, &error)])?;
        tracing::info!(%address, "listening for probes");
    }
    let server = Server::start(args.listen, loaded_tls.config, app)
        .await
        .map_err(|error| vec![listen_error("--listen", args.listen, &error)])?;
    tracing::info!(address = %server.address(), "listening");
    let mut warnings = ConditionWarnings::new(args.missing_crd.into());
    warnings.warn_about_new_certificate(server.app());
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
    reload_until_shutdown(&args, &server, loaded_files, &mut signals, &mut warnings).await;
    tracing::info!(drain = ?args.drain, grace = ?args.grace, "stopping");
    if server.stop(args.drain, args.grace).await {
        tracing::info!("stopped");
    } else {
        tracing::warn!("stopped before all requests were answered; increase --grace");
    }
    Ok(())
}

fn listen_error(flag: &str, address: std::net::SocketAddr, error: &std::io::Error) -> WebhookError {
    let message = format!("cannot listen on {address}: {error}; use a free address");
    WebhookError::new(flag, message)
}

/// Reloads CRDs and certificates after signals and, in a cluster, periodically. Returns after the
/// signal to shut down.
async fn reload_until_shutdown(
    args: &Arc<ServeArgs>,
    server: &Server,
    mut loaded_files: [Option<Vec<u8>>; 2],
    signals: &mut Signals,
    warnings: &mut ConditionWarnings,
) {
    #[cfg(feature = "cluster")]
    let mut refresh = interval(args.refresh.max(Duration::from_secs(1)));
    let mut warning_interval = interval(args.warn_every.max(SHORTEST_INTERVAL));
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
            _ = warning_interval.tick() => {
                warnings.warn(server.app());
                continue;
            }
        };
        if action == LoopAction::Shutdown {
            return;
        }
        let current_files = certificate_files(args);
        if action == LoopAction::Reload || current_files != loaded_files {
            match load_tls(args) {
                Ok(loaded_tls) => {
                    server.set_tls(loaded_tls.config);
                    server.app().set_certificate(loaded_tls.validity);
                    loaded_files = current_files;
                    tracing::info!("certificates loaded");
                    warnings.warn_about_new_certificate(server.app());
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

/// Returns an interval whose first tick is after one period.
fn interval(period: Duration) -> tokio::time::Interval {
    tokio::time::interval_at(tokio::time::Instant::now() + period, period)
}
