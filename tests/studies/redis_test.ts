// The connection to a Redis, the permissions of its user, and its archive.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { runQueue } from "../../src/studies/queue.ts";
import { connectRedis, queuedStudies } from "../../src/studies/redis.ts";
import { checkArchive, claimArchive, hasLocalLocks } from "../../src/studies/shared_archive.ts";
import { CERT, KEY } from "../support/tls.ts";
import { redisQueue } from "./support/places.ts";
import { HAS_REDIS, redisTest, startRedis } from "./support/redis_server.ts";

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
    for (const url of ["localhost:6379", "http://127.0.0.1/", "redis://", "redis://a/x", ""]) {
      await assert.rejects(connectRedis(url), { code: "config_invalid", field: "queue" }, url);
    }
  },
);

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
