//! Certificates: from files, or self-signed for local runs.

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

/// The names of the files in a folder of certificates, as cert-manager and `kubectl create secret
/// tls` name them.
pub const CERTIFICATE_FILES: [&str; 3] = ["ca.crt", "tls.crt", "tls.key"];

/// The validity of self-signed certificates, in days.
const VALIDITY_DAYS: i64 = 365;

/// Reads a certificate with its chain, and its key.
///
/// # Errors
///
/// Returns an error if a file is unreadable or lacks a certificate or key, or if the key belongs to
/// another certificate.
pub fn load_config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, WebhookError> {
    let problem = |path: &Path, text: String| WebhookError::new(path.display().to_string(), text);
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| {
            let text =
                format!("cannot read certificates (--tls-cert): {error}; expected a PEM file");
            problem(certificate, text)
        })?;
    if chain.is_empty() {
        let text = "no certificate found (--tls-cert); expected a PEM file with a certificate";
        return Err(problem(certificate, text.to_owned()));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| {
        let text = format!("cannot read the key (--tls-key): {error}; expected a PEM file");
        problem(key, text)
    })?;
    let provider = Arc::new(ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|config| {
            config
                .with_no_client_auth()
                .with_single_cert(chain, private)
        });
    let mut config = config.map_err(|error| {
        let text = format!(
            "the certificate does not work with the key {}: {error}",
            key.display()
        );
        problem(certificate, text)
    })?;
    // API servers use no other protocol for webhooks.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Creates a CA and a certificate for `hosts`, and writes them into a folder. Existing files are
/// kept, so that clients may continue to trust them.
///
/// # Errors
///
/// Returns an error if a host is not a name, if only some of the files exist, or if writing to the
/// folder fails.
pub fn create_self_signed(folder: &Path, hosts: &[String]) -> Result<(), WebhookError> {
    let there = CERTIFICATE_FILES.map(|name| folder.join(name).exists());
    if there == [true; 3] {
        return Ok(());
    }
    let place = folder.display().to_string();
    if there != [false; 3] {
        let text = format!(
            "the folder has some of {}, but not all; use an empty folder",
            CERTIFICATE_FILES.join(", ")
        );
        return Err(WebhookError::new(place, text));
    }
    let texts = generate(hosts).map_err(|error| {
        let hosts = hosts.join(", ");
        let text = format!(
            "cannot create a certificate for {hosts}: {error}; expected DNS names or IP addresses"
        );
        WebhookError::new("--host", text)
    })?;
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut files = CERTIFICATE_FILES.iter().zip(&texts);
        files.try_for_each(|(name, text)| write_private(&folder.join(name), text))
    });
    written.map_err(|error| {
        let text = format!("cannot write to the folder: {error}; use a writable folder");
        WebhookError::new(place, text)
    })
}

/// Returns the contents of [`CERTIFICATE_FILES`].
fn generate(hosts: &[String]) -> Result<[String; 3], rcgen::Error> {
    let now = OffsetDateTime::now_utc();
    let dated = |mut params: CertificateParams, name: &str| {
        // Clocks differ.
        params.not_before = now - Duration::HOUR;
        params.not_after = now + Duration::days(VALIDITY_DAYS);
        params.distinguished_name.push(DnType::CommonName, name);
        params
    };
    let mut ca = dated(CertificateParams::new(Vec::new())?, "union-webhook CA");
    ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    ca.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let ca_key = KeyPair::generate()?;
    let ca_text = ca.self_signed(&ca_key)?.pem();

    let mut server = dated(CertificateParams::new(hosts)?, "union-webhook");
    server.use_authority_key_identifier_extension = true;
    server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate()?;
    let certificate = server.signed_by(&key, &Issuer::new(ca, ca_key))?;
    // The key of the CA is not stored: it cannot certify anyone else.
    Ok([ca_text, certificate.pem(), key.serialize_pem()])
}

/// Writes a file that only its owner may read.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;

    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}
