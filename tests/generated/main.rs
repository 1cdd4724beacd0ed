//! Types that were generated: they read every sample and write it back, and their own CRDs judge as the originals do.

mod facts;
mod objects;
mod pods;
mod random;
mod registry;
mod unions;
mod verdicts;
