/* The table of Skyline: draws the view that Python sends and sends back what a person does.
 *
 * Nothing here knows a rule: what is allowed, why not, and every sentence come with the view.
 * The page is a function of the view; `patch` changes only what differs, so focus and clicks
 * survive every redraw.
 */

const SVG = "http://www.w3.org/2000/svg";

// --- elements ---------------------------------------------------------------------------------

/** Describe an element; `key` keeps its identity among its siblings. */
export function h(tag, props, ...children) {
  return { tag, props: props || {}, children: children.flat(Infinity).filter(isShown) };
}

function isShown(child) {
  return child !== null && child !== undefined && child !== false && child !== "";
}

function keyOf(item, place) {
  return typeof item === "object" && item.props.key !== undefined
    ? `k:${item.props.key}`
    : `${place}:${typeof item === "object" ? item.tag : "#text"}`;
}

/** Make the children of `parent` those described, keeping elements that are the same. */
export function patch(parent, items) {
  const old = new Map((parent.__items || []).map((entry) => [entry.key, entry.node]));
  const entries = items.filter(isShown).map((item, place) => {
    const key = keyOf(item, place);
    const node = old.get(key) || create(item, parent);
    old.delete(key);
    update(node, item);
    return { key, node };
  });
  for (const node of old.values()) node.remove();
  entries.forEach(({ node }, place) => {
    if (parent.childNodes[place] !== node) parent.insertBefore(node, parent.childNodes[place] || null);
  });
  parent.__items = entries;
}

function create(item, parent) {
  if (typeof item !== "object") return document.createTextNode("");
  const isSvg = item.tag === "svg" || parent.namespaceURI === SVG;
  return isSvg ? document.createElementNS(SVG, item.tag) : document.createElement(item.tag);
}

function update(node, item) {
  if (typeof item !== "object") {
    if (node.nodeValue !== String(item)) node.nodeValue = String(item);
    return;
  }
  patch(node, item.children);
  // After the children: a select can only show an option that it has.
  const before = node.__props || {};
  for (const name of Object.keys(before)) if (!(name in item.props)) setProp(node, name, null);
  for (const [name, value] of Object.entries(item.props)) {
    if (before[name] !== value) setProp(node, name, value);
  }
  node.__props = item.props;
}

function setProp(node, name, value) {
  if (name === "key") return;
  if (name.startsWith("on") || name === "value" || name === "checked") node[name] = value;
  else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

// --- pictures ---------------------------------------------------------------------------------

const STYLE_CLASS = { l: "low", m: "mid", h: "high", "-": "blank", "?": "unrolled" };

/** Split the notation of a die into what is drawn. */
export function dieParts(code, letters) {
  const face = code[1] || "?";
  const sign = { "-": "–", "?": "?" }[face];
  return { kind: code[0], style: STYLE_CLASS[face], letter: sign || letters[face] };
}

function box(x, y, width, height, name) {
  return h("rect", { x, y, width, height, class: name });
}

function dieGlyph(kind) {
  if (kind === "G") return [box(12, 19, 24, 19, "ink"), box(21, 27, 6, 11, "hole"), box(8, 38, 32, 3, "ink")];
  if (kind === "U") {
    const windows = [15.5, 22, 28.5].flatMap((x) => [box(x, 17, 4, 6, "hole"), box(x, 28, 4, 6, "hole")]);
    return [box(12, 13, 24, 25, "ink"), ...windows];
  }
  return [h("polygon", { points: "7,29 24,11 41,29", class: "ink" }), box(12, 30, 24, 8, "ink"), box(21, 20, 6, 6, "hole")];
}

/** Lines that tell the styles apart without colour. */
function pattern(style) {
  const places = [8, 16, 24, 32, 40];
  if (style === "low") return places.map((y) => h("line", { x1: 0, x2: 48, y1: y, y2: y, class: "pattern" }));
  if (style === "high") return places.map((x) => h("line", { y1: 0, y2: 48, x1: x, x2: x, class: "pattern" }));
  if (style === "mid") return places.map((x) => h("line", { x1: x - 24, y1: 48, x2: x + 24, y2: 0, class: "pattern" }));
  return [];
}

export function dieSvg(code, letters) {
  const { kind, style, letter } = dieParts(code, letters);
  return h(
    "svg",
    { viewBox: "0 0 48 48", class: `die ${style}`, "aria-hidden": "true", focusable: "false" },
    h("rect", { x: 1, y: 1, width: 46, height: 46, rx: 9, class: "body" }),
    h("g", { class: "texture" }, pattern(style)),
    h("g", { transform: "translate(-3 -5) scale(0.86)", class: "glyph" }, dieGlyph(kind)),
    h("circle", { cx: 36.5, cy: 36.5, r: 9, class: "badge" }),
    h("text", { x: 36.5, y: 41, class: "letter" }, letter),
  );
}

const FLOOR = 20;
const WINDOWS = {
  l: [[7, 8], [25, 8]],
  m: [[6, 7], [16.5, 7], [27, 7]],
  h: [[6, 4], [14, 4], [22, 4], [30, 4]],
};

/** Height of a tower's picture, in its own units. */
export function towerHeight(floors, finished) {
  return floors * FLOOR + (finished ? 16 : 12);
}

function floorRow(style, y, isGround, isPenthouse) {
  const wall = isPenthouse ? box(7, y, 26, FLOOR, "wall") : box(3, y, 34, FLOOR, "wall");
  const panes = isPenthouse ? [[10, 20]] : WINDOWS[style];
  const tall = style === "h" ? 13 : 9;
  const windows = panes.map(([x, width]) => box(x, y + (FLOOR - tall) / 2, width, tall, "pane"));
  const door = isGround ? [box(16, y + 7, 8, FLOOR - 7, "door")] : [];
  const shown = isGround && style === "m" ? windows.filter((_, i) => i !== 1) : windows;
  return h("g", {}, wall, box(3, y, 34, 1.5, isPenthouse ? "none" : "ledge"), shown, door);
}

function roof(style) {
  if (style === "l") return [h("polygon", { points: "1,16 20,2 39,16", class: "roof" })];
  if (style === "m") return [box(4, 12, 32, 4, "roof"), box(12, 6, 8, 6, "roof"), box(26, 3, 2, 9, "roof")];
  return [h("polygon", { points: "5,16 12,8 28,8 35,16", class: "roof" }), box(19, 0, 2, 9, "roof")];
}

function scaffold() {
  return [h("path", { d: "M5 12V2 M20 12V2 M35 12V2 M5 6H35", class: "scaffold" })];
}

export function towerSvg({ style, floors, finished }) {
  const height = towerHeight(floors, finished);
  const top = height - floors * FLOOR;
  const hasPenthouse = finished && style !== "l";
  const rows = Array.from({ length: floors }, (_, i) =>
    floorRow(style, top + i * FLOOR, i === floors - 1, hasPenthouse && i === 0),
  );
  return h(
    "svg",
    { viewBox: `0 0 40 ${height}`, class: `tower-picture ${STYLE_CLASS[style]}`, "aria-hidden": "true", focusable: "false" },
    finished ? roof(style) : scaffold(),
    rows,
  );
}

function starSvg() {
  return h("svg", { viewBox: "0 0 20 20", class: "star", "aria-hidden": "true", focusable: "false" },
    h("polygon", { points: "10,1 12.8,7.2 19.5,7.9 14.5,12.4 15.9,19 10,15.6 4.1,19 5.5,12.4 0.5,7.9 7.2,7.2" }));
}

function logoSvg() {
  return h("svg", { viewBox: "0 0 40 32", class: "logo", "aria-hidden": "true", focusable: "false" },
    box(2, 18, 10, 14, "c-low"), box(14, 10, 11, 22, "c-mid"), box(27, 2, 11, 30, "c-high"),
    box(5, 22, 4, 4, "light"), box(17, 14, 5, 3, "light"), box(17, 20, 5, 3, "light"), box(17, 26, 5, 3, "light"),
    [6, 12, 18, 24].map((y) => box(30, y, 5, 3, "light")));
}

// --- small decisions of the page --------------------------------------------------------------

const DELAYS = { slow: 1600, normal: 700, fast: 200, "at once": 0 };

/** Milliseconds before a computer player makes its next move. */
export function delayOf(pace) {
  return DELAYS[pace] ?? DELAYS.normal;
}

/** The theme that is drawn: what was chosen, else JupyterLab's, else the system's. */
export function drawnTheme(chosen, jupyterLight, systemDark) {
  if (chosen !== "auto") return chosen;
  if (jupyterLight === "true" || jupyterLight === "false") return jupyterLight === "true" ? "light" : "dark";
  return systemDark ? "dark" : "light";
}

/** Whether JupyterLab's theme is a light one, as it says on the page; elsewhere undefined. */
function jupyterLight() {
  const { jpThemeName, jpThemeLight } = document.body.dataset;
  return jpThemeName ? jpThemeLight : undefined;
}

/** What is read aloud after a change: what happened since, then what is to be done. */
export function announcement(before, after) {
  if (!after) return "";
  const seen = before ? before.move : after.move;
  const news = after.log.filter((entry) => entry.number >= seen).map((entry) => entry.text);
  return [...news.map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)), after.status.prompt].join(" ");
}

/** Give equal columns keys of their own, so that a new one is a new element. */
export function keyed(columns) {
  const seen = {};
  return columns.map((column, index) => {
    seen[column.code] = (seen[column.code] || 0) + 1;
    return { ...column, index, key: `${column.code}.${seen[column.code]}` };
  });
}

/** What stands where and how far the game is, to tell later what has changed. */
export function snapshot(game) {
  if (!game) return null;
  const towers = game.players.map((player) => keyed(player.columns).map((column) => column.key));
  return { move: game.move, towers };
}

/** Whether a tower was not there, or not so tall, when the person acted last. */
export function isNewTower(before, seat, key) {
  return Boolean(before) && !before.towers[seat - 1]?.includes(key);
}

/** The first answers of the start form. */
export function firstAnswers(start) {
  return {
    seats: start.seats.map((seat) => ({ ...seat })),
    edition: start.editions[0][0],
    dice_set: start.dice_sets[0][0],
    nine: false,
    box: false,
  };
}

// --- parts of the page ------------------------------------------------------------------------

/** A button that stays in reach of the keyboard when it is not allowed, and then says why. */
function command({ can, why }, props, press, explain, ...children) {
  return h(
    "button",
    {
      type: "button",
      "aria-disabled": can ? null : "true",
      title: can ? null : why,
      ...props,
      onclick: () => (can ? press() : explain(why)),
    },
    ...children,
  );
}

function panel(ui, name, heading, ...children) {
  const text = ui.view.labels.help[name];
  const isOpen = ui.helps.has(name);
  const toggle = () => ui.change(() => (isOpen ? ui.helps.delete(name) : ui.helps.add(name)));
  return h("section", { class: `panel ${name}`, key: name, "aria-label": heading },
    h("div", { class: "heading", key: "heading" }, h("h2", {}, heading),
      text && h("button", { type: "button", class: "help", "aria-expanded": String(isOpen), "aria-label": `${heading}: ${ui.view.labels.help_button}`, title: text, onclick: toggle }, "?")),
    text && isOpen && h("p", { class: "help-text", key: "help" }, text), ...children);
}

function choice(label, value, options, change) {
  return h("label", { class: "choice", key: label }, h("span", {}, label),
    h("select", { value, onchange: (event) => change(event.target.value) },
      options.map(([code, word]) => h("option", { value: code, key: code }, word))));
}

function pageButton(ui, page, word) {
  return h("button", { type: "button", class: "quiet", key: page || "game", "data-page": page || "game", onclick: () => ui.send("turn to", { page }) }, word);
}

function topBar(ui) {
  const { labels, game } = ui.view;
  return h("header", { class: "top", key: "top" },
    h("h1", {}, logoSvg(), labels.title),
    game && h("p", { class: "clock", key: "clock" }, h("strong", {}, game.status.round),
      game.status.last && h("span", { class: "last" }, game.status.last)),
    h("div", { class: "settings", role: "group", "aria-label": labels.settings, key: "settings" },
      choice(labels.language, ui.get("language"), labels.languages, (code) => ui.prefer("language", code)),
      choice(labels.theme, ui.get("theme"), labels.themes, (code) => ui.prefer("theme", code)),
      game && choice(labels.pace, ui.get("pace"), labels.paces, (code) => ui.prefer("pace", code)),
      game ? gameMenu(ui) : pagesMenu(ui)));
}

function pagesMenu(ui) {
  const { labels, review, practice, can_go_back: hasGame } = ui.view;
  return h("div", { class: "menu", role: "group", "aria-label": labels.game_menu, key: "menu" },
    (review || practice) && pageButton(ui, null, hasGame ? labels.to_game : labels.new_game),
    !review && practice && hasGame && pageButton(ui, "review", labels.review),
    !practice && pageButton(ui, "practice", labels.practice));
}

function gameMenu(ui) {
  const { labels, game } = ui.view;
  return h("div", { class: "menu", role: "group", "aria-label": labels.game_menu, key: "menu" },
    h("button", { type: "button", class: "quiet", key: "new", "data-do": "new game", onclick: () => ui.send("new game") }, labels.new_game),
    h("button", { type: "button", class: "quiet", key: "replay", "data-do": "replay", onclick: () => ui.send("replay", { to: game.replay ? null : 0 }) }, game.replay ? labels.leave_replay : labels.replay),
    h("button", { type: "button", class: "quiet", key: "save", "data-do": "record", onclick: () => ui.send("record") }, labels.download),
    pageButton(ui, "review", labels.review), pageButton(ui, "practice", labels.practice));
}

function replayBar(ui) {
  const { labels, game: { replay } } = ui.view;
  const go = (to) => ui.send("replay", { to });
  const step = (key, sign, word, to) => command({ can: to >= 0 && to <= replay.last && to !== replay.move, why: word },
    { class: "quiet", key, "aria-label": word, "data-replay": key }, () => go(to), () => {}, sign);
  return h("div", { class: "replay", key: "replay", role: "group", "aria-label": labels.replay },
    step("first", "⏮", labels.first, 0), step("previous", "◀", labels.previous, replay.move - 1),
    h("input", { type: "range", min: "0", max: String(replay.last), value: String(replay.move), "aria-label": replay.text, key: "slider", oninput: (event) => go(Number(event.target.value)) }),
    step("next", "▶", labels.next, replay.move + 1), step("last", "⏭", labels.last_move, replay.last),
    h("span", { key: "text" }, replay.text));
}

function noticeLine(ui) {
  return h("p", { class: ui.notice ? "notice shown" : "notice", role: "status", key: "notice" }, ui.notice);
}

// The start form

function startPage(ui) {
  const { labels, start } = ui.view;
  const answers = ui.answers;
  return h("form", { class: "start panel", key: "start", novalidate: true, onsubmit: (event) => { event.preventDefault(); ui.send("start", answers); } },
    h("h2", { tabindex: "-1", "data-home": true }, labels.start_heading),
    h("p", { class: "lead" }, labels.start_lead),
    h("fieldset", { key: "seats" }, h("legend", {}, labels.seats), answers.seats.map((seat, i) => seatRow(ui, seat, i)),
      answers.seats.length < start.max_seats &&
        h("button", { type: "button", class: "quiet", key: "add", onclick: () => ui.change(() => answers.seats.push(nextSeat(start, answers))) }, `+ ${labels.add_seat}`)),
    h("fieldset", { key: "edition" }, h("legend", {}, labels.edition), start.editions.map((option) => editionRow(ui, option))),
    h("fieldset", { key: "options" }, h("legend", {}, labels.options), start.options.map((option) => optionRow(ui, option)),
      choice(labels.dice_set, answers.dice_set, start.dice_sets, (name) => ui.change(() => { answers.dice_set = name; }))),
    h("div", { class: "buttons", key: "buttons" },
      h("button", { type: "submit", class: "primary" }, labels.start),
      ui.view.can_go_back && h("button", { type: "button", class: "quiet", key: "back", onclick: () => ui.send("back") }, labels.back)));
}

/** A seat with a name that is still free. */
export function nextSeat(start, answers) {
  const taken = answers.seats.map((seat) => seat.name);
  return { name: start.names.find((name) => !taken.includes(name)), player: "human" };
}

function gamesPanel(ui) {
  const { labels } = ui.view;
  const games = ui.get("games") || [];
  return h("section", { class: "panel games", key: "games", "aria-label": labels.your_games },
    h("h2", {}, labels.your_games),
    h("ul", {}, games.map((game) => h("li", { key: game.code }, h("span", {}, game.text),
      h("button", { type: "button", key: "open", onclick: () => ui.send("open", { code: game.code }) }, labels.open),
      h("button", { type: "button", class: "quiet", key: "delete", "aria-label": `${labels.delete}: ${game.text}`, onclick: () => ui.send("delete", { code: game.code }) }, labels.delete)))),
    h("label", { class: "file", key: "file" }, h("span", {}, labels.upload),
      h("input", { type: "file", accept: ".json,application/json", onchange: (event) => ui.upload(event.target) })));
}

function seatRow(ui, seat, i) {
  const { labels, start } = ui.view;
  const seats = ui.answers.seats;
  return h("div", { class: "seat", key: `seat${i}` },
    h("span", { class: "number" }, `${i + 1}`, i === 0 && starSvg()),
    h("label", {}, h("span", { class: "hidden" }, `${labels.name} ${i + 1}`),
      h("input", { type: "text", maxlength: start.max_name, value: seat.name, autocomplete: "off", oninput: (event) => ui.change(() => { seat.name = event.target.value; }) })),
    h("label", {}, h("span", { class: "hidden" }, `${labels.player} ${i + 1}`),
      h("select", { value: seat.player, onchange: (event) => ui.change(() => { seat.player = event.target.value; }) },
        start.players.map(([code, word]) => h("option", { value: code, key: code }, word)))),
    seats.length > 1 && h("button", { type: "button", class: "quiet", key: "remove", "aria-label": `${labels.remove_seat}: ${seat.name}`, onclick: () => ui.change(() => seats.splice(i, 1)) }, "×"));
}

function editionRow(ui, [code, word, help]) {
  return h("label", { class: "option", key: code },
    h("input", { type: "radio", name: `edition-${ui.id}`, checked: ui.answers.edition === code, onchange: () => ui.change(() => { ui.answers.edition = code; }) }),
    h("span", {}, h("strong", {}, word), h("small", {}, help)));
}

function optionRow(ui, [code, word, help]) {
  return h("label", { class: "option", key: code },
    h("input", { type: "checkbox", checked: ui.answers[code], onchange: (event) => ui.change(() => { ui.answers[code] = event.target.checked; }) }),
    h("span", {}, h("strong", {}, word), h("small", {}, help)));
}

// The game

function prompt(ui) {
  const { status } = ui.view.game;
  return h("p", { class: status.over ? "prompt over" : "prompt", key: "prompt", tabindex: "-1", "data-home": true }, status.prompt);
}

function yardPanel(ui) {
  const { labels, game } = ui.view;
  return panel(ui, "yard", labels.yard,
    h("div", { class: "rows" }, game.yard.map((row) =>
      command(row, { class: "yard-row", key: row.kind, "data-kind": row.kind, "aria-label": yardName(row, labels) }, () => ui.send("pick", { kind: row.kind }), ui.explain,
        dieSvg(`${row.kind}?`, labels.letters),
        h("span", { class: "name" }, row.short, h("small", {}, row.left === null ? labels.unlimited : `${row.left} ${labels.left}`)),
        row.picked > 0 && h("span", { class: "count", key: "count" }, `× ${row.picked}`)))),
    pickedRow(ui));
}

/** The spoken name of a row of the yard: kind, stock, and how many are picked. */
export function yardName(row, labels) {
  const stock = row.left === null ? labels.unlimited : `${row.left} ${labels.left}`;
  return [row.name, stock, ...(row.picked ? [`${labels.picked}: ${row.picked}`] : [])].join(", ");
}

function pickedRow(ui) {
  const { labels, game } = ui.view;
  const picked = game.yard.flatMap((row) => Array.from({ length: row.picked }, (_, i) => ({ ...row, i })));
  if (!picked.length) return null;
  return h("div", { class: "picked", key: "picked" }, h("span", {}, `${labels.picked}:`),
    picked.map((row) => h("button", { type: "button", class: "die-button small", key: `${row.kind}${row.i}`, title: labels.put_back, "aria-label": `${row.name}: ${labels.put_back}`, onclick: () => ui.send("unpick", { kind: row.kind }) }, dieSvg(`${row.kind}?`, labels.letters))));
}

function districtPanel(ui) {
  const { labels, game } = ui.view;
  return panel(ui, "district", labels.district,
    command(game.district, { class: "district-button", "data-do": "take district", "aria-label": `${labels.take_all}: ${game.district.name}` }, () => ui.send("take district"), ui.explain,
      h("span", { class: "heap" }, game.district.kinds.map((kind, i) => h("span", { class: "small", key: `${kind}${i}` }, dieSvg(`${kind}?`, labels.letters)))),
      h("span", { class: "name" }, labels.take_all)));
}

function dicePanel(ui) {
  const { labels, game } = ui.view;
  return panel(ui, "dice", labels.dice,
    game.tray.length
      ? h("div", { class: "tray", key: "tray" }, game.tray.map((thing) => trayDie(ui, thing)))
      : h("p", { class: "empty", key: "none" }, labels.no_dice),
    h("div", { class: "actions", role: "group", "aria-label": labels.actions, key: "actions" }, game.actions.map((action) => actionButton(ui, action)),
      game.tray.some((thing) => thing.waiting) && h("button", { type: "button", key: "cancel", "data-do": "cancel", onclick: () => ui.send("cancel") }, labels.cancel)));
}

function trayDie(ui, thing) {
  const { labels, game } = ui.view;
  const isFresh = ui.rolled.has(thing.number);
  return command(thing, {
    class: `die-button${thing.waiting ? " waiting" : ""}${isFresh ? " fresh" : ""}`,
    key: isFresh ? `${thing.number}r${game.move}` : `${thing.number}${thing.die}`,
    "data-die": thing.die, "data-number": String(thing.number),
    "aria-pressed": String(thing.selected), "aria-label": thing.name,
  }, () => ui.send("select", { die: thing.number, on: !thing.selected }), ui.explain,
  dieSvg(thing.die, labels.letters));
}

const MAIN_ACTION = { roll: true, end: true };

function actionButton(ui, action) {
  return command(action, { title: action.can ? action.help : action.why, class: MAIN_ACTION[action.do] ? "action main" : "action", key: action.do, "data-do": action.do },
    () => ui.send(action.do), ui.explain, action.name);
}

function skylinesPanel(ui) {
  const { labels, game } = ui.view;
  return h("section", { class: "skylines", key: "skylines", "aria-label": labels.skylines }, game.players.map((player) => playerCard(ui, player)));
}

function playerCard(ui, player) {
  const { labels } = ui.view;
  return h("article", { class: player.is_turn ? "player turn" : "player", key: `p${player.seat}`, "data-seat": String(player.seat), "aria-label": `${player.name}: ${player.points_name}` },
    h("header", {},
      player.is_start && h("span", { class: "start-star", title: labels.star, key: "star" }, starSvg(), h("span", { class: "hidden" }, labels.star)),
      h("h3", {}, player.name),
      player.is_computer && h("span", { class: "tag", key: "computer" }, labels.computer),
      player.is_turn && h("span", { class: "tag now", key: "turn" }, labels.turn),
      h("span", { class: "points" }, player.points_name)),
    h("div", { class: "ground" }, player.columns.length
      ? h("ul", { class: "towers", key: "towers" }, keyed(player.columns).map((column) => h("li", { key: column.key, class: isNewTower(ui.acted, player.seat, column.key) ? "changed" : "" }, tower(ui, column))))
      : h("p", { class: "empty", key: "empty" }, labels.empty)));
}

function tower(ui, column) {
  const letter = ui.view.labels.letters[column.style];
  const inside = [towerSvg(column), h("span", { class: "plate", "aria-hidden": "true" }, `${letter}${column.floors}`),
    h("span", { class: "worth", "aria-hidden": "true" }, column.points ? String(column.points) : "·")];
  if (!column.target) return h("div", { class: "tower", role: "img", "aria-label": column.name, title: column.name, "data-column": column.code }, ...inside);
  return h("button", { type: "button", class: "tower target", "aria-label": column.name, title: column.name, "data-column": column.code, onclick: () => ui.send("choose", { column: column.index }) }, ...inside);
}

function rankingPanel(ui) {
  const { labels, game } = ui.view;
  if (!game.ranking.length) return null;
  return panel(ui, "ranking", labels.ranking, h("ol", { class: "places" }, game.ranking.map((row) =>
    h("li", { class: row.wins ? "wins" : "", key: String(row.seat) },
      h("span", { class: "place" }, row.place), h("strong", {}, row.name),
      row.wins && h("span", { class: "tag now" }, row.shared ? labels.shared : labels.winner),
      h("span", { class: "result" }, row.points, h("small", {}, row.buildings))))),
    h("button", { type: "button", class: "primary", onclick: () => ui.send("new game") }, labels.new_game));
}

function oddsPanel(ui) {
  const { labels, game } = ui.view;
  const { odds } = game;
  if (game.advice?.value) return null; // The ranked actions show the same chances.
  if (!odds.rows.length && !odds.note) return null;
  return panel(ui, "odds", labels.odds, h("p", { class: "lead" }, odds.title),
    odds.note && h("p", { class: "empty", key: "note" }, odds.note),
    odds.rows.length > 0 && h("div", { class: "scroll", key: "table", tabindex: "0", role: "region", "aria-label": odds.title },
      h("table", {}, h("thead", {}, h("tr", {}, odds.head.map((word) => h("th", { scope: "col", key: word }, word)))),
        h("tbody", {}, odds.rows.map((row) => oddsRow(labels, row))))));
}

function oddsRow(labels, row) {
  return h("tr", { class: row.chosen ? "chosen" : "", key: row.name, "data-odds": row.dice.join(",") },
    h("th", { scope: "row", title: row.name }, h("span", { class: "hidden" }, row.name),
      h("span", { class: "mini", "aria-hidden": "true" }, row.dice.map((die, i) => h("span", { key: `${i}${die}` }, dieSvg(die, labels.letters))))),
    h("td", { class: "fraction" }, row.fraction),
    h("td", { class: "share" }, h("span", { class: "bar", style: `--share:${row.share}`, "aria-hidden": "true" }), h("span", {}, row.percent)));
}

// Advice

function adviceSettings(ui) {
  const { labels } = ui.view;
  return h("div", { class: "advice-settings", key: "settings" },
    choice(labels.advice, ui.get("advice"), labels.advices, (code) => ui.prefer("advice", code)),
    choice(labels.objective, ui.get("objective"), labels.objectives, (code) => ui.prefer("objective", code)),
    choice(labels.tutor, ui.get("tutor"), labels.tutors, (code) => ui.prefer("tutor", code)));
}

function advicePanel(ui) {
  const { labels, game } = ui.view;
  if (game.status.over) return null;
  return panel(ui, "advice", labels.advice, adviceSettings(ui), game.advice && adviceAnswer(ui, game.advice));
}

function adviceAnswer(ui, advice) {
  const { labels } = ui.view;
  if (advice.too_large) return h("p", { class: "empty", key: "large" }, labels.too_large);
  if (advice.unsolved) {
    return h("div", { class: "unsolved", key: "unsolved" }, h("p", { class: "empty" }, advice.solving ? labels.solving : labels.unsolved),
      !advice.solving && h("button", { type: "button", key: "solve", "data-do": "solve", onclick: () => ui.send("solve") }, labels.solve));
  }
  if (!advice.value) {
    return h("ul", { class: "hints", key: "hints" }, advice.rows.map((row) =>
      h("li", { key: row.action, "data-action": row.action }, h("span", { class: "tag now" }, labels.best), pictured(ui, row))));
  }
  return h("div", { key: "full" }, h("p", { class: "lead" }, advice.value), adviceTable(ui, advice),
    advice.more && h("p", { class: "empty", key: "more" }, advice.more), outlookTree(ui));
}

function adviceTable(ui, advice) {
  const { labels } = ui.view;
  return h("div", { class: "scroll ranked", key: "table", tabindex: "0", role: "region", "aria-label": labels.advice },
    h("table", {}, h("thead", {}, h("tr", {}, labels.advice_head.map((word) => h("th", { scope: "col", key: word }, word)))),
      h("tbody", {}, advice.rows.map((row) => adviceRow(ui, row)))));
}

/** An action in pictures for the eye and in words for the ear. */
function pictured(ui, named) {
  const { letters } = ui.view.labels;
  return [h("span", { class: "hidden", key: "words" }, named.name),
    h("span", { class: "pictured", "aria-hidden": "true", title: named.name, key: "pictures" }, h("span", { class: "verb" }, named.verb),
      named.dice.length > 0 && h("span", { class: "mini", key: "dice" }, named.dice.map((die, i) => h("span", { key: `${i}${die}` }, dieSvg(die, letters)))),
      named.column && h("span", { class: `onto ${STYLE_CLASS[named.column.style]}`, key: "column" }, `→ ${letters[named.column.style]}${named.column.floors}`))];
}

function adviceRow(ui, row) {
  const look = () => ui.look(row.action);
  return h("tr", { key: row.action, class: row.best ? "best" : "", "data-action": row.action, onmouseenter: look },
    h("th", { scope: "row" }, h("button", { type: "button", class: "plain", onclick: look, onfocus: look }, pictured(ui, row))),
    h("td", {}, row.value),
    h("td", { class: "share loss" }, h("span", { class: "bar", style: `--share:${row.share}`, "aria-hidden": "true" }), h("span", {}, row.best ? ui.view.labels.best : row.loss)),
    h("td", {}, row.percent && h("span", { title: row.fraction }, row.percent), row.fraction && h("small", {}, ` ${row.fraction}`)));
}

function outlookTree(ui) {
  const { labels, game } = ui.view;
  const tree = ui.get("outlook");
  if (!tree || tree.move !== game.move || tree.action !== ui.looked) return null;
  return h("section", { class: "outlook", key: "outlook", "aria-label": labels.outlook, "aria-live": "polite" },
    h("h3", {}, tree.title), tree.note && h("p", { class: "empty", key: "note" }, tree.note),
    tree.rows.length > 0 && h("ul", { class: "branches", key: "rows" }, tree.rows.map((row) =>
      h("li", { key: row.dice.join() }, h("span", { class: "mini", role: "img", "aria-label": row.name }, row.dice.map((die, i) => h("span", { key: `${i}${die}` }, dieSvg(die, labels.letters)))),
        h("span", { class: "chance", style: `--share:${row.share}` }, `${row.percent} `, h("small", {}, row.fraction)),
        row.best && h("span", { class: "then", key: "then" }, h("b", {}, row.value), labels.then, pictured(ui, row.best))))),
    tree.rest && h("p", { class: "empty", key: "rest" }, tree.rest));
}

function warningPanel(ui) {
  const { labels, game } = ui.view;
  if (!game.warning) return null;
  return h("div", { class: "warning", key: "warning", role: "alertdialog", "aria-label": labels.tutor, tabindex: "-1", "data-warning": true },
    h("p", {}, game.warning.text),
    h("button", { type: "button", class: "primary", key: "think", "data-do": "decline", onclick: () => ui.send("decline") }, labels.think),
    h("button", { type: "button", key: "anyway", "data-do": "confirm", onclick: () => ui.send("confirm") }, labels.anyway));
}

function logPanel(ui) {
  const { labels, game } = ui.view;
  const entries = [...game.log].reverse();
  return panel(ui, "log", labels.log, entries.length
    ? h("ol", { class: "entries scroll", key: "entries", tabindex: "0", "aria-label": labels.log, reversed: true }, entries.map((entry) =>
      h("li", { key: String(entry.number), class: `seat-${entry.seat}${ui.acted && entry.number >= ui.acted.move ? " changed" : ""}` }, h("small", {}, `${entry.round}.`), entry.text)))
    : h("p", { class: "empty", key: "none" }, labels.no_log));
}

/** The six-storey building is a feast: once, and never in anybody's way. */
function celebration(ui) {
  if (!ui.six) return null;
  const sparks = Array.from({ length: 24 }, (_, i) => h("i", { key: `${i}`, style: `--i:${i}` }));
  return h("div", { class: "feast", key: `feast${ui.six}`, "aria-hidden": "true" }, sparks, h("strong", {}, ui.view.labels.six));
}

/** Move after which a six-storey building was finished between two views, 0 for none. */
export function sixStoreys(before, after) {
  if (!before || !after || after.replay) return 0;
  const entry = after.log.find(({ number, six }) => six && number >= before.move);
  return entry ? entry.number + 1 : 0;
}

// Review

const SEAT_CLASS = ["high", "mid", "low", "blank"];

function reviewPage(ui) {
  const { labels, review } = ui.view;
  return h("main", { class: "review", key: "review" },
    h("h2", { class: "page-title", tabindex: "-1", "data-home": true }, labels.review),
    h("div", { class: "review-seats", key: "seats" }, review.seats.map((seat) => seatReview(ui, seat))),
    coursePanel(ui, review.chart), mistakesPanel(ui, review),
    panel(ui, "turning", labels.turning, h("ol", { class: "turning-points" }, review.turning.map((point) =>
      h("li", { key: `${point.move}${point.text}` }, point.text, h("button", { type: "button", class: "plain", onclick: () => ui.send("replay", { to: point.move }) }, labels.show_position))))));
}

function seatReview(ui, seat) {
  const { labels } = ui.view;
  return h("section", { class: "panel", key: String(seat.seat), "aria-label": seat.name },
    h("h3", {}, seat.name),
    h("table", { class: "ledger" }, h("caption", {}, labels.ledger), h("tbody", {}, seat.ledger.map(([word, amount], i) =>
      h("tr", { key: word, class: i === 0 || i === seat.ledger.length - 1 ? "sum" : "" }, h("th", { scope: "row" }, word), h("td", {}, amount))))),
    seat.own_end && h("p", { class: "lead", key: "end" }, seat.own_end),
    h("p", { class: "lead" }, h("strong", {}, `${labels.skill}: `), seat.skill),
    h("p", { class: "bands" }, seat.bands.map(([band, word, n]) => h("span", { class: `band ${band}`, key: band }, `${n} × ${word}`))));
}

/** The path of a line through values, in a box of the given size. */
export function linePath(values, width, height, low, high) {
  const span = high - low || 1;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values.map((value, i) => `${i ? "L" : "M"}${(i * step).toFixed(1)} ${(height - ((value - low) / span) * height).toFixed(1)}`).join("");
}

function coursePanel(ui, chart) {
  const { labels } = ui.view;
  const all = chart.lines.flat();
  const [low, high] = [Math.floor(Math.min(...all) / 10) * 10, Math.ceil(Math.max(...all) / 10) * 10];
  const marks = [low, (low + high) / 2, high];
  const y = (value) => 10 + 200 - ((value - low) / (high - low || 1)) * 200;
  const starts = chart.rounds.map((round, i) => [round, i]).filter(([round, i]) => i === 0 || chart.rounds[i - 1] !== round);
  const x = (i) => 40 + (i / Math.max(1, chart.rounds.length - 1)) * 700;
  return panel(ui, "course", labels.course,
    h("svg", { viewBox: "0 0 760 240", class: "chart", role: "img", "aria-label": chart.title },
      marks.map((value) => h("g", { key: `m${value}` }, h("line", { x1: 40, x2: 740, y1: y(value), y2: y(value), class: "grid" }), h("text", { x: 34, y: y(value) + 4, class: "mark end" }, String(value)))),
      starts.map(([round, i]) => h("text", { key: `r${round}`, x: x(i), y: 232, class: "mark" }, String(round))),
      chart.lines.map((line, i) => h("path", { key: `l${i}`, transform: "translate(40 10)", d: linePath(line, 700, 200, low, high), class: `line ${SEAT_CLASS[i]} dash${i}` }))),
    h("p", { class: "legend", key: "legend" }, chart.names.map((name, i) => h("span", { key: `${i}` }, h("svg", { viewBox: "0 0 30 8", class: "legend-line", "aria-hidden": "true" }, h("path", { d: "M0 4H30", class: `line ${SEAT_CLASS[i]} dash${i}` })), name))),
    h("details", { key: "table" }, h("summary", {}, labels.as_table), h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, chart.head.map((word, i) => h("th", { scope: "col", key: `${i}` }, word)))),
      h("tbody", {}, chart.rows.map((row, n) => h("tr", { key: `${n}` }, row.map((cell, i) => h(i ? "td" : "th", { key: `${i}`, scope: i ? null : "row" }, cell)))))))));
}

function mistakesPanel(ui, review) {
  const { labels } = ui.view;
  const whose = ui.wish.whose ?? String(review.whose);
  const shown = review.mistakes.filter((one) => whose === "0" || whose === String(one.seat));
  const people = [["0", labels.everybody], ...review.seats.map((seat) => [String(seat.seat), seat.name])];
  return panel(ui, "mistakes", labels.mistakes, h("div", { class: "band-limits", key: "limits" }, choice(labels.whose, whose, people, (seat) => ui.change(() => { ui.wish.whose = seat; })), bandLimits(ui, review.bands)),
    shown.length ? h("ol", { class: "mistakes-list", key: "list" }, shown.map((one) => mistake(ui, one))) : h("p", { class: "empty", key: "none" }, labels.no_mistakes),
    review.mistakes.length > 0 && h("button", { type: "button", class: "primary", key: "practise", "data-do": "practise mistakes", onclick: () => ui.send("practise mistakes") }, labels.practise_mistakes));
}

function bandLimits(ui, bands) {
  const { labels } = ui.view;
  const change = (name) => (event) => ui.send("bands", { ...bands, [name]: Number(event.target.value) });
  return h("div", { class: "band-limits", role: "group", "aria-label": labels.band_limits, key: "bands" }, h("small", {}, labels.band_limits),
    labels.band_names.map(([name, word]) => h("label", { class: "choice", key: name }, h("span", {}, word),
      h("input", { type: "number", min: "0.05", step: "0.05", value: String(bands[name]), onchange: change(name) }))));
}

function mistake(ui, one) {
  const { labels } = ui.view;
  return h("li", { key: String(one.entry), "data-entry": String(one.entry) },
    h("p", {}, h("span", { class: `band ${one.band}` }, one.band_name), h("strong", {}, ` ${one.loss} `), h("small", {}, `${one.title}, ${one.rank}`)),
    h("p", {}, one.action, h("br", {}), h("small", {}, `${labels.best_was}: `), one.best),
    h("p", { class: "buttons" },
      h("button", { type: "button", class: "plain", key: "why", "aria-expanded": String(one.is_open), onclick: () => ui.send("why", { entry: one.entry }) }, labels.why),
      h("button", { type: "button", class: "plain", key: "show", onclick: () => ui.send("replay", { to: one.entry }) }, labels.show_position)),
    one.why.length > 0 && h("ul", { class: "reasons", key: "reasons" }, one.why.map((sentence, i) => h("li", { key: `${i}` }, sentence))));
}

// Practice

function practicePage(ui) {
  const { labels, practice } = ui.view;
  const wish = ui.wish;
  return h("main", { class: "practice", key: "practice" },
    h("h2", { class: "page-title", tabindex: "-1", "data-home": true }, labels.practice),
    h("p", { class: "lead", key: "progress" }, practice.progress),
    h("div", { class: "panel puzzle-choice", key: "choice" },
      h("button", { type: "button", class: "primary", key: "daily", "data-do": "daily puzzle", onclick: () => ui.send("daily puzzle") }, labels.daily),
      choice(labels.topic, wish.theme || practice.themes[0][0], practice.themes, (theme) => ui.change(() => { wish.theme = theme; })),
      choice(labels.difficulty, wish.difficulty || practice.difficulties[0][0], practice.difficulties, (difficulty) => ui.change(() => { wish.difficulty = difficulty; })),
      h("button", { type: "button", key: "new", "data-do": "new puzzle", onclick: () => ui.send("new puzzle", { theme: wish.theme || practice.themes[0][0], difficulty: wish.difficulty || practice.difficulties[0][0] }) }, labels.new_puzzle),
      practice.has_game && h("button", { type: "button", key: "mistakes", "data-do": "practise mistakes", onclick: () => ui.send("practise mistakes") }, labels.practise_mistakes)),
    practice.puzzle && puzzlePanel(ui, practice));
}

function puzzlePanel(ui, practice) {
  const { labels } = ui.view;
  const { puzzle } = practice;
  const isDone = puzzle.is_solved || puzzle.is_revealed;
  return h("section", { class: "panel puzzle", key: "puzzle", "aria-label": labels.your_choice },
    h("h3", {}, `${puzzle.title} · ${puzzle.difficulty}`, h("small", {}, ` ${puzzle.table.round} ${puzzle.table.last}`)),
    h("div", { class: "puzzle-table", key: "table" },
      h("div", { key: "dice" }, h("h4", {}, labels.dice), puzzle.table.tray.length ? h("div", { class: "tray" }, puzzle.table.tray.map((thing) => h("span", { key: String(thing.number), role: "img", "aria-label": thing.name }, dieSvg(thing.die, labels.letters)))) : h("p", { class: "empty" }, labels.no_dice)),
      h("div", { key: "district" }, h("h4", {}, labels.district), h("span", { class: "heap", role: "img", "aria-label": puzzle.table.district.name }, puzzle.table.district.kinds.map((kind, i) => h("span", { class: "small", key: `${kind}${i}` }, dieSvg(`${kind}?`, labels.letters)))))),
    h("div", { class: "skylines", key: "skylines" }, puzzle.table.players.filter((player) => player.is_turn).map((player) => playerCard(ui, player))),
    h("h4", { key: "question" }, labels.your_choice),
    h("ul", { class: "options", key: "options" }, puzzle.options.map((option) => puzzleOption(ui, option, isDone))),
    puzzle.verdict && h("p", { class: puzzle.is_solved ? "verdict right" : "verdict", key: "verdict", role: "status" }, puzzle.verdict, puzzle.trouble && h("span", { key: "trouble" }, ` ${puzzle.trouble}`)),
    puzzle.played && h("p", { key: "played" }, puzzle.played),
    puzzle.why.length > 0 && h("ul", { class: "reasons", key: "why" }, puzzle.why.map((sentence, i) => h("li", { key: `${i}` }, sentence))),
    h("div", { class: "buttons", key: "buttons" },
      puzzle.verdict && !isDone && h("button", { type: "button", key: "withdraw", "data-do": "withdraw", onclick: () => ui.send("withdraw") }, labels.withdraw),
      !isDone && h("button", { type: "button", class: "quiet", key: "reveal", "data-do": "reveal", onclick: () => ui.send("reveal") }, labels.reveal),
      isDone && practice.n_waiting > 0 && h("button", { type: "button", class: "primary", key: "next", "data-do": "next puzzle", onclick: () => ui.send("next puzzle") }, `${labels.next_puzzle} (${practice.n_waiting})`)));
}

function puzzleOption(ui, option, isDone) {
  const { labels } = ui.view;
  const mark = option.best ? labels.right : option.tried ? labels.tried : "";
  return h("li", { key: option.action }, h("button", {
    type: "button", class: `option-button${option.best ? " best" : ""}${option.tried && !option.best ? " tried" : ""}`, "data-option": option.action,
    "aria-disabled": isDone ? "true" : null, onclick: () => !isDone && ui.send("answer", { action: option.action }),
  }, pictured(ui, option), mark && h("span", { class: "tag", key: "mark" }, mark)));
}

function openPage(ui) {
  const { game, review, practice } = ui.view;
  if (game) return gamePage(ui);
  if (review) return reviewPage(ui);
  return practice ? practicePage(ui) : null;
}

function gamePage(ui) {
  return h("main", { class: "game", key: "game" },
    h("div", { class: "board", key: "board" }, prompt(ui), warningPanel(ui), ui.view.game.replay && replayBar(ui), rankingPanel(ui),
      !ui.view.game.status.over && h("div", { class: "supply", key: "supply" }, yardPanel(ui), districtPanel(ui), dicePanel(ui)),
      skylinesPanel(ui)),
    h("aside", { class: "side", key: "side" }, advicePanel(ui), oddsPanel(ui), logPanel(ui)));
}

// --- life of the widget -----------------------------------------------------------------------

const GAMES = "skyline-games";
const PROGRESS = "skyline-progress";

/** Codes of the games that this browser has seen, the latest first. */
export function rememberedGames(storage = null) {
  try {
    // Asked for in here: where storage is forbidden, even its name is an error.
    const codes = JSON.parse((storage || window.localStorage).getItem(GAMES));
    return Array.isArray(codes) ? codes.filter((code) => typeof code === "string") : [];
  } catch {
    return [];
  }
}

export function rememberGame(code, storage = null) {
  const codes = [code, ...rememberedGames(storage).filter((other) => other !== code)];
  try {
    (storage || window.localStorage).setItem(GAMES, JSON.stringify(codes.slice(0, 50)));
  } catch {
    // A browser without storage still has the address.
  }
}

const PATIENCE = 30000; // Longer than anything takes; a request that got lost must not block the page.

/** Hand requests on one by one: of those that wait, ipywidgets would send the last one only. */
export function queueOf(forward, patience = PATIENCE) {
  const waiting = [];
  let timer = null;
  const send = () => {
    clearTimeout(timer);
    if (!waiting.length) return;
    forward(waiting[0]);
    timer = setTimeout(next, patience);
  };
  const next = () => {
    waiting.shift();
    send();
  };
  return {
    add(request) {
      waiting.push(request);
      if (waiting.length === 1) send();
    },
    answered(click) {
      if (waiting[0]?.click === click) next();
    },
    close() {
      clearTimeout(timer);
      waiting.length = 0;
    },
  };
}

let nextId = 0;

/** What the parts of the page read and do; one for each place where the table is shown. */
function makeUi(model, el) {
  const ui = {
    id: ++nextId, view: model.get("view"), notice: "", answers: null, rolled: new Set(), helps: new Set(), six: 0, looked: "", lookTimer: null, wish: {}, acted: null, clicks: Date.now(),
    requests: queueOf((request) => ui.set("request", request)),
    get: (name) => model.get(name),
    set(name, value) { model.set(name, value); model.save_changes(); },
    prefer(name, value) {
      ui.set(name, value);
      if (ui.get("remembers")) document.cookie = `skyline_${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; SameSite=Lax`;
    },
    send(action, details = {}) {
      const move = ui.view.game ? ui.view.game.move : 0;
      ui.requests.add({ ...details, do: action, move, click: ++ui.clicks });
    },
    /** Ask what may come of an action, but not of everything that the pointer crosses. */
    look(action) {
      clearTimeout(ui.lookTimer);
      ui.looked = action;
      ui.lookTimer = setTimeout(() => ui.send("look", { action }), 120);
    },
    async upload(input) {
      const [file] = input.files;
      // Python says what is wrong with the text; this spares it a film.
      if (file) ui.send("upload", { text: file.size > 2000000 ? "" : await file.text() });
      input.value = "";
    },
    explain(why) { ui.notice = ""; draw(); ui.notice = why; requestAnimationFrame(draw); },
    change(edit) { edit(); draw(); },
  };
  const root = document.createElement("div");
  const live = Object.assign(document.createElement("div"), { className: "hidden", ariaLive: "polite" });
  live.setAttribute("aria-live", "polite");
  el.append(root, live);
  let closed = false;

  function draw() {
    if (closed) return;
    const lost = root.contains(document.activeElement);
    root.className = "skyline";
    root.lang = ui.view.labels.code;
    root.dataset.theme = drawnTheme(ui.get("theme"), jupyterLight(), systemDark.matches);
    patch(root, [topBar(ui), noticeLine(ui), openPage(ui) || h("main", { key: "first" }, startPage(ui), gamesPanel(ui)), celebration(ui)]);
    root.dataset.skylineReady = "";
    if (ui.view.game?.warning && !root.querySelector("[data-warning]")?.contains(document.activeElement)) root.querySelector("[data-warning] button")?.focus();
    if (lost && !root.contains(document.activeElement)) root.querySelector("[data-home]")?.focus({ preventScroll: true });
  }

  const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
  return { ui, draw, live, systemDark, close() { closed = true; } };
}

/** Numbers of the dice that a roll has just changed. */
export function freshDice(before, after) {
  if (!before || !after || after.move === before.move || !/^roll/.test(after.last_action || "")) return new Set();
  const old = new Map(before.tray.map((thing) => [thing.number, thing]));
  return new Set(after.tray.filter((thing) => !old.has(thing.number) || old.get(thing.number).die !== thing.die || old.get(thing.number).selected).map((thing) => thing.number));
}

function render({ model, el }) {
  const { ui, draw, live, systemDark, close } = makeUi(model, el);
  let timer = null;

  function lead() {
    clearTimeout(timer);
    const game = ui.view.game;
    if (game?.advice?.solving) timer = setTimeout(() => ui.send("solve"), 1500);
    if (!game || !game.status.computer) return;
    const pace = ui.get("pace");
    const pause = game.status.waits ? 1000 : delayOf(pace);
    timer = setTimeout(() => ui.send("step", { all: pace === "at once" }), pause);
  }

  function onView() {
    const before = ui.view;
    ui.view = model.get("view");
    ui.notice = "";
    ui.rolled = freshDice(before.game, ui.view.game);
    ui.six = sixStoreys(before.game, ui.view.game);
    // What the computer players did stays marked until the person acts.
    if (before.game && !before.game.status.computer) ui.acted = snapshot(before.game);
    if (!before.start && ui.view.start) askForGames();
    if (!before.practice && ui.view.practice) recallProgress();
    resetAnswers(before);
    draw();
    live.textContent = announcement(before.game, ui.view.game);
    lead();
  }

  function resetAnswers(before) {
    const start = ui.view.start;
    if (!start) return;
    const untouched = before?.start && JSON.stringify(ui.answers) === JSON.stringify(firstAnswers(before.start));
    if (!ui.answers || untouched) ui.answers = firstAnswers(start);
  }

  function onNotice() {
    const { text } = model.get("notice");
    if (text) ui.explain(text);
  }

  function onAddress() {
    const address = model.get("address");
    if (!ui.get("remembers") || location.search === address) return;
    history.replaceState(null, "", address || location.pathname);
    const code = new URLSearchParams(address).get("game");
    if (code) rememberGame(code);
  }

  function askForGames() {
    const codes = rememberedGames();
    if (ui.get("remembers") && codes.length) ui.send("games", { codes });
  }

  function onRecord() {
    const { text } = model.get("record");
    if (!text) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `skyline-${new Date().toISOString().slice(0, 16).replace(/[T:]/g, "-")}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  const onAnswered = () => ui.requests.answered(model.get("answered"));

  function onProgress() {
    if (!ui.get("remembers")) return;
    try {
      window.localStorage.setItem(PROGRESS, model.get("progress"));
    } catch {
      // Then it lasts as long as the page.
    }
  }

  function recallProgress() {
    try {
      const text = ui.get("remembers") && window.localStorage.getItem(PROGRESS);
      if (text) ui.send("progress", { text });
    } catch {
      // There is none.
    }
  }

  const listeners = [["change:progress", onProgress], ["change:view", onView], ["change:answered", onAnswered], ["change:address", onAddress], ["change:games", draw], ["change:outlook", draw], ["change:advice", draw], ["change:objective", draw], ["change:tutor", draw], ["change:record", onRecord], ["change:notice", onNotice], ["change:theme", draw], ["change:pace", lead]];
  for (const [event, listener] of listeners) model.on(event, listener);
  systemDark.addEventListener("change", draw);
  const watcher = new MutationObserver(draw);
  watcher.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  resetAnswers(null);
  draw();
  onAddress();
  onNotice();
  if (ui.view.start) askForGames();
  lead();

  return () => {
    close();
    ui.requests.close();
    clearTimeout(timer);
    clearTimeout(ui.lookTimer);
    watcher.disconnect();
    systemDark.removeEventListener("change", draw);
    for (const [event, listener] of listeners) model.off(event, listener);
  };
}

export default { render };
