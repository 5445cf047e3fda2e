// Commands that serve an archive: `serve`, `open` and `mcp`; and `demo`, which plays a record or serves it.
import { setTimeout as wait } from "node:timers/promises";
import { basename, join } from "@std/path";
import { BUILT_IN } from "../../compose.ts";
import { systemClock, untilAborted } from "../../core/clock.ts";
import { ConfigurationError, ConveningError } from "../../core/error.ts";
import { plainLine } from "../../core/text.ts";
import { fieldOf } from "../../core/turn.ts";
import { checkArchive, readText } from "../../inputs/inputs.ts";
import { defaultModel } from "../../inputs/servers.ts";
import { openConvening } from "../../operations/convening.ts";
import { conveningDir, idOf } from "../../operations/client_view.ts";
import { loggedEvents } from "../../operations/watching.ts";
import {
  CHALLENGE,
  checkBasePath,
  checkHostName,
  checkOrigin,
  clientOf,
} from "../../server/access.ts";
import type { Server, ServerOptions } from "../../server/server.ts";
import { filesBelow } from "../../record/disk_files.ts";
import { archiveOf, directoryOf, outOf, userPath } from "../directory.ts";
import {
  cannotUse,
  flag,
  type FlagValues,
  grouped,
  readCount,
  readWhole,
  refuseGiven,
  repeated,
  reworded,
  toggle,
} from "../flag.ts";
import { BASE_URL, HOST, MODEL, OUT, PORT, READ_ONLY } from "../flags.ts";
import { listen, socketUpgrade, type Tls } from "../listen.ts";
import { type Needs, requirePermissions } from "../permissions.ts";
import { finish, liveView, needsOf, NO_KEY, setConvening } from "../run_convening.ts";
import { type Action, type Invocation, type Reply, replyOf, type Session } from "../session.ts";

const TOKEN = flag(
  "--token <text>",
  "the token that every request must carry: Authorization: Bearer <text>; other users of this machine " +
    "can see command lines: prefer --token-file, or the variable CONVENINGS_TOKEN",
  readToken,
);
const TOKEN_FILE = flag("--token-file <path>", "a file with the token");
const TRUST_PROXY = toggle(
  "--trust-proxy",
  "read clients' addresses and TLS from the X-Forwarded-For and X-Forwarded-Proto of one proxy",
);
const ALLOW_HOST = repeated(
  "--allow-host <name>",
  "another host name of the server, such as a proxy's",
  checkHostName,
);
const ALLOW_ORIGIN = repeated(
  "--allow-origin <origin>",
  "another site whose pages may send requests with the token, such as https://app.example",
  checkOrigin,
);
const BASE_PATH = flag(
  "--base-path <path>",
  "the path that a proxy serves it under, such as /tools/convenings",
  checkBasePath,
);
const CERT = flag("--cert <path>", "a file with the TLS certificate, in PEM; with --key");
const KEY = flag("--key <path>", "a file with the certificate's key, in PEM");
const ACCESS_LOG = toggle("--access-log", "write a line for each request to standard error");
const MAX_RUNNING = flag(
  "--max-running <n>",
  "how many convenings run at once; the others wait (default: 4)",
  readCount,
);
const RESUME_ALL = toggle("--resume", "resume every interrupted convening");

const SERVED_MODEL = reworded(
  MODEL,
  "the model of every role that names none: gpt-4o-mini, local, ollama:llama3.2, offline …",
);
const SERVED_OUT = reworded(
  OUT,
  "the archive that is served (default: convenings, or out of convenings.yaml)",
);

const SERVE_FLAGS = [
  ...grouped("The server:", [
    HOST,
    PORT,
    TOKEN,
    TOKEN_FILE,
    TRUST_PROXY,
    ALLOW_HOST,
    ALLOW_ORIGIN,
    BASE_PATH,
    CERT,
    KEY,
    ACCESS_LOG,
    MAX_RUNNING,
    RESUME_ALL,
    READ_ONLY,
  ]),
  ...grouped("Who speaks:", [SERVED_MODEL, BASE_URL]),
  ...grouped("Files:", [SERVED_OUT]),
];

/** Returns true with `--read-only`; throws for flags that `--read-only` makes useless. */
function isReadOnly(values: FlagValues): boolean {
  if (values.get(READ_ONLY) !== true) return false;
  refuseGiven([MODEL, BASE_URL, MAX_RUNNING, RESUME_ALL], values, {
    why: "nothing is run with --read-only",
    hint: "Leave one of the two out.",
  });
  return true;
}

/** Checks a token for use in a header. The error does not repeat the token. */
function readToken(text: string, flag: string): string {
  if (/^[\x21-\x7e]{8,}$/.test(text)) return text;
  const hint = "Write eight or more letters, digits and signs of ASCII, without blanks.";
  throw cannotUse(flag, "it is too short, or has other characters", hint);
}

export const SERVE: Action = { flags: SERVE_FLAGS, run: serve };

/** Serves an archive until the session is interrupted; prints the URL of the page with the path `page`. */
export async function serve(invocation: Invocation, session: Session, page = ""): Promise<Reply> {
  const token = await tokenOf(invocation, session);
  const address = addressOf(invocation);
  requireToken(address, token);
  const tls = await tlsOf(invocation, session);
  const models = { baseUrl: invocation.values.get(BASE_URL), env: session.io.env };
  const isUnset = invocation.values.get(MODEL) === undefined && defaultModel(models) === "offline";
  if (isUnset && !isReadOnly(invocation.values)) session.note(NO_KEY);
  const options = {
    ...optionsOf(invocation, address),
    ...await servedBy(invocation, session, {
      hosts: [`${address.host}:${address.port}`],
      // Without permission, a variable that is set would read as unset, and the server would have no token.
      variables: token === undefined ? [TOKEN_VARIABLE] : [],
    }),
    token,
  };
  // Lazy import: only this command needs the server.
  const { createServer } = await import("../../server/server.ts");
  const upgradeWebSocket = await socketUpgrade();
  // Open the port before the server resumes convenings, in case the port is taken.
  const listener = await listen(
    (request, connection) => answer(request, connection),
    { ...address, ...tls },
  );
  const server = createServer({ ...options, upgradeWebSocket });
  const isLogged = invocation.values.get(ACCESS_LOG) === true;
  const answer = isLogged ? withAccessLog(server.fetch, session, invocation) : server.fetch;
  const base = `${tls === undefined ? "http" : "https"}://${address.host}:${listener.port}`;
  const { io, json } = session;
  const [url, { port }, { out }] = [`${base}${options.basePath ?? ""}/${page}`, listener, options];
  io.out(json ? `${JSON.stringify({ url, port, out })}\n` : `${url} serves ${plainLine(out)}\n`);
  const noted = noteResumed(server, session);
  await untilAborted(new Promise(() => {}), session.signal).catch(() => {});
  await server.close();
  await listener.close();
  await noted;
  return { code: 130, json: undefined, text: "" };
}

type Address = ReturnType<typeof addressOf>;

const DEFAULT_ADDRESS = { hostname: "127.0.0.1", port: 4000 };
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
/** Wildcard addresses, which stand for all addresses of the machine. */
const WILDCARDS: readonly string[] = ["0.0.0.0", "::"];

/** Variable of the token, used without a flag. */
const TOKEN_VARIABLE = "CONVENINGS_TOKEN";

/** Returns the token of the flag, the file or the variable; undefined without one. */
async function tokenOf({ values }: Invocation, session: Session): Promise<string | undefined> {
  const { io } = session;
  const [token, file] = [values.get(TOKEN), values.get(TOKEN_FILE)];
  if (token !== undefined && file !== undefined) {
    throw cannotUse(TOKEN_FILE.name, "--token gives the token", "Give one of the two.");
  }
  if (token !== undefined) return token;
  if (file !== undefined) {
    const path = userPath(file, session);
    requirePermissions(io, { reads: [path] });
    return readToken((await readText(path, TOKEN_FILE.name)).trim(), TOKEN_FILE.name);
  }
  const variable = io.env(TOKEN_VARIABLE) ?? "";
  return variable === "" ? undefined : readToken(variable, TOKEN_VARIABLE);
}

async function tlsOf({ values }: Invocation, session: Session): Promise<Tls | undefined> {
  const [cert, key] = [values.get(CERT), values.get(KEY)];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const missing = cert === undefined ? CERT : KEY;
    throw new ConfigurationError(`Cannot use TLS: ${missing.name} is missing`, {
      field: missing.name,
      hint: "Give both, --cert and --key.",
    });
  }
  const read = async (path: string, field: string) => {
    const file = userPath(path, session);
    requirePermissions(session.io, { reads: [file] });
    return await readText(file, field);
  };
  const tls = { cert: await read(cert, CERT.name), key: await read(key, KEY.name) };
  if (!await isPair(tls)) {
    throw cannotUse(
      "--cert and --key",
      "they are not a certificate and its key",
      "Give a certificate and the private key that it was made with, each in PEM.",
    );
  }
  return tls;
}

/** Returns true if the key belongs to the certificate; the listener itself would accept any text and fail at requests. */
async function isPair({ cert, key }: Tls): Promise<boolean> {
  const { createPrivateKey, X509Certificate } = await import("node:crypto");
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** Wraps a request handler with an access log: time, client, method, path, status, milliseconds. */
function withAccessLog(
  answerTo: Server["fetch"],
  { io }: Session,
  { values }: Pick<Invocation, "values">,
): Server["fetch"] {
  return async (request, connection) => {
    const from = io.now();
    const answer = await answerTo(request, connection);
    // Log the path without the query, which has people's search words.
    const { pathname } = new URL(request.url);
    const client = clientOf(request, connection, values.get(TRUST_PROXY) === true);
    const time = new Date(systemClock.now()).toISOString();
    const took = `${Math.round(io.now() - from)} ms`;
    const line = `${time} ${client} ${request.method} ${pathname} ${answer.status} ${took}`;
    io.err(`${plainLine(line)}\n`);
    return answer;
  };
}

/** Returns the address that is served; `host` is its name in URLs, IPv6 with brackets. */
function addressOf({ values }: Pick<Invocation, "values">) {
  const hostname = (values.get(HOST) ?? DEFAULT_ADDRESS.hostname).replace(/^\[(.*)\]$/, "$1");
  const port = values.get(PORT) ?? DEFAULT_ADDRESS.port;
  return { hostname, host: hostname.includes(":") ? `[${hostname}]` : hostname, port };
}

/** Throws for an address that other machines can reach if there is no token. */
function requireToken({ hostname }: Address, token: string | undefined): void {
  if (LOOPBACK.test(hostname) || token !== undefined) return;
  throw new ConfigurationError(
    `Cannot listen on ${plainLine(hostname)}: others would reach it, and no token keeps them out`,
    {
      field: "--token",
      hint:
        `Set ${TOKEN_VARIABLE}, or give serve's --token-file, with a secret of your own; or leave --host out.`,
    },
  );
}

function optionsOf({ values }: Invocation, address: Address): Omit<ServerOptions, "out"> {
  return {
    maxRunning: values.get(MAX_RUNNING),
    trustProxy: values.get(TRUST_PROXY),
    hosts: [address.host, ...values.get(ALLOW_HOST) ?? []],
    origins: values.get(ALLOW_ORIGIN),
    basePath: values.get(BASE_PATH),
    anyAddress: WILDCARDS.includes(address.hostname),
    resume: values.get(RESUME_ALL),
  };
}

/**
 * Returns the archive, the models and the library of a server, and checks the permissions. Throws for an unusable model now,
 * instead of at the start of the first convening.
 */
async function servedBy(
  { values }: Invocation,
  session: Session,
  { hosts = [], variables = [] }: Needs = {},
) {
  const { io, catalogue = BUILT_IN } = session;
  const out = await outOf(values, session);
  const models = { model: values.get(MODEL), baseUrl: values.get(BASE_URL), env: io.env };
  const readOnly = isReadOnly(values);
  if (readOnly) {
    requirePermissions(io, { hosts, variables, reads: [out] });
    if (values.get(SERVED_OUT) !== undefined) await checkArchive(out, "--out");
  } else {
    const { model, ...settings } = models;
    catalogue.agent(model, settings);
    // A client may start any kind of convening; a paper debate needs the most, since it may search the web.
    const needs = needsOf({ kind: "paper-debate", ...models }, session);
    requirePermissions(io, {
      hosts: [...hosts, ...needs.hosts],
      variables: [...variables, ...needs.variables],
      reads: [out],
      writes: out,
    });
  }
  if (await filesBelow(out).stat(out) === undefined) {
    session.note(`The folder ${plainLine(out)} does not exist yet`);
  }
  return {
    out,
    models,
    readOnly,
    library: { catalogue },
    onUnexpected: (error: unknown) => session.showError(error),
  };
}

async function noteResumed({ resumed }: Server, session: Session): Promise<void> {
  for (const { id, error } of await resumed) {
    if (error === undefined) session.note(`Resumed: ${id}`);
    else session.tell(`Cannot resume ${id}: ${error.message}`);
  }
}

/** Timeout of the request that checks for a running server, in milliseconds. */
const TIMEOUT = 10_000;

/**
 * `open [dir]`: prints the URL of a convening's page, by default the latest's; serves the archive if no server does. Without an
 * argument, an archive without a convening is served with its list.
 */
export const OPEN: Action = {
  flags: [HOST, PORT, READ_ONLY],
  async run({ args: [word], values }, session) {
    const dir = await directoryOf({ args: [word ?? "latest"], values }, session)
      .catch((error: unknown) => {
        const isEmpty = error instanceof ConveningError && error.code === "not_found";
        if (word !== undefined || !isEmpty) throw error;
      });
    if (dir === undefined) return await serve({ args: [], values }, session);
    const [out, id] = [archiveOf(dir), idOf(dir)];
    requirePermissions(session.io, { reads: [dir] });
    await conveningDir(out, id);
    const page = `convenings/${id}`;
    const address = addressOf({ values });
    const host = `${address.host}:${address.port}`;
    requirePermissions(session.io, { hosts: [host] });
    const url = `http://${host}/${page}`;
    const served = await servedAt(`http://${host}/api/${page}`, session);
    // The token is not sent: another program may have the port.
    if (served?.challenge === CHALLENGE) {
      throw new ConveningError("taken", `Cannot open ${id}: a server with a token has ${host}`, {
        field: "--port",
        hint: `Open ${url} in a browser, or give another --port.`,
      });
    }
    if (fieldOf(served?.answer, "id") === id) {
      return replyOf({ url, out }, [`${url} serves ${out}`]);
    }
    values.add(OUT, out);
    return await serve({ args: [], values }, session, page);
  },
};

/** Returns the challenge for a token, and the answer, of a server at the URL; undefined without a server. */
async function servedAt(url: string, { signal }: Session) {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    });
    return { challenge: response.headers.get("www-authenticate"), answer: await response.json() };
  } catch {
    return undefined;
  }
}

/** Path of the demonstration's record in the project. */
const RECORD = "examples/records/2026-11-23/2026-11-23T01-14-00_debate";

const OPEN_PAGE = toggle("--open", "serve the record and print the address of its page");
const PACE = flag(
  "--pace <words>",
  "words a minute in a terminal; 0 shows all at once (default: 240)",
  readWhole,
);

export const DEMO: Action = {
  flags: [OPEN_PAGE, PACE, HOST, PORT],
  async run({ values }, session) {
    const dir = recordDir();
    if (values.get(OPEN_PAGE) === true) {
      refuseGiven([PACE], values, {
        why: "the record is served",
        hint: "Leave one of the two out.",
      });
      values.add(OUT, archiveOf(dir));
      values.add(READ_ONLY, "");
      return await serve({ args: [], values }, session, `convenings/${basename(dir)}`);
    }
    refuseGiven([HOST, PORT], values, { why: "nothing is served", hint: "Give --open with it." });
    const { io, json, quiet } = session;
    requirePermissions(io, { reads: [dir] });
    session.note(`A language model spoke this debate on 2026-11-23. Its record: ${dir}`);
    const pace = values.get(PACE) ?? (io.live && !json ? 240 : 0);
    if (!quiet) await play(dir, pace, session);
    if (session.signal.aborted) return { code: 130, json: undefined, text: "" };
    const convening = await openConvening(dir);
    setConvening(convening, session);
    return finish(convening.result, session);
  },
};

function recordDir(): string {
  const { dirname } = import.meta;
  if (dirname !== undefined) return join(dirname, "../../..", RECORD);
  throw new ConveningError(
    "not_found",
    "Cannot play the debate: its record is not with the program",
    { hint: `Run the program from a checkout, which has ${RECORD}.` },
  );
}

/** Shows the events of a record; streams the words of each turn at `pace` words a minute, 0 for no delay. */
async function play(dir: string, pace: number, session: Session): Promise<void> {
  const { signal } = session;
  const { progress, end } = liveView(session);
  try {
    for await (const event of loggedEvents(dir, { signal })) {
      if (pace > 0 && event.type === "message") {
        const { message: turn, at } = event;
        for (const [text] of turn.body.matchAll(/\s*\S+/g)) {
          progress.take({ type: "message-delta", n: 0, at, turn, text });
          await wait(60_000 / pace, undefined, { signal });
        }
      }
      progress.take(event);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    end();
  }
}

export const MCP: Action = {
  flags: [READ_ONLY, SERVED_MODEL, BASE_URL, SERVED_OUT],
  async run(invocation, session) {
    const served = await servedBy(invocation, session);
    // Lazy import: only this command needs the MCP server.
    const { createMcpServer } = await import("../../mcp/mod.ts");
    const server = createMcpServer(served);
    try {
      await server.serveStdio({ signal: session.signal });
    } finally {
      await server.close();
    }
    return { code: session.signal.aborted ? 130 : 0, json: undefined, text: "" };
  },
};
