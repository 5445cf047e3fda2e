// Pages as answers to requests, and the fields and errors of forms.
import type { Context, Hono } from "hono";
import { ConveningError } from "../core/error.ts";
import { plainText } from "../core/text.ts";
import { type OperationContext, problemOf, statusOf } from "../operations/operation.ts";
import { planForClient } from "../operations/start.ts";
import type { Markup } from "../record/html/markup.tsx";
import type { SentForm, ShownPlan } from "./form_fields.tsx";
import { fieldOf, type Fields, type FormTables, labelled } from "./new_configuration.ts";
import { type Page, problemPage } from "./page.tsx";

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

/** A form that was sent. */
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
