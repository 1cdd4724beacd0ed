//! Reads lists page by page, so that the memory does not depend on the number of objects.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::api_path::ApiPath;
use super::kubectl::{Kubectl, ReadError};
use super::resources::{self, Resource};
use crate::output::print;
use crate::output::progress_bar::ProgressBar;

/// The maximum number of objects of a page, as in kubectl.
const MAX_PAGE_OBJECTS: usize = 500;

/// The intended size of a page in bytes. The number of objects of a page is adapted to this size.
const PAGE_BYTES: usize = 4 << 20;

/// The objects to read.
pub(crate) struct ObjectQuery<'q> {
    pub(crate) resource: &'q Resource,
    /// The namespace; by default all namespaces. Resources without namespaces are read as a whole.
    pub(crate) namespace: Option<&'q str>,
    pub(crate) selector: Option<&'q str>,
}

/// A page of a list.
#[derive(Deserialize)]
struct ListPage<'p> {
    #[serde(default)]
    metadata: ListMetadata,
    /// The JSON of each object, which is parsed when the object is processed.
    #[serde(borrow)]
    items: Option<Vec<&'p RawValue>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ListMetadata {
    /// The token of the next page, which is empty in the last page.
    r#continue: String,
    remaining_item_count: Option<usize>,
}

/// The state of a list that is read page by page.
struct ListReader<'r, P> {
    kubectl: &'r Kubectl,
    resource: &'r Resource,
    process: P,
    /// The number of objects of the next page.
    page_objects: usize,
    /// The hashes of the namespaces and names of processed objects. If a server loses the snapshot
    /// of a list, the list is read again, and these objects are skipped.
    processed_objects: HashSet<u64>,
    hasher: RandomState,
    progress: ProgressBar,
}

/// Calls `process` with each object of a list and with its size in bytes, until `process` returns
/// `Break`.
pub(super) fn for_each(
    kubectl: &Kubectl,
    query: &ObjectQuery<'_>,
    process: impl FnMut(Value, usize) -> ControlFlow<()>,
) -> Result<(), ReadError> {
    let resource = query.resource;
    let path = resource.list_path(query.namespace)?;
    let path = |limit: usize, token: &str| {
        path.with_parameters(&[
            ("limit", &limit.to_string()),
            ("labelSelector", query.selector.unwrap_or_default()),
            ("continue", token),
        ])
    };
    let mut reader = ListReader {
        kubectl,
        resource,
        process,
        page_objects: MAX_PAGE_OBJECTS,
        processed_objects: HashSet::new(),
        hasher: RandomState::new(),
        progress: ProgressBar::for_list(format!("objects of {}", resource.name())),
    };
    loop {
        let count_before = reader.processed_objects.len();
        match reader.read_pages(path) {
            // A list that expires again without progress would be read forever.
            Err(ReadError::Expired(_)) if reader.processed_objects.len() > count_before => {
                reader.progress.clear();
                print::notes(&[format!(
                    "{}: the list expired while it was read; reading it again, without the {} objects that were read",
                    resource.name(),
                    reader.processed_objects.len()
                )]);
            }
            result => return result,
        }
    }
}

impl<P: FnMut(Value, usize) -> ControlFlow<()>> ListReader<'_, P> {
    /// Reads all pages from the first page on.
    fn read_pages(&mut self, path: impl Fn(usize, &str) -> ApiPath) -> Result<(), ReadError> {
        let mut token = String::new();
        loop {
            let bytes = match self.kubectl.get(&path(self.page_objects, &token)) {
                Err(ReadError::TooLarge) if self.page_objects > 1 => {
                    self.page_objects = (self.page_objects / 4).max(1);
                    continue;
                }
                result => result?,
            };
            let page: ListPage<'_> = serde_json::from_slice(&bytes)
                .map_err(|error| ReadError::Failed(format!("the answer is not a list: {error}")))?;
            let items = page.items.unwrap_or_default();
            let (item_count, remaining) = (items.len(), page.metadata.remaining_item_count);
            self.progress
                .set_remaining(remaining.map(|remaining| remaining + item_count));
            for item in items {
                if self.process_item(item)?.is_break() {
                    return Ok(());
                }
            }
            let next_token = page.metadata.r#continue;
            if next_token.is_empty() {
                return Ok(());
            }
            if next_token == token {
                return Err(ReadError::Failed("the pages of the list repeat".to_owned()));
            }
            token = next_token;
            self.adapt_page(bytes.len(), item_count);
        }
    }

    /// Sets the number of objects of the next page, so that the page has about [`PAGE_BYTES`].
    fn adapt_page(&mut self, page_bytes: usize, item_count: usize) {
        let object_bytes = page_bytes.div_ceil(item_count.max(1)).max(1);
        self.page_objects = (PAGE_BYTES / object_bytes).clamp(1, MAX_PAGE_OBJECTS);
    }

    fn process_item(&mut self, item: &RawValue) -> Result<ControlFlow<()>, ReadError> {
        self.kubectl.check_interrupt()?;
        let object = resources::parse_object(item.get().as_bytes(), Some(self.resource))?;
        let field = |name: &str| {
            object
                .get("metadata")
                .and_then(|metadata| metadata.get(name))
        };
        let identity = (
            field("namespace").and_then(Value::as_str),
            field("name").and_then(Value::as_str),
        );
        if !self
            .processed_objects
            .insert(self.hasher.hash_one(identity))
        {
            return Ok(ControlFlow::Continue(()));
        }
        self.progress.step();
        Ok((self.process)(object, item.get().len()))
    }
}
