//! TLS configuration from certificate files, and self-signed certificates for local runs.

mod config;
mod files;
mod self_signed;

pub use config::load_config;
pub use files::CERTIFICATE_FILES;
pub use self_signed::create_self_signed;
