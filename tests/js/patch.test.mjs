// How the page is redrawn: only what differs is touched.

import assert from "node:assert/strict";
import { test } from "node:test";

import { html, page, table } from "./fake.mjs";

const { h, patch } = await table();

function draw(root, ...items) {
  patch(root, items);
  return root.childNodes.map(html).join("");
}

test("elements, attributes and text are drawn", () => {
  const root = page();
  const seen = draw(root, h("p", { class: "a", hidden: true, title: null }, "one", " ", h("b", {}, 2)));
  assert.equal(seen, '<p class="a" hidden="">one <b>2</b></p>');
});

test("what is nothing is left out, and zero is something", () => {
  const root = page();
  assert.equal(draw(root, h("p", {}, null, undefined, false, "", [[], ["x"]], 0)), "<p>x0</p>");
});

test("text is text", () => {
  const root = page();
  const evil = "<img src=x onerror=alert(1)>";
  draw(root, h("p", { title: evil }, evil));
  const [paragraph] = root.childNodes;
  assert.equal(paragraph.childNodes.length, 1);
  assert.equal(paragraph.childNodes[0].tag, "#text");
  assert.equal(paragraph.childNodes[0].nodeValue, evil);
});

test("drawing the same again touches nothing", () => {
  const root = page();
  const items = () => [h("p", { class: "a" }, "x"), h("ul", {}, h("li", { key: "k" }, "y"))];
  patch(root, items());
  const [first, second] = root.childNodes;
  const [inner] = second.childNodes;
  patch(root, items());
  assert.deepEqual(root.childNodes, [first, second]);
  assert.equal(second.childNodes[0], inner);
  assert.deepEqual([first.moves, second.moves, inner.moves], [1, 1, 1]);
});

test("attributes change and go", () => {
  const root = page();
  draw(root, h("p", { class: "a", title: "t", "aria-disabled": "true" }));
  assert.equal(draw(root, h("p", { class: "b", "aria-disabled": null })), '<p class="b"></p>');
});

test("a handler is replaced, and removed with its property", () => {
  const root = page();
  const [first, second] = [() => 1, () => 2];
  patch(root, [h("button", { onclick: first })]);
  const [button] = root.childNodes;
  assert.equal(button.onclick, first);
  patch(root, [h("button", { onclick: second })]);
  assert.equal(button.onclick, second);
  patch(root, [h("button", {})]);
  assert.equal(button.onclick, null);
});

test("keys keep elements when others come and go", () => {
  const root = page();
  const list = (...keys) => keys.map((key) => h("li", { key }, key));
  patch(root, list("a", "b", "c"));
  const [, b, c] = root.childNodes;
  assert.equal(draw(root, ...list("b", "x", "c")), "<li>b</li><li>x</li><li>c</li>");
  assert.equal(root.childNodes[0], b);
  assert.equal(root.childNodes[2], c);
  assert.equal(b.moves, 1, "an element that stays is not moved: it would lose the focus");
});

test("keys keep elements in another order", () => {
  const root = page();
  patch(root, ["a", "b", "c"].map((key) => h("li", { key }, key)));
  const before = [...root.childNodes];
  patch(root, ["c", "a", "b"].map((key) => h("li", { key }, key)));
  assert.deepEqual(root.childNodes, [before[2], before[0], before[1]]);
});

test("another kind of element in the same place is a new one", () => {
  const root = page();
  patch(root, [h("div", {}, "x")]);
  const [old] = root.childNodes;
  assert.equal(draw(root, h("button", {}, "x")), "<button>x</button>");
  assert.notEqual(root.childNodes[0], old);
});

test("the value of a select is set after its options", () => {
  const root = page();
  patch(root, [h("select", { value: "b" }, h("option", { value: "a" }), h("option", { value: "b" }))]);
  const [select] = root.childNodes;
  assert.equal(select.value, "b");
  assert.equal(select.childNodes.length, 2);
});

test("pictures are drawn in their own namespace", () => {
  const root = page();
  patch(root, [h("svg", {}, h("rect", {}))]);
  const [svg] = root.childNodes;
  assert.equal(svg.namespaceURI, "http://www.w3.org/2000/svg");
  assert.equal(svg.childNodes[0].namespaceURI, "http://www.w3.org/2000/svg");
});

test("ten thousand redraws leave as many elements as one", () => {
  const root = page();
  for (let i = 0; i < 10000; i += 1) {
    const keys = Array.from({ length: (i % 4) + 1 }, (_, k) => `${(i + k) % 7}`);
    patch(root, keys.map((key) => h("li", { key }, key)));
  }
  assert.equal(root.childNodes.length, 4);
  assert.equal(root.__items.length, 4);
});
