// Runs queries in a worker, so that typing never waits. The bindings that wasm-bindgen generates
// precede this script.
let session;

// The contents of the editors. The page sends only changed contents.
const contents = {};

// Starts the module, which is compressed and embedded in the page as base64: a page that is opened
// as a file may not read other files.
const start = async (text) => {
  const bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const headers = { "content-type": "application/wasm" };
  const module = await WebAssembly.compileStreaming(new Response(stream, { headers }));
  await wasm_bindgen({ module_or_path: module });
  session = new wasm_bindgen.Session();
};

// Queries run one after the other, in their order.
let lastQuery = Promise.resolve();

const runQuery = async ({ id, kind, text, changed, settings }) => {
  const startTime = performance.now();
  try {
    let answer;
    if (kind === "start") await start(text);
    else answer = session[kind](text ?? JSON.stringify({ ...Object.assign(contents, changed), ...settings }));
    postMessage({ id, answer, ms: performance.now() - startTime });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
};

onmessage = ({ data }) => {
  lastQuery = lastQuery.then(() => runQuery(data));
};
