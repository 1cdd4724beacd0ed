// Starts the worker before the editors are loaded, because the worker takes longer to start.
"use strict";
{
  const textOf = (id) => document.getElementById(id).textContent;

  /** Starts a worker. The first message of the worker, with id 0, reports that it is ready. */
  globalThis.startWorker = () => {
    const url = URL.createObjectURL(new Blob([textOf("worker")], { type: "text/javascript" }));
    const worker = new Worker(url);
    worker.postMessage({ id: 0, kind: "start", text: textOf("wasm") });
    return worker;
  };
  try {
    globalThis.firstWorker = startWorker();
  } catch {
    // The page tries again when it is loaded, and reports the error.
  }
}
