//! The TLS configuration of the server, from certificate files.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::validity::Validity;
use crate::error::WebhookError;

/// The TLS configuration of the server, and the validity of its certificates.
#[derive(Clone, Debug)]
pub struct LoadedTls {
    /// The TLS configuration.
    pub config: Arc<ServerConfig>,
    /// The time in which all certificates of the chain are valid.
    pub validity: Validity,
}

/// Reads a certificate chain and its key, and returns the TLS configuration of the server.
///
/// # Errors
///
/// Returns the same errors as [`load`].
pub fn load_config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, WebhookError> {
    load(certificate, key).map(|loaded| loaded.config)
}

/// Reads a certificate chain and its key. An expired certificate is not an error.
///
/// # Errors
///
/// Returns an error if a file is unreadable or lacks a certificate or key, or if the key belongs to
/// another certificate.
pub fn load(certificate: &Path, key: &Path) -> Result<LoadedTls, WebhookError> {
    let error_at =
        |path: &Path, message: String| WebhookError::new(path.display().to_string(), message);
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| {
            let message =
                format!("cannot read certificates (--tls-cert): {error}; expected a PEM file");
            error_at(certificate, message)
        })?;
    if chain.is_empty() {
        let message = "no certificate found (--tls-cert); expected a PEM file with a certificate";
        return Err(error_at(certificate, message.to_owned()));
    }
    let validity = Validity::of_chain(&chain).map_err(|message| error_at(certificate, message))?;
    let private_key = PrivateKeyDer::from_pem_file(key).map_err(|error| {
        let message = format!("cannot read the key (--tls-key): {error}; expected a PEM file");
        error_at(key, message)
    })?;
    let provider = Arc::new(ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|config| {
            config
                .with_no_client_auth()
                .with_single_cert(chain, private_key)
        });
    let mut config = config.map_err(|error| {
        let message = format!(
            "the certificate does not work with the key {}: {error}",
            key.display()
        );
        error_at(certificate, message)
    })?;
    // The webhook serves only HTTP/1.1.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(LoadedTls {
        config: Arc::new(config),
        validity,
    })
}
