// A served process answers API requests, pages and MCP; the server guide is correct.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { post, startServe } from "./support/serve_process.ts";
import { withFolder } from "../support/cli.ts";
import { ROOT } from "../support/deno_process.ts";

const GUIDE = await Deno.readTextFile(join(ROOT, "context-network/guides/server.md"));
const PRINTED = "http://localhost:4000";

/** Target of a `curl` command. */
interface CurlOptions {
  /** Printed base URL, and the one to replace it. */
  readonly printed: string;
  readonly url: string;
  /** Folder of the files that the command names. */
  readonly folder: string;
}

/** Parses a `curl` command as a shell would and returns its request. */
async function curlRequest(
  command: string,
  { printed, url, folder }: CurlOptions,
): Promise<Request> {
  const words = [...command.replaceAll("\\\n", " ").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
    .map(([, single, double, bare]) => single ?? double ?? bare!);
  const headers = new Headers();
  const form = new FormData();
  let [target, method, body]: [string, string?, string?] = [""];
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (word === "-H") {
      const [name = "", value = ""] = words[++at]!.split(": ");
      headers.set(name, value);
    } else if (word === "-d") body = words[++at]!;
    else if (word === "-X") method = words[++at]!;
    else if (word === "-F") {
      const [name = "", value = ""] = words[++at]!.split("=");
      form.set(name, value.startsWith("@") ? await fileOf(join(folder, value.slice(1))) : value);
    } else target = word.replace(printed, url);
  }
  const sent = body ?? ([...form].length > 0 ? form : undefined);
  if (sent === undefined) return new Request(target, { method: method ?? "GET", headers });
  return new Request(target, { method: method ?? "POST", headers, body: sent });
}

async function fileOf(path: string): Promise<File> {
  return new File([await Deno.readFile(path)], path.slice(path.lastIndexOf("/") + 1));
}

withFolder.test("one server answers programs, people, language models and the server guide's requests", async (folder) => {
  await using server = await startServe(["--max-running", "1"], { folder });
  const { url } = server;
  const get = async (path: string) => {
    const response = await fetch(`${url}${path}`);
    assert.equal(response.status, 200, path);
    return await response.text();
  };
  const text = "Streets with trees were 2.1 degrees cooler.";
  const paper = { id: "trees", title: "Trees", text };
  assert.equal((await post(`${url}/api/papers`, paper)).status, 201);
  const { body: { questions } } = await post(`${url}/api/mas-debate/questions`, {
    paperId: "trees",
  });
  assert.ok(Array.isArray(questions) && questions.length >= 8);
  const begun = await Promise.all(["a", "b"].map((topic) =>
    post(`${url}/api/convenings`, {
      kind: "debate",
      topic: `Should our town build tram line ${topic}?`,
      roundCount: 1,
    })
  ));
  assert.deepEqual(begun.map(({ status }) => status), [201, 201]);
  const queued = begun.filter(({ body }) => body["status"] === "queued");
  assert.deepEqual(queued.map(({ body }) => body["queuePosition"]), [1]);
  for (const { body: { id } } of begun) {
    const events = await get(`/api/convenings/${id}/events`);
    const numbers = [...events.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
    assert.deepEqual(numbers, numbers.map((_each, index) => index + 1));
    for (const part of ["", "/messages", "/scores", "/export", "/files/index.md"]) {
      assert.ok((await get(`/api/convenings/${id}${part}`)).length > 100, part);
    }
    assert.equal(JSON.parse(await get(`/api/convenings/${id}/verify`)).sound, true);
    assert.match(await get(`/convenings/${id}`), /<!DOCTYPE html>/);
  }
  const pages = ["/", "/new", "/papers", "/papers/trees", "/static/style.css"];
  const parts = ["/healthz", "/api/openapi.json", "/api/papers", "/api/search?q=tram"];
  for (const path of [...pages, ...parts]) await get(path);
  const spoken = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      },
    }),
  });
  assert.equal(spoken.status, 200);
  assert.match(await spoken.text(), /"serverInfo"/);
  const commands = GUIDE.split("\n").filter((line) => line.startsWith("curl "));
  assert.ok(commands.length >= 5);
  for (const command of commands) {
    const response = await fetch(
      await curlRequest(command, { printed: PRINTED, url, folder: ROOT }),
    );
    const text = await response.text();
    assert.ok(response.ok, `${command}: ${response.status} ${text}`);
  }
  server.kill("SIGTERM");
  assert.equal((await server.end).code, 130);
});

Deno.test("the server guide's table has every path of the API", () => {
  const paths = ["convenings", "events", "messages", "scores", "verify", "files", "export", "say"];
  const more = ["pause", "stop", "resume", "fork", "judge", "ask", "search", "papers", "questions"];
  const last = ["postures", "run", "run-complete", "healthz", "openapi.json", "mcp"];
  for (const each of [...paths, ...more, ...last]) assert.ok(GUIDE.includes(each), each);
});
