//! Decides about reviews by the compiled schemas of CRDs.

mod request;
pub mod review;
pub mod schemas;
