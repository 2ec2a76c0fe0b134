// @ts-check
/** Copy as citation: number, wording, effective date, short link, in one tap. */

import { say } from "./say.js";

/**
 * @param {string} text
 * @returns {Promise<boolean>}
 */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea"); // plain HTTP has no clipboard of the newer kind
    area.value = text;
    area.className = "visually-hidden";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

export function start() {
  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
    if (!(button instanceof HTMLElement)) return;
    const text = document.getElementById(button.dataset.copy ?? "")?.textContent?.trim() ?? "";
    say((await copied(text)) ? (button.dataset.done ?? "") : (button.dataset.failed ?? ""));
  });
  for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
}
