// @ts-check
/**
 * A cited rule or card, shown beside its link: on hover, on focus and on a long press.
 * The fragment comes from `/preview/`; Escape, leaving and scrolling away close it.
 */

const WAIT_MS = 250;
const PRESS_MS = 450;
const LEAVE_MS = 200;
const LINKS = "a.cite[href], a.chip[href^='/'], a[data-preview]";

/** @type {Map<string, Promise<string>>} */
const known = new Map();
let timer = 0;
let leaving = 0;
let pressed = false;
/** @type {HTMLElement | null} */
let shown = null;
/** @type {HTMLAnchorElement | null} */
let owner = null;
/** @type {HTMLAnchorElement | null} the link whose preview is wanted: its answer may come after the reader has left */
let wanted = null;

/** @param {string} path */
function fragment(path) {
  let answer = known.get(path);
  if (!answer) {
    answer = fetch(`/preview/?at=${encodeURIComponent(path)}`).then((got) => (got.ok ? got.text() : ""), () => "");
    known.set(path, answer);
  }
  return answer;
}

function close() {
  clearTimeout(timer);
  clearTimeout(leaving);
  owner?.removeAttribute("aria-describedby");
  shown?.remove();
  shown = owner = wanted = null;
}

/** @param {HTMLAnchorElement} link */
async function open(link) {
  if (owner === link) return;
  wanted = link;
  const html = await fragment(link.pathname);
  if (!html || wanted !== link || !link.isConnected) return;
  close();
  owner = link;
  shown = document.createElement("div");
  shown.className = "preview";
  shown.id = "preview";
  shown.setAttribute("role", "tooltip");
  shown.innerHTML = html; // drawn and escaped by our own server
  document.body.append(shown);
  link.setAttribute("aria-describedby", "preview");
  place(link, shown);
  shown.addEventListener("pointerenter", () => clearTimeout(leaving));
  shown.addEventListener("pointerleave", leave);
}

/**
 * @param {HTMLElement} link
 * @param {HTMLElement} panel
 */
function place(link, panel) {
  const box = link.getClientRects()[0] ?? link.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const left = Math.max(12, Math.min(box.left, innerWidth - width - 12));
  const below = box.bottom + 8 + height < innerHeight || box.top < height + 8;
  panel.style.left = `${left + scrollX}px`;
  panel.style.top = `${(below ? box.bottom + 8 : box.top - height - 8) + scrollY}px`;
}

function leave() {
  clearTimeout(timer);
  clearTimeout(leaving);
  leaving = setTimeout(close, LEAVE_MS);
}

/** @param {Event} event */
function linkOf(event) {
  const link = event.target instanceof Element ? event.target.closest(LINKS) : null;
  return link instanceof HTMLAnchorElement && link.pathname !== location.pathname && !link.closest(".preview") ? link : null;
}

export function start() {
  document.addEventListener("pointerover", (event) => {
    const link = linkOf(event);
    if (!link || event.pointerType !== "mouse") return;
    clearTimeout(leaving);
    clearTimeout(timer);
    timer = setTimeout(() => open(link), WAIT_MS);
  });
  document.addEventListener("pointerout", (event) => event.pointerType === "mouse" && linkOf(event) && leave());
  document.addEventListener("focusin", (event) => {
    const link = linkOf(event);
    if (link?.matches(":focus-visible")) open(link);
    else if (!shown?.contains(/** @type {Node} */ (event.target))) close();
  });
  document.addEventListener("pointerdown", (event) => {
    pressed = false;
    const link = linkOf(event);
    if (link && event.pointerType !== "mouse") {
      timer = setTimeout(() => { pressed = true; open(link); }, PRESS_MS);
    } else if (!shown?.contains(/** @type {Node} */ (event.target))) close();
  });
  for (const name of ["pointerup", "pointercancel", "pointermove"]) {
    document.addEventListener(name, (event) => {
      const moved = name === "pointermove" && Math.hypot(/** @type {PointerEvent} */ (event).movementX, /** @type {PointerEvent} */ (event).movementY) < 4;
      if (/** @type {PointerEvent} */ (event).pointerType !== "mouse" && !moved) clearTimeout(timer);
    });
  }
  document.addEventListener("contextmenu", (event) => linkOf(event) && /** @type {PointerEvent} */ (event).pointerType !== "mouse" && event.preventDefault());
  document.addEventListener("click", (event) => {
    if (pressed && linkOf(event)) event.preventDefault();
    pressed = false;
  }, true);
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("pagehide", close);
}
