// Command `models`: known properties of models, learned lessons, and checks of servers before a run.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { forgetLessons } from "../../src/agents/learned.ts";
import { keepLesson, readLessons } from "../../src/record/archive.ts";
import { filesBelow } from "../../src/record/disk_files.ts";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { serveLocally } from "../support/local_server.ts";
import { startModelServer } from "../support/model_server.ts";
import { ran, runMain } from "../support/run_main.ts";

const LESSON = {
  origin: "http://127.0.0.1:9",
  model: "some-model",
  key: "seed",
  from: true,
  to: false,
  because: "400 seed is not supported",
  at: new Date(Date.now()).toISOString(),
};

withFolder.test("models NAME prints each key of a profile with its source, lessons of the archive included", async (folder) => {
  forgetLessons();
  const out = join(folder, "convenings");
  await Deno.mkdir(out);
  await keepLesson(filesBelow(out), out, LESSON);
  await Deno.writeTextFile(
    join(folder, "own.yaml"),
    "topic: Cars\nproviders:\n  mine:\n    baseUrl: http://127.0.0.1:9/v1\n    profile: { window: 900 }\n",
  );
  const args = ["models", "mine:some-model", "--config", "own.yaml"];
  const { stdout } = await ran(args, { folder });
  assert.match(stdout, /^some-model: mine, http:\/\/127\.0\.0\.1:9\/v1\n/);
  assert.match(stdout, /^ {2}cap: max_tokens \(defaults\)$/m);
  assert.match(stdout, /^ {2}seed: false \(learned\)$/m);
  assert.match(stdout, /^ {2}window: 900 \(user's provider\)$/m);
  assert.match(
    stdout,
    /^ {2}some-model at .*: seed true → false \(.*: 400 seed is not supported\)$/m,
  );

  const others = [{ ...LESSON, model: "other" }, { ...LESSON, origin: "http://127.0.0.1:8" }];
  for (const each of others) await keepLesson(filesBelow(out), out, each);
  const forgot = await ran([...args, "--forget"], { folder });
  assert.match(forgot.stdout, /^Forgot the lessons of some-model in /);
  assert.deepEqual(await readLessons(filesBelow(out), out), others);
  const elsewhere = await ran(["models", "other", "--forget"], { folder });
  assert.match(elsewhere.stdout, /^No lessons of other at https:\/\/api\.openai\.com in /);
  await ran(["models", "--forget"], { folder });
  assert.deepEqual(await readLessons(filesBelow(out), out), []);
  const { lessons } = jsonOf(await runMain([...args, "--json"], { folder }));
  assert.deepEqual(lessons, []);
});

withFolder.test("models rejects the name local, which is not a model", async (folder) => {
  const { stderr } = await ran(["models", "local"], { folder }, 2);
  assert.match(stderr, /Cannot use model "local"[^]*ollama:NAME/);
});

withFolder.test("models lists the servers that names can refer to", async (folder) => {
  const { stdout } = await ran(["models"], { folder });
  assert.match(
    stdout,
    /^ {2}MODEL: OpenAI, https:\/\/api\.openai\.com\/v1, key in OPENAI_API_KEY$/m,
  );
  assert.match(stdout, /^ {2}ollama:MODEL: Ollama, http:\/\/127\.0\.0\.1:11434\/v1$/m);
  const offline = await runMain(["models", "offline"], { folder });
  assert.equal(offline.stdout, "offline: not a model of a server\n");
});

const DEBATE = ["debate", "Should cities ban private cars?", "--rounds", "0"];
const KEY = { OPENAI_API_KEY: "sk-wrong" };

function times(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Returns a base URL with no server. */
async function deadUrl(): Promise<string> {
  await using server = await startModelServer();
  return server.url;
}

withFolder.test("a base URL without a server is reported once and leaves no record", async (folder) => {
  const words = [...DEBATE, "--base-url", await deadUrl()];
  assert.match(await withoutReply(words, folder), /no connection.*refused/);
});

/** Runs a command that reports once, before a record is made, that no reply comes; returns standard error. */
async function withoutReply(args: readonly string[], folder: string): Promise<string> {
  const { stderr } = await ran(args, { folder, env: KEY }, 1);
  assert.equal(times(stderr, "Cannot get a reply"), 1, stderr);
  assert.deepEqual(await namesIn(folder), []);
  return stderr;
}

type Served = Parameters<typeof startModelServer>[0];

/** Servers that no debate can use, with the words of the error, once, and the requests that they get. */
const REFUSING:
  readonly (readonly [what: string, served: Served, says: RegExp, requests: number])[] = [
    [
      "that rejects the API key",
      { key: "sk-right", models: ["gpt-4o-mini"] },
      /the key in OPENAI_API_KEY/,
      0,
    ],
    ...[400, 404].map((status) => {
      const error = { message: "The model `gpt-4o-mini` does not exist" };
      const served = { models: ["other"], reply: { status, error } };
      return [`without the model, as status ${status}`, served, /does not exist/, 1] as const;
    }),
  ];

for (const [what, served, says, requests] of REFUSING) {
  withFolder.test(`a server ${what} is reported once, before a record is made`, async (folder) => {
    await using server = await startModelServer(served);
    assert.match(await withoutReply([...DEBATE, "--base-url", server.url], folder), says);
    assert.equal(server.requests.length, requests);
  });
}

Deno.test("a base URL with pages, without /v1, with LM Studio's error for a wrong path, or that redirects, is reported once and leaves no record", async () => {
  const error = "Unexpected endpoint or method. (GET /models)";
  const moved = { status: 301, headers: { location: "https://other.example/" } };
  const address = /the base URL, which usually ends in/;
  const cases: [(request: Request) => Response, RegExp][] = [
    [() => new Response("<h1>Hello</h1>"), address],
    [() => Response.json({ error }), address],
    [() => new Response("404 page not found", { status: 404 }), address],
    [({ method }) => new Response("<h1>", { status: method === "GET" ? 200 : 405 }), address],
    [() => new Response(null, moved), /Give the address it redirects to as the base URL/],
  ];
  for (const [answer, says] of cases) {
    let requests = 0;
    await using server = serveLocally((request) => {
      requests++;
      return answer(request);
    });
    await withFolder(async (folder) => {
      const url = `http://127.0.0.1:${server.addr.port}`;
      for (const command of [DEBATE, ["topics", "cars"]]) {
        const words = [...command, "--base-url", url, "--model", "claude-opus-5-5"];
        requests = 0;
        assert.match(await withoutReply(words, folder), says);
        assert.equal(requests, 2, "one for the list of models, one for a reply");
      }
    });
  }
});

Deno.test("a server whose list has the model, or that has no list, gets only the debate's requests", async () => {
  for (const models of [["a", "gpt-4o-mini"], ["a", "models/gpt-4o-mini"], undefined]) {
    await using server = await startModelServer({ ...models === undefined ? {} : { models } });
    await withFolder(async (folder) => {
      const words = [...DEBATE, "--max-turns", "1", "--base-url", server.url, "--json"];
      await ran(words, { folder }, 3);
      assert.equal(server.listed, 1);
      assert.ok(server.requests.every(({ body }) => body.messages.length > 1));
    });
  }
});

withFolder.test("a model that is not in the server's list but is served is used", async (folder) => {
  await using server = await startModelServer({ models: [] });
  const words = [...DEBATE, "--max-turns", "1", "--base-url", server.url];
  await ran(words, { folder }, 3);
  assert.equal(server.requests.filter(({ body }) => body.messages.length === 1).length, 1);
});

withFolder.test("resume reports a base URL without a server and leaves the record unchanged", async (folder) => {
  await using server = await startModelServer();
  const words = [...DEBATE, "--max-turns", "1", "--json", "--base-url", server.url];
  const dir = String(jsonOf(await runMain(words, { folder }))["dir"]);
  const before = await Deno.readTextFile(join(dir, "metadata.md"));
  const end = await ran(["resume", dir, "--base-url", await deadUrl()], { folder }, 1);
  assert.equal(times(end.stderr, "Cannot get a reply"), 1, end.stderr);
  assert.equal(await Deno.readTextFile(join(dir, "metadata.md")), before);
});

withFolder.test("a debate without a model says that the offline agent speaks, unless every role has a model", async (folder) => {
  await using server = await startModelServer();
  const file = `providers: { own: { baseUrl: "${server.url}" } }`;
  await Deno.writeTextFile(join(folder, "own.yaml"), file);
  const words = [...DEBATE, "--config", "own.yaml", "--max-turns", "3"];
  const roles = ["advocate", "judge", "moderator"].map((role) => [`--${role}-model`, "own:any"]);
  for (const given of [[], roles.slice(1), roles]) {
    const { stderr } = await ran([...words, ...given.flat()], { folder }, 3);
    assert.equal(times(stderr, "so the offline agent speaks"), given === roles ? 0 : 1, stderr);
  }
});

withFolder.test("the offline agent, a replay and a person need no request in advance", async (folder) => {
  await using server = await startModelServer({ key: "sk-right" });
  const words = [...DEBATE, "--model", "offline", "--base-url", server.url];
  await ran(words, { folder, env: KEY });
  assert.equal(server.listed, 0);
});
