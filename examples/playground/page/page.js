// The page: the editors, the queries to the worker, and the results. All findings, with their lines,
// come from the worker.
"use strict";
{
  const find = (id) => document.getElementById(id);
  const names = { crd: "CRD", stored: "stored object", new: "new object", crd_new: "second CRD" };
  const samples = JSON.parse(find("samples").textContent);

  /**
   * Creates an element with attributes, listeners (`onclick`) and children. Attributes and children
   * that are false or null are left out.
   */
  const element = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (value === true) node.setAttribute(key, "");
      else if (value !== false && value != null) node.setAttribute(key, value);
    }
    node.append(...children.flat(Infinity).filter((child) => child !== false && child != null));
    return node;
  };
  /** Returns the parts of a text. The parts in backticks are `code` elements. */
  const withCode = (text) => text.split("`").map((part, index) => (index % 2 ? element("code", {}, part) : part));
  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  // ---------------------------------------------------------------- editors

  const CM = CodeMirror;
  const { tags } = CM;
  const highlightStyle = CM.HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
    { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--number)" },
    { tag: [tags.comment, tags.meta, tags.lineComment], color: "var(--muted)", fontStyle: "italic" },
  ]);

  const createEditor = (name) => {
    const panel = document.querySelector(`[data-editor="${name}"]`);
    const hints = {
      crd: "Paste a CRD, in YAML or JSON. Built-in kinds need none.", stored: "The stored object, if there is one.",
      new: "Paste an object, or create one from the CRD.", crd_new: "A new version of the CRD.",
    };
    const view = new CM.EditorView({
      parent: panel.querySelector(".editor"),
      extensions: [
        CM.lineNumbers(), CM.foldGutter(), CM.lintGutter(), CM.history(), CM.drawSelection(), CM.indentOnInput(),
        CM.bracketMatching(), CM.highlightActiveLine(), CM.highlightActiveLineGutter(), CM.highlightSelectionMatches(),
        CM.search({ top: true }), CM.yaml(), CM.syntaxHighlighting(highlightStyle), CM.indentUnit.of("  "),
        CM.placeholder(hints[name]),
        CM.keymap.of([...CM.defaultKeymap, ...CM.historyKeymap, ...CM.searchKeymap, ...CM.foldKeymap, ...CM.lintKeymap]),
        CM.EditorView.contentAttributes.of({ "aria-labelledby": `label-${name}`, tabindex: "0" }),
        CM.EditorView.updateListener.of((update) => update.docChanged && textChanged(name)),
      ],
    });
    panel.classList.add("empty");
    return { panel, view, notes: new Map() };
  };

  const setText = (name, text) => {
    const { view } = editors[name];
    if (view.state.doc.toString() === text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  };

  /** Selects a position in an editor, and scrolls to it. */
  const selectPosition = (name, line, column) => {
    const { view, panel } = editors[name];
    if (panel.tagName === "DETAILS") panel.open = true;
    const offset = offsetOf(view, line, column);
    view.dispatch({ selection: { anchor: offset }, effects: CM.EditorView.scrollIntoView(offset, { y: "center" }) });
    view.focus();
  };

  const offsetOf = (view, line, column) => {
    const { doc } = view.state;
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return Math.min(from + Math.max(column ?? 1, 1) - 1, to);
  };

  /** Handles a change of the text of an editor. The input is then no longer that of a sample. */
  const textChanged = (name) => {
    const { panel, view } = editors[name];
    panel.classList.toggle("empty", view.state.doc.length === 0);
    if (name === "crd" || name === "new") sampleProblem = "";
    if (!isFilling) showOwnInput("Your own input.");
    inputChanged(name);
  };

  /** Shows the problems of each editor above its text. */
  const showProblems = (problems) => {
    for (const [name, { panel }] of Object.entries(editors)) {
      const texts = problems.filter(({ editor }) => editor === name).map((problem) => [problem.text, " ", lineButton(problem)]);
      if (name === "new" && sampleProblem) texts.unshift([sampleProblem]);
      panel.querySelector(".problem").replaceChildren(...texts.map((parts) => element("span", {}, parts)));
    }
  };

  /** Marks the lines of the notes of one query. The marks of other queries stay. */
  const mark = (part, notes) => {
    for (const [name, { view, panel, notes: notesByPart }] of Object.entries(editors)) {
      notesByPart.set(part, notes.filter((note) => note.editor === name));
      const editorNotes = [...notesByPart.values()].flat();
      const diagnostics = editorNotes.filter((note) => note.line).map((note) => {
        const from = offsetOf(view, note.line, note.column);
        const { to } = view.state.doc.lineAt(from);
        return { from, to: Math.max(from, to), severity: note.severity, message: note.why ? `${note.text} (${note.why})` : note.text };
      });
      diagnostics.sort((first, other) => first.from - other.from);
      view.dispatch(CM.setDiagnostics(view.state, diagnostics));
      const errors = editorNotes.filter((note) => note.severity === "error").length;
      const counter = panel.querySelector(".state");
      counter.textContent = errors ? count(errors, "error") : "";
      counter.classList.toggle("bad", errors > 0);
    }
  };

  // ---------------------------------------------------------------- the worker

  let worker, pendingQueries = new Map(), queryCount = 0;

  /** The documents that the worker has, by editor. */
  let sentDocs = {};

  /** The time limit of a query, in milliseconds. */
  const TIME_LIMIT_MS = 60_000;

  /** Posts a query to the worker, and returns a promise of its result. Id 0 is the start of the worker. */
  const postQuery = (id, message) => new Promise((resolve, reject) => {
    const timeout = setTimeout(() => endWorker(new Error("it took longer than one minute")), TIME_LIMIT_MS);
    const withoutTimeout = (then) => (value) => {
      clearTimeout(timeout);
      then(value);
    };
    pendingQueries.set(id, { resolve: withoutTimeout(resolve), reject: withoutTimeout(reject) });
    if (message) worker.postMessage({ id, ...message });
  });

  /** Queries the worker with a line of JSON. The promise is rejected if the query fails. */
  const queryLine = (kind, text) => postQuery(++queryCount, { kind, text });

  /** Queries the worker with the contents of the editors. Sends only changed documents. */
  const queryEditors = (kind, { docs, settings }) => {
    const changed = {};
    for (const [name, doc] of Object.entries(docs)) {
      if (sentDocs[name] !== doc) changed[name] = doc.toString();
    }
    sentDocs = docs;
    return postQuery(++queryCount, { kind, changed, settings });
  };

  const startQueries = (newWorker) => {
    if (!newWorker) throw new Error("this browser does not allow workers on this page");
    worker = newWorker;
    sentDocs = {};
    worker.onmessage = ({ data }) => {
      const { resolve, reject } = pendingQueries.get(data.id) ?? {};
      pendingQueries.delete(data.id);
      if (data.error) reject?.(new Error(data.error));
      else resolve?.({ answer: data.answer && JSON.parse(data.answer), ms: data.ms });
    };
    worker.onerror = (event) => endWorker(new Error(event.message || "cannot start the worker"));
    return postQuery(0);
  };

  /** Ends the worker, and rejects all pending queries. The next query starts another worker. */
  const endWorker = (error) => {
    worker?.terminate();
    worker = undefined;
    const endedQueries = [...pendingQueries.values()];
    pendingQueries = new Map();
    for (const { reject } of endedQueries) reject(error);
  };

  // ---------------------------------------------------------------- queries

  let revision = 0, isChecking = false, checkTimer, workerReady, results = {};

  /** A promise that resolves when all queries have results. */
  let settled = Promise.resolve(), resolveSettled;

  /** Defers `settled` until the next results. */
  const expectResults = () => {
    if (!resolveSettled) settled = new Promise((resolve) => { resolveSettled = resolve; });
  };

  const currentInput = () => ({
    docs: Object.fromEntries(Object.entries(editors).map(([name, { view }]) => [name, view.state.doc])),
    settings: {
      kube_version: find("version").value,
      ratchet: { on: true, off: false }[find("ratchet").value] ?? null,
      status: find("request").value === "status",
      normalize: find("normalize").checked,
      upgrade_from: find("from").value || null,
      upgrade_to: find("to").value || null,
    },
  });

  /** Returns all input, in the form that links contain. */
  const wholeInput = () => {
    const { docs, settings } = currentInput();
    return { ...Object.fromEntries(Object.entries(docs).map(([name, doc]) => [name, doc.toString()])), ...settings };
  };

  const elementIds = { check: ["verdict", "said", "stored-as"], tighten: ["tighten"], upgrade: ["upgrade"], costs: ["costs"], unions: ["unions"] };
  const setStale = (part, isStale) => {
    for (const id of elementIds[part]) {
      find(id).classList.toggle("stale", isStale);
      find(id).setAttribute("aria-busy", String(isStale));
    }
  };

  /** Handles a change of the input: marks the results as stale, and schedules new queries. */
  const inputChanged = (name) => {
    revision += 1;
    expectResults();
    setStale("check", true);
    setStale("tighten", true);
    setStale("upgrade", true);
    if (name === "crd") {
      setStale("costs", true);
      setStale("unions", true);
    }
    clearTimeout(checkTimer);
    checkTimer = setTimeout(checkUntilCurrent, 60);
  };

  const checkUntilCurrent = async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      await (worker ? workerReady : workerReady = startQueries(startWorker()));
      let checkedRevision;
      do {
        checkedRevision = revision;
        await check(checkedRevision);
      } while (checkedRevision !== revision);
    } catch (error) {
      reportWorkerFailure(error);
    } finally {
      isChecking = false;
      // A pending input starts another check, which then resolves `settled`.
      if (pendingInputCount === 0) {
        resolveSettled?.();
        resolveSettled = undefined;
      }
    }
  };

  /** Runs all queries, the verdict first, until the input changes. */
  const check = async (ofRevision) => {
    const input = currentInput();
    const started = performance.now();
    const { answer: checkReply, ms } = await queryEditors("check", input);
    if (ofRevision !== revision) return;
    const notes = renderJudge(checkReply, input.settings);
    mark("check", notes);
    setStale("check", false);
    results.check = checkReply;
    results.first ??= performance.now();
    results.ms = ms;
    results.whole = performance.now() - started;
    find("took").textContent = `The last check took ${ms.toFixed(0)} ms.`;
    for (const part of ["tighten", "upgrade", "costs", "unions"]) {
      const key = part === "tighten" || part === "upgrade" ? ofRevision : input.docs.crd;
      if (results[part]?.key !== key) {
        const { answer } = await queryEditors(part, input);
        if (ofRevision !== revision) return;
        results[part] = { key, answer };
        mark(part, render[part](answer));
      }
      setStale(part, false);
    }
  };

  /** Reports that the worker failed. The next query starts another worker. */
  const reportWorkerFailure = (error) => {
    endWorker(error);
    results = {};
    for (const part of ["crd", "object"]) showVerdict(part, "warn", "Checking failed", `${error.message}. Edit any field to retry.`);
    for (const part of Object.keys(elementIds)) setStale(part, false);
    fill("said");
    fill("stored-as");
    fill("tighten");
    fill("upgrade");
    fill("costs");
    fill("unions");
  };

  // ---------------------------------------------------------------- results

  /** Shows the verdict on the CRD or on the object. */
  const showVerdict = (part, kind, heading, details) => {
    find(`verdict-${part}`).className = kind;
    find(`verdict-${part}`).replaceChildren(element("b", {}, names[part] ?? "Object"), " ", element("strong", {}, heading), " ", element("span", {}, details));
  };

  /** Returns the numbers of errors and warnings, after a colon. */
  const countMessages = ({ errors, ratcheted = [], warnings }) => {
    const counts = [
      errors.length && count(errors.length, "error"),
      ratcheted.length && `${ratcheted.length} tolerated`,
      warnings.length && count(warnings.length, "warning"),
    ].filter(Boolean).join(", ");
    return counts && `: ${counts}`;
  };

  /** Shows both verdicts. The verdict on the CRD does not depend on the objects. */
  const showVerdicts = (problems, crd, object, server) => {
    const problemOf = (...editorNames) => problems.find(({ editor }) => !editor || editorNames.includes(editor));
    const describe = ({ text, line }) => `${text}${line ? ` (line ${line})` : ""}`;
    const crdProblem = problemOf("crd");
    const objectProblem = problemOf("stored", "new");
    if (crd) showVerdict("crd", crd.accepted ? "good" : "bad", crd.accepted ? "Accepted" : "Rejected", `by ${server}${countMessages(crd)}`);
    else if (crdProblem) showVerdict("crd", "warn", "Invalid", describe(crdProblem));
    else if (object) showVerdict("crd", "waiting", "Not needed", "the object is of a built-in kind");
    else showVerdict("crd", "waiting", "Nothing to check yet", "paste a CRD, or choose a sample");
    if (object) {
      const condition = object.scope ? "; other parts are not checked" : crd.accepted ? "" : "; if the CRD is already stored";
      showVerdict("object", object.accepted ? "good" : "bad", !object.accepted ? "Rejected" : object.scope ? "Valid unions" : "Accepted",
        `${object.title}${countMessages(object)}${condition}`);
    } else if (objectProblem) showVerdict("object", "warn", "Not checked", `${names[objectProblem.editor] ?? "input"}: ${describe(objectProblem)}`);
    else if (editors.new.view.state.doc.length) showVerdict("object", "waiting", "Not checked", crdProblem ? "the CRD is invalid" : "there is no CRD, and the kind is not a built-in kind with unions");
    else showVerdict("object", "waiting", "Nothing to check yet", "paste an object, or create one from the CRD");
  };

  // On a narrow screen, the verdict is below the part of the page that scrolls, so that it stays
  // visible and covers no editor.
  const narrowScreen = matchMedia("(max-width: 900px)");
  const placeVerdict = () => (narrowScreen.matches ? document.body.append(find("verdict")) : find("results").prepend(find("verdict")));

  const card = (id, title, subtitle, ...children) => element("section", { class: "card", "aria-labelledby": id },
    element("h2", { id }, title, subtitle && element("small", {}, subtitle)), children);

  const fill = (id, ...children) => find(id).replaceChildren(...children.filter(Boolean));

  const lineButton = (note) => note.line && element("button", {
    type: "button", class: "line", onclick: () => selectPosition(note.editor, note.line, note.column),
  }, `${names[note.editor]}, line ${note.line}`);

  const noteList = (notes, kind) => element("ul", { class: "notes" }, notes.map((note) => element("li", { class: `note ${kind}` },
    element("p", {}, note.text), note.why && element("div", { class: "why" }, `Tolerated: ${note.why}.`), lineButton(note))));

  const noteCard = (id, title, subtitle, notes, kind) => notes.length > 0 && card(id, title, subtitle, noteList(notes, kind));

  const textNotes = (notes) => notes.map((text) => ({ text }));

  const withSeverity = (notes, severity) => notes.map((note) => ({ ...note, severity }));

  const renderJudge = ({ error, problems = [], crd, object }, settings) => {
    if (error) problems.push({ text: error });
    showVerdicts(problems, crd, object, `Kubernetes ${settings.kube_version}`);
    showProblems(problems);
    showSampleVersions(crd?.samples ?? []);
    const crdCards = crd && [
      noteCard("h-crd", "Errors in the CRD", "objects are checked nevertheless, because a server keeps serving a stored CRD", crd.errors, "bad"),
      noteCard("h-crd-warnings", "Warnings about the CRD", "", crd.warnings, "warn"),
      noteCard("h-crd-notes", "Notes on the CRD", "", textNotes(crd.notes), "info"),
    ];
    const objectCards = object && [
      object.scope && noteCard("h-scope", "Not checked", "", textNotes([object.scope]), "info"),
      noteCard("h-errors", "Errors", object.scope ? "invalid unions, which API servers describe in other words" : "messages of the API server", object.errors, "bad"),
      noteCard("h-tolerated", "Tolerated", "errors that the stored object already has", object.ratcheted, "info"),
      noteCard("h-warnings", "Warnings", "shown to the client", object.warnings, "warn"),
      noteCard("h-notes", "Notes", "", textNotes(object.notes), "info"),
    ];
    fill("said", noteCard("h-problems", "Problems in the input", "", problems.filter(({ editor }) => !editor), "warn"), ...(objectCards || []), ...(crdCards || []));
    fill("stored-as", object && diffCard(object));
    return [
      ...withSeverity(problems, "error"),
      ...(crd ? [...withSeverity(crd.errors, "error"), ...withSeverity(crd.warnings, "warning")] : []),
      ...(object ? [...withSeverity(object.errors, "error"), ...withSeverity(object.ratcheted, "info"), ...withSeverity(object.warnings, "warning")] : []),
    ];
  };

  const reasons = {
    pruned: "field is not in the schema", null: "null values are removed", defaulted: "default of the schema",
    rewritten: "written in the server's format", kept: "this request does not update this part", normalized: "cleared or set to make the union valid",
  };

  /** The number of unchanged lines that are shown before and after a changed line. */
  const CONTEXT_LINES = 4;

  const diffCard = ({ lines, accepted, changes, scope }) => {
    const isShown = lines.map(() => false);
    lines.forEach(({ change }, index) => {
      if (change) isShown.fill(true, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
    });
    const showsAllLines = lines.length <= 40;
    const rows = [];
    for (let index = 0; index < lines.length;) {
      let end = index;
      while (end < lines.length && !isShown[end]) end += 1;
      if (end - index > 3 && !showsAllLines) {
        const hidden = lines.slice(index, end);
        rows.push(element("li", {}, element("details", {}, element("summary", {}, `${hidden.length} unchanged lines`), element("ol", { class: "diff" }, hidden.map((line) => diffRow(line))))));
        index = end;
      } else {
        rows.push(diffRow(lines[index], lines[index - 1]));
        index += 1;
      }
    }
    const changedCount = lines.filter(({ change }) => change).length;
    const shownReasons = [...new Set(lines.flatMap(({ change }) => change?.why ?? []))];
    return card("h-stored", accepted && !scope ? "Stored object" : "Checked object", accepted
      ? `${changedCount ? `${count(changedCount, "line")} changed` : "unchanged"}${scope ? "; without the defaults of the server" : ""}`
      : "nothing is stored",
    changes.length > 0 && element("p", { class: "muted" }, "Normalized: ", changes.map(({ path, kind }, index) => [index > 0 && ", ", element("code", {}, path), ` ${kind}`])),
    element("ol", { class: "diff", tabindex: "0", "aria-label": "Differences between the sent object and the stored object" }, rows),
    shownReasons.length > 0 && element("dl", { class: "legend" }, shownReasons.map((why) => element("div", { class: rowClass({ sign: why === "defaulted" ? "added" : "removed", why }) },
      element("dt", { class: "tag" }, why), element("dd", {}, reasons[why])))));
  };

  const rowClass = ({ sign, why }) => (why === "normalized" || why === "kept" ? why : sign);

  /** Renders a line. Adjacent lines that change for the same reason show the reason once. */
  const diffRow = ({ depth, text, change }, previousLine) => {
    const indentedText = `${"  ".repeat(depth)}${text}`;
    if (!change) return element("li", { class: "row" }, element("span", { class: "sign", "aria-hidden": "true" }), element("span", { class: "same" }, indentedText));
    const isAdded = change.sign === "added";
    return element("li", { class: `row ${rowClass(change)}` }, element("span", { class: "sign", "aria-hidden": "true" }, isAdded ? "+" : "−"),
      element(isAdded ? "ins" : "del", {}, indentedText), isSameChange(change, previousLine?.change) ? null : element("span", { class: "tag" }, change.why));
  };

  const isSameChange = (change, otherChange) => change.sign === otherChange?.sign && change.why === otherChange.why;

  // Costs range up to 10^19, and the limit is ten million. Both must be readable.
  const formatLarge = (number) => (number < 1e6 ? number.toLocaleString("en") : new Intl.NumberFormat("en", { notation: number < 1e15 ? "compact" : "scientific", maximumFractionDigits: 1 }).format(number));
  const shareOfLimit = (cost, limit) => {
    const ratio = cost / limit;
    if (ratio > 1) return `${ratio < 10 ? ratio.toFixed(1) : formatLarge(Math.round(ratio))} × the limit`;
    return ratio < 0.001 ? "under 0.1% of the limit" : `${(ratio * 100).toFixed(ratio < 0.1 ? 1 : 0)}% of the limit`;
  };
  const costBar = (cost, limit, label) => element("div", {
    class: `bar${cost > limit ? " over" : ""}`, role: "meter", "aria-valuemin": "0", "aria-valuemax": String(limit), "aria-valuenow": String(Math.min(cost, limit)),
    "aria-valuetext": shareOfLimit(cost, limit), "aria-label": label,
  }, Object.assign(element("span"), { style: `width: ${cost > limit ? 100 : (cost / limit) * 80}%` }));

  /** The number of entries of a list that are shown before it is expanded. */
  const MAX_SHOWN_ENTRIES = 6;

  const expandableList = (items, noun) => {
    const [shown, hidden] = [items.slice(0, MAX_SHOWN_ENTRIES), items.slice(MAX_SHOWN_ENTRIES)];
    return [element("ul", { class: "rules" }, shown),
      hidden.length > 0 && element("details", { class: "more" }, element("summary", {}, `${hidden.length} more ${noun}`), element("ul", { class: "rules" }, hidden))];
  };

  const renderCosts = ({ rule_limit: limit, total_limit: totalLimit, schemas = [] }) => {
    const cards = schemas.filter(({ rules, problems }) => rules.length || problems.length).map((schema, index) => {
      const { kind, versions, rules, problems } = schema;
      const ruleEntry = (rule) => {
        const exceedsLimit = !rule.is_within_limit;
        return element("li", { class: "rule" },
          element("div", { class: "head" }, element("code", {}, rule.path || "the object"), element("span", { class: exceedsLimit ? "over" : "muted" }, shareOfLimit(rule.cost, limit))),
          costBar(rule.cost, limit, `Cost of a rule of ${rule.path || "the object"}`),
          element("code", { class: "text" }, rule.rule),
          element("div", { class: "head muted" }, element("span", {}, `${formatLarge(rule.each)} each × ${formatLarge(rule.times)} = ${formatLarge(rule.cost)}; limit ${formatLarge(limit)}`),
            lineButton({ ...rule, editor: "crd" })),
          (rule.multipliers.length > 0 || rule.advice.length > 0) && element("ul", {},
            rule.multipliers.length > 0 && element("li", {}, "multiplied by ", rule.multipliers.map(({ path, keyword, bound }, index) => [
              index > 0 && ", then by ", element("code", {}, path || "the object"),
              bound == null ? element("span", { class: "over" }, ` without ${keyword}`) : ` of at most ${formatLarge(bound)}`,
            ])),
            rule.advice.map((advice) => element("li", {}, withCode(advice)))));
      };
      return card(`h-costs-${index}`, "Worst-case cost of the rules", `${kind} ${versions.join(", ")}: ${count(rules.length, "rule")}`,
        problems.length > 0 && noteList(problems, "bad"),
        element("div", { class: "rule" }, element("div", { class: "head" }, element("span", {}, "all rules together"), element("span", { class: schema.total > totalLimit ? "over" : "muted" }, shareOfLimit(schema.total, totalLimit))),
          costBar(schema.total, totalLimit, "Cost of all rules together")),
        expandableList(rules.map(ruleEntry), "rules"));
    });
    fill("costs", cards.length > 0 && element("div", { class: "results" }, cards));
    return [];
  };

  const displayValue = (value) => (value === "" ? '""' : value);

  const memberTable = (caption, rows, hasDiscriminator) => element("div", { class: "scroll" }, element("table", {}, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, hasDiscriminator ? "Value" : "#"), element("th", { scope: "col" }, "Member"), element("th", { scope: "col" }, "May be unset"))),
    element("tbody", {}, rows.map(({ value, name, optional }, index) => element("tr", {}, element("td", {}, hasDiscriminator ? element("code", {}, displayValue(value)) : String(index + 1)),
      element("td", {}, name == null ? element("span", { class: "muted" }, "no member") : element("code", {}, name)),
      element("td", {}, optional ? element("span", { class: "tag info" }, "optional") : ""))))));

  /** Returns a row for each member of a union, and for each value without a member. */
  const memberRows = ({ members: unionMembers = [], empty_members: emptyMembers = [] }) => [
    ...unionMembers.map((member) => (typeof member === "string" ? { name: member } : member)), ...emptyMembers.map((value) => ({ value, name: null })),
  ];

  const unionTable = (union, origin) => {
    const { discriminator: name, arity } = union;
    const tag = union.sound === false && element("span", { class: "tag warn" }, "an empty value counts as unset");
    return memberTable([name ? ["Union by ", element("code", {}, name)] : `Union: ${arity ?? "at most one"}`, element("span", { class: "muted" }, `, ${origin} `), tag], memberRows(union), Boolean(name));
  };

  /** Returns true if an inferred union equals a declared union. */
  const isSameUnion = (inferred, declared) => inferred.discriminator === declared.discriminator && JSON.stringify(memberRows(inferred).sort(byName)) === JSON.stringify(memberRows(declared).sort(byName));
  const byName = (first, second) => `${first.name} ${first.value}`.localeCompare(`${second.name} ${second.value}`);

  const renderUnions = ({ kinds = [], problems = [] }) => {
    const notes = [];
    const cards = kinds.flatMap(({ kind, versions }) => versions.map(({ names: versionNames, places }) => {
      const objectSections = places.map((place) => {
        const declared = place.declared ?? [];
        const findings = (place.findings ?? []).map((finding) => ({ ...finding, editor: "crd" }));
        notes.push(...findings.filter(({ weight }) => weight === "strong").map(({ line, what }) => ({ editor: "crd", line, severity: "warning", text: `${place.path || "the object"}: ${what}` })));
        if (!declared.length && !place.unions?.length && !findings.length) return null;
        return element("div", { class: "place" },
          element("h3", {}, element("code", {}, place.path || "the object"), " ", lineButton({ editor: "crd", line: place.line })),
          declared.map((one) => unionTable(one, (place.unions ?? []).some((other) => isSameUnion(one, other)) ? "declared; the rules agree" : "declared")),
          (place.unions ?? []).filter((one) => !declared.some((other) => isSameUnion(one, other))).map((one) => unionTable(one, "inferred from the rules")),
          findings.length > 0 && element("ul", { class: "notes" }, findings.map(findingEntry)));
      }).filter(Boolean);
      const strongCount = notes.length;
      return objectSections.length > 0 && card(`h-unions-${kind}-${versionNames.join("-")}`, "Unions", `${kind} ${versionNames.join(", ")}${strongCount ? `: ${count(strongCount, "strong finding")}` : ""}`, expandableList(objectSections.map((one) => element("li", {}, one)), "objects with unions"));
    })).filter(Boolean);
    fill("unions", cards.length > 0 && element("div", { class: "results" }, cards));
    return [...withSeverity(problems, "error"), ...notes];
  };

  const findingEntry = (finding) => {
    const { weight, what, object, server, remedy } = finding;
    return element("li", { class: `note ${weight === "strong" ? "warn" : "info"}` }, element("div", {}, withCode(what), " ", lineButton(finding)),
      object != null && element("div", { class: "why" }, element("code", {}, JSON.stringify(object)), server && ` is ${outcomeWord(server.answer)}${server.errors?.length ? `: ${server.errors[0]}` : ""}`),
      remedy && element("pre", { class: "shown" }, remedy));
  };

  const outcomeClasses = { refused: "bad", tolerated: "info", accepted: "good", unchecked: "warn" };

  /** Returns the words for a result in the JSON output. */
  const outcomeWord = (outcome) => ({ refused: "rejected", unchecked: "not evaluated" })[outcome] ?? outcome;

  const renderTighten = ({ problems, accepted, errors, report, places, editor }) => {
    if (accepted == null && !problems.length) {
      fill("tighten");
      return [];
    }
    const outcomeCell = (fate) => element("td", {}, element("span", { class: `tag ${outcomeClasses[fate] ?? "info"}` }, outcomeWord(fate)));
    let findingIndex = 0;
    const rows = (report?.objects ?? []).flatMap(({ findings }) => findings).map((finding) => {
      const position = { ...places[findingIndex++], editor };
      return element("tr", {}, element("td", {}, element("code", {}, finding.text), " ", lineButton(position), finding.old_schema === "refused" && element("div", { class: "muted" }, "the first CRD rejects it too")),
        outcomeCell(finding.create), outcomeCell(finding.unrelated_update), outcomeCell(finding.update_of_field));
    });
    const subtitle = accepted == null ? "" : accepted ? "no unrelated update is rejected" : "the CRD or an unrelated update is rejected";
    fill("tighten", card("h-tighten", "Effect of the second CRD", subtitle,
      problems.length > 0 && noteList(problems, "warn"),
      errors.length > 0 && noteList(errors, "bad"),
      report && rows.length === 0 && element("p", {}, "The stored object is valid under the second CRD."),
      rows.length > 0 && element("div", { class: "scroll" }, element("table", {}, element("caption", {}, "Errors in the stored object"),
        element("thead", {}, element("tr", {}, ["Error", "create", "unrelated update", "update of the field"].map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, rows)))));
    return [...withSeverity(problems, "error"), ...withSeverity(errors, "error")];
  };

  /** The class and the severity of a difference, by its level. */
  const upgradeLevels = { breaking: ["bad", "error"], changed: ["warn", "warning"], notice: ["info", "info"] };

  const renderUpgrade = ({ problems, report }) => {
    const { breaking = 0, changed = 0, notices = 0 } = report?.summary ?? {};
    find("upgrade-result").textContent = report ? `${breaking} breaking, ${changed} changed, ${count(notices, "notice")}` : "";
    const notes = [];
    const differenceEntry = (finding) => {
      const { level, subject, before, after, changes, object, file, line, column } = finding;
      const [kind, severity] = upgradeLevels[level];
      const editor = Object.keys(names).find((name) => file === `the ${names[name]}`);
      const texts = before === after ? [`${subject}: ${before}`] : [before != null && `${subject} before: ${before}`, after != null && `${subject} after: ${after}`].filter(Boolean);
      if (level !== "notice") notes.push({ editor, line, column, severity, text: `upgrade: ${texts.at(-1)}` });
      return element("li", { class: `note ${kind}` }, element("p", {}, texts.join("\n")),
        element("div", { class: "why" }, [object, ...changes.map((one) => `${one.request}: ${one.before} → ${one.after}`)].join("; ")), lineButton({ editor, line, column }));
    };
    const groups = (report?.groups ?? []).map(({ causes, findings }) => element("div", { class: "place" },
      causes.map(({ since, description, source }) => [element("h3", {}, `${since}: `, withCode(description)), element("p", { class: "muted" }, "source: ", withCode(source))]),
      causes.length === 0 && element("h3", {}, "No known change of Kubernetes explains these differences"),
      expandableList(findings.map(differenceEntry), "differences")));
    const isChosen = find("from").value && find("to").value;
    fill("upgrade", problems.length > 0 && noteList(problems, "warn"), ...groups,
      !isChosen && element("p", { class: "muted" }, "Choose two versions to see which requests for the CRD and the objects are answered differently."),
      report && groups.length === 0 && element("p", {}, "Both versions answer all requests in the same way."));
    return [...withSeverity(problems, "error"), ...notes];
  };

  const render = { costs: renderCosts, unions: renderUnions, tighten: renderTighten, upgrade: renderUpgrade };

  // ---------------------------------------------------------------- links and samples

  const transform = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

  /** Compresses all input, and encodes it in characters that a link may contain. */
  const pack = async (input) => {
    const bytes = await transform(new TextEncoder().encode(JSON.stringify(input)), new CompressionStream("deflate-raw"));
    let letters = "";
    for (let start = 0; start < bytes.length; start += 8192) letters += String.fromCharCode(...bytes.subarray(start, start + 8192));
    return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const unpack = async (letters) => {
    const bytes = Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await transform(bytes, new DecompressionStream("deflate-raw"))));
  };

  /** True while the page itself fills the editors. */
  let isFilling = false;

  /** The last input that is not a sample. */
  let ownInput = {};

  /**
   * The number of inputs that are not in the editors yet: links that are being unpacked, and an object
   * that the worker is creating.
   */
  let pendingInputCount = 0;

  /** True if the editors contain input that is not a sample. */
  let isOwn = false;

  /** The reason why the created object is not valid; empty if there is none. */
  let sampleProblem = "";

  const setInput = (input) => {
    isFilling = true;
    for (const name of Object.keys(editors)) setText(name, String(input[name] ?? ""));
    isFilling = false;
    find("normalize").checked = Boolean(input.normalize);
    find("request").value = input.status ? "status" : "";
    find("ratchet").value = { true: "on", false: "off" }[input.ratchet] ?? "";
    for (const [id, version] of [["from", input.upgrade_from], ["to", input.upgrade_to]]) if (version !== undefined) find(id).value = version ?? "";
    if (input.kube_version && [...find("version").options].some(({ value }) => value === input.kube_version)) find("version").value = input.kube_version;
    find("second").open = Boolean(input.crd_new);
    inputChanged("crd");
  };

  const OWN_INPUT_HINT = "Your own input. Paste a CRD; then paste an object, or create one from the CRD. An object of a built-in kind needs no CRD.";

  /** Shows that the input is not that of a sample. */
  const showOwnInput = (about) => {
    isOwn = true;
    find("sample").value = "";
    find("about").textContent = about;
    if (location.hash) history.replaceState(null, "", location.href.split("#")[0]);
  };

  const keepOwnInput = () => {
    if (isOwn) ownInput = wholeInput();
  };

  const chooseSample = (name) => {
    keepOwnInput();
    isOwn = false;
    const sample = samples.find((sample) => sample.name === name) ?? samples[0];
    find("sample").value = sample.name;
    find("about").replaceChildren(...withCode(sample.about));
    setInput(sample);
  };

  /** Returns to the input of the user, which is empty at first. */
  const chooseOwnInput = () => {
    keepOwnInput();
    showOwnInput(OWN_INPUT_HINT);
    setInput(ownInput);
    editors.crd.view.focus();
  };

  const clearInput = () => {
    ownInput = {};
    showOwnInput(OWN_INPUT_HINT);
    setInput({});
    editors.crd.view.focus();
  };

  /** Lists the kinds and versions for which an object can be created, if there are several. */
  const showSampleVersions = (titles) => {
    const select = find("sample-version");
    const shownTitles = [...select.options].map(({ text }) => text);
    select.hidden = titles.length < 2;
    if (JSON.stringify(shownTitles) === JSON.stringify(titles)) return;
    select.replaceChildren(...titles.map((title, index) => element("option", { value: String(index) }, title)));
  };

  /** Replaces the new object by a small object of the CRD. */
  const createObject = async () => {
    pendingInputCount += 1;
    find("create").disabled = true;
    expectResults();
    let problem;
    try {
      await (worker ? workerReady : workerReady = startQueries(startWorker()));
      const { docs, settings } = currentInput();
      const { answer } = await queryEditors("sample", { docs, settings: { ...settings, sample: Number(find("sample-version").value) } });
      if (answer.object) setText("new", answer.object);
      problem = answer.problem ?? answer.error;
    } catch (error) {
      endWorker(error);
      problem = `no object was created: ${error.message}`;
    } finally {
      sampleProblem = problem ? `${problem}.` : "";
      pendingInputCount -= 1;
      find("create").disabled = false;
      inputChanged("new");
    }
  };

  /** Loads the sample or the input of the link: `#sample=...` or `#input=...`. */
  const openLink = async () => {
    const [key, value] = location.hash.slice(1).split("=");
    if (key === "input" && value) {
      pendingInputCount += 1;
      expectResults();
      try {
        const input = await unpack(value);
        isOwn = true;
        find("sample").value = "";
        find("about").textContent = "Input of the link.";
        setInput(input);
        return;
      } catch {
        find("told").textContent = "The link is incomplete, so a sample is shown instead.";
      } finally {
        pendingInputCount -= 1;
      }
    }
    chooseSample(key === "sample" ? value : samples[0].name);
  };

  const shareLink = async () => {
    const url = `${location.href.split("#")[0]}#input=${await pack(wholeInput())}`;
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

  find("sample").append(element("option", { value: "" }, "Your own"), ...samples.map(({ name, title }) => element("option", { value: name }, title)));
  for (let minor = 37; minor >= 25; minor -= 1) find("version").append(element("option", { value: `1.${minor}` }, `1.${minor}`));
  for (const id of ["from", "to"]) find(id).append(element("option", { value: "" }, "—"), ...[...find("version").options].map(({ value }) => element("option", { value }, value)));
  const editors = {};
  for (const name of Object.keys(names)) editors[name] = createEditor(name);
  if (globalThis.firstWorker) workerReady = startQueries(firstWorker);
  find("controls").addEventListener("submit", (event) => event.preventDefault());
  find("sample").addEventListener("change", ({ target }) => {
    find("told").textContent = "";
    if (target.value === "") {
      chooseOwnInput();
      return;
    }
    history.replaceState(null, "", `#sample=${target.value}`);
    chooseSample(target.value);
  });
  for (const id of ["ratchet", "request", "normalize", "from", "to"]) find(id).addEventListener("change", () => inputChanged());
  find("version").addEventListener("change", () => inputChanged("crd"));
  find("share").addEventListener("click", shareLink);
  find("own").addEventListener("click", chooseOwnInput);
  find("clear").addEventListener("click", clearInput);
  find("create").addEventListener("click", createObject);
  for (const button of document.querySelectorAll("[data-clear]")) {
    button.addEventListener("click", () => {
      setText(button.dataset.clear, "");
      editors[button.dataset.clear].view.focus();
    });
  }
  narrowScreen.addEventListener("change", placeVerdict);
  placeVerdict();
  addEventListener("hashchange", openLink);
  openLink();

  // The tests of the page use this object.
  globalThis.playground = { ask: queryLine, set: setText, put: setInput, question: wholeInput, samples, settled: () => settled, told: () => results };
}
