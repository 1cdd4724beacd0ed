//! The time in which certificates are valid.

use time::OffsetDateTime;
use tokio_rustls::rustls::pki_types::CertificateDer;
use x509_parser::prelude::{FromDer as _, X509Certificate};

/// The time in days from which an expiry is announced by warnings.
const WARNING_DAYS: f64 = 14.0;

/// The number of seconds of a day.
const SECONDS_PER_DAY: f64 = 24.0 * 60.0 * 60.0;

/// The time in which a certificate is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// The first second in which the certificate is valid.
    pub not_before: OffsetDateTime,
    /// The last second in which the certificate is valid.
    pub not_after: OffsetDateTime,
}

impl Validity {
    /// Returns the time in which all certificates of a chain are valid. Clients verify the whole
    /// chain.
    pub(super) fn of_chain(chain: &[CertificateDer<'_>]) -> Result<Self, String> {
        let mut validities = Vec::new();
        for certificate in chain {
            let (_, certificate) = X509Certificate::from_der(certificate)
                .map_err(|error| format!("cannot parse the certificate (--tls-cert): {error}"))?;
            let validity = certificate.validity();
            validities.push(Self {
                not_before: validity.not_before.to_datetime(),
                not_after: validity.not_after.to_datetime(),
            });
        }
        let validity = validities.into_iter().reduce(|first, second| Self {
            not_before: first.not_before.max(second.not_before),
            not_after: first.not_after.min(second.not_after),
        });
        validity.ok_or_else(|| "no certificate found (--tls-cert)".to_owned())
    }

    /// Returns the days until the certificate expires. The number is negative after that.
    #[must_use]
    pub fn days_left(&self, now: OffsetDateTime) -> f64 {
        (self.not_after - now).as_seconds_f64() / SECONDS_PER_DAY
    }

    /// Returns true if the certificate expires soon or has expired.
    #[must_use]
    pub fn expires_soon(&self, now: OffsetDateTime) -> bool {
        self.days_left(now) <= WARNING_DAYS
    }

    /// Returns true if the certificate has expired.
    #[must_use]
    pub fn has_expired(&self, now: OffsetDateTime) -> bool {
        now > self.not_after
    }

    /// Returns true if the certificate is not valid yet.
    #[must_use]
    pub fn is_in_future(&self, now: OffsetDateTime) -> bool {
        now < self.not_before
    }
}
