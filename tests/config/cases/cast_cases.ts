// Effects of keys about participants.
import type { AgentRequest } from "../../../protocol.ts";
import { promptOf } from "../../support/talkers.ts";
import { differs, type KeyCase } from "../support/key_case.ts";
import { type Kind, KINDS, person, type Seen } from "../support/holding.ts";

function firstOf({ requests }: Seen, id = "ada"): AgentRequest {
  const found = requests.find(({ context }) =>
    context.purpose === "turn" && context.participant === id
  );
  if (found === undefined) throw new Error(`${id} was never asked for a turn`);
  return found;
}

function inPrompt(text: string): (seen: Seen) => boolean {
  return (seen) => promptOf(firstOf(seen)).includes(text);
}

function speakers({ messages }: Seen): string[] {
  return [...new Set(messages.map(({ participant }) => participant))]
    .filter((id) => !["moderator", "questioner", "reporter", "judge"].includes(id)).sort();
}

const TWO = [person("Ada"), person("Ben")];

/** Keys of participants. */
export const CAST_CASES: readonly KeyCase[] = [
  differs({
    key: "participants",
    changes: "who speaks",
    value: (kind: Kind) =>
      kind === "paper-debate"
        ? ["Ada", "Ben", "Cleo"].map((name) => ({ id: name.toLowerCase(), name }))
        : [...TWO, person("Cleo")],
    of: speakers,
    is: [["ada", "ben"], ["ada", "ben", "cleo"]],
  }),
  differs({
    key: "participants/0/id",
    changes: "how records know who spoke",
    value: "jo",
    of: speakers,
    is: [["ada", "ben"], ["ben", "jo"]],
  }),
  differs({
    key: "participants/0/name",
    changes: "how readers know who spoke",
    value: "Jo",
    of: ({ messages }) => messages.find(({ participant }) => participant === "ada")?.name,
    is: ["Ada", "Jo"],
  }),
  differs({
    key: "participants/2/role",
    changes: "what part one has",
    base: { participants: [...TWO, person("Cleo")] },
    value: (kind: Kind) => kind === "paper-debate" ? "questioner" : "moderator",
    of: ({ messages }, kind: Kind) =>
      kind === "dialogue"
        ? messages.find(({ participant }) => participant === "cleo")?.role
        : messages[0]?.participant,
    is: (kind) => {
      if (kind === "dialogue") return ["participant", "moderator"];
      return [kind === "paper-debate" ? "questioner" : "moderator", "cleo"];
    },
  }),
  differs({
    key: "participants/0/position",
    changes: "what all are told one stands for",
    kinds: KINDS.filter((kind) => kind !== "paper-debate"),
    value: "Trams before cars",
    of: (seen) => firstOf(seen, "ben").messages[0]!.content.includes("Trams before cars"),
    is: [false, true],
  }),
  differs({
    key: "participants/0/position",
    changes: "nothing where postures are taken from papers: it is refused",
    kinds: ["paper-debate"],
    value: "Trams before cars",
    of: ({ error }) => error?.field,
    is: [undefined, "participants.0.position"],
  }),
  differs({
    key: "participants/0/persona",
    changes: "how one is told to speak",
    value: "Speaks as one who drove a tram for years.",
    of: inPrompt("drove a tram for years"),
    is: [false, true],
  }),
  differs({
    key: "participants/0/motivation",
    changes: "what one is told to be after",
    value: "wants above all a short evening",
    of: inPrompt("wants above all a short evening"),
    is: [false, true],
  }),
  differs({
    key: "participants/0/systemPrompt",
    changes: "what one is told besides",
    value: "Mention the river in every turn.",
    of: inPrompt("Mention the river in every turn."),
    is: [false, true],
  }),
  differs({
    key: "participants/0/temperature",
    changes: "the temperature one is asked with, over the convening's",
    base: { temperature: 1 },
    value: 0.2,
    of: (seen) => [firstOf(seen).temperature, firstOf(seen, "ben").temperature],
    is: [[1, 1], [0.2, 1]],
  }),
  differs({
    key: "participants/0/model",
    changes: "the model one speaks with",
    base: { limits: { maxTurns: 4 } },
    value: "small",
    held: { server: {} },
    of: ({ messages }) => messages.find(({ participant }) => participant === "ada")?.model,
    is: ["one", "small"],
  }),
];
