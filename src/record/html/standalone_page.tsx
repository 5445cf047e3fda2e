// A page of HTML that needs no other file: no image, nothing loaded; style and script are the program's own, allowed by their hashes.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { createHash } from "node:crypto";
import { raw } from "hono/html";
import { plainText } from "../../core/text.ts";
import type { Markup } from "./markup.tsx";
import style from "./style.css" with { type: "text" };

/** Additions to a page. */
interface PageParts {
  /** Added to the style of all pages. @default none */
  readonly style?: string | undefined;
  /** Markup before the main part. @default none */
  readonly header?: Markup | undefined;
  /** A script of this program. @default none */
  readonly script?: string | undefined;
  /** A value for the script, as JSON in the element `data`. @default none */
  readonly data?: unknown;
}

/** The page of a title and the contents of its main part. */
export async function standalonePage(
  title: string,
  main: Markup,
  { style: more = "", header, script, data }: PageParts = {},
): Promise<string> {
  const styles = style + more;
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(styles)}`,
    ...script === undefined ? [] : [`script-src ${hashOf(script)}`],
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <style>{raw(styles)}</style>
      </head>
      <body>
        {header}
        <main>{main}</main>
        {data !== undefined && (
          <script id="data" type="application/json">
            {raw(JSON.stringify(data).replaceAll("<", "\\u003c"))}
          </script>
        )}
        {script !== undefined && <script>{raw(script)}</script>}
      </body>
    </html>
  );
  // The whole page, because words of participants may name unseen characters by their numbers.
  return plainText(`<!DOCTYPE html>\n${await page}\n`);
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
