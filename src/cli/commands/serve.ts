// Commands that serve an archive: serve, open, mcp.
import { cannotUse } from "../flag.ts";
import { archiveOf, directoryOf, outOf, userPath } from "../directory.ts";
import { BASE_URL, MODEL, OUT } from "../flags.ts";
import { listen, socketUpgrade, type Tls } from "../listen.ts";
import { requirePermissions } from "../permissions.ts";
import {
  ACCESS_LOG,
  ALLOW_HOST,
  ALLOW_ORIGIN,
  BASE_PATH,
  CERT,
  HOST,
  isReadOnly,
  KEY,
  MAX_RUNNING,
  PORT,
  READ_ONLY,
  readToken,
  RESUME_ALL,
  SERVE_FLAGS,
  TOKEN,
  TOKEN_FILE,
  TRUST_PROXY,
} from "../serve_flags.ts";
import {
  type CommandAction,
  type Invocation,
  type Reply,
  replyOf,
  type Session,
} from "../session.ts";
import { NO_KEY, requireServing } from "../start.ts";
import { BUILT_IN } from "../../compose.ts";
import { systemClock } from "../../core/clock.ts";
import { ConfigurationError } from "../../core/error.ts";
import { plainLine } from "../../core/text.ts";
import { defaultModel } from "../../inputs/servers.ts";
import { conveningDir, idOf } from "../../operations/convening_dir.ts";
import type { Server, ServerOptions } from "../../server/server.ts";

export const SERVE: CommandAction = { flags: SERVE_FLAGS, run: serve };

/** Serves an archive until the session is interrupted; `page` is the path of the page whose address is printed. */
export async function serve(invocation: Invocation, session: Session, page = ""): Promise<Reply> {
  const token = await tokenOf(invocation, session);
  const place = placeOf(invocation, token);
  const tls = await tlsOf(invocation, session);
  const hosts = [`${place.host}:${place.port}`];
  if (!isReadOnly(invocation.values)) noteKey(invocation, session);
  const options = {
    ...optionsOf(invocation, place),
    ...servedBy(invocation, session, hosts),
    token,
  };
  // Only a server needs what serves.
  const { createServer } = await import("../../server/server.ts");
  const upgradeWebSocket = await socketUpgrade();
  // The port first: nothing is resumed where the port is taken.
  const listener = await listen(
    (request, connection) => answer(request, connection),
    { ...place, ...tls },
  );
  const server = createServer({ ...options, upgradeWebSocket });
  const isLogged = invocation.values.get(ACCESS_LOG) === true;
  const answer = isLogged ? logged(server.fetch, session) : server.fetch;
  const base = `${tls === undefined ? "http" : "https"}://${place.host}:${listener.port}`;
  const { io, json } = session;
  const [url, { port }, { out }] = [`${base}${options.basePath ?? ""}/${page}`, listener, options];
  io.out(json ? `${JSON.stringify({ url, port, out })}\n` : `${url} serves ${plainLine(out)}\n`);
  const told = tellResumed(server, session);
  await interrupted(session);
  await server.close();
  await listener.close();
  await told;
  return { code: 130, json: undefined, text: "" };
}

interface Place {
  /** As it was given, an address of six groups without its brackets. */
  readonly hostname: string;
  /** As it stands in an address. */
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PLACE = { hostname: "127.0.0.1", port: 4000 };
/** Addresses that only programs of this machine reach. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
/** Addresses that stand for all that the machine has. */
const EVERY: readonly string[] = ["0.0.0.0", "::"];

/** The variable that the token is read from where no flag gives it. */
const TOKEN_VARIABLE = "CONVENINGS_TOKEN";

/** The token, if there is one: of the flag, the file, or the variable. */
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
    return readToken((await io.readText(path, TOKEN_FILE.name)).trim(), TOKEN_FILE.name);
  }
  // Without the permission a token that is set would look like none.
  requirePermissions(io, { variables: [TOKEN_VARIABLE] });
  const variable = io.env(TOKEN_VARIABLE) ?? "";
  return variable === "" ? undefined : readToken(variable, TOKEN_VARIABLE);
}

/** Certificate and key, if they are given. */
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
    return await session.io.readText(file, field);
  };
  const tls = { cert: await read(cert, CERT.name), key: await read(key, KEY.name) };
  if (!await isPair(tls)) {
    throw cannotUse(
      "--cert and --key",
      "they are no certificate and its key",
      "Give a certificate and the private key that it was made with, each in PEM.",
    );
  }
  return tls;
}

/** The listener takes any text, and refuses each request afterwards. */
async function isPair({ cert, key }: Tls): Promise<boolean> {
  const { createPrivateKey, X509Certificate } = await import("node:crypto");
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** Answers requests and writes a line for each: time, client, method, path, status, milliseconds. */
function logged(answerTo: Server["fetch"], { io }: Session): Server["fetch"] {
  return async (request, connection) => {
    const from = io.now();
    const answer = await answerTo(request, connection);
    // Queries hold what people search for.
    const { pathname } = new URL(request.url);
    const client = connection?.remoteAddr?.hostname ?? "-";
    const time = new Date(systemClock.now()).toISOString();
    const took = `${Math.round(io.now() - from)} ms`;
    const line = `${time} ${client} ${request.method} ${pathname} ${answer.status} ${took}`;
    io.err(`${plainLine(line)}\n`);
    return answer;
  };
}

function placeOf({ values }: Invocation, token: string | undefined): Place {
  const hostname = (values.get(HOST) ?? DEFAULT_PLACE.hostname).replace(/^\[(.*)\]$/, "$1");
  const port = values.get(PORT) ?? DEFAULT_PLACE.port;
  if (!LOOPBACK.test(hostname) && token === undefined) {
    throw new ConfigurationError(
      `Cannot listen on ${plainLine(hostname)}: others would reach it, and no token keeps them out`,
      {
        field: "--token",
        hint: "Give --token-file with a secret of your own in it, or leave --host out.",
      },
    );
  }
  return { hostname, host: hostname.includes(":") ? `[${hostname}]` : hostname, port };
}

function optionsOf({ values }: Invocation, place: Place): Omit<ServerOptions, "out"> {
  return {
    maxRunning: values.get(MAX_RUNNING),
    trustProxy: values.get(TRUST_PROXY),
    hosts: [place.host, ...values.get(ALLOW_HOST) ?? []],
    origins: values.get(ALLOW_ORIGIN),
    basePath: values.get(BASE_PATH),
    anyAddress: EVERY.includes(place.hostname),
    resume: values.get(RESUME_ALL),
  };
}

function noteKey({ values }: Invocation, session: Session): void {
  const settings = { baseUrl: values.get(BASE_URL), env: session.io.env };
  const isOffline = values.get(MODEL) === undefined && defaultModel(settings) === "offline";
  if (isOffline) session.note(NO_KEY);
}

/**
 * The archive, the models and the kinds that are served, with their permissions. A model that cannot be used is rejected now,
 * not when the first convening is started.
 */
function servedBy({ values }: Invocation, session: Session, hosts: readonly string[] = []) {
  const { io, catalogue = BUILT_IN } = session;
  const out = outOf(values, session);
  const models = { model: values.get(MODEL), baseUrl: values.get(BASE_URL), env: io.env };
  const readOnly = isReadOnly(values);
  if (readOnly) requirePermissions(io, { hosts, reads: [out] });
  else {
    const { model, ...settings } = models;
    catalogue.agent(model, settings);
    requireServing({ out, ...models, hosts }, session);
  }
  return { out, models, readOnly, library: { catalogue } };
}

async function tellResumed({ resumed }: Server, session: Session): Promise<void> {
  for (const { id, error } of await resumed) {
    if (error === undefined) session.note(`Goes on: ${id}`);
    else session.tell(`Cannot go on with ${id}: ${error.message}`);
  }
}

async function interrupted({ signal }: Session): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  if (!signal.aborted) await promise;
}

/** The time in which a server must answer, in milliseconds. */
const WITHIN = 2000;

/** `open [dir]`: the latest convening where none is named. */
export const OPEN: CommandAction = {
  flags: [HOST, PORT, READ_ONLY],
  async run({ args: [word = "latest"], values }, session) {
    const dir = await directoryOf({ args: [word], values }, session);
    const [out, id] = [archiveOf(dir), idOf(dir)];
    requirePermissions(session.io, { reads: [dir] });
    await conveningDir(out, id);
    const page = `convenings/${id}`;
    const { hostname, port } = DEFAULT_PLACE;
    const host = `${values.get(HOST) ?? hostname}:${values.get(PORT) ?? port}`;
    requirePermissions(session.io, { hosts: [host] });
    if (await isServed(`http://${host}/api/${page}`, id, session)) {
      const url = `http://${host}/${page}`;
      return replyOf({ url, out }, [`${url} serves ${out}`]);
    }
    values.add(OUT, out);
    return await serve({ args: [], values }, session, page);
  },
};

/** True where a server answers with the convening. */
async function isServed(url: string, id: string, { signal }: Session): Promise<boolean> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN)]),
    });
    const answer: unknown = await response.json();
    return typeof answer === "object" && answer !== null && "id" in answer && answer.id === id;
  } catch {
    return false;
  }
}

export const MCP: CommandAction = {
  flags: [READ_ONLY, MODEL, BASE_URL, OUT],
  async run(invocation, session) {
    const served = servedBy(invocation, session);
    // Only an MCP server needs what serves.
    const { createMcpServer } = await import("../../mcp/mod.ts");
    const server = createMcpServer(served);
    await server.serveStdio({ signal: session.signal });
    await server.close();
    return { code: session.signal.aborted ? 130 : 0, json: undefined, text: "" };
  },
};
