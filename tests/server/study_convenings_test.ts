// Convenings of studies by their ids, STUDY.KEY, on every route of a convening, but not in the list.
import assert from "node:assert/strict";
import { dirname, join } from "@std/path";
import { withApp } from "./support/open_app.ts";

const KEY = "0123456789abcdef";

Deno.test("HTTP, pages and the pool find a study's convening by STUDY.KEY", () =>
  withApp(async ({ ask, hold, out }) => {
    const id = await hold();
    const dir = join(out, "studies", "tea", "debates", KEY);
    await Deno.mkdir(dirname(dir), { recursive: true });
    await Deno.rename(join(out, id.slice(0, 10), id), dir);
    const path = `/api/convenings/tea.${KEY}`;
    const shown = await (await ask(path)).json();
    assert.equal(shown.id, `tea.${KEY}`);
    assert.equal(shown.links.self, path);
    assert.match(await (await ask(`${path}/files/index.md`)).text(), /What makes a good teacher/);
    const events = await ask(`${path}/events?after=1`);
    assert.equal(events.status, 200);
    await events.body?.cancel();
    const verified = await (await ask(`${path}/verify`)).json();
    assert.deepEqual([verified.id, verified.sound], [`tea.${KEY}`, true]);
    const page = await ask(`/convenings/tea.${KEY}`, { headers: { accept: "text/html" } });
    assert.equal(page.status, 200);
    assert.ok((await page.text()).includes(`/api/convenings/tea.${KEY}`));
    const { convenings } = await (await ask("/api/convenings")).json();
    assert.deepEqual(convenings, []);
  }));

Deno.test("HTTP answers not_found for a missing convening of a study and for an unknown name", () =>
  withApp(async ({ ask }) => {
    for (const id of [`tea.${KEY}`, `Tea.${KEY}`, `..${KEY}`, "tea.0123", `tea.${KEY}.${KEY}`]) {
      const answer = await ask(`/api/convenings/${id}`);
      assert.equal(answer.status, 404, id);
      assert.equal((await answer.json()).error.code, "not_found");
    }
  }));
