//! `union-webhook serve`, from its flags to its end.

use std::collections::BTreeSet;
use std::sync::Arc;
#[cfg(feature = "cluster")]
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_rustls::rustls::ServerConfig;
use union_webhook::app::App;
use union_webhook::files;
use union_webhook::problem::Problem;
use union_webhook::schemas::{Checks, Schemas};
use union_webhook::serve::Server;
use union_webhook::tls;

use crate::cli::ServeArgs;

/// The hosts of certificates for local runs.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Serves until a signal ends it.
pub(crate) fn serve(args: ServeArgs) -> Result<(), Vec<Problem>> {
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
    let runtime = builder.enable_all().build();
    let runtime = runtime.map_err(|error| vec![Problem::new("--threads", error.to_string())])?;
    runtime.block_on(run(args))
}

async fn run(args: ServeArgs) -> Result<(), Vec<Problem>> {
    let mut signals = Signals::new().map_err(|error| {
        let text = format!("cannot install signal handlers: {error}");
        vec![Problem::new("signals", text)]
    })?;
    let mut held = held(&args);
    let config = certificates(&args).map_err(|problem| vec![problem])?;
    let app = Arc::new(App::new(args.rules.rules(), args.limits.limits()));
    // The server listens before it is ready, so that probes can see it.
    let server = Server::start(args.listen, config, app)
        .await
        .map_err(|error| {
            let text = format!(
                "cannot listen on {}: {error}; use a free address",
                args.listen
            );
            vec![Problem::new("--listen", text)]
        })?;
    tracing::info!(address = %server.address(), "listening");
    // Compiling occupies a core; other threads answer meanwhile.
    let args = Arc::new(args);
    let loaded = load(&args, server.app(), Asked::Reload).await;
    #[cfg(feature = "cluster")]
    let loaded = loaded.or_else(|problems| {
        if !args.cluster {
            return Err(problems);
        }
        // The cluster may become available later.
        for problem in problems {
            tracing::error!(%problem, "schemas not loaded yet");
        }
        Ok(())
    });
    loaded?;

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
        let asked = tokio::select! {
            asked = signals.next() => asked,
            () = tick => Asked::Refresh,
        };
        if asked == Asked::End {
            break;
        }
        let now_held = self::held(&args);
        if asked == Asked::Reload || now_held != held {
            match certificates(&args) {
                Ok(config) => {
                    server.set_tls(config);
                    held = now_held;
                    tracing::info!("certificates loaded");
                }
                Err(problem) => {
                    server.app().metrics.reloaded(false);
                    tracing::error!(%problem, "cannot load the certificates; the old certificates stay in use");
                }
            }
        }
        if let Err(problems) = load(&args, server.app(), asked).await {
            for problem in problems {
                tracing::error!(%problem, "cannot load the schemas; the old schemas stay in use");
            }
        }
    }
    tracing::info!(drain = ?args.drain, grace = ?args.grace, "stopping");
    if server.stop(args.drain, args.grace).await {
        tracing::info!("stopped");
    } else {
        tracing::warn!("stopped before all requests were answered; increase --grace");
    }
    Ok(())
}

/// An action of the main loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    End,
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

    async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.terminate.recv() => Asked::End,
            _ = self.interrupt.recv() => Asked::End,
            _ = self.hangup.recv() => Asked::Reload,
        }
    }
}

/// Returns the contents of the certificate and key files, which a cluster renews silently; `None`
/// for a file that is unreadable.
fn held(args: &ServeArgs) -> [Option<Vec<u8>>; 2] {
    [&args.tls_cert, &args.tls_key].map(|file| std::fs::read(file.as_ref()?).ok())
}

fn certificates(args: &ServeArgs) -> Result<Arc<ServerConfig>, Problem> {
    if let Some(folder) = &args.self_signed {
        tls::self_sign(folder, &LOCAL.map(str::to_owned))?;
        let [_, certificate, key] = tls::FILES.map(|name| folder.join(name));
        return tls::load(&certificate, &key);
    }
    match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => tls::load(certificate, key),
        _ => Err(Problem::new(
            "--tls-cert",
            "missing certificate; pass --tls-cert and --tls-key, or --self-signed",
        )),
    }
}

/// Reads and compiles the CRDs. On a problem, the schemas stay unchanged.
async fn load(args: &Arc<ServeArgs>, app: &Arc<App>, asked: Asked) -> Result<(), Vec<Problem>> {
    let loaded = read(args, app).await;
    let before = app.schemas();
    if before.is_some() {
        app.metrics.reloaded(loaded.is_ok());
    }
    let schemas = loaded?;
    let names = schemas.names();
    app.set_schemas(schemas);
    // A periodic refresh is logged only if it changes the kinds.
    if asked == Asked::Reload || before.is_none_or(|before| before.names() != names) {
        tracing::info!(kinds = names.join(", "), "schemas compiled");
    }
    Ok(())
}

async fn read(args: &Arc<ServeArgs>, app: &Arc<App>) -> Result<Schemas, Vec<Problem>> {
    let checks = if args.rules.whole_schema {
        Checks::WholeSchema
    } else {
        Checks::Unions
    };
    let foreign: BTreeSet<String> = args.foreign.iter().cloned().collect();
    #[cfg(feature = "cluster")]
    let found = if args.cluster {
        union_webhook::cluster::crds(&foreign)
            .await
            .map_err(|problem| vec![problem])?
    } else {
        Vec::new()
    };
    let (args, app) = (Arc::clone(args), Arc::clone(app));
    let compiling = tokio::task::spawn_blocking(move || {
        let schemas = Schemas::with_foreign(foreign);
        let mut schemas = files::read_into(schemas, &args.crds, checks)?;
        #[cfg(feature = "cluster")]
        union_webhook::cluster::add(&mut schemas, &found, checks);
        for kind in schemas.not_found() {
            tracing::warn!(kind, "the kind of --foreign has no CRD with unions");
        }
        if let Some(before) = app.schemas() {
            for kind in schemas.keep_good(&before) {
                tracing::warn!(
                    kind,
                    "the new schema is invalid; the old schema stays in use"
                );
            }
        }
        Ok(schemas)
    });
    let ended = compiling.await;
    ended.unwrap_or_else(|error| Err(vec![Problem::new("--crds", error.to_string())]))
}
