// Worker that reads one PDF: a message with the bytes is answered by a message with the text or the problem.
import { UnreadableError } from "../text/check_paper.ts";
import { readPdf } from "./pdf_reader.ts";
import type { PdfText } from "./pdf_text.ts";

/** Answer of the worker: the text of the file, or why the file cannot be read. */
export type PdfReply =
  | { readonly text: PdfText }
  | { readonly problem: { readonly state: string; readonly hint: string } };

/** Global scope of a worker; the compiler checks this file as a program. */
const scope = self as unknown as {
  onmessage: (event: MessageEvent<Uint8Array>) => Promise<void>;
  postMessage(reply: PdfReply): void;
};

scope.onmessage = async ({ data }) => {
  try {
    scope.postMessage({ text: await readPdf(data) });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const { message: state, hint } = error;
    scope.postMessage({ problem: { state, hint } });
  }
};
