// The forms of transcripts.
import type { TranscriptFormat } from "../config/convening_config.ts";
import { withPositions } from "../judging/stated_positions.ts";
import { renderJsonTranscript } from "./transcript_json.ts";
import type { TranscriptRecord } from "./transcript_outline.ts";
import { renderTextTranscript } from "./transcript_text.ts";

/** A form a transcript can have. */
interface TranscriptFormatInfo {
  /** The file's name in the convening's directory. */
  readonly file: string;
  /** The name of the form on a page. */
  readonly title: string;
  /** One line for help texts. */
  readonly summary: string;
  /** The whole file. */
  readonly render: (record: TranscriptRecord) => string | Promise<string>;
}

/** Every form of transcript by name; markdown and HTML load the markdown parser at their first use. */
export const TRANSCRIPT_FORMATS = {
  md: {
    file: "transcript.md",
    title: "Markdown",
    summary: "one markdown page",
    render: async (record) =>
      (await import("./transcript_markdown.ts")).renderMarkdownTranscript(
        record,
      ),
  },
  json: {
    file: "transcript.json",
    title: "JSON",
    summary: "one JSON document with everything on record",
    render: renderJsonTranscript,
  },
  txt: {
    file: "transcript.txt",
    title: "Plain text",
    summary: "plain text, 80 columns wide",
    render: renderTextTranscript,
  },
  html: {
    file: "transcript.html",
    title: "Web page",
    summary: "one self-contained web page without script",
    render: async (record) =>
      await (await import("./html/transcript_page.tsx")).renderHtmlTranscript(record),
  },
  argdown: {
    file: "transcript.argdown",
    title: "Argdown",
    summary: "the points of a debate, for tools that map arguments",
    render: async (record) => (await import("./transcript_argdown.ts")).renderArgdown(record),
  },
} as const satisfies Record<TranscriptFormat, TranscriptFormatInfo>;

export type { TranscriptFormat };

/** The whole convening as one text. It is a function of the record alone: no clock, no files. */
export async function renderTranscript(
  format: TranscriptFormat,
  record: TranscriptRecord,
): Promise<string> {
  const start = withPositions(record.start, record.facts);
  return await TRANSCRIPT_FORMATS[format].render({ ...record, start });
}
