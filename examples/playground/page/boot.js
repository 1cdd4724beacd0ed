// Starts the worker, before the editors are there: it takes longer than they do.
"use strict";
{
  const read = (id) => document.getElementById(id).textContent;

  /** A worker that has been told to start; the message with id 0 is that it has. */
  globalThis.startWorker = () => {
    const url = URL.createObjectURL(new Blob([read("worker")], { type: "text/javascript" }));
    const worker = new Worker(url);
    worker.postMessage({ id: 0, kind: "start", text: read("wasm") });
    return worker;
  };
  try {
    globalThis.firstWorker = startWorker();
  } catch {
    // The page says so, once it is there.
  }
}
