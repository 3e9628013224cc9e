// The page's script for tests without a browser: the module, and as much of a document as it needs.

import { readFileSync } from "node:fs";

const PATH = new URL("../../widgets/skyline_widgets/static/table.js", import.meta.url);

/** Import the script as the browser does: from its text, whatever its file is called. */
export async function table() {
  const text = readFileSync(PATH, "utf8");
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}

class FakeNode {
  constructor(tag, namespaceURI) {
    this.tag = tag;
    this.namespaceURI = namespaceURI;
    this.childNodes = [];
    this.attributes = new Map();
    this.parent = null;
    this.moves = 0;
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  insertBefore(node, before) {
    node.remove();
    const place = before ? this.childNodes.indexOf(before) : this.childNodes.length;
    this.childNodes.splice(place, 0, node);
    node.parent = this;
    node.moves += 1;
  }

  remove() {
    if (!this.parent) return;
    const siblings = this.parent.childNodes;
    siblings.splice(siblings.indexOf(this), 1);
    this.parent = null;
  }
}

/** Put a document into place and return an empty element of it. */
export function page() {
  globalThis.document = {
    createElement: (tag) => new FakeNode(tag, "html"),
    createElementNS: (namespace, tag) => new FakeNode(tag, namespace),
    createTextNode: (text) => Object.assign(new FakeNode("#text", null), { nodeValue: text }),
  };
  return new FakeNode("main", "html");
}

/** Write an element out, attributes in the order of the alphabet. */
export function html(node) {
  if (node.tag === "#text") return node.nodeValue;
  const attributes = [...node.attributes].sort().map(([name, value]) => ` ${name}="${value}"`);
  return `<${node.tag}${attributes.join("")}>${node.childNodes.map(html).join("")}</${node.tag}>`;
}
