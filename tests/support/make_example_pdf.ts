/**
 * Makes the PDF in `examples/papers` from the markdown file of the same name:
 *
 *     deno run --allow-read --allow-write=examples/papers tests/support/make_example_pdf.ts
 *
 * @module
 */
import { join } from "@std/path";
import { ROOT } from "./deno_process.ts";
import { writePdf } from "./pdf_writer.ts";

/** Paths of the PDF and of its markdown. */
export const EXAMPLE = {
  pdf: join(ROOT, "examples/papers/four_day_week.pdf"),
  markdown: join(ROOT, "examples/papers/four_day_week.md"),
} as const;

/** Splits a simple markdown text into paragraphs; headings keep their marks, `###` counts as `##`. */
export function paragraphsOf(markdown: string): string[] {
  return markdown.trim().split(/\n{2,}/).map((block) =>
    block.replace(/\s*\n\s*/g, " ").replace(/^###/, "##").replace(/^_(.*)_$/, "$1")
  );
}

/** Returns the bytes of the PDF. */
export async function makeExamplePdf(): Promise<Uint8Array> {
  const paragraphs = paragraphsOf(await Deno.readTextFile(EXAMPLE.markdown));
  const [title = ""] = paragraphs;
  return writePdf({
    title: title.replace(/^# /, ""),
    header: "Four-Day Weeks and Error Rates",
    pageNumbers: true,
    pages: [paragraphs],
  });
}

if (import.meta.main) await Deno.writeFile(EXAMPLE.pdf, await makeExamplePdf());
