//! Builds the page as one file, so that the page can be opened without a server.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::samples::SAMPLES;
use crate::{ErrorMessage, wasm};

const HTML: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/page.css");
const EDITOR: &str = include_str!("../page/codemirror.min.js");
const BOOT: &str = include_str!("../page/boot.js");
const PAGE: &str = include_str!("../page/page.js");
const WORKER: &str = include_str!("../page/worker.js");

/// The page for a browser.
pub struct Page {
    /// The contents of the file index.html.
    pub html: String,
    /// The size of the WebAssembly module in bytes: first uncompressed, then
    /// compressed, as in the page.
    pub module_sizes: [usize; 2],
}

/// Builds the page: compiles the WebAssembly module by cargo, and puts it into the HTML with the
/// scripts, the style and the samples.
///
/// # Errors
///
/// Returns an error if cargo cannot build the module, or if the bindings cannot be generated.
pub fn build() -> Result<Page, ErrorMessage> {
    let wasm = wasm::build()?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let compressed = encoder.write_all(&wasm.module);
    let compressed = compressed.and_then(|()| encoder.finish());
    let compressed = compressed.map_err(|error| format!("cannot compress the module: {error}"))?;
    let samples = serde_json::to_string(&SAMPLES).map_err(|error| error.to_string())?;
    let worker = format!("{}\n{WORKER}", wasm.bindings);
    let parts = [
        ("style", STYLE.to_owned()),
        ("samples", samples.replace('<', "\\u003c")),
        ("worker", script(&worker)),
        ("wasm", STANDARD.encode(&compressed)),
        ("boot", script(BOOT)),
        ("editor", script(EDITOR)),
        ("page", script(PAGE)),
    ];
    Ok(Page {
        html: fill_template(HTML, &parts)?,
        module_sizes: [wasm.module.len(), compressed.len()],
    })
}

/// Replaces the placeholder of each part, such as `{{ style }}`, by the part. The parts are in the
/// order of their placeholders.
fn fill_template(template: &str, parts: &[(&str, String)]) -> Result<String, ErrorMessage> {
    let mut html = String::new();
    let mut rest = template;
    for (name, part) in parts {
        let placeholder = format!("{{{{ {name} }}}}");
        let (before, after) = rest.split_once(&placeholder).ok_or_else(|| {
            format!("index.html has no placeholder for {name} after the previous placeholder")
        })?;
        html += before;
        html += part;
        rest = after;
    }
    Ok(html + rest)
}

/// Escapes a script, so that a string in it cannot end the `script` element.
fn script(source: &str) -> String {
    source.replace("</script", "<\\/script")
}

impl Page {
    /// Returns the sizes of the page and of the module, for a log.
    #[must_use]
    pub fn sizes(&self) -> String {
        let [module, compressed] = self.module_sizes;
        let mut sizes = String::new();
        for (name, size) in [
            ("page", self.html.len()),
            ("WebAssembly", module),
            ("WebAssembly, compressed", compressed),
        ] {
            let comma = if sizes.is_empty() { "" } else { ", " };
            let _ = write!(sizes, "{comma}{name}: {} KiB", size >> 10);
        }
        sizes
    }
}
