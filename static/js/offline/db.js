// @ts-check
/** The entries kept on this device, in IndexedDB. */

/**
 * @typedef {{id: number, kind: string, ruleset: string, number: string, title: string, body: string, verdict: string,
 *   status: string, effective_on: string | null, cards: {id: number, name: string}[], key: string, path: string}} Kept
 * @typedef {{slug: string, name: string, authority: string, complete: boolean, since: number, mark: string, count: number,
 *   syncedAt: string | null}} Shelf
 */

const NAME = "rulings";

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

/** @returns {Promise<IDBDatabase>} */
export function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 2);
    request.onupgradeneeded = () => {
      const made = request.result;
      if (!made.objectStoreNames.contains("entries")) {
        made.createObjectStore("entries", { keyPath: "id" }).createIndex("ruleset", "ruleset");
        made.createObjectStore("shelves", { keyPath: "slug" });
      }
      made.createObjectStore("names", { keyPath: "slug" });
    };
    request.onblocked = () => reject(new DOMException("another tab holds an older version", "InvalidStateError"));
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close(); // let another tab bring a newer version
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/**
 * Run `work` in one transaction; resolves when it is on disk, rejects (and changes nothing) when it is not.
 * @param {IDBTransactionMode} mode
 * @param {(entries: IDBObjectStore, shelves: IDBObjectStore, names: IDBObjectStore) => unknown} work
 */
async function transact(mode, work) {
  const database = await open();
  const transaction = database.transaction(["entries", "shelves", "names"], mode);
  const finished = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
  read = null;
  const result = work(transaction.objectStore("entries"), transaction.objectStore("shelves"), transaction.objectStore("names"));
  await finished;
  read = null;
  return result;
}

/** @returns {Promise<Shelf[]>} */
export async function shelves() {
  const database = await open();
  return done(database.transaction("shelves").objectStore("shelves").getAll());
}

/** @type {Kept[] | null} what was read last, until something is written: a search reads on every letter */
let read = null;

/** @returns {Promise<Kept[]>} */
export async function entries() {
  const database = await open();
  read ??= await done(database.transaction("entries").objectStore("entries").getAll());
  return read;
}

/** @returns {Promise<import("./names.js").Names[]>} */
export async function names() {
  const database = await open();
  return done(database.transaction("names").objectStore("names").getAll());
}

/** @param {import("./names.js").Names} list */
export const putNames = (list) => transact("readwrite", (_entryStore, _shelfStore, nameStore) => nameStore.put(list));

/**
 * @param {Kept[]} rows
 * @param {Shelf[]} states
 */
export const put = (rows, states) => transact("readwrite", (entryStore, shelfStore) => {
  for (const row of rows) entryStore.put(row);
  for (const state of states) shelfStore.put(state);
});

/** @param {string} slug */
export const drop = (slug) => transact("readwrite", (entryStore, shelfStore, nameStore) => {
  shelfStore.delete(slug);
  nameStore.delete(slug);
  const request = entryStore.index("ruleset").openKeyCursor(slug);
  request.onsuccess = () => {
    if (!request.result) return;
    entryStore.delete(request.result.primaryKey);
    request.result.continue();
  };
});
