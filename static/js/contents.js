// @ts-check
/** The table of contents follows: the heading that is being read is marked and kept in sight. */

export function start() {
  const side = document.querySelector(".side-toc");
  /** @type {Map<Element, HTMLAnchorElement>} */
  const links = new Map();
  for (const link of side?.querySelectorAll("a[href^='#']") ?? []) {
    const target = document.getElementById(decodeURIComponent(/** @type {HTMLAnchorElement} */ (link).hash.slice(1)));
    if (target) links.set(target, /** @type {HTMLAnchorElement} */ (link));
  }
  if (!side || !links.size) return;
  const targets = [...links.keys()];
  /** @type {HTMLAnchorElement | undefined} */
  let current;
  let waiting = false;

  function follow() {
    waiting = false;
    let reading = targets[0];
    for (const target of targets) {
      if (target.getBoundingClientRect().top > 120) break;
      reading = target;
    }
    const link = links.get(reading);
    if (link === current) return;
    current?.removeAttribute("aria-current");
    current = link;
    link?.setAttribute("aria-current", "true");
    if (link && side) {
      const away = link.getBoundingClientRect().top - side.getBoundingClientRect().top;
      if (away < 40 || away > side.clientHeight - 40) side.scrollTop += away - side.clientHeight / 3;
    }
  }

  addEventListener("scroll", () => {
    if (!waiting) requestAnimationFrame(follow);
    waiting = true;
  }, { passive: true });
  follow();
}
