// The frame of every page of the viewer, pages as answers to requests, and the fields and errors of forms.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { ConveningError } from "../core/error.ts";
import { plainText } from "../core/text.ts";
import { type OperationContext, problemOf, statusOf } from "../operations/operation.ts";
import { planForClient } from "../operations/start.ts";
import { type Markup, problem } from "../record/html/markup.tsx";
import {
  fieldOf,
  type Fields,
  type FormTables,
  labelled,
  type SentForm,
  type ShownPlan,
} from "./sent_forms.ts";
import type { Context, Hono } from "hono";

interface PageOptions {
  /** The title of the window; the site's name follows. */
  readonly title: string;
  /** The content of `main`. */
  readonly body: Markup;
  /** The link of the navigation that stands for the page. @default none */
  readonly at?: "archive" | "new" | "papers" | "studies" | undefined;
  /** True for a page that readers without a session see: then without links. @default false */
  readonly isOpen?: boolean | undefined;
}

/** A page, to be shown with or without a way to end the reader's session. */
export type Page = (reader: { readonly hasSession: boolean }) => Markup;

const LINKS = [
  { at: "archive", href: "/", name: "Convenings" },
  { at: "papers", href: "/papers", name: "Papers" },
  { at: "studies", href: "/studies", name: "Studies" },
  { at: "new", href: "/new", name: "New convening" },
] as const;

/** Two bubbles of speech. */
const ICON = `data:image/svg+xml,${
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
      '<path fill="#2f6fc4" d="M1 1h9v6H5L2 10V7H1z"/><path fill="#c2591a" d="M6 9h9v5h-1v2l-3-2H6z"/></svg>',
  )
}`;

/** The modules that the script imports, loaded at once with it. */
const IMPORTED = ["contents", "follower", "forms", "parts", "sharing", "speaking"] as const;

const KEYS = [
  ["j", "To the next message"],
  ["k", "To the message before"],
  ["/", "To the search"],
  ["?", "These keys"],
] as const;

/** A page of the viewer: complete without its script, which shows what happens while the page is open. */
export function page({ title, body, at, isOpen = false }: PageOptions): Page {
  return ({ hasSession }) => (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Convenings`}</title>
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href="/static/style.css" />
        {IMPORTED.map((name) => <link rel="modulepreload" href={`/static/${name}.js`} />)}
        <script type="module" src="/static/client.js"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="site">
          <nav aria-label="Main">
            {!isOpen &&
              LINKS.map((link) => (
                <a href={link.href} aria-current={link.at === at ? "page" : undefined}>
                  {link.name}
                </a>
              ))}
            {hasSession && (
              <form method="post" action="/logout">
                <button type="submit">Log out</button>
              </form>
            )}
          </nav>
        </header>
        <main id="main" tabindex={-1}>{body}</main>
        <dialog id="keys" aria-labelledby="keys-title">
          <h2 id="keys-title">Keys</h2>
          <dl>
            {KEYS.map(([key, words]) => (
              <div>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
          <form method="dialog">
            <button type="submit">Close</button>
          </form>
        </dialog>
        <p id="announcer" class="unseen" role="status" aria-live="polite"></p>
      </body>
    </html>
  );
}

/** The page of an error, with the texts that were sent, so that nothing is lost. */
export function problemPage(
  { message, hint, code }: Pick<ReturnType<ConveningError["toJSON"]>, "message" | "hint" | "code">,
  { back, written = [] }: {
    /** The path of the page to return to. */
    readonly back: string;
    /** Texts that were sent along. @default none */
    readonly written?: readonly string[] | undefined;
  },
): Page {
  const kept = written.filter((each) => each.trim() !== "");
  const title = code === "not_found" ? "Not found" : "Not possible";
  return page({
    title,
    body: (
      <>
        <h1>{title}</h1>
        {/* A hint for programs says nothing here. */}
        {problem({ message, hint: hint?.startsWith("GET /") ? undefined : hint })}
        {kept.length > 0 && <h2>What you wrote</h2>}
        {kept.map((each) => <pre class="kept">{each}</pre>)}
        <p>
          <a class="button" href={back}>{back === "/" ? "All convenings" : "Back"}</a>
        </p>
      </>
    ),
  });
}

/** True if a page answers a request better than JSON: a request of a browser, outside the interface for programs. */
export function wantsPage({ req }: Context): boolean {
  return !/^\/(?:api|mcp)(?:\/|$)/.test(req.path) &&
    (req.header("accept") ?? "").includes("text/html");
}

/** The model of participants without one, in words for a form. */
export function usualModel({ models: { model = "The server's own" } }: OperationContext): string {
  return model;
}

/** The plan of a convening as a form shows it; `values` are those of the form. */
export async function plannedFor(
  context: OperationContext,
  given: unknown,
  form: RefusedForm,
): Promise<ShownPlan> {
  try {
    return { rows: await planForClient(context, given) };
  } catch (error) {
    const { errors, problem } = refusalOf(error, form);
    return { problem: [...errors.values()][0] ?? problem?.message ?? "" };
  }
}

interface RefusedForm {
  readonly values: Fields;
  /** @default those of the built-in kinds */
  readonly tables?: FormTables | undefined;
  /** The names of the only fields, which are the keys of the problems. @default those of a convening's form */
  readonly fields?: readonly string[] | undefined;
}

/** An error as a form shows it: each problem at its field, a problem without a field above the form. */
export function refusalOf(error: unknown, { values, tables, fields }: RefusedForm): SentForm {
  const { error: whole } = problemOf(error);
  const errors = new Map<string, string>();
  let problem: SentForm["problem"];
  for (const each of whole.fields ?? [whole]) {
    const { hint } = each;
    const message = labelled(each.message, { values, field: each.field, tables });
    const field = fields === undefined
      ? fieldOf(values, each, tables)
      : fields.find((name) => name === each.field);
    if (field === undefined) problem ??= { message, hint };
    else errors.set(field, hint === undefined ? message : `${message}. ${hint}`);
  }
  return { values, errors, ...problem === undefined ? {} : { problem } };
}

/** Sends a request to the interface for programs with the sender's session; an error of the answer is thrown. */
export async function postToApi<T extends object = { readonly id?: string }>(
  app: Hono,
  { req, env }: Context,
  { path, body, method = "POST" }: {
    readonly path: string;
    readonly body: object;
    readonly method?: "POST" | "DELETE";
  },
): Promise<T> {
  const headers = new Headers();
  for (const name of ["host", "authorization", "cookie"]) {
    const value = req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const isForm = body instanceof FormData;
  if (!isForm) headers.set("content-type", "application/json");
  const answer = await app.request(new URL(path, req.url).href, {
    method,
    headers,
    body: method === "DELETE" ? null : isForm ? body : JSON.stringify(body),
  }, env);
  const json: T & Partial<ReturnType<typeof problemOf>> = await answer.json();
  if (answer.ok || json.error === undefined) return json;
  const { code, message, ...detail } = json.error;
  throw new ConveningError(code, message, detail);
}

/** A page, or a part of one, as an answer; unseen characters in it are shown as `�`. */
export async function sendPage(
  context: Context,
  content: Page | Markup,
  status: ReturnType<typeof statusOf> = 200,
): Promise<Response> {
  const hasSession = context.get("session") !== undefined;
  const html = typeof content === "function"
    ? `<!DOCTYPE html>${await content({ hasSession })}`
    : String(await content);
  return await context.html(plainText(belowBase(html, context.get("basePath"))), status);
}

/** A page whose addresses on this server stand below a base path. */
function belowBase(html: string, basePath = ""): string {
  // Quotation marks in words are escaped: what matches is markup of the viewer.
  return basePath === ""
    ? html
    : html.replace(/ (href|src|action|formaction)="\/(?!\/)/g, ` $1="${basePath}/`);
}

/** A page, or the page of the error that was thrown. */
export async function showPage(
  context: Context,
  work: () => Page | Markup | Promise<Page | Markup>,
  status: ReturnType<typeof statusOf> = 200,
): Promise<Response> {
  try {
    return await sendPage(context, await work(), status);
  } catch (error) {
    return await sendPage(
      context,
      problemPage(problemOf(error).error, { back: "/" }),
      statusOf(error),
    );
  }
}

/** Takes the action of a form and leads to the path that it gives, or shows the error. */
export async function redirectAfter(
  context: Context,
  { work, ...rest }: {
    readonly work: () => Promise<string>;
    readonly back: string;
    readonly written: readonly string[];
  },
): Promise<Response> {
  try {
    return context.redirect(await work(), 303);
  } catch (error) {
    return await sendPage(context, problemPage(problemOf(error).error, rest), statusOf(error));
  }
}

/** The texts of a sent form, by the fields' names; the last one of several. */
export async function fieldsOf({ req }: Context): Promise<Fields> {
  return textsOf(Object.entries(await req.parseBody()));
}

/** The texts among the fields of a form, by their names; the last one of several. */
export function textsOf(fields: Iterable<readonly [string, unknown]>): Fields {
  return Object.fromEntries(
    [...fields].filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
