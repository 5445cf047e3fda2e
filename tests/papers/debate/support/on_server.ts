// Runs paper debates against a local model server with streaming.
import { createPaperDebateWorkflow, memoryRecord } from "../../../../mod.ts";
import type {
  DebateReport,
  PaperDebateOptions,
  PaperDebateOutcome,
  PaperDebateResult,
  PaperDebateWorkflow,
  PaperDraft,
} from "../../../../papers.ts";
import type { MemoryRecord } from "../../../../protocol.ts";
import { type ModelReply, startModelServer } from "../../../support/model_server.ts";
import { askOf, type PaperAsk, paperModel } from "../../../support/paper_model.ts";
import { TREES } from "./paper_talkers.ts";
import { drain, type Drained } from "../../../support/talkers.ts";

export interface ServerOptions extends PaperDebateOptions {
  readonly papers?: readonly PaperDraft[];
  readonly record?: MemoryRecord;
}

/** A finished debate: the server's requests and the report, if there is one. */
export interface Held extends Drained<PaperDebateResult> {
  readonly report: DebateReport;
  readonly record: MemoryRecord;
  readonly asks: readonly PaperAsk[];
}

/** Creates a debate on a model server; a given record is resumed. */
function debateOn(
  url: string,
  { papers = [TREES], ...options }: ServerOptions,
): PaperDebateWorkflow {
  return createPaperDebateWorkflow(papers, {
    model: "test-model",
    baseUrl: url,
    seed: 1,
    searchers: [],
    retry: { minWait: 0, maxWait: 0 },
    ...options,
  });
}

/** Runs a debate on a model server; a reply from `say` replaces the usual one. The record can be run again. */
export async function onServer(
  say: (ask: PaperAsk) => ModelReply | undefined,
  { record = memoryRecord(), ...options }: ServerOptions = {},
): Promise<Held> {
  await using server = await startModelServer({ respond: paperModel(say) });
  const drained = await drain(debateOn(server.url, { record, ...options }));
  const { report } = (drained.result?.value ?? {}) as Partial<PaperDebateOutcome>;
  return { ...drained, report: report!, record, asks: server.requests.map(askOf) };
}
