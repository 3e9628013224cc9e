// The small decisions of the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { html, page, table } from "./fake.mjs";

const {
  announcement,
  delayOf,
  dieParts,
  dieSvg,
  drawnTheme,
  firstAnswers,
  freshDice,
  isNewTower,
  keyed,
  nextSeat,
  patch,
  queueOf,
  rememberGame,
  rememberedGames,
  sixStoreys,
  snapshot,
  towerHeight,
  towerSvg,
  yardName,
} = await table();

const LETTERS = { l: "L", m: "M", h: "H" };

test("a die is taken apart", () => {
  assert.deepEqual(dieParts("Gl", LETTERS), { kind: "G", style: "low", letter: "L" });
  assert.deepEqual(dieParts("Um", LETTERS), { kind: "U", style: "mid", letter: "M" });
  assert.deepEqual(dieParts("Ph", { ...LETTERS, h: "X" }), { kind: "P", style: "high", letter: "X" });
  assert.deepEqual(dieParts("P-", LETTERS), { kind: "P", style: "blank", letter: "–" });
  assert.deepEqual(dieParts("U?", LETTERS), { kind: "U", style: "unrolled", letter: "?" });
});

test("every die has a picture of its own, told apart without colour", () => {
  const pictures = new Set();
  for (const kind of "GUP") {
    for (const face of "lmh-?") {
      const root = page();
      patch(root, [dieSvg(kind + face, LETTERS)]);
      pictures.add(html(root).replaceAll(/class="die \w+"/g, ""));
    }
  }
  assert.equal(pictures.size, 15);
});

test("a tower grows with its floors and with its roof", () => {
  for (let floors = 1; floors < 6; floors += 1) {
    assert.ok(towerHeight(floors + 1, false) > towerHeight(floors, false));
    assert.ok(towerHeight(floors, true) > towerHeight(floors, false));
    assert.ok(towerHeight(floors, true) < towerHeight(floors + 1, false));
  }
});

test("a tower has as many floors as it says, and one door", () => {
  for (const [style, floors, finished] of [["l", 2, true], ["m", 3, false], ["h", 6, true]]) {
    const root = page();
    patch(root, [towerSvg({ style, floors, finished })]);
    const drawn = html(root);
    assert.equal(drawn.match(/class="wall"/g).length, floors);
    assert.equal(drawn.match(/class="door"/g).length, 1);
    assert.equal(drawn.includes("roof"), finished);
    assert.equal(drawn.includes("scaffold"), !finished);
  }
});

test("the pace is a delay", () => {
  assert.equal(delayOf("at once"), 0);
  assert.ok(delayOf("slow") > delayOf("normal") && delayOf("normal") > delayOf("fast"));
  assert.equal(delayOf("no such pace"), delayOf("normal"));
});

test("the theme is what was chosen, else JupyterLab's, else the system's", () => {
  assert.equal(drawnTheme("dark", "true", false), "dark");
  assert.equal(drawnTheme("light", "false", true), "light");
  assert.equal(drawnTheme("auto", "true", true), "light");
  assert.equal(drawnTheme("auto", "false", false), "dark");
  assert.equal(drawnTheme("auto", undefined, true), "dark");
  assert.equal(drawnTheme("auto", undefined, false), "light");
});

function view(move, texts, prompt = "Do this.", more = {}) {
  const first = move - texts.length;
  const log = texts.map((text, i) => ({ number: first + i, text }));
  return { move, log, status: { prompt }, ...more };
}

test("what happened since is announced, then what is to be done", () => {
  const before = view(3, ["a", "b", "c"]);
  assert.equal(announcement(before, view(5, ["b", "c", "d", "e"], "Go")), "d. e. Go");
  assert.equal(announcement(before, view(3, ["a", "b", "c"], "Go")), "Go");
});

test("nothing old is announced after a start, a reload or taking back", () => {
  assert.equal(announcement(null, view(5, ["a", "b"], "Go")), "Go");
  assert.equal(announcement(undefined, view(0, [], "Go")), "Go");
  assert.equal(announcement(view(5, ["a", "b"]), view(4, ["a"], "Go")), "Go");
  assert.equal(announcement(view(5, ["a"]), null), "");
});

test("a sentence that ends with a mark gets no second one", () => {
  const said = announcement(view(0, []), view(1, ["Ada builds: 9 points!"], "Go"));
  assert.equal(said, "Ada builds: 9 points! Go");
});

test("equal columns are told apart, and a new one does not rename the old ones", () => {
  const codes = (columns) => keyed(columns.map((code) => ({ code }))).map(({ key }) => key);
  assert.deepEqual(codes(["h1", "h1", "L2"]), ["h1.1", "h1.2", "L2.1"]);
  assert.deepEqual(codes(["h2", "h1", "h1", "L2"]).slice(1), ["h1.1", "h1.2", "L2.1"]);
  assert.deepEqual(keyed([{ code: "h1" }, { code: "m1" }]).map(({ index }) => index), [0, 1]);
});

test("a tower that has changed since is new", () => {
  const game = (...skylines) => ({ move: 1, players: skylines.map((columns) => ({ columns: columns.map((code) => ({ code })) })) });
  const before = snapshot(game(["h1"], ["m1", "m1"]));
  assert.equal(isNewTower(before, 1, "h1.1"), false);
  assert.equal(isNewTower(before, 1, "h2.1"), true);
  assert.equal(isNewTower(before, 2, "m1.2"), false);
  assert.equal(isNewTower(before, 2, "m1.3"), true);
  assert.equal(isNewTower(null, 1, "h1.1"), false);
  assert.equal(snapshot(null), null);
});

const START = {
  seats: [{ name: "Player 1", player: "human" }, { name: "Computer", player: "builder" }],
  editions: [["online", "Online"], ["printed", "Printed"]],
  dice_sets: [["standard", "standard dice"]],
  names: ["Player 1", "Player 2", "Player 3", "Player 4"],
};

test("the form begins with what Python proposes, and does not write into it", () => {
  const answers = firstAnswers(START);
  assert.deepEqual(answers, { seats: START.seats, edition: "online", dice_set: "standard", nine: false, box: false });
  answers.seats[0].name = "Ada";
  assert.equal(START.seats[0].name, "Player 1");
});

test("a new seat has a name that is still free", () => {
  const seats = (...names) => ({ seats: names.map((name) => ({ name })) });
  assert.deepEqual(nextSeat(START, seats("Player 1", "Computer")), { name: "Player 2", player: "human" });
  assert.equal(nextSeat(START, seats("Player 2", "Player 1", "x")).name, "Player 3");
});

test("the dice that a roll has changed are fresh", () => {
  const tray = (...dice) => dice.map(([number, die, selected = false]) => ({ number, die, selected }));
  const before = view(3, [], "", { tray: tray([0, "Gl"], [1, "Uh", true], [2, "P-"]) });
  const after = (last_action, ...dice) => view(5, [], "", { last_action, tray: tray(...dice) });
  const fresh = (...args) => [...freshDice(before, after(...args))];
  assert.deepEqual(fresh("roll=Um", [0, "Gl"], [1, "Um"], [2, "P-"]), [1]);
  assert.deepEqual(fresh("roll=Uh", [0, "Gl"], [1, "Uh"], [2, "P-"]), [1], "rolled the same again");
  assert.deepEqual(fresh("abandon P-", [0, "Gl"], [1, "Uh"]), []);
  assert.deepEqual([...freshDice(before, before)], []);
  assert.deepEqual([...freshDice(null, before)], []);
  assert.deepEqual([...freshDice(before, null)], []);
});

test("a feast is for a six-storey building that has just been finished", () => {
  const before = { move: 4 };
  const log = [{ number: 3, six: true }, { number: 4, six: false }];
  assert.equal(sixStoreys(before, { move: 5, log }), 0);
  assert.equal(sixStoreys(before, { move: 6, log: [...log, { number: 5, six: true }] }), 6);
  assert.equal(sixStoreys(null, { move: 5, log }), 0);
  assert.equal(sixStoreys(before, { replay: {}, move: 6, log: [{ number: 5, six: true }] }), 0);
});

test("a row of the yard is spoken with its stock", () => {
  const labels = { unlimited: "never runs out", left: "left", picked: "Picked" };
  assert.equal(yardName({ name: "die", left: null, picked: 0 }, labels), "die, never runs out");
  assert.equal(yardName({ name: "die", left: 0, picked: 2 }, labels), "die, 0 left, Picked: 2");
});

function storage(content = null) {
  return { content, getItem() { return this.content; }, setItem(_, value) { this.content = value; } };
}

test("games are remembered, the latest first, each once", () => {
  const kept = storage();
  for (const code of ["a", "b", "a", "c"]) rememberGame(code, kept);
  assert.deepEqual(rememberedGames(kept), ["c", "a", "b"]);
  for (let i = 0; i < 80; i += 1) rememberGame(`g${i}`, kept);
  assert.equal(rememberedGames(kept).length, 50);
  assert.equal(rememberedGames(kept)[0], "g79");
});

test("a storage that holds nonsense remembers nothing", () => {
  for (const content of [null, "", "{", "3", '{"a":1}', "[1, null, {}]"]) {
    assert.deepEqual(rememberedGames(storage(content)), []);
  }
  const broken = { getItem() { throw new Error("no"); }, setItem() { throw new Error("full"); } };
  assert.deepEqual(rememberedGames(broken), []);
  rememberGame("a", broken);
});

test("a browser that forbids its storage can still play", () => {
  globalThis.window = { get localStorage() { throw new Error("SecurityError"); } };
  try {
    assert.deepEqual(rememberedGames(), []);
    rememberGame("a");
  } finally {
    delete globalThis.window;
  }
});

test("requests go out one by one, each after the answer to the one before", () => {
  const sent = [];
  const queue = queueOf((request) => sent.push(request.click));
  for (const click of [1, 2, 3]) queue.add({ click });
  assert.deepEqual(sent, [1]);
  queue.answered(7);
  queue.answered(2);
  assert.deepEqual(sent, [1], "answers to others are none of ours");
  queue.answered(1);
  queue.answered(1);
  assert.deepEqual(sent, [1, 2]);
  queue.answered(2);
  queue.answered(3);
  queue.add({ click: 4 });
  assert.deepEqual(sent, [1, 2, 3, 4]);
  queue.close();
});

test("a request that got lost does not block those behind it", async () => {
  const sent = [];
  const third = new Promise((resolve) => {
    const queue = queueOf((request) => {
      sent.push(request.click);
      if (request.click === 3) resolve(queue.close());
    }, 1);
    for (const click of [1, 2, 3]) queue.add({ click });
  });
  await third;
  assert.deepEqual(sent, [1, 2, 3]);
});
