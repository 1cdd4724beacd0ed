//! TLS configuration from certificate files, and self-signed certificates for local runs.

mod config;
mod files;
mod self_signed;
mod validity;

pub use config::{LoadedTls, load, load_config};
pub use files::CERTIFICATE_FILES;
pub use self_signed::create_self_signed;
pub use validity::Validity;
