// @ts-check
/** What is kept on the device: small JSON values under `rulings.*`. A closed or full storage is reported, not hidden. */

const PREFIX = "rulings.";

/**
 * @template T
 * @param {string} name
 * @param {T} absent what to answer when nothing readable is kept
 * @returns {T}
 */
export function load(name, absent) {
  try {
    const kept = localStorage.getItem(PREFIX + name);
    return kept === null ? absent : JSON.parse(kept);
  } catch {
    return absent;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {boolean} whether it was kept
 */
export function save(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
