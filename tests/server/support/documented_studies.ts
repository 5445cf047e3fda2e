// Requests to routes of studies for the test of the OpenAPI document.
import { join } from "@std/path";
import { STUDY } from "../../studies/support/tea_study.ts";
import type { Asked, DocumentedClient } from "./documented_client.ts";
import { withApp } from "./open_app.ts";

const ONE = "/api/studies/{id}";

/** Runs a study and reads all of its resources; then closes the pool and damages the plan. */
export async function askStudies(client: DocumentedClient): Promise<void> {
  await withApp(async ({ ask, pool, out }) => {
    const path = { id: "tea" };
    const one = (at: string, asked: Asked = {}) => client.ask(ask, at, { path, ...asked });
    const begin = () => client.ask(ask, "post /api/studies", { body: STUDY });
    await begin();
    // A process runs a study only once at a time.
    await begin();
    await one(`post ${ONE}/run`);
    await one(`post ${ONE}/retry`);
    await pool.studies.run("tea")?.ended;
    for (const act of ["run", "retry"]) {
      await one(`post ${ONE}/${act}`);
      await pool.studies.run("tea")?.ended;
    }
    await one(`post ${ONE}/stop`);
    await one(`post ${ONE}/report`);
    await one(`post ${ONE}/export`);
    await client.ask(ask, "post /api/study-plans", { body: STUDY });
    await one(`get ${ONE}/events`);
    for (const part of ["", "/debates"]) await one(`get ${ONE}${part}`);
    const names = ["leaderboard.md", "leaderboard.csv", "leaderboard.html", "ratings.json"];
    for (const file of ["plan.jsonl", ...names.map((name) => `report/${name}`)]) {
      await one(`get ${ONE}/files`, { query: `path=${file}` });
    }
    await one(`get ${ONE}/files`, { query: "path=report/none.md" });
    await pool.close();
    await begin();
    for (const act of ["run", "retry"]) await one(`post ${ONE}/${act}`);
    await Deno.writeTextFile(join(out, "studies", "tea", "plan.jsonl"), "{}\n");
    await client.ask(ask, "get /api/studies");
    for (const part of ["", "/debates"]) await one(`get ${ONE}${part}`);
    for (const act of ["run", "stop", "retry", "report", "export"]) await one(`post ${ONE}/${act}`);
  });
}
