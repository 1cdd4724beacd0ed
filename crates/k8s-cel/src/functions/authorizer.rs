//! Functions of the authorizer. An API server declares them for all expressions. Rules of CRDs do
//! not have an authorizer to call them with.

use super::cost;
use super::dispatch::Dispatch;
use super::estimate;
use super::operators::no_overload;
use super::row::{ALWAYS, Cost, FunctionRow, function, row};
use crate::cost::work::Work;

const NARROWED: &[&str] = &["ResourceCheck.string -> ResourceCheck"];
const TOLD: &[&str] = &["Decision. -> string"];
const ASKED: &[&str] = &["Decision. -> bool"];

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "path",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["Authorizer.string -> PathCheck"],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "group",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["Authorizer.string -> GroupCheck"],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "serviceAccount",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["Authorizer.string, string -> Authorizer"],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "resource",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["GroupCheck.string -> ResourceCheck"],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "subresource",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(NARROWED, ALWAYS, no_overload, Cost::ONE, estimate::one)],
    ),
    function(
        "namespace",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(NARROWED, ALWAYS, no_overload, Cost::ONE, estimate::one)],
    ),
    function(
        "name",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(NARROWED, ALWAYS, no_overload, Cost::ONE, estimate::one)],
    ),
    function(
        "fieldSelector",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            NARROWED,
            ALWAYS,
            no_overload,
            Cost::of(cost::selector),
            estimate::selector,
        )
        .early()],
    ),
    function(
        "labelSelector",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            NARROWED,
            ALWAYS,
            no_overload,
            Cost::of(cost::selector),
            estimate::selector,
        )
        .early()],
    ),
    function(
        "check",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &[
                "PathCheck.string -> Decision",
                "ResourceCheck.string -> Decision",
            ],
            ALWAYS,
            no_overload,
            Cost::of(cost::check),
            estimate::check,
        )],
    ),
    function(
        "allowed",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(ASKED, ALWAYS, no_overload, Cost::ONE, estimate::one)],
    ),
    function(
        "errored",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(ASKED, ALWAYS, no_overload, Cost::ONE, estimate::one)],
    ),
    function(
        "reason",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(TOLD, ALWAYS, no_overload, Cost::ONE, estimate::one)],
    ),
    function(
        "error",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(TOLD, ALWAYS, no_overload, Cost::ONE, estimate::one)],
    ),
];
