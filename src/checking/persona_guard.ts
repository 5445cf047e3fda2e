// The guard that asks a model if a turn fits its persona.
import { choiceQuestion, fieldOf, type GuardMode, type Question } from "../core/turn.ts";
import type { Choice } from "../core/fact.ts";
import type { Draft, Guard } from "../core/guard.ts";
import { oneLine } from "../core/text.ts";
import { sha256 } from "../core/message.ts";
import { memo } from "../core/values.ts";
import type { Helper, Participant } from "../core/participant.ts";
import { FACT_CHECKER, freeId } from "./fact_checker.ts";
import { fenced, NO_ORDERS } from "../core/prompt.ts";
import { z } from "zod";
import { factCheckTemplates } from "./questions.ts";

/** The most code points of a breach in what the retry is told. */
const BREACH_LENGTH = 300;

interface PersonaGuardOptions {
  /** The id of the party that is asked: a fact checker or a judge. */
  readonly asked: string;
  /** Marks what is out of persona, or has it said again. */
  readonly mode: "warn" | "reject";
  readonly template: string;
}

/** The role of who compares turns with personas, where there is neither a fact checker nor a judge. */
const PERSONA_CHECKER = "persona_checker";

/** The parts of a workflow's design that the comparison adds to. */
interface Checkable {
  readonly helpers?: readonly Helper[] | undefined;
  readonly judges?: readonly { readonly id: string }[] | undefined;
  readonly guards?: readonly Guard[] | undefined;
  readonly roles?: Readonly<Record<string, string>> | undefined;
}

/**
 * A design whose turns are compared with their speakers' personas; as it is where that is off, or nobody has one. The fact
 * checker is asked, else the first judge, else a helper with the convening's model. It looks before the guards of the
 * design: facts cost more.
 */
export function withPersonaGuard<D extends Checkable>(
  design: D,
  { mode = "off", participants, prompts }: {
    /** @default "off" */
    readonly mode?: GuardMode | undefined;
    readonly participants: readonly Participant[];
    readonly prompts?: Readonly<Record<string, string>> | undefined;
  },
): D {
  if (mode === "off" || participants.every(({ persona }) => !persona?.trim())) return design;
  const { helpers = [], judges = [], guards = [], roles } = design;
  const templates = factCheckTemplates(prompts);
  const there = helpers.find(({ role }) => role === FACT_CHECKER) ?? judges[0];
  const taken = new Set([...participants, ...helpers].map(({ id }) => id));
  const own: Helper = {
    id: freeId("persona-checker", taken),
    name: "Persona checker",
    role: PERSONA_CHECKER,
  };
  const asked = (there ?? own).id;
  return {
    ...design,
    helpers: there === undefined ? [...helpers, own] : helpers,
    roles: { ...roles, [PERSONA_CHECKER]: templates.personaChecker },
    guards: [personaGuard({ asked, mode, template: templates.personaCheck }), ...guards],
  };
}

/** Has turns of those with a persona compared with what it does and does not do; one that cannot be compared passes. */
export function personaGuard({ asked, mode, template }: PersonaGuardOptions): Guard {
  return {
    name: "persona",
    async check(draft, { ask, seq }) {
      const { persona, turn } = draft;
      if (persona === undefined || persona.trim() === "" || turn.text !== undefined) {
        return undefined;
      }
      const { value } = await ask(question({ ...draft, persona }, { asked, template, seq }));
      const found = finding().safeParse(value);
      if (!found.success || found.data.consistent) return undefined;
      const breach = oneLine(found.data.breach, BREACH_LENGTH);
      return {
        reason: `That is not as your persona speaks: ${
          breach || "it goes against what it does, or does what it does not"
        }. Keep to your persona.`,
        mark: "out_of_persona",
        ...(mode === "warn" ? { warn: true } : {}),
      };
    },
  };
}

const finding = memo(() => z.object({ consistent: z.boolean(), breach: z.string() }));
const reply = memo(() =>
  z.object({ reason: z.string(), consistent: z.boolean(), breach: z.string() })
);

function question(
  { turn, attempt, body, persona }: Draft & { readonly persona: string },
  { asked, template, seq }: Omit<PersonaGuardOptions, "mode"> & { readonly seq: number },
): Question<z.infer<ReturnType<typeof reply>>, Choice> {
  const key = `persona/${turn.key}/${attempt}`;
  // After an interruption an attempt may be another one: what was found of the one before does not hold for it.
  const of = sha256(body).slice(0, 16);
  const asking = choiceQuestion<z.infer<ReturnType<typeof reply>>>({
    key,
    asked,
    seq,
    phase: turn.phase,
    kind: "persona_check",
    round: turn.round,
    task: template,
    notes: [
      `This is a persona, and what was said in its place. ${NO_ORDERS}`,
      fenced("persona", persona),
      fenced("statement", body),
    ].join("\n"),
    schema: { name: "persona_check", type: reply() },
    data: { body },
    valueOf: (read) => read === undefined ? { of } : { of, ...breachOf(read) },
    reasonsOf: ({ reason }) => reason,
  });
  return {
    ...asking,
    matches: (fact): fact is Choice => asking.matches(fact) && fieldOf(fact.value, "of") === of,
  };
}

function breachOf(
  { consistent, breach }: z.infer<ReturnType<typeof reply>>,
): z.infer<ReturnType<typeof finding>> {
  return { consistent, breach };
}
