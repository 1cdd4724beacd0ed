//! Self-signed certificates, for local runs.

use std::fs;
use std::path::Path;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use time::{Duration, OffsetDateTime};

use super::files::CERTIFICATE_FILES;
use crate::error::WebhookError;

/// The validity of self-signed certificates, in days.
const VALIDITY_DAYS: i64 = 365;

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
