// `serve`: serves an archive over HTTP until it is interrupted.
import { BUILT_IN } from "../../compose.ts";
import { defaultModel } from "../../inputs/servers.ts";
import { systemClock } from "../../core/clock.ts";
import { ConfigurationError } from "../../core/error.ts";
import type { Server, ServerOptions } from "../../server/server.ts";
import type { CommandAction, Invocation, Reply } from "../command.ts";
import { outOf, userPath } from "../directory.ts";
import { BASE_URL, MODEL } from "../flags.ts";
import { listen, type Listener, socketUpgrade, type Tls } from "../listen.ts";
import { requirePermissions } from "../permissions.ts";
import { plainLine } from "../../core/text.ts";
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
  readToken,
  RESUME_ALL,
  SERVE_FLAGS,
  TOKEN,
  TOKEN_FILE,
  TRUST_PROXY,
} from "../serve_flags.ts";
import type { Session } from "../session.ts";
import { NO_KEY, requireServing } from "../start.ts";

/** `serve`. */
export const SERVE: CommandAction = { flags: SERVE_FLAGS, run: serve };

/** Serves an archive until the session is interrupted; `page` is the path of the page whose address is printed. */
export async function serve(invocation: Invocation, session: Session, page = ""): Promise<Reply> {
  const token = await tokenOf(invocation, session);
  const place = placeOf(invocation, token);
  const tls = await tlsOf(invocation, session);
  const options = { ...optionsOf(invocation, session, place), token };
  const { out, models, readOnly } = options;
  const hosts = [`${place.host}:${place.port}`];
  if (readOnly === true) {
    requirePermissions(session.io, { hosts, reads: [out] });
  } else {
    checkModels(options, session);
    requireServing({ out, ...models, hosts }, session);
  }
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
  tellAddress(`${base}${options.basePath ?? ""}/${page}`, { listener, options, session });
  const told = tellResumed(server, session);
  await interrupted(session);
  await server.close();
  await listener.close();
  await told;
  return { code: 130, json: undefined, text: "" };
}

/** The address that the server listens on. */
interface Place {
  /** As it was given, an address of six groups without its brackets. */
  readonly hostname: string;
  /** As it stands in an address. */
  readonly host: string;
  readonly port: number;
}

/** The address where no flag gives one. */
export const DEFAULT_PLACE = { hostname: "127.0.0.1", port: 4000 };
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
    throw new ConfigurationError("Cannot use --token-file: --token gives the token", {
      field: TOKEN_FILE.name,
      hint: "Give one of the two.",
    });
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
    throw new ConfigurationError(
      "Cannot use --cert and --key: they are no certificate and its key",
      {
        field: CERT.name,
        hint: "Give a certificate and the private key that it was made with, each in PEM.",
      },
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
    const { status } = answer;
    io.err(
      plainLine(
        `${time} ${client} ${request.method} ${pathname} ${status} ${
          Math.round(io.now() - from)
        } ms`,
      ) + "\n",
    );
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

function optionsOf({ values }: Invocation, session: Session, place: Place): ServerOptions {
  return {
    out: outOf(values, session),
    library: { catalogue: session.catalogue ?? BUILT_IN },
    models: { model: values.get(MODEL), baseUrl: values.get(BASE_URL), env: session.io.env },
    maxRunning: values.get(MAX_RUNNING),
    trustProxy: values.get(TRUST_PROXY),
    hosts: [place.host, ...values.get(ALLOW_HOST) ?? []],
    origins: values.get(ALLOW_ORIGIN),
    basePath: values.get(BASE_PATH),
    anyAddress: EVERY.includes(place.hostname),
    resume: values.get(RESUME_ALL),
    readOnly: isReadOnly(values),
  };
}

/** A model that cannot be used is refused now, not when the first convening is started. */
function checkModels({ models = {} }: ServerOptions, session: Session): void {
  const { model, ...settings } = models;
  (session.catalogue ?? BUILT_IN).agent(model, settings);
  if (model === undefined && defaultModel(settings) === "offline") session.note(NO_KEY);
}

function tellAddress(
  url: string,
  { listener: { port }, options: { out }, session }: {
    readonly listener: Listener;
    readonly options: ServerOptions;
    readonly session: Session;
  },
): void {
  const { io, json } = session;
  io.out(json ? `${JSON.stringify({ url, port, out })}\n` : `${url} serves ${plainLine(out)}\n`);
}

async function tellResumed({ resumed }: Server, session: Session): Promise<void> {
  for (const { id, error } of await resumed) {
    if (error === undefined) session.note(`Goes on: ${id}`);
    else session.tell(`Cannot go on with ${id}: ${error.message}`);
  }
}

async function interrupted({ signal }: Session): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
