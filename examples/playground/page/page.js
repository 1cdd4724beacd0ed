// The page: the editors, the queries to the worker, and the results. The page does not check
// anything itself: all findings, with their lines, come from the worker.
"use strict";
{
  const find = (id) => document.getElementById(id);
  const names = { crd: "CRD", stored: "stored object", new: "new object", crd_new: "second CRD" };
  const samples = JSON.parse(find("samples").textContent);

  /**
   * Creates an element with attributes, listeners (`onclick`) and children. Attributes and children
   * that are false or null are left out.
   */
  const h = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value === true) element.setAttribute(key, "");
      else if (value !== false && value != null) element.setAttribute(key, value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== false && child != null));
    return element;
  };
  /** Returns the parts of a message, with those in backticks as `code` elements. */
  const rich = (text) => text.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));
  const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;

  // ---------------------------------------------------------------- editors

  const CM = CodeMirror;
  const { tags } = CM;
  const colours = CM.HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
    { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--number)" },
    { tag: [tags.comment, tags.meta, tags.lineComment], color: "var(--muted)", fontStyle: "italic" },
  ]);

  const editor = (name) => {
    const panel = document.querySelector(`[data-editor="${name}"]`);
    const hint = { stored: "The stored object. Leave empty to test a create.", crd_new: "A new version of the CRD." };
    const view = new CM.EditorView({
      parent: panel.querySelector(".editor"),
      extensions: [
        CM.lineNumbers(), CM.foldGutter(), CM.lintGutter(), CM.history(), CM.drawSelection(), CM.indentOnInput(),
        CM.bracketMatching(), CM.highlightActiveLine(), CM.highlightActiveLineGutter(), CM.highlightSelectionMatches(),
        CM.search({ top: true }), CM.yaml(), CM.syntaxHighlighting(colours), CM.indentUnit.of("  "),
        CM.placeholder(hint[name] ?? "YAML or JSON"),
        CM.keymap.of([...CM.defaultKeymap, ...CM.historyKeymap, ...CM.searchKeymap, ...CM.foldKeymap, ...CM.lintKeymap]),
        CM.EditorView.contentAttributes.of({ "aria-labelledby": `label-${name}`, tabindex: "0" }),
        CM.EditorView.updateListener.of((update) => update.docChanged && changed(name)),
      ],
    });
    return { panel, view, notes: new Map() };
  };

  const set = (name, text) => {
    const { view } = editors[name];
    if (view.state.doc.toString() === text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  };

  /** Selects a position in an editor, and scrolls to it. */
  const show = (name, line, column) => {
    const { view, panel } = editors[name];
    if (panel.tagName === "DETAILS") panel.open = true;
    const at = position(view, line, column);
    view.dispatch({ selection: { anchor: at }, effects: CM.EditorView.scrollIntoView(at, { y: "center" }) });
    view.focus();
  };

  const position = (view, line, column) => {
    const { doc } = view.state;
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return Math.min(from + Math.max(column ?? 1, 1) - 1, to);
  };

  /** Marks lines for a part of the answer. The marks of other parts stay. */
  const mark = (part, notes) => {
    for (const [name, { view, panel, notes: all }] of Object.entries(editors)) {
      all.set(part, notes.filter((note) => note.editor === name));
      const marked = [...all.values()].flat();
      const diagnostics = marked.filter((note) => note.line).map((note) => {
        const from = position(view, note.line, note.column);
        const { to } = view.state.doc.lineAt(from);
        return { from, to: Math.max(from, to), severity: note.severity, message: note.why ? `${note.text} (${note.why})` : note.text };
      });
      diagnostics.sort((one, other) => one.from - other.from);
      view.dispatch(CM.setDiagnostics(view.state, diagnostics));
      const errors = marked.filter((note) => note.severity === "error").length;
      const state = panel.querySelector(".state");
      state.textContent = errors ? count(errors, "error") : "";
      state.classList.toggle("bad", errors > 0);
    }
  };

  // ---------------------------------------------------------------- the worker

  let worker, waiting = new Map(), asked = 0;

  /** The documents that were sent to the worker last, by editor. */
  let sent = {};

  /** The time limit of an answer, in milliseconds. */
  const LONGEST = 60_000;

  /** Posts a message, if one is given, and returns a promise of the answer with this id. */
  const posted = (id, message) => new Promise((resolve, reject) => {
    const watch = setTimeout(() => stop(new Error("it took longer than one minute")), LONGEST);
    const done = (then) => (value) => {
      clearTimeout(watch);
      then(value);
    };
    waiting.set(id, { resolve: done(resolve), reject: done(reject) });
    if (message) worker.postMessage({ id, ...message });
  });

  /** Asks the worker about a line of JSON. The promise is rejected if the worker cannot answer. */
  const ask = (kind, text) => posted(++asked, { kind, text });

  /** Asks the worker about the contents of the editors. Sends only changed documents. */
  const askOf = (kind, { docs, settings }) => {
    const changed = {};
    for (const [name, doc] of Object.entries(docs)) {
      if (sent[name] !== doc) changed[name] = doc.toString();
    }
    sent = docs;
    return posted(++asked, { kind, changed, settings });
  };

  const start = (started) => {
    if (!started) throw new Error("this browser does not allow workers on this page");
    worker = started;
    sent = {};
    worker.onmessage = ({ data }) => {
      const { resolve, reject } = waiting.get(data.id) ?? {};
      waiting.delete(data.id);
      if (data.error) reject?.(new Error(data.error));
      else resolve?.({ answer: data.answer && JSON.parse(data.answer), ms: data.ms });
    };
    worker.onerror = (event) => stop(new Error(event.message || "cannot start the worker"));
    return posted(0);
  };

  /** Ends the worker, and rejects all pending promises. The next question starts another worker. */
  const stop = (error) => {
    worker?.terminate();
    worker = undefined;
    const all = [...waiting.values()];
    waiting = new Map();
    for (const { reject } of all) reject(error);
  };

  // ---------------------------------------------------------------- questions

  let revision = 0, isAsking = false, timer, ready, told = {};

  /** A promise that resolves when all questions are answered. */
  let settled = Promise.resolve(), settle;

  const asIs = () => ({
    docs: Object.fromEntries(Object.entries(editors).map(([name, { view }]) => [name, view.state.doc])),
    settings: {
      kube_version: find("version").value,
      ratchet: { on: true, off: false }[find("ratchet").value] ?? null,
      status: find("request").value === "status",
      normalize: find("normalize").checked,
    },
  });

  /** Returns all input, in the form that links contain. */
  const question = () => {
    const { docs, settings } = asIs();
    return { ...Object.fromEntries(Object.entries(docs).map(([name, doc]) => [name, doc.toString()])), ...settings };
  };

  const parts = { judge: ["verdict", "said", "stored-as"], tighten: ["tighten"], costs: ["costs"], unions: ["unions"] };
  const stale = (part, is) => {
    for (const id of parts[part]) {
      find(id).classList.toggle("stale", is);
      find(id).setAttribute("aria-busy", String(is));
    }
  };

  /** Handles a change of the input: marks the results as stale, and schedules new questions. */
  const changed = (name) => {
    revision += 1;
    if (!settle) settled = new Promise((resolve) => { settle = resolve; });
    stale("judge", true);
    stale("tighten", true);
    if (name === "crd") {
      stale("costs", true);
      stale("unions", true);
    }
    clearTimeout(timer);
    timer = setTimeout(next, 60);
  };

  const next = async () => {
    if (isAsking) return;
    isAsking = true;
    try {
      await (worker ? ready : ready = start(startWorker()));
      let answered;
      do {
        answered = revision;
        await answer(answered);
      } while (answered !== revision);
    } catch (error) {
      broken(error);
    } finally {
      isAsking = false;
      settle?.();
      settle = undefined;
    }
  };

  /** Asks all questions, the verdict first, until the input changes. */
  const answer = async (of) => {
    const asked = asIs();
    const started = performance.now();
    const { answer: judged, ms } = await askOf("judge", asked);
    if (of !== revision) return;
    const notes = renderJudge(judged, asked.settings);
    mark("judge", notes);
    stale("judge", false);
    told.judge = judged;
    told.first ??= performance.now();
    told.ms = ms;
    told.whole = performance.now() - started;
    find("took").textContent = `The last check took ${ms.toFixed(0)} ms.`;
    for (const part of ["tighten", "costs", "unions"]) {
      const key = part === "tighten" ? of : asked.docs.crd;
      if (told[part]?.key !== key) {
        const { answer } = await askOf(part, asked);
        if (of !== revision) return;
        told[part] = { key, answer };
        mark(part, render[part](answer));
      }
      stale(part, false);
    }
  };

  /** Reports that the worker failed. The next question starts another worker. */
  const broken = (error) => {
    stop(error);
    told = {};
    verdict("warn", "Checking failed", `${error.message}. Edit any field to retry.`);
    for (const part of Object.keys(parts)) stale(part, false);
    fill("said");
    fill("stored-as");
    fill("tighten");
    fill("costs");
    fill("unions");
  };

  // ---------------------------------------------------------------- answers

  const verdict = (kind, strong, rest) => {
    find("verdict").className = `verdict ${kind}`;
    find("verdict").replaceChildren(h("strong", {}, strong), h("span", {}, rest));
  };

  const card = (id, title, small, ...children) => h("section", { class: "card", "aria-labelledby": id },
    h("h2", { id }, title, small && h("small", {}, small)), children);

  const fill = (id, ...children) => find(id).replaceChildren(...children.filter(Boolean));

  const line = (note) => note.line && h("button", {
    type: "button", class: "line", onclick: () => show(note.editor, note.line, note.column),
  }, `${names[note.editor]}, line ${note.line}`);

  const list = (notes, kind) => h("ul", { class: "notes" }, notes.map((note) => h("li", { class: `note ${kind}` },
    h("p", {}, note.text), note.why && h("div", { class: "why" }, `Tolerated: ${note.why}.`), line(note))));

  const group = (id, title, small, notes, kind) => notes.length > 0 && card(id, title, small, list(notes, kind));

  const plain = (notes) => notes.map((text) => ({ text }));

  const severe = (notes, severity) => notes.map((note) => ({ ...note, severity }));

  const renderJudge = ({ error, problems = [], crd, object }, asked) => {
    if (error) problems.push({ text: error });
    const of = `Kubernetes ${asked.kube_version}`;
    const counts = object && [
      object.errors.length && count(object.errors.length, "error"),
      object.ratcheted.length && `${object.ratcheted.length} tolerated`,
      object.warnings.length && count(object.warnings.length, "warning"),
    ].filter(Boolean).join(", ");
    const about = crd && !crd.accepted ? "; the CRD itself would be rejected" : "";
    if (problems.length) {
      const [{ editor, line: at }] = problems;
      verdict("warn", "Invalid input", `see the ${names[editor] ?? "input"}${at ? `, line ${at}` : ""}`);
    } else if (object?.accepted && !crd.accepted) {
      verdict("warn", "The CRD is rejected", `${object.title}: accepted by ${of} if the CRD is already stored`);
    } else if (object) {
      verdict(object.accepted ? "good" : "bad", object.accepted ? "Accepted" : "Rejected",
        `${object.title}, by ${of}${counts ? `: ${counts}` : ""}${about}`);
    } else if (crd) {
      verdict(crd.accepted ? "good" : "bad", crd.accepted ? "The CRD is accepted" : "The CRD is rejected",
        `by ${of}${crd.errors.length ? `: ${count(crd.errors.length, "error")}` : ""}`);
    } else {
      verdict("waiting", "Nothing to check yet", "enter a CRD, or choose a sample");
    }
    const ofCrd = crd && [
      group("h-crd", "Errors in the CRD", "objects are checked nevertheless, because a server keeps serving a stored CRD", crd.errors, "bad"),
      group("h-crd-warnings", "Warnings about the CRD", "", crd.warnings, "warn"),
      group("h-crd-notes", "Notes on the CRD", "", plain(crd.notes), "info"),
    ];
    const ofObject = object && [
      group("h-errors", "Errors", "messages of the API server", object.errors, "bad"),
      group("h-tolerated", "Tolerated", "errors that the stored object already has", object.ratcheted, "info"),
      group("h-warnings", "Warnings", "shown to the client", object.warnings, "warn"),
      group("h-notes", "Notes", "", plain(object.notes), "info"),
    ];
    fill("said", group("h-problems", "Problems in the input", "", problems, "warn"), ...(ofObject || []), ...(ofCrd || []));
    fill("stored-as", object && diff(object));
    return [
      ...severe(problems, "error"),
      ...(crd ? [...severe(crd.errors, "error"), ...severe(crd.warnings, "warning")] : []),
      ...(object ? [...severe(object.errors, "error"), ...severe(object.ratcheted, "info"), ...severe(object.warnings, "warning")] : []),
    ];
  };

  const reasons = {
    pruned: "field is not in the schema", null: "null values are removed", defaulted: "default of the schema",
    rewritten: "written in the server's format", kept: "this request does not update this part", normalized: "cleared or set to make the union valid",
  };

  /** The number of unchanged lines that are shown before and after a changed line. */
  const AROUND = 4;

  const diff = ({ lines, accepted, changes }) => {
    const near = lines.map(() => false);
    lines.forEach(({ change }, at) => {
      if (change) near.fill(true, Math.max(0, at - AROUND), at + AROUND + 1);
    });
    const all = lines.length <= 40;
    const rows = [];
    for (let at = 0; at < lines.length;) {
      let end = at;
      while (end < lines.length && !near[end]) end += 1;
      if (end - at > 3 && !all) {
        const hidden = lines.slice(at, end);
        rows.push(h("li", {}, h("details", {}, h("summary", {}, `${hidden.length} unchanged lines`), h("ol", { class: "diff" }, hidden.map((line) => row(line))))));
        at = end;
      } else {
        rows.push(row(lines[at], lines[at - 1]));
        at += 1;
      }
    }
    const changed = lines.filter(({ change }) => change).length;
    const whys = [...new Set(lines.flatMap(({ change }) => change?.why ?? []))];
    return card("h-stored", accepted ? "Stored object" : "Checked object", accepted
      ? changed ? `${count(changed, "line")} changed` : "unchanged"
      : "nothing is stored",
    changes.length > 0 && h("p", { class: "muted" }, "Normalized: ", changes.map(({ path, kind }, at) => [at > 0 && ", ", h("code", {}, path), ` ${kind}`])),
    h("ol", { class: "diff", tabindex: "0", "aria-label": "Differences between the sent object and the stored object" }, rows),
    whys.length > 0 && h("dl", { class: "legend" }, whys.map((why) => h("div", { class: style({ sign: why === "defaulted" ? "added" : "removed", why }) },
      h("dt", { class: "tag" }, why), h("dd", {}, reasons[why])))));
  };

  const style = ({ sign, why }) => (why === "normalized" || why === "kept" ? why : sign);

  /** Renders a line. Adjacent lines that change for the same reason show the reason once. */
  const row = ({ depth, text, change }, before) => {
    const shown = `${"  ".repeat(depth)}${text}`;
    if (!change) return h("li", { class: "row" }, h("span", { class: "sign", "aria-hidden": "true" }), h("span", { class: "same" }, shown));
    const isAdded = change.sign === "added";
    return h("li", { class: `row ${style(change)}` }, h("span", { class: "sign", "aria-hidden": "true" }, isAdded ? "+" : "−"),
      h(isAdded ? "ins" : "del", {}, shown), isSame(change, before?.change) ? null : h("span", { class: "tag" }, change.why));
  };

  const isSame = (one, other) => one.sign === other?.sign && one.why === other.why;

  // Costs range up to 10^19, the limit is ten million, and both have to be readable.
  const big = (number) => (number < 1e6 ? number.toLocaleString("en") : new Intl.NumberFormat("en", { notation: number < 1e15 ? "compact" : "scientific", maximumFractionDigits: 1 }).format(number));
  const share = (cost, limit) => {
    const times = cost / limit;
    if (times > 1) return `${times < 10 ? times.toFixed(1) : big(Math.round(times))} × the limit`;
    return times < 0.001 ? "under 0.1% of the limit" : `${(times * 100).toFixed(times < 0.1 ? 1 : 0)}% of the limit`;
  };
  const bar = (cost, limit, label) => h("div", {
    class: `bar${cost > limit ? " over" : ""}`, role: "meter", "aria-valuemin": "0", "aria-valuemax": String(limit), "aria-valuenow": String(Math.min(cost, limit)),
    "aria-valuetext": share(cost, limit), "aria-label": label,
  }, Object.assign(h("span"), { style: `width: ${cost > limit ? 100 : (cost / limit) * 80}%` }));

  /** The number of entries of a list that are shown before it is expanded. */
  const SHOWN = 6;

  const more = (items, what) => {
    const [first, rest] = [items.slice(0, SHOWN), items.slice(SHOWN)];
    return [h("ul", { class: "rules" }, first),
      rest.length > 0 && h("details", { class: "more" }, h("summary", {}, `${rest.length} more ${what}`), h("ul", { class: "rules" }, rest))];
  };

  const renderCosts = ({ rule_limit: limit, total_limit: total, schemas = [] }) => {
    const cards = schemas.filter(({ rules, problems }) => rules.length || problems.length).map((schema, at) => {
      const { kind, versions, rules, problems } = schema;
      const rule = (rule) => {
        const over = !rule.is_within_limit;
        return h("li", { class: "rule" },
          h("div", { class: "head" }, h("code", {}, rule.path || "the object"), h("span", { class: over ? "over" : "muted" }, share(rule.cost, limit))),
          bar(rule.cost, limit, `Cost of a rule of ${rule.path || "the object"}`),
          h("code", { class: "text" }, rule.rule),
          h("div", { class: "head muted" }, h("span", {}, `${big(rule.each)} each × ${big(rule.times)} = ${big(rule.cost)}; limit ${big(limit)}`),
            line({ ...rule, editor: "crd" })),
          (rule.multipliers.length > 0 || rule.advice.length > 0) && h("ul", {},
            rule.multipliers.length > 0 && h("li", {}, "multiplied by ", rule.multipliers.map(({ path, keyword, bound }, at) => [
              at > 0 && ", then by ", h("code", {}, path || "the object"),
              bound == null ? h("span", { class: "over" }, ` without ${keyword}`) : ` of at most ${big(bound)}`,
            ])),
            rule.advice.map((advice) => h("li", {}, rich(advice)))));
      };
      return card(`h-costs-${at}`, "Worst-case cost of the rules", `${kind} ${versions.join(", ")}: ${count(rules.length, "rule")}`,
        problems.length > 0 && list(problems, "bad"),
        h("div", { class: "rule" }, h("div", { class: "head" }, h("span", {}, "all rules together"), h("span", { class: schema.total > total ? "over" : "muted" }, share(schema.total, total))),
          bar(schema.total, total, "Cost of all rules together")),
        more(rules.map(rule), "rules"));
    });
    fill("costs", cards.length > 0 && h("div", { class: "results" }, cards));
    return [];
  };

  const called = (value) => (value === "" ? '""' : value);

  const members = (caption, rows, follows) => h("div", { class: "scroll" }, h("table", {}, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, follows ? "Value" : "#"), h("th", { scope: "col" }, "Member"), h("th", { scope: "col" }, "May be unset"))),
    h("tbody", {}, rows.map(({ value, name, optional }, at) => h("tr", {}, h("td", {}, follows ? h("code", {}, called(value)) : String(at + 1)),
      h("td", {}, name == null ? h("span", { class: "muted" }, "no member") : h("code", {}, name)),
      h("td", {}, optional ? h("span", { class: "tag info" }, "optional") : ""))))));

  /** Returns a row for each member of a union, and for each value without a member. */
  const rowsOf = ({ members: all = [], empty_members: empty = [] }) => [
    ...all.map((member) => (typeof member === "string" ? { name: member } : member)), ...empty.map((value) => ({ value, name: null })),
  ];

  const union = (union, from) => {
    const { discriminator: name, arity } = union;
    const tag = union.sound === false && h("span", { class: "tag warn" }, "an empty value counts as unset");
    return members([name ? ["Union by ", h("code", {}, name)] : `Union: ${arity ?? "at most one"}`, h("span", { class: "muted" }, `, ${from} `), tag], rowsOf(union), Boolean(name));
  };

  /** Returns true if a union of the rules equals a declared union. */
  const says = (one, other) => one.discriminator === other.discriminator && JSON.stringify(rowsOf(one).sort(byName)) === JSON.stringify(rowsOf(other).sort(byName));
  const byName = (one, other) => `${one.name} ${one.value}`.localeCompare(`${other.name} ${other.value}`);

  const renderUnions = ({ kinds = [], problems = [] }) => {
    const notes = [];
    const cards = kinds.flatMap(({ kind, versions }) => versions.map(({ names: of, places }) => {
      const shown = places.map((place) => {
        const declared = place.declared ?? [];
        const findings = (place.findings ?? []).map((finding) => ({ ...finding, editor: "crd" }));
        notes.push(...findings.filter(({ weight }) => weight === "strong").map(({ line, what }) => ({ editor: "crd", line, severity: "warning", text: `${place.path || "the object"}: ${what}` })));
        if (!declared.length && !place.unions?.length && !findings.length) return null;
        return h("div", { class: "place" },
          h("h3", {}, h("code", {}, place.path || "the object"), " ", line({ editor: "crd", line: place.line })),
          declared.map((one) => union(one, (place.unions ?? []).some((other) => says(one, other)) ? "declared; the rules agree" : "declared")),
          (place.unions ?? []).filter((one) => !declared.some((other) => says(one, other))).map((one) => union(one, "inferred from the rules")),
          findings.length > 0 && h("ul", { class: "notes" }, findings.map(finding)));
      }).filter(Boolean);
      const found = notes.length;
      return shown.length > 0 && card(`h-unions-${kind}-${of.join("-")}`, "Unions", `${kind} ${of.join(", ")}${found ? `: ${count(found, "strong finding")}` : ""}`, more(shown.map((one) => h("li", {}, one)), "objects with unions"));
    })).filter(Boolean);
    fill("unions", cards.length > 0 && h("div", { class: "results" }, cards));
    return [...severe(problems, "error"), ...notes];
  };

  const finding = (finding) => {
    const { weight, what, object, server, remedy } = finding;
    return h("li", { class: `note ${weight === "strong" ? "warn" : "info"}` }, h("div", {}, rich(what), " ", line(finding)),
      object != null && h("div", { class: "why" }, h("code", {}, JSON.stringify(object)), server && ` is ${inWords(server.answer)}${server.errors?.length ? `: ${server.errors[0]}` : ""}`),
      remedy && h("pre", { class: "shown" }, remedy));
  };

  const fates = { refused: "bad", tolerated: "info", accepted: "good", unchecked: "warn" };

  /** Returns the words for a result in the JSON output. */
  const inWords = (fate) => ({ refused: "rejected", unchecked: "not evaluated" })[fate] ?? fate;

  const renderTighten = ({ problems, accepted, errors, report, places, editor }) => {
    if (accepted == null && !problems.length) {
      fill("tighten");
      return [];
    }
    const fate = (fate) => h("td", {}, h("span", { class: `tag ${fates[fate] ?? "info"}` }, inWords(fate)));
    let at = 0;
    const rows = (report?.objects ?? []).flatMap(({ findings }) => findings).map((found) => {
      const place = { ...places[at++], editor };
      return h("tr", {}, h("td", {}, h("code", {}, found.text), " ", line(place), found.old_schema === "refused" && h("div", { class: "muted" }, "the first CRD rejects it too")),
        fate(found.create), fate(found.unrelated_update), fate(found.update_of_field));
    });
    const small = accepted == null ? "" : accepted ? "no unrelated update is rejected" : "the CRD or an unrelated update is rejected";
    fill("tighten", card("h-tighten", "Effect of the second CRD", small,
      problems.length > 0 && list(problems, "warn"),
      errors.length > 0 && list(errors, "bad"),
      report && rows.length === 0 && h("p", {}, "The stored object is valid under the second CRD."),
      rows.length > 0 && h("div", { class: "scroll" }, h("table", {}, h("caption", {}, "Errors in the stored object"),
        h("thead", {}, h("tr", {}, ["Error", "create", "unrelated update", "update of the field"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, rows)))));
    return [...severe(problems, "error"), ...severe(errors, "error")];
  };

  const render = { costs: renderCosts, unions: renderUnions, tighten: renderTighten };

  // ---------------------------------------------------------------- links and samples

  const streamed = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

  /** Compresses all input, and encodes it in characters that a link may contain. */
  const pack = async (input) => {
    const bytes = await streamed(new TextEncoder().encode(JSON.stringify(input)), new CompressionStream("deflate-raw"));
    let letters = "";
    for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const unpack = async (letters) => {
    const bytes = Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await streamed(bytes, new DecompressionStream("deflate-raw"))));
  };

  const put = (input) => {
    for (const name of Object.keys(editors)) set(name, String(input[name] ?? ""));
    find("normalize").checked = Boolean(input.normalize);
    find("request").value = input.status ? "status" : "";
    find("ratchet").value = { true: "on", false: "off" }[input.ratchet] ?? "";
    if (input.kube_version && [...find("version").options].some(({ value }) => value === input.kube_version)) find("version").value = input.kube_version;
    find("second").open = Boolean(input.crd_new);
    changed("crd");
  };

  const choose = (name) => {
    const sample = samples.find((sample) => sample.name === name) ?? samples[0];
    find("sample").value = sample.name;
    find("about").replaceChildren(...rich(sample.about));
    put(sample);
  };

  /** Loads the input that the link names: `#sample=...`, or `#input=...`. */
  const open = async () => {
    const [key, value] = location.hash.slice(1).split("=");
    if (key === "input" && value) {
      try {
        const input = await unpack(value);
        find("sample").value = "";
        find("about").textContent = "Input of the link.";
        put(input);
        return;
      } catch {
        find("told").textContent = "The link is incomplete, so a sample is shown instead.";
      }
    }
    choose(key === "sample" ? value : samples[0].name);
  };

  const shareLink = async () => {
    const url = `${location.href.split("#")[0]}#input=${await pack(question())}`;
    history.replaceState(null, "", url);
    const size = `${(url.length / 1024).toFixed(1)} KiB`;
    try {
      await navigator.clipboard.writeText(url);
      find("told").textContent = `The link is copied (${size}). It contains the whole input.`;
    } catch {
      find("told").textContent = `The link is in the address bar (${size}). It contains the whole input.`;
    }
  };

  // ---------------------------------------------------------------- start

  find("sample").append(h("option", { value: "", hidden: true }, "your own"), ...samples.map(({ name, title }) => h("option", { value: name }, title)));
  for (let minor = 36; minor >= 25; minor -= 1) find("version").append(h("option", { value: `1.${minor}` }, `1.${minor}`));
  const editors = {};
  for (const name of Object.keys(names)) editors[name] = editor(name);
  if (globalThis.firstWorker) ready = start(firstWorker);
  find("controls").addEventListener("submit", (event) => event.preventDefault());
  find("sample").addEventListener("change", ({ target }) => {
    history.replaceState(null, "", `#sample=${target.value}`);
    find("told").textContent = "";
    choose(target.value);
  });
  for (const id of ["ratchet", "request", "normalize"]) find(id).addEventListener("change", () => changed());
  find("version").addEventListener("change", () => changed("crd"));
  find("share").addEventListener("click", shareLink);
  addEventListener("hashchange", open);
  open();

  // Programs that drive the page, such as its tests, use this object.
  globalThis.playground = { ask, set, put, question, samples, settled: () => settled, told: () => told };
}
