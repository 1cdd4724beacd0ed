// Answers questions beside the page, so that typing never waits. What stands before it is written by wasm-bindgen.
let session;

// The texts of the editors, as they were sent last: the page sends what has changed.
const texts = {};

// The module is compressed, as text: a page that is a file may not read other files.
const start = async (text) => {
  const bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const headers = { "content-type": "application/wasm" };
  const module = await WebAssembly.compileStreaming(new Response(stream, { headers }));
  await wasm_bindgen({ module_or_path: module });
  session = new wasm_bindgen.Session();
};

// One after the other, in their order.
let last = Promise.resolve();

const answer = async ({ id, kind, text, changed, settings }) => {
  const started = performance.now();
  try {
    let answer;
    if (kind === "start") await start(text);
    else answer = session[kind](text ?? JSON.stringify({ ...Object.assign(texts, changed), ...settings }));
    postMessage({ id, answer, ms: performance.now() - started });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
};

onmessage = ({ data }) => {
  last = last.then(() => answer(data));
};
