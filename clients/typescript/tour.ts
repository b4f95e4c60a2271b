/** The server part of README.md's tour, by this client: `node build/js/tour.js SERVER TOKEN_FILE`. */
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { done, heddle, Refused } from "./client.js";

const [server, tokenFile] = process.argv.slice(2);
if (server === undefined || tokenFile === undefined) {
  console.error("usage: node build/js/tour.js SERVER TOKEN_FILE");
  process.exit(2);
}
const client = heddle(server, readFileSync(tokenFile, "utf8").trim());

const fabrics = await done(client.GET("/v1/fabrics"));
assert.equal(fabrics.items.length, 1);

const body = { name: "ts.blue", policy: "def", hosts: 2, ipoib: true, mtu: 4096 } as const;
const dry = await done(client.POST("/v1/tenants", { params: { query: { dry_run: true } }, body }));
assert.equal(dry.outcome, "would-be");
const made = await done(client.POST("/v1/tenants", { body }));
assert.equal(made.outcome, "accepted");
assert.equal(made.tenant?.hosts.length, 2);
assert.equal(made.tenant?.ipoib, true);
console.log(`made ${made.tenant?.name} at epoch ${made.epoch}`);

const name = "ts.blue";
const shown = await done(client.GET("/v1/tenants/{name}", { params: { path: { name } } }));
assert.equal(shown.mtu, 4096);
const all = await done(client.GET("/v1/tenants", { params: { query: { limit: 1000 } } }));
assert.ok(all.items.some((t) => t.name === name));

const host = shown.hosts[0]?.name ?? "";
await done(client.POST("/v1/vms", { body: { name: "ts-web", tenant: name, host } }));
const to = shown.hosts[1]?.name ?? "";
const move = await done(
  client.POST("/v1/migrations", {
    params: { query: { dry_run: true } },
    body: { moves: [{ vm: "ts-web", to }] },
  }),
);
assert.ok(move);
await client.DELETE("/v1/vms/{name}", { params: { path: { name: "ts-web" } } });

await done(
  client.PUT("/v1/tenants/{name}", {
    params: { path: { name } },
    body: { ...body, hosts: 3, rate: 25 },
  }),
);
const back = await done(client.POST("/v1/rollback", { body: { epoch: made.epoch, tenant: name } }));
assert.equal(back.tenant?.hosts.length, 2);

try {
  await done(client.POST("/v1/tenants", { body: { name: "ts.red", hosts: 100000 } }));
  assert.fail("more hosts than there are");
} catch (e) {
  assert.ok(e instanceof Refused && e.status === 409 && e.problem?.hints !== undefined, String(e));
  console.log(`refused: ${e.message}`);
}

const history = await done(client.GET("/v1/history", { params: { query: { order: "desc" } } }));
assert.equal(history.items[0]?.kind, "rolled-back");
const events = await done(client.GET("/v1/events", { params: { query: { last: 5 } } }));
assert.ok(events.items.length > 0);
await client.DELETE("/v1/tenants/{name}", { params: { path: { name } } });
const gone = await client.GET("/v1/tenants/{name}", { params: { path: { name } } });
assert.equal(gone.response.status, 404);
console.log("the tour is done");
