import { type Agent, type AgentReply, type AgentRequest, HUMAN } from "../core/agent.ts";
import { TurnOrderError } from "../core/error.ts";
import { NO_USAGE } from "../core/message.ts";

/**
 * A person: says what is submitted for the turn, at the terminal, through `workflow.say`, or by another process. To a
 * structured question a person may answer with JSON, or with a line `key: value` for each key.
 */
export function createHumanAgent(): Agent {
  return { model: HUMAN, reply };
}

async function reply({ hear, schema, context }: AgentRequest): Promise<AgentReply> {
  if (hear === undefined) {
    throw new TurnOrderError(
      `Cannot ask ${context.label} for "${context.key}": nobody listens for a person here`,
      { hint: "A person can take turns and answer questions; let a model judge and sum up." },
    );
  }
  const text = await hear();
  return {
    text: schema === undefined ? text : asJson(text),
    finishReason: "stop",
    model: HUMAN,
    usage: NO_USAGE,
  };
}

/** Lines of `key: value` as a JSON object; anything else as it stands. */
function asJson(text: string): string {
  if (text.includes("{")) return text;
  const values: Record<string, unknown> = {};
  let key: string | undefined;
  for (const line of text.split("\n")) {
    const [, name, value] = /^\s*([a-z][a-z0-9_]*)\s*:\s*(.*)$/iu.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values[key = name.toLowerCase()] = scalar(value);
    else if (key !== undefined && line.trim() !== "") values[key] = `${values[key]}\n${line}`;
  }
  return key === undefined ? text : JSON.stringify(values);
}

function scalar(text: string): unknown {
  const trimmed = text.trim();
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (/^(yes|true)$/i.test(trimmed)) return true;
  return /^(no|false)$/i.test(trimmed) ? false : trimmed;
}
