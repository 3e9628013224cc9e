/* The page's own watchman: shows when the game is on the table, when it takes too long,
 * when the connection is lost and when the game's process has ended. It knows nothing of
 * the game and does without any library, so it also works when all other scripts fail. It
 * runs as soon as the upper part of the page is there: the rest may be long in coming. */
(() => {
  "use strict";

  const SLOW_AFTER = 20000; // a sentence, and a button, for a page that does not come
  const SILENCE = 25000; // the server says "alive" every ten seconds
  const RETRY_AFTER = [500, 1000, 2000, 4000, 8000];
  const READY = "#skyline-page :is([data-skyline-ready], [data-lab-ready], .jupyter-widgets), #skyline-no-widgets";

  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const config = read("jupyter-config-data");
  const phrases = read("skyline-phrases"); // in all languages: one can be chosen on the page
  const address = (what) => new URL(`${config.baseUrl}${what}/${config.kernelId}`, location.href);
  const find = (id) => document.getElementById(id);

  let ready = false;
  let over = false; // the last word has been said: only loading again helps
  let leaving = false;

  const notice = {
    show(name) {
      const box = find("skyline-notice");
      if (!box) return;
      const words = phrases[document.documentElement.lang] ?? phrases.en;
      box.querySelector("p").textContent = words[name];
      box.querySelector("button").textContent = words.reload;
      box.dataset.state = name;
      box.hidden = false;
    },
    hide() {
      const box = find("skyline-notice");
      if (box) box.hidden = true;
    },
  };

  const finish = (name) => {
    if (over) return;
    over = true;
    document.body.dataset.skyline = "over";
    // The text of a lesson can still be read.
    for (const part of document.querySelectorAll("[data-skyline-live]")) part.inert = true;
    find("skyline-loading")?.remove();
    notice.show(name);
  };

  const lookForGame = () => {
    if (over || ready) return;
    if (find("skyline-failed")) finish("failed");
    else if (document.querySelector(READY)) {
      ready = true;
      document.body.dataset.skyline = "ready";
      find("skyline-loading")?.remove();
      notice.hide();
      followGame();
      new MutationObserver(followGame).observe(find("skyline-page"), {
        attributes: true,
        attributeFilter: ["lang", "data-theme"],
        subtree: true,
      });
    }
  };

  // The page around the game takes over the theme and the language that are chosen in it.
  const followGame = () => {
    const game = document.querySelector("#skyline-page [data-skyline-ready]");
    const theme = game?.dataset.theme;
    if (theme) find("skyline-dark").media = theme === "dark" ? "all" : "not all";
    if (game?.lang) document.documentElement.lang = game.lang;
  };

  const watchPage = () => {
    document.body.dataset.skyline = "waiting";
    document.querySelector("#skyline-notice button").addEventListener("click", () => {
      location.reload();
    });
    const observer = new MutationObserver(() => {
      lookForGame();
      if (over || ready) observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    lookForGame();
    setTimeout(() => {
      if (!ready && !over) notice.show("slow");
    }, SLOW_AFTER);
  };

  // The line to the server: silence or a closed line is an interruption, a last word the end.
  let failures = 0;
  let silence = 0;

  const openLine = () => {
    if (over || leaving) return;
    const url = address("watch");
    url.protocol = url.protocol.replace("http", "ws");
    const line = new WebSocket(url);
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => line.close(), SILENCE);
    };
    line.onopen = heard;
    line.onmessage = (event) => {
      heard();
      const { state } = JSON.parse(event.data);
      if (state !== "alive") finish(state === "gone" ? "ended" : state);
      else {
        if (failures > 0) notice.hide();
        failures = 0;
      }
    };
    line.onclose = () => {
      clearTimeout(silence);
      if (over || leaving) return;
      if (failures > 0) notice.show(failures < RETRY_AFTER.length ? "reconnecting" : "lost");
      setTimeout(openLine, RETRY_AFTER[Math.min(failures, RETRY_AFTER.length - 1)]);
      failures += 1;
    };
  };

  // The page says goodbye so that its process ends at once.
  addEventListener("pagehide", () => {
    leaving = true;
    navigator.sendBeacon(address("end"));
  });
  // Back to a page that the browser had kept: its process is gone, so it starts anew.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  watchPage();
  // The page process is there once the server has sent the rest of the page.
  document.addEventListener("DOMContentLoaded", () => {
    lookForGame();
    openLine();
  });
})();
