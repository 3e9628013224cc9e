/* The page Laboratory: tabs over the widgets of its sections. Python makes a widget when its tab
 * is opened for the first time; here it is put in its place and stays there. */

/** The tab that a key leads to, or null if it is none of the keys for it. */
export function nextTab(key, place, n) {
  const to = { ArrowRight: (place + 1) % n, ArrowLeft: (place + n - 1) % n, Home: 0, End: n - 1 };
  return Object.hasOwn(to, key) ? to[key] : null;
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function render({ model, el }) {
  const labels = model.get("labels");
  const tabs = model.get("tabs");
  const views = new Map(); // of each section: the model it belongs to, and the view once it is there
  let number = 0;

  const title = element("h1", {}, labels.title);
  const list = element("div", { role: "tablist", "aria-label": labels.title });
  const notice = element("p", { class: "skyline-lab-notice", role: "status" });
  const lead = element("p", { class: "skyline-lab-lead" });
  const buttons = tabs.map(([name, word]) => {
    const button = element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "data-tab": name }, word);
    button.addEventListener("click", () => open(name));
    return button;
  });
  const panels = tabs.map(([name]) =>
    element("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, "data-panel": name, hidden: "" }));
  list.append(...buttons);
  list.addEventListener("keydown", (event) => {
    const to = nextTab(event.key, buttons.indexOf(document.activeElement), buttons.length);
    if (to === null) return;
    event.preventDefault();
    buttons[to].focus();
  });
  el.append(element("div", { class: "skyline-lab" }, title, list, notice, lead, ...panels));

  function open(name) {
    select(name);
    model.set("request", { tab: name, number: ++number });
    model.save_changes();
  }

  function select(name) {
    tabs.forEach(([other], i) => {
      const isOpen = other === name;
      buttons[i].setAttribute("aria-selected", String(isOpen));
      buttons[i].tabIndex = isOpen ? 0 : -1;
      panels[i].hidden = !isOpen;
    });
    lead.hidden = true; // until Python says what belongs to this one
  }

  function onNotice() {
    notice.textContent = model.get("notice");
    notice.hidden = !model.get("notice");
  }

  function onLead() {
    const { text, button: word } = model.get("lead");
    lead.hidden = !text;
    const button = element("button", { type: "button" }, word ?? "");
    button.addEventListener("click", () => {
      open(labels.editor);
      buttons[tabs.findIndex(([name]) => name === labels.editor)].focus();
    });
    lead.replaceChildren(text ?? "", " ", button);
  }

  async function onShown() {
    const shown = model.get("shown");
    for (const [name, reference] of Object.entries(shown)) {
      if (views.get(name) !== reference) {
        views.set(name, reference);
        await put(name, reference);
      }
    }
    for (const name of views.keys()) if (!(name in shown)) remove(name);
  }

  async function put(name, reference) {
    const child = await model.widget_manager.get_model(reference.slice("IPY_MODEL_".length));
    const view = await model.widget_manager.create_view(child, {});
    if (views.get(name) === reference) panelOf(name).replaceChildren(view.el);
  }

  function remove(name) {
    views.delete(name);
    panelOf(name).replaceChildren();
  }

  function panelOf(name) {
    return panels[tabs.findIndex(([other]) => other === name)];
  }

  const onTab = () => select(model.get("tab"));
  const onAddress = () => {
    const address = model.get("address");
    if (address) history.replaceState(null, "", address);
  };

  const listeners = [["change:tab", onTab], ["change:notice", onNotice], ["change:lead", onLead], ["change:shown", onShown], ["change:address", onAddress]];
  for (const [event, listener] of listeners) model.on(event, listener);
  onTab();
  onNotice();
  onLead();
  onShown();
  return () => {
    for (const [event, listener] of listeners) model.off(event, listener);
  };
}

export default { render };
