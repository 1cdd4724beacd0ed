//! TLS configuration from certificate files, and self-signed certificates for local runs.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use time::{Duration, OffsetDateTime};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::error::WebhookError;

/// The names of the files in a folder of certificates, which cert-manager and `kubectl create
/// secret tls` also use.
pub const CERTIFICATE_FILES: [&str; 3] = ["ca.crt", "tls.crt", "tls.key"];

/// The validity of self-signed certificates, in days.
const VALIDITY_DAYS: i64 = 365;

/// Reads a certificate chain and its key, and returns the TLS configuration of the server.
///
/// # Errors
///
/// Returns an error if a file is unreadable or lacks a certificate or key, or if the key belongs to
/// another certificate.
pub fn load_config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, WebhookError> {
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
    Ok(Arc::new(config))
}

/// Creates a CA and a certificate for `hosts`, and writes them into a folder. If the files exist,
/// they are kept, so that clients continue to trust the CA.
///
/// # Errors
///
/// Returns an error if a host is not a name, if only some of the files exist, or if writing to the
/// folder fails.
pub fn create_self_signed(folder: &Path, hosts: &[String]) -> Result<(), WebhookError> {
    let existing_files = CERTIFICATE_FILES.map(|name| folder.join(name).exists());
    if existing_files == [true; 3] {
        return Ok(());
    }
    let location = folder.display().to_string();
    if existing_files != [false; 3] {
        let message = format!(
            "the folder has some of {}, but not all; use an empty folder",
            CERTIFICATE_FILES.join(", ")
        );
        return Err(WebhookError::new(location, message));
    }
    let contents = generate_pem_files(hosts).map_err(|error| {
        let hosts = hosts.join(", ");
        let message = format!(
            "cannot create a certificate for {hosts}: {error}; expected DNS names or IP addresses"
        );
        WebhookError::new("--host", message)
    })?;
    let result = fs::create_dir_all(folder).and_then(|()| {
        let mut files = CERTIFICATE_FILES.iter().zip(&contents);
        files.try_for_each(|(name, content)| write_private(&folder.join(name), content))
    });
    result.map_err(|error| {
        let message = format!("cannot write to the folder: {error}; use a writable folder");
        WebhookError::new(location, message)
    })
}

/// Returns the contents of [`CERTIFICATE_FILES`].
fn generate_pem_files(hosts: &[String]) -> Result<[String; 3], rcgen::Error> {
    let now = OffsetDateTime::now_utc();
    let with_validity = |mut params: CertificateParams, name: &str| {
        // The clocks of client and server may differ.
        params.not_before = now - Duration::HOUR;
        params.not_after = now + Duration::days(VALIDITY_DAYS);
        params.distinguished_name.push(DnType::CommonName, name);
        params
    };
    let mut ca_params = with_validity(CertificateParams::new(Vec::new())?, "union-webhook CA");
    ca_params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    ca_params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let ca_key = KeyPair::generate()?;
    let ca_pem = ca_params.self_signed(&ca_key)?.pem();

    let mut server_params = with_validity(CertificateParams::new(hosts)?, "union-webhook");
    server_params.use_authority_key_identifier_extension = true;
    server_params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    server_params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let server_key = KeyPair::generate()?;
    let certificate = server_params.signed_by(&server_key, &Issuer::new(ca_params, ca_key))?;
    // The key of the CA is discarded, so that nobody can sign further certificates with it.
    Ok([ca_pem, certificate.pem(), server_key.serialize_pem()])
}

/// Writes a file that only its owner may read.
fn write_private(path: &Path, content: &str) -> std::io::Result<()> {
    use std::io::Write as _;

    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(content.as_bytes())
}
