// --- laboratory -------------------------------------------------------------------------------
//
// Draws the panels that Python describes and sends back what a person does. The elements, dice
// and towers above are those of the table; the two stand in one module, as anywidget needs it.

// What a chart consists of; anything else in its text is left out.
const PARTS = new Set(["svg", "title", "defs", "g", "path", "rect", "circle", "polygon", "use", "text", "tspan", "clipPath", "pattern"]);

export function isHarmless({ name, value }) {
  return name !== "xmlns" && !name.startsWith("on") && (name !== "href" || value.startsWith("#"));
}

/** Read a picture that Python has drawn. It becomes elements one by one, never markup. */
export function pictureOf(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return root.localName === "svg" ? described(root) : h("p", {}, "");
}

function described(node) {
  const props = Object.fromEntries([...node.attributes].filter(isHarmless).map(({ name, value }) => [name, value]));
  const inside = [...node.childNodes].map((child) => (child.nodeType === Node.TEXT_NODE ? child.nodeValue : PARTS.has(child.localName) && described(child)));
  return h(node.localName, props, inside);
}

/** Put a command behind those that wait; of one control only the latest waits. */
export function queued(waiting, command) {
  const last = waiting[waiting.length - 1];
  const replaces = command.do === "set" && last && last.do === "set" && last.name === command.name;
  return [...(replaces ? waiting.slice(0, -1) : waiting), command];
}

export function labTheme(chosen, jupyter, systemDark) {
  if (chosen !== "auto") return chosen;
  if (jupyter === "true" || jupyter === "false") return jupyter === "true" ? "light" : "dark";
  return systemDark ? "dark" : "light";
}

function set(ui, name, value) {
  ui.send({ do: "set", name, value });
}

function sliderItem(ui, item) {
  return h("label", { class: "control slider" }, h("span", {}, item.label, " ", h("output", { key: "shown" }, item.shown)),
    h("input", { type: "range", min: String(item.low), max: String(item.high), step: String(item.step), value: String(item.value), "aria-valuetext": item.shown, "data-name": item.name,
      oninput: (event) => set(ui, item.name, Number(event.target.value)) }));
}

function counterItem(ui, item) {
  const { labels } = ui.view;
  const step = (key, sign, word, value) => h("button", { type: "button", key, "aria-label": `${item.spoken}: ${word}`, "data-step": key, "aria-disabled": value < item.low || value > item.high ? "true" : null,
    onclick: () => { if (value >= item.low && value <= item.high) set(ui, item.name, value); } }, sign);
  return h("div", { class: "control counter", role: "group", "aria-label": item.spoken, "data-name": item.name }, h("span", { key: "label" }, item.label),
    h("div", { key: "steps" }, step("less", "−", labels.less, item.value - 1), h("output", { key: "value", "aria-live": "polite" }, item.value), step("more", "+", labels.more, item.value + 1)));
}

function choiceItem(ui, item) {
  return h("label", { class: "control choice" }, h("span", {}, item.label),
    h("select", { value: item.value, "data-name": item.name, onchange: (event) => set(ui, item.name, event.target.value) },
      item.options.map(([code, word]) => h("option", { value: code, key: code }, word))));
}

function toggleItem(ui, item) {
  return h("label", { class: "control tick" }, h("input", { type: "checkbox", checked: item.value, "data-name": item.name, onchange: (event) => set(ui, item.name, event.target.checked) }), h("span", {}, item.label));
}

function fieldItem(ui, item) {
  const submit = (event) => { if (event.target.value !== item.value) set(ui, item.name, event.target.value); };
  return h("label", { class: `control line${item.wide ? " wide" : ""}` }, h("span", {}, item.label),
    h("input", { type: "text", value: item.value, autocomplete: "off", spellcheck: "false", "data-name": item.name, onchange: submit }));
}

function buttonsItem(ui, item) {
  return h("div", { class: "buttons" }, item.buttons.map((one, i) =>
    h("button", { type: "button", key: `${i}`, class: item.primary && i === 0 ? "primary" : "", "data-do": one.command.do, "data-name": one.command.name, onclick: () => ui.send(one.command) }, one.word)));
}

function diceItem(ui, item) {
  return h("div", { class: "control pieces", role: "group", "aria-label": item.label, "data-name": item.name }, h("span", { key: "label" }, item.label),
    h("div", { key: "row", class: "row" }, item.dice.map((die, i) =>
      h("button", { type: "button", key: `${i}${die.code}`, class: "die-button small", "aria-label": die.word, title: die.word, "data-code": die.code, onclick: () => ui.send({ do: item.name, value: die.code }) }, dieSvg(die.code, ui.view.labels.letters)))));
}

function columnsItem(ui, item) {
  return h("div", { class: "control pieces", role: "group", "aria-label": item.label, "data-name": item.name }, h("span", { key: "label" }, item.label),
    h("div", { key: "row", class: "row towers-row" }, item.columns.map((column, i) =>
      h("button", { type: "button", key: `${i}${column.code}`, class: "tower", "aria-label": column.word, title: column.word, "data-code": column.code, onclick: () => ui.send({ do: item.name, value: column.code }) },
        towerSvg(column), h("span", { class: "plate" }, `${ui.view.labels.letters[column.style]}${column.floors}`)))));
}

function tableItem(ui, item) {
  const marked = new Set(item.marked);
  return h("div", { class: "scroll values", tabindex: "0", role: "region", "aria-label": item.caption },
    h("table", {}, h("caption", {}, item.caption), h("thead", {}, h("tr", {}, item.head.map((word, i) => h("th", { scope: "col", key: `${i}` }, word)))),
      h("tbody", {}, item.rows.map((row, i) => h("tr", { key: `${i}`, class: marked.has(i) ? "chosen" : "" }, row.map((cell, j) => h(j ? "td" : "th", { key: `${j}`, scope: j ? null : "row" }, cell)))))));
}

function chartItem(ui, item) {
  return h("figure", {}, pictureOf(item.svg));
}

function questionItem(ui, item) {
  const id = `q${ui.id}-${item.name}`;
  const answer = item.options.length
    ? h("div", { class: "buttons", key: "options" }, item.options.map(([code, word]) => h("button", { type: "button", key: code, "aria-pressed": String(item.given === code), "data-option": code, onclick: () => ui.send({ do: "answer", name: item.name, value: code }) }, word)))
    : h("form", { class: "buttons", key: "form", onsubmit: (event) => { event.preventDefault(); ui.send({ do: "answer", name: item.name, value: event.target.elements.answer.value }); } },
      h("input", { type: "text", name: "answer", id, value: item.given, autocomplete: "off", "aria-label": item.label, inputmode: "text" }), h("button", { type: "submit", class: "primary", key: "check" }, item.check));
  return h("div", { class: `exercise ${item.tone}`, "data-question": item.name }, h("p", { key: "text" }, h("strong", {}, `${item.number}. `), item.text), answer,
    h("p", { key: "verdict", class: `verdict ${item.tone}`, role: "status", "data-tone": item.tone }, item.sign && h("span", { "aria-hidden": "true" }, `${item.sign} `), item.verdict),
    item.reveal && h("button", { type: "button", class: "quiet", key: "reveal", "data-do": "reveal", onclick: () => ui.send({ do: "reveal", name: item.name }) }, item.reveal),
    item.solution && h("p", { key: "solution", class: "solution" }, item.solution));
}

const MOST_LETTERS = 200000; // Python says what is wrong with the text; this spares it a film

function openerItem(ui, item) {
  const open = async ({ target }) => {
    const [file] = target.files;
    if (file) ui.send({ do: item.name, text: await file.slice(0, MOST_LETTERS).text() });
    target.value = ""; // so the same file can be opened again
  };
  return h("label", { class: "control file" }, h("span", {}, item.label), h("input", { type: "file", accept: item.ending, "data-name": item.name, onchange: open }));
}

const ITEMS = {
  text: (ui, item) => h("p", { class: item.strong ? "strong" : "lead" }, item.text),
  note: (ui, item) => h("p", { class: `note ${item.tone}`, role: "status" }, item.text),
  slider: sliderItem, counter: counterItem, choice: choiceItem, toggle: toggleItem, field: fieldItem, buttons: buttonsItem,
  dice: diceItem, columns: columnsItem, table: tableItem, chart: chartItem, question: questionItem, opener: openerItem,
};

const CONTROLS = new Set(["slider", "counter", "choice", "toggle", "field"]);

/** Put controls that follow each other into one row. */
export function rowsOf(items) {
  const rows = [];
  for (const item of items) {
    const last = rows[rows.length - 1];
    if (CONTROLS.has(item.type) && Array.isArray(last)) last.push(item);
    else rows.push(CONTROLS.has(item.type) ? [item] : item);
  }
  return rows;
}

function drawn(ui, item, place) {
  const described = ITEMS[item.type](ui, item);
  return { ...described, props: { ...described.props, key: item.name ? `${item.type}.${item.name}` : `${item.type}.${place}` } };
}

function sectionPanel(ui, section) {
  return h("section", { class: `panel ${section.name}`, key: section.name, "aria-label": section.heading, "data-section": section.name },
    section.heading && h("h2", { key: "heading" }, section.heading),
    rowsOf(section.items).map((row, i) => (Array.isArray(row) ? h("div", { class: "controls", key: `row${i}` }, row.map((item, j) => drawn(ui, item, j))) : drawn(ui, row, i))));
}

function labHead(ui) {
  const { labels, title } = ui.view;
  const pick = (name, label, options) => h("label", { class: "choice", key: name }, h("span", {}, label),
    h("select", { value: ui.get(name), "data-setting": name, onchange: (event) => ui.set(name, event.target.value) }, options.map(([code, word]) => h("option", { value: code, key: code }, word))));
  // On a page of the app the page has the first heading.
  const level = document.body.dataset.page ? "2" : null;
  return h("header", { class: "top", key: "top" }, h("h1", { "aria-level": level }, title),
    h("div", { class: "settings", role: "group", "aria-label": labels.settings }, pick("language", labels.language, labels.languages), pick("theme", labels.theme, labels.themes)));
}

// Pixels; below them a chart is drawn for a narrow place.
const NARROW = 430;

let nextLab = 0;

function render({ model, el }) {
  const ui = {
    id: `${Date.now()}.${++nextLab}`, view: model.get("view"), waiting: [], underWay: 0, number: 0,
    get: (name) => model.get(name),
    set(name, value) { model.set(name, value); model.save_changes(); },
    send(command) { ui.waiting = queued(ui.waiting, command); next(); },
  };
  const root = document.createElement("div");
  el.append(root);
  const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
  let timer = null;

  function next() {
    if (ui.underWay || !ui.waiting.length) return;
    const [command, ...rest] = ui.waiting;
    ui.waiting = rest;
    ui.underWay = ++ui.number;
    ui.set("request", { ...command, from: ui.id, number: ui.number });
  }

  function onAnswer() {
    const answer = model.get("answer");
    if (answer.from !== ui.id || answer.number !== ui.underWay) return;
    ui.underWay = 0;
    next();
  }

  function draw() {
    const { jpThemeName, jpThemeLight } = document.body.dataset;
    root.className = "skyline lab";
    root.lang = ui.view.labels.code;
    root.dataset.theme = labTheme(ui.get("theme"), jpThemeName ? jpThemeLight : undefined, systemDark.matches);
    patch(root, [labHead(ui), h("p", { class: ui.view.notice ? "notice shown" : "notice", role: "status", key: "notice" }, ui.view.notice),
      h("div", { class: "panels", key: "panels" }, ui.view.sections.map((section) => sectionPanel(ui, section)))]);
    root.dataset.labReady = "";
    measure();
  }

  /** Tell Python how much room there is for a chart: text that is scaled down cannot be read. */
  function measure() {
    const width = root.querySelector("figure")?.clientWidth;
    if (width && Boolean(ui.get("narrow")) !== width < NARROW) ui.set("narrow", width < NARROW);
  }

  function onView() {
    // What waits to be sent is newer than what comes: a slider stays where it was dragged to.
    ui.view = ui.waiting.length ? keeping(model.get("view"), root) : model.get("view");
    draw();
    clearTimeout(timer);
    if (ui.view.poll) timer = setTimeout(() => ui.send({ do: "poll" }), 1500);
  }

  function onFile() {
    const { text, name, type } = model.get("file");
    if (!name) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  const listeners = [["change:view", onView], ["change:answer", onAnswer], ["change:theme", draw], ["change:file", onFile]];
  for (const [event, listener] of listeners) model.on(event, listener);
  systemDark.addEventListener("change", draw);
  const watcher = new MutationObserver(draw);
  watcher.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  const ruler = new ResizeObserver(measure);
  ruler.observe(root);
  draw();
  if (ui.view.poll) onView();

  return () => {
    clearTimeout(timer);
    watcher.disconnect();
    ruler.disconnect();
    systemDark.removeEventListener("change", draw);
    for (const [event, listener] of listeners) model.off(event, listener);
  };
}

/** The view with its sliders where the person has them now. */
function keeping(view, root) {
  const at = (item) => {
    const input = item.type === "slider" ? root.querySelector(`input[data-name="${item.name}"]`) : null;
    return input ? { ...item, value: Number(input.value) } : item;
  };
  return { ...view, sections: view.sections.map((section) => ({ ...section, items: section.items.map(at) })) };
}

export default { render };
