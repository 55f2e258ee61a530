// Keeps the files of the page, so that it opens without a network. `FILES` and `VERSION` are written by the build.
const FILES = [];
const VERSION = '';

self.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(VERSION);
    await cache.addAll(['./', ...FILES]);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => {
  const begin = async () => {
    const older = (await caches.keys()).filter((name) => name !== VERSION);
    await Promise.all(older.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(begin());
});

// The page itself comes from the network where there is one, so that new versions arrive; its parts have their content in their names.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const options = { ignoreSearch: true };
  if (request.mode === 'navigate')
    event.respondWith(fetch(request).catch(() => caches.match('./', options)));
  else event.respondWith(caches.match(request, options).then((kept) => kept ?? fetch(request)));
});
