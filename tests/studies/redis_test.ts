// The connection to a Redis, the permissions of its user, and its archive.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { runQueue } from "../../src/studies/queue.ts";
import { connectRedis, queuedStudies } from "../../src/studies/redis.ts";
import {
  checkArchive,
  claimArchive,
  hasLocalLocks,
  RedisValues,
} from "../../src/studies/shared_archive.ts";
import { CERT, KEY } from "../support/tls.ts";
import { redisQueue } from "./support/places.ts";
import { HAS_REDIS, type RedisServer, redisTest, startRedis } from "./support/redis_server.ts";

redisTest(
  "A server that is away or refuses is an error at once, without the password",
  async (server) => {
    const secret = {
      message: /^Cannot use queue: Redis at redis:\/\/127\.0\.0\.1:\d+ .*$/,
      field: "queue",
    };
    const wrong = server.url.replace("change-password", "s3cret");
    await assert.rejects(connectRedis(wrong), secret);
    await server.kill();
    await assert.rejects(connectRedis(server.url), secret);
    await server.start();
    (await connectRedis(server.url)).close();
    for (const database of ["/99", "?db=99"]) {
      await assert.rejects(connectRedis(`${server.url}${database}`), {
        ...secret,
        message: /\/99 does not answer, ERR DB index is out of range$/,
      });
    }
    (await connectRedis(`${server.url}/3`)).close();
    (await connectRedis(` ${server.url}\n`)).close();
    const unescaped = ["redis://u:s3cret%@h:1", "redis://u:%ff@h", "redis://u:s3cret/#@h"];
    const others = ["localhost:6379", "http://127.0.0.1/", "redis://", "redis://a/x", ""];
    for (const url of [...others, ...unescaped]) {
      const refused = { code: "config_invalid", field: "queue", hint: /such as %40 for @/ };
      await assert.rejects(connectRedis(url), { ...refused, message: /is not a Redis URL$/ }, url);
    }
    await server.admin("ACL SETUSER convenings -eval");
    await assert.rejects(connectRedis(server.url), { hint: /no cluster, sentinel or proxy/ });
    await using old = await startRedis(undefined, ["--rename-command", "AUTH", ""]);
    await assert.rejects(connectRedis(old.url), { message: /, ERR unknown command 'auth'$/ });
  },
);

/** A proxy, as a name is for a server that may change; without `port` it accepts connections and answers nothing. */
interface Gate extends AsyncDisposable {
  readonly url: string;
  port: number | undefined;
}

/** Opens a proxy to a server. */
function gateTo({ url, port }: RedisServer): Gate {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open: Deno.Conn[] = [];
  const gate: Gate = {
    url: url.replace(String(port), String(listener.addr.port)),
    port,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const each of open) each.close();
      await serving;
    },
  };
  const pass = (from: Deno.Conn, to: Deno.Conn) =>
    from.readable.pipeTo(to.writable).catch(() => {});
  const serving = (async () => {
    for await (const client of listener) {
      if (gate.port === undefined) {
        open.push(client);
        continue;
      }
      const server = await Deno.connect({ hostname: "127.0.0.1", port: gate.port });
      pass(client, server);
      pass(server, client);
    }
  })();
  return gate;
}

/** Returns an import of packages whose clients wait for an answer as long as given, in milliseconds. */
const withSilence = (silence: number) => async (specifier: string) => {
  const loaded = await import(specifier);
  if (!specifier.includes("ioredis")) return loaded;
  const Redis = class extends loaded.Redis {
    constructor(url: string, options: { readonly socketTimeout: number }) {
      super(url, { ...options, socketTimeout: options.socketTimeout && silence });
    }
  };
  return { Redis };
};

redisTest("A server that accepts a connection and never answers is an error", async (server) => {
  await using gate = gateTo(server);
  gate.port = undefined;
  await assert.rejects(connectRedis(gate.url, { importPackage: withSilence(50) }), {
    message: /does not answer, Socket timeout/,
  });
});

redisTest("A program that closes a connection before an answer can end", async (server) => {
  const source = new URL("../../src/studies/redis.ts", import.meta.url);
  const program = `import { connectRedis } from "${source}";
    const importPackage = (${withSilence})(1e9);
    const { client, close } = await connectRedis("${server.url}", { importPackage });
    client.blpop("convenings:x", 0).catch(() => {});
    close();`;
  const { code, stderr } = await new Deno.Command("deno", {
    args: ["eval", "--no-lock", "--no-check", program],
    signal: AbortSignal.timeout(60_000),
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
});

redisTest(
  "A primary that became a replica is replaced by the server of its name",
  async (server) => {
    await using other = await startRedis();
    await using gate = gateTo(server);
    const connection = await connectRedis(gate.url);
    await server.admin("REPLICAOF 127.0.0.1 1");
    gate.port = other.port;
    const values = new RedisValues(connection);
    await values.update("x", () => Promise.resolve(1), () => [2, undefined]);
    connection.close();
    const { client } = await other.connect();
    assert.equal(await client.get("convenings:x"), "2");
  },
);

redisTest("A Redis that may remove keys is a problem, named once", async (server) => {
  await server.admin("CONFIG SET maxmemory-policy allkeys-lru");
  const problems: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => problems.push(text);
  try {
    const connection = await server.connect((message) => problems.push(message));
    const queue = await redisQueue({ connect: () => Promise.resolve(connection) });
    await queue.enqueue(["a"]);
    assert.deepEqual(await queue.take(1), ["a"]);
  } finally {
    console.warn = warn;
  }
  const [problem = "", ...more] = problems;
  assert.match(
    problem,
    /may remove keys of the queue, maxmemory_policy:allkeys-lru\. Set .* noeviction/,
  );
  assert.deepEqual(more, []);
});

Deno.test({
  name: "A Redis over TLS needs the authority of its certificate, which DENO_CERT can name",
  ignore: !HAS_REDIS,
  fn: async () => {
    const dir: string = await Deno.makeTempDir();
    const [cert, key] = [join(dir, "cert.pem"), join(dir, "key.pem")];
    await Deno.writeTextFile(cert, CERT);
    await Deno.writeTextFile(key, KEY);
    await using server = await startRedis({ cert, key });
    await assert.rejects(connectRedis(server.url), { field: "queue", hint: /DENO_CERT/ });
    const source = new URL("../../src/studies/redis.ts", import.meta.url);
    const program = `import { connectRedis } from "${source}";
      (await connectRedis("${server.url}")).close();`;
    const { code, stderr } = await new Deno.Command("deno", {
      args: ["eval", "--no-lock", "--no-check", program],
      env: { DENO_CERT: cert },
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    await Deno.remove(dir, { recursive: true });
  },
});

redisTest(
  "The hint about a replica, which takes no writes, names the primary server",
  async (server) => {
    const { client, refusalOf } = await server.connect();
    const error = await client.eval("return redis.error_reply('READONLY a replica')", 0)
      .catch((error: unknown) => error);
    assert.match(Object(refusalOf(error)).hint, /primary/);
  },
);

redisTest("The user of workers may use the keys of studies, and nothing else", async (server) => {
  const queue = await redisQueue(server);
  const cells = [{ key: "a", topic: "cars", format: "base", repeat: 1, seed: 1 }];
  await queue.enqueue(["a"]);
  const on = { study: { study: "s", base: { kind: "debate" } }, cells };
  const signal = AbortSignal.timeout(5000);
  await runQueue(queue, on, () => Promise.resolve("done"), { concurrency: 1, signal });
  assert.equal(await queue.take(1), undefined);
  const { client } = await server.connect();
  await assert.rejects(client.get("strange"), /NOPERM/);
  await assert.rejects(client.eval("return redis.call('FLUSHALL')", 0), /can't run this command/);
});

redisTest("A study in Redis that is no id but a path is left out", async (server) => {
  const connection = await server.connect();
  const add = "return redis.call('ZADD', KEYS[1], 0, ARGV[1])";
  for (const name of ["../../other/studies/tea", "tea"]) {
    await connection.client.eval(add, 1, "convenings:studies", name);
  }
  assert.deepEqual(await queuedStudies(connection), ["tea"]);
});

redisTest("A Redis is of one archive, which every worker must have", async (server) => {
  const connection = await server.connect();
  const root: string = await Deno.makeTempDir();
  const [archive, other, empty] = ["archive", "other", "empty"].map((name) => join(root, name));
  await Deno.mkdir(empty!);
  assert.equal(await checkArchive(connection, empty!), false);
  await claimArchive(connection, archive!);
  await claimArchive(connection, archive!);
  assert.equal(await checkArchive(connection, archive!), true);
  const refused = { code: "config_invalid", field: "archive", message: /an archive other than/ };
  await assert.rejects(claimArchive(connection, other!), refused);
  await assert.rejects(checkArchive(connection, empty!), { ...refused, hint: /Mount the folder/ });
  await server.restartEmpty();
  await claimArchive(connection, archive!);
  assert.equal(await checkArchive(connection, archive!), true);
  // An id that cannot be read is not the id of another archive.
  await Deno.remove(join(archive!, ".queue"));
  await Deno.mkdir(join(archive!, ".queue"));
  await assert.rejects(checkArchive(connection, archive!), { field: join(archive!, ".queue") });
  await Deno.remove(root, { recursive: true });
});

Deno.test("hasLocalLocks() reads the mount of a path", () => {
  const mounts = [
    "/dev/vda1 / ext4 rw,relatime 0 0",
    "host:/a /mnt/my\\040archive nfs4 rw,vers=4.2,local_lock=none 0 0",
    "host:/b /mnt/local nfs rw,vers=3,local_lock=flock 0 0",
    "host:/c /mnt/local/inner nfs4 rw,local_lock=none,addr=10.0.0.1 0 0",
    "host:/d /mnt/old nfs rw,nolock 0 0",
  ].join("\n");
  const found = (path: string) => hasLocalLocks(mounts, path);
  assert.deepEqual(["/mnt/local", "/mnt/local/x", "/mnt/old/x"].map(found), [true, true, true]);
  const fine = ["/", "/home/x", "/mnt/my archive/x", "/mnt/local/inner/x", "/mnt/locals"];
  assert.deepEqual(fine.map(found), fine.map(() => false));
  assert.equal(hasLocalLocks("", "/x"), false);
});
