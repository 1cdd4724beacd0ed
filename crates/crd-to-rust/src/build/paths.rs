//! Paths of k8s-openapi types.

pub(super) const TIME: &str = "::k8s_openapi::apimachinery::pkg::apis::meta::v1::Time";
pub(super) const MICRO_TIME: &str = "::k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime";
pub(super) const INT_OR_STRING: &str =
    "::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString";
pub(super) const QUANTITY_TYPE: &str = "::k8s_openapi::apimachinery::pkg::api::resource::Quantity";
pub(super) const BYTES: &str = "::k8s_openapi::ByteString";
/// The type of the metadata of an embedded resource.
pub(super) const METADATA: &str = "::k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta";
pub(super) const RAW: &str = "::k8s_openapi::apimachinery::pkg::runtime::RawExtension";
