/* What all pages have in common: the navigation's words, the choice of language and colours, the
 * way back to a game, and the places of a lesson's outputs. It knows nothing of the game. */
(() => {
  "use strict";

  const YEAR = 31536000;
  const GAME = "skyline-game"; // the address of the game that was open last in this window
  const { body, documentElement: root } = document;
  const remember = (name, value) => {
    document.cookie = `skyline_${name}=${value}; path=/; max-age=${YEAR}; SameSite=Lax`;
  };

  // --- language and colours -------------------------------------------------------------------

  const DARK_WHEN = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };

  const wear = (theme) => {
    document.getElementById("skyline-dark").media = DARK_WHEN[theme];
    // The widgets take it over from here, as they do in JupyterLab.
    if (theme === "auto") {
      delete body.dataset.jpThemeName;
      delete body.dataset.jpThemeLight;
    } else {
      body.dataset.jpThemeName = "Skyline";
      body.dataset.jpThemeLight = String(theme === "light");
    }
  };

  const changes = {
    language(code) {
      remember("language", code);
      location.reload(); // the page comes in this language
    },
    theme(theme) {
      remember("theme", theme);
      wear(theme);
    },
  };
  for (const select of document.querySelectorAll(".skyline-settings select")) {
    // The browser may bring back an older choice when it shows a page again.
    select.value = select.querySelector("option[selected]").value;
    select.addEventListener("change", () => changes[select.dataset.setting](select.value));
  }

  // On the game's page the language is chosen in the game.
  const phrases = document.getElementById("skyline-phrases");
  if (phrases) {
    const all = JSON.parse(phrases.textContent);
    new MutationObserver(() => {
      const words = all[root.lang] ?? all.en;
      for (const node of document.querySelectorAll("[data-phrase]")) {
        node.textContent = words[node.dataset.phrase];
      }
    }).observe(root, { attributes: true, attributeFilter: ["lang"] });
  }

  // --- the way back to a game -----------------------------------------------------------------

  const stored = (change) => {
    try {
      return change(sessionStorage);
    } catch {
      return null; // a browser without storage still has the list of games
    }
  };
  if (body.dataset.page === "play") {
    addEventListener("pagehide", () => stored((at) => at.setItem(GAME, location.search)));
  } else {
    const game = stored((at) => at.getItem(GAME));
    const link = document.querySelector('[data-site="play"]');
    if (link && /^\?game=[\w-]+$/.test(game ?? "")) link.href += game;
  }

  // --- the outputs of a lesson ----------------------------------------------------------------

  const place = () => {
    for (const late of document.querySelectorAll("[data-late]")) {
      // What follows has begun to arrive, or the page is complete: so this is complete.
      if (!late.nextElementSibling && document.readyState === "loading") continue;
      const index = late.dataset.late;
      document.querySelector(`[data-cell="${index}"]`)?.append(...late.childNodes);
      document.querySelector(`[data-check="${index}"]`)?.removeAttribute("hidden");
      late.remove();
    }
  };
  if (document.querySelector(".skyline-computing")) {
    const observer = new MutationObserver(place);
    observer.observe(body, { childList: true });
    document.addEventListener("DOMContentLoaded", () => {
      observer.disconnect();
      place();
    });
  }
})();
