//! The names of certificate files.

/// The names of the files in a folder of certificates, which cert-manager and `kubectl create
/// secret tls` also use.
pub const CERTIFICATE_FILES: [&str; 3] = ["ca.crt", "tls.crt", "tls.key"];
