// Runs a real redis-server with the configuration of examples/studies, on a free port, in a temporary folder.
import { join } from "@std/path";
import { connectRedis, type RedisConnection } from "../../../src/studies/redis.ts";

const CONFIGURATION = "examples/studies/redis.conf";
const PLACES = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"];

/** True if redis-server is installed. */
export const HAS_REDIS: boolean = PLACES.some((path) => {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
});

/** A running server. */
export interface RedisServer {
  /** URL with user and password, as `--queue` accepts it. */
  readonly url: string;
  readonly port: number;
  /** Kills the server, removes its data and starts an empty one on the same port. */
  restartEmpty(): Promise<void>;
  /** Kills the server and keeps its data. */
  kill(): Promise<void>;
  /** Starts the server again with its data. */
  start(): Promise<void>;
  /** Opens a connection that is closed with the server. */
  connect(onProblem?: (message: string) => void): Promise<RedisConnection>;
  /** Executes a command, such as `CONFIG SET maxmemory 1`, as the user who may do all. */
  admin(command: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server; with the paths of a certificate and its key, over TLS alone; `more` are further arguments. */
export async function startRedis(
  tls?: { readonly cert: string; readonly key: string },
  more: readonly string[] = [],
): Promise<RedisServer> {
  const dir: string = await Deno.makeTempDir();
  const port = freePort();
  const place = tls === undefined
    ? ["--port", `${port}`]
    : ["--port", "0", "--tls-port", `${port}`, "--tls-auth-clients", "no"]
      .concat("--tls-cert-file", tls.cert, "--tls-key-file", tls.key);
  const args = [CONFIGURATION, ...place, "--dir", dir, ...more];
  let process: Deno.ChildProcess | undefined = await spawn(args);
  const open: RedisConnection[] = [];
  const protocol = tls === undefined ? "redis" : "rediss";
  const url = `${protocol}://convenings:change-password@127.0.0.1:${port}`;
  const kill = async () => {
    process?.kill("SIGKILL");
    await process?.status;
    process = undefined;
  };
  const start = async () => {
    process = await spawn(args);
  };
  return {
    url,
    port,
    kill,
    start,
    async restartEmpty() {
      await kill();
      await Deno.remove(join(dir, "appendonlydir"), { recursive: true });
      await start();
    },
    async connect(onProblem) {
      const connection = await connectRedis(url, { onProblem });
      open.push(connection);
      return connection;
    },
    async admin(command) {
      const admin = url.replace("convenings:change-password", "admin:change-admin-password");
      const { client, close } = await connectRedis(admin);
      const { call } = client as unknown as { call(...args: readonly string[]): Promise<unknown> };
      await call.call(client, ...command.split(" "));
      close();
    },
    async [Symbol.asyncDispose]() {
      for (const connection of open) connection.close();
      await kill();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

/** Declares a test with a server; skips the test, visibly, if redis-server is not installed. */
export function redisTest(name: string, test: (server: RedisServer) => Promise<void>): void {
  Deno.test({
    name,
    ignore: !HAS_REDIS,
    fn: async () => {
      await using server = await startRedis();
      await test(server);
    },
  });
}

/** Returns a free port below those that systems give to connections, which could take the port before the server does. */
function freePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

async function spawn(args: string[]): Promise<Deno.ChildProcess> {
  const child = new Deno.Command("redis-server", {
    args,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const decoder = new TextDecoder();
  let said = "";
  const reader = child.stdout.getReader();
  while (!said.includes("Ready to accept connections")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`redis-server did not start: ${said}`);
    said += decoder.decode(value, { stream: true });
  }
  // Reads further output so that the pipe never fills.
  (async () => {
    while (!(await reader.read()).done);
  })();
  return child;
}
