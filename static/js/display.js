// @ts-check
/** Theme, type size and keys, chosen on the settings page and kept on this device. */

import { load, save } from "./store.js";

export function start() {
  const form = document.getElementById("display-form");
  if (!(form instanceof HTMLFormElement)) return;
  const chosen = load("display", /** @type {{theme?: string, size?: string, keys?: boolean}} */ ({}));
  /** @type {RadioNodeList} */ (form.elements.namedItem("theme")).value = chosen.theme ?? "";
  /** @type {RadioNodeList} */ (form.elements.namedItem("size")).value = chosen.size ?? "";
  /** @type {HTMLInputElement} */ (form.elements.namedItem("keys")).checked = chosen.keys !== false;
  form.addEventListener("change", () => {
    const given = new FormData(form);
    const next = { theme: String(given.get("theme")), size: String(given.get("size")), keys: given.has("keys") };
    save("display", next);
    const { dataset } = document.documentElement;
    if (next.theme) dataset.theme = next.theme; else delete dataset.theme;
    if (next.size) dataset.size = next.size; else delete dataset.size;
    dataset.keys = next.keys ? "on" : "off";
  });
}
