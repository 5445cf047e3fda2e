// A paper debate out of a checked configuration.
import { ConfigurationError } from "../../core/error.ts";
import type { PaperDebateConfig } from "../../config/convening_config.ts";
import { createParticipant, type Participant, participantsFrom } from "../../core/participant.ts";
import type { HandedIn } from "../../engine/workflow_options.ts";
import { checkNoPosition, usualDebaters } from "./cast.ts";
import { PAPER_DEBATE_DEFAULTS } from "./paper_debate_options.ts";
import { PaperDebateWorkflow } from "./paper_debate_workflow.ts";
import { checkedOptions } from "../../engine/check_options.ts";

/** The paper debate a configuration describes, over the papers that were read for it. */
export function paperDebateFrom(config: PaperDebateConfig, handed: HandedIn): PaperDebateWorkflow {
  const { papers: _files, title: _title, participants: _given, sources: _read, ...settings } =
    config;
  const { agentOf, papers, ...options } = handed;
  if (papers === undefined) {
    throw new ConfigurationError("Cannot hold a paper debate: no paper was read", {
      field: "papers",
      hint: "Give the path of a PDF, markdown or text file.",
    });
  }
  const judges = (config.judges ?? [{}]).map((judge, index, { length }) => ({
    ...judge,
    agent: agentOf(judge.id ?? (length === 1 ? "judge" : `judge-${index + 1}`)),
  }));
  const participants = castOf(config).map((each) => ({ ...each, agent: agentOf(each.id) }));
  const made = checkedOptions({ ...settings, ...options, judges, participants });
  return new PaperDebateWorkflow(papers, made);
}

/** The participants a configuration names; the usual ones in the place of those it does not. */
function castOf({ participants = [], postures }: PaperDebateConfig): Participant[] {
  const given = participantsFrom(participants, {
    make: (options) => {
      const participant = createParticipant({ ...options, role: options.role ?? "debater" });
      checkNoPosition(participant);
      return participant;
    },
  });
  const has = (role: string) => given.some((each) => each.role === role);
  const one = (role: string, name: string) => has(role) ? [] : [createParticipant({ name, role })];
  const count = postures ?? PAPER_DEBATE_DEFAULTS.postures;
  return [
    ...one("questioner", "Questioner"),
    ...given,
    ...has("debater") ? [] : usualDebaters(count),
    ...one("reporter", "Reporter"),
  ];
}
