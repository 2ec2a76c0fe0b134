// @ts-check
/**
 * Completions under a search box: a combobox with a list of links drawn by the server.
 * `data-suggest` is the address that is asked. With `data-fill` a chosen card is written into the box instead of opened.
 */

import { forget, recent } from "./recent.js";

const PAUSE_MS = 120;

class Suggestions {
  /** @param {HTMLInputElement} box */
  constructor(box) {
    this.box = box;
    this.list = document.createElement("div");
    this.list.className = "suggestions";
    this.list.id = `${box.id}-suggestions`;
    this.list.hidden = true;
    (box.closest(".search-form, .card-input") ?? box).append(this.list);
    this.at = -1;
    this.timer = 0;
    this.asked = 0;
    for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", this.list.id]]) {
      box.setAttribute(name, value);
    }
    box.addEventListener("input", () => this.later());
    box.addEventListener("focus", () => this.box.value || this.showRecent());
    box.addEventListener("click", () => this.box.value || this.showRecent());
    box.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("popstate", () => this.close());
    box.addEventListener("blur", () => setTimeout(() => this.list.contains(document.activeElement) || this.close(), 150));
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => this.click(event));
  }

  later() {
    clearTimeout(this.timer);
    if (!this.box.value.trim()) return this.showRecent();
    this.timer = setTimeout(() => this.ask(), PAUSE_MS);
  }

  async ask() {
    const asked = ++this.asked;
    const address = new URL(/** @type {string} */ (this.box.dataset.suggest), location.href);
    address.searchParams.set("q", this.box.value.slice(0, 100));
    try {
      const answer = await fetch(address);
      const html = answer.ok ? await answer.text() : "";
      if (asked === this.asked && document.activeElement === this.box) this.show(html);
    } catch {
      this.close(); // without a connection there is nothing to suggest; the search itself says so
    }
  }

  showRecent() {
    this.asked++;
    const queries = this.box.name === "q" && !this.box.dataset.fill ? recent() : [];
    const list = document.createElement("ul");
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", this.box.dataset.recent ?? "");
    for (const query of queries) {
      const link = document.createElement("a");
      link.href = `${this.box.form?.action ?? "/search/"}?q=${encodeURIComponent(query)}`;
      link.tabIndex = -1;
      link.textContent = query;
      const item = document.createElement("li");
      item.setAttribute("role", "option");
      item.className = "suggestion suggestion-recent";
      item.append(link);
      list.append(item);
    }
    const clear = document.createElement("button");
    clear.type = "button";
    clear.className = "plain-button";
    clear.tabIndex = -1;
    clear.textContent = this.box.dataset.forget ?? "×";
    clear.addEventListener("click", () => { forget(); this.close(); });
    this.list.replaceChildren(...(queries.length ? [list, clear] : []));
    this.opened();
  }

  /** @param {string} html */
  show(html) {
    this.list.innerHTML = html; // drawn and escaped by our own server
    this.opened();
  }

  opened() {
    this.at = -1;
    this.box.removeAttribute("aria-activedescendant");
    this.options().forEach((option, number) => { option.id = `${this.list.id}-${number}`; });
    this.list.hidden = !this.options().length;
    this.box.setAttribute("aria-expanded", String(!this.list.hidden));
  }

  close() {
    this.asked++;
    clearTimeout(this.timer);
    this.list.replaceChildren();
    this.opened();
  }

  /** @returns {HTMLElement[]} */
  options() {
    return [...this.list.querySelectorAll("[role=option]")].map((each) => /** @type {HTMLElement} */ (each));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    const options = this.options();
    if (event.key === "Escape" && options.length) {
      event.preventDefault();
      this.close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && options.length) {
      event.preventDefault();
      this.at = (this.at + (event.key === "ArrowDown" ? 1 : -1) + options.length + 1) % (options.length + 1);
      if (this.at === options.length) this.at = -1;
      options.forEach((option, number) => option.setAttribute("aria-selected", String(number === this.at)));
      const chosen = options[this.at];
      if (chosen) {
        this.box.setAttribute("aria-activedescendant", chosen.id);
        chosen.scrollIntoView({ block: "nearest" });
      } else this.box.removeAttribute("aria-activedescendant");
    } else if (event.key === "Enter" && options[this.at]) {
      event.preventDefault();
      this.choose(options[this.at]);
    }
  }

  /** @param {MouseEvent} event */
  click(event) {
    const option = /** @type {HTMLElement} */ (event.target).closest("[role=option]");
    if (option && this.box.dataset.fill !== undefined) {
      event.preventDefault();
      this.choose(/** @type {HTMLElement} */ (option));
    }
  }

  /** @param {HTMLElement} option */
  choose(option) {
    if (this.box.dataset.fill !== undefined) {
      this.box.value = option.dataset.text ?? "";
      this.close();
      this.box.dispatchEvent(new Event("change", { bubbles: true }));
    } else option.querySelector("a")?.click();
  }
}

/** @param {ParentNode} within */
export function start(within = document) {
  for (const box of within.querySelectorAll("input[data-suggest]")) new Suggestions(/** @type {HTMLInputElement} */ (box));
}
