// Starts the worker before the editors are loaded, because the worker takes longer to start.
"use strict";
{
  const read = (id) => document.getElementById(id).textContent;

  /** Starts a worker. Its first message, with id 0, says that it is ready. */
  globalThis.startWorker = () => {
    const url = URL.createObjectURL(new Blob([read("worker")], { type: "text/javascript" }));
    const worker = new Worker(url);
    worker.postMessage({ id: 0, kind: "start", text: read("wasm") });
    return worker;
  };
  try {
    globalThis.firstWorker = startWorker();
  } catch {
    // The page tries again when it is loaded, and reports the error.
  }
}
