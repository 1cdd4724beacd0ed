//! The reasons why the webhook is not ready.

use std::fmt;

/// The reason why the webhook is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// The process is ending.
    ShuttingDown,
    /// The schemas are not compiled yet.
    NoSchemas,
    /// The certificate has expired.
    CertificateExpired,
    /// The certificate is not valid yet.
    CertificateNotYetValid,
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ShuttingDown => "shutting down",
            Self::NoSchemas => "the schemas are not compiled yet",
            Self::CertificateExpired => "the certificate has expired; renew the file of --tls-cert",
            Self::CertificateNotYetValid => {
                "the certificate is not valid yet; check the clock and the file of --tls-cert"
            }
        })
    }
}
