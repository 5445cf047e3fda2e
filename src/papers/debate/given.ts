import type { Fact } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { argumentBody } from "../text/argument_body.ts";
import type { DebaterArgument } from "../../core/evidence.ts";
import { type Protocol, say } from "../../core/protocol.ts";
import { judge } from "./protocol.ts";
import type { Matter, PaperRules } from "./rules.ts";

/** What was argued before, stated turn by turn: each argument by the debater of its posture, one that nobody argued is left out. */
function* stateGiven(
  { turns }: PaperRules,
  matter: Matter,
  given: readonly DebaterArgument[],
): Protocol<readonly Message[]> {
  yield* say(turns.question(matter.question));
  yield* say(turns.postures(matter.question));
  const speeches: Message[] = [];
  const free = [...matter.postures.keys()];
  for (const argument of given) {
    const text = argumentBody({ ...argument, quotations: argument.quotations ?? [] });
    const own = free.findIndex((index) => matter.postures[index] === argument.posture);
    const [index] = free.splice(own, 1);
    speeches.push(yield* say({ ...turns.argument(matter, index!), text }));
  }
  return speeches;
}

/** Arguments that were made before are judged. */
export function* judgeGiven(
  rules: PaperRules,
  matter: Matter,
  given: readonly DebaterArgument[],
): Protocol<readonly Fact[]> {
  return yield* judge(rules, matter, yield* stateGiven(rules, matter, given));
}

/** Arguments that were made and judged before are reported; `judged` gives what the judges left on them. */
export function* reportGiven(
  rules: PaperRules,
  matter: Matter,
  { given, judged }: {
    readonly given: readonly DebaterArgument[];
    readonly judged: (speeches: readonly Message[]) => readonly Fact[];
  },
): Protocol<readonly Fact[]> {
  const speeches = yield* stateGiven(rules, matter, given);
  const facts = judged(speeches);
  const all = [...speeches, ...facts];
  yield* say(rules.turns.verdict(all));
  yield* say(rules.turns.report());
  return facts;
}
