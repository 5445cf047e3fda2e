import { argumentIn } from "../../../papers/text/argument_body.ts";
import { unescapedMarkdown } from "../../../papers/text/prose_markdown.ts";
import { type ArguedEvidence, EvidenceData } from "./paper_data.ts";

const HEADING = /^## (\S.*)$/u;
const MARK = /^- .* — \*\*(verified|not found)(?:, with omissions)?\*\*/u;

/** The topics that an argument's message has headings for; none in any other text. */
export function topicsIn(body: string): string[] {
  if (!body.includes("**Claim.**")) return [];
  return body.split("\n").flatMap((line) => {
    const name = HEADING.exec(line)?.[1];
    return name === undefined || name === "Overall position" ? [] : [unescapedMarkdown(name)];
  });
}

/** What a message argues on some topics, with the marks that it shows under them. */
export function evidenceIn(body: string, topics: readonly string[]): ArguedEvidence {
  let topic = "";
  const quotations = body.split("\n").flatMap((line) => {
    const name = HEADING.exec(line)?.[1];
    if (name !== undefined) topic = unescapedMarkdown(name);
    const status = MARK.exec(line)?.[1];
    return status === undefined ? [] : [{ text: "", status, topic }];
  });
  return EvidenceData.parse({ ...argumentIn(body, topics), quotations });
}
