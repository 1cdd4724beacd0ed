//! Warnings about conditions that an operator must end: CRDs that have disappeared, and
//! certificates that expire.

use std::time::{Duration, Instant};

use time::OffsetDateTime;
use union_webhook::app::AppState;
use union_webhook::schemas::MissingCrd;

/// The interval of warnings about a certificate that expires soon.
const EXPIRY_WARNING_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Warns about all conditions at an interval, until the process ends.
pub(crate) struct ConditionWarnings {
    treatment: MissingCrd,
    last_expiry_warning: Option<Instant>,
}

impl ConditionWarnings {
    pub(crate) const fn new(treatment: MissingCrd) -> Self {
        Self {
            treatment,
            last_expiry_warning: None,
        }
    }

    /// Logs the conditions that hold now.
    pub(crate) fn warn(&mut self, app: &AppState) {
        warn_about_missing_crds(&app.missing_crds(), self.treatment);
        self.warn_about_certificate(app);
    }

    /// Warns about a new certificate that expires soon.
    pub(crate) fn warn_about_new_certificate(&mut self, app: &AppState) {
        self.last_expiry_warning = None;
        self.warn_about_certificate(app);
    }

    /// Logs an expired certificate each time, and a certificate that expires soon each hour.
    fn warn_about_certificate(&mut self, app: &AppState) {
        let now = OffsetDateTime::now_utc();
        let Some(certificate) = app.certificate() else {
            return;
        };
        let days_left = certificate.days_left(now);
        let not_after = certificate.not_after.to_string();
        if certificate.has_expired(now) {
            tracing::error!(
                days_left,
                not_after,
                "the certificate has expired; the webhook is not ready"
            );
        } else if certificate.is_in_future(now) {
            let not_before = certificate.not_before.to_string();
            tracing::error!(
                not_before,
                "the certificate is not valid yet; the webhook is not ready"
            );
        } else if certificate.expires_soon(now)
            && self
                .last_expiry_warning
                .is_none_or(|time| time.elapsed() >= EXPIRY_WARNING_INTERVAL)
        {
            self.last_expiry_warning = Some(Instant::now());
            tracing::warn!(
                days_left,
                not_after,
                "the certificate expires soon; renew it"
            );
        }
    }
}

/// Logs a warning for each version whose CRD has disappeared.
pub(crate) fn warn_about_missing_crds(versions: &[String], treatment: MissingCrd) {
    for kind in versions {
        match treatment {
            MissingCrd::Reject => tracing::warn!(
                kind,
                "the CRD or its unions have disappeared; objects are rejected"
            ),
            MissingCrd::Keep => tracing::warn!(
                kind,
                "the CRD or its unions have disappeared; the last CRD stays in use"
            ),
        }
    }
}
