// The service worker. `VERSION` and `SHELL` (what a page needs without a network) stand before this text when served.
// Pages come from the network; when there is none, the offline page answers and shows what is kept on the device.

const CACHE = `shell-${VERSION}`;
const OFFLINE = "/offline/";
const PATIENCE_MS = 8000; // a venue's network may hang rather than fail

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(SHELL.map((path) => new Request(path, { cache: "no-cache" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

async function page(request) {
  try {
    const late = new Promise((_resolve, reject) => { setTimeout(reject, PATIENCE_MS, new Error("late")); });
    return await Promise.race([fetch(request), late]);
  } catch {
    const cache = await caches.open(CACHE);
    const path = new URL(request.url).pathname;
    const kept = (SHELL.includes(path) && (await cache.match(path))) || (await cache.match(OFFLINE));
    return kept ?? Response.error();
  }
}

async function file(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && !pathname.startsWith("/api/") && !pathname.startsWith("/admin/")) event.respondWith(page(request));
  else if (pathname.startsWith("/static/") && SHELL.includes(pathname)) event.respondWith(file(request));
});
