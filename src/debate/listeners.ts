import type { Participant } from "../engine/participant.ts";
import { presetNamed } from "./presets.ts";
import type { Helper, Judge } from "../engine/workflow_options.ts";
import type { DebateListener } from "./debate_options.ts";
import type { DebateSettings } from "./settings.ts";

/** The role of who listens. */
export const LISTENER = "listener";

/** The listeners as given; five of different minds where the audience decides and none are given. */
export function listenersGiven(
  { audience, decision }: Pick<DebateSettings, "audience" | "decision">,
): readonly DebateListener[] {
  return audience ?? (decision === "audience" ? presetNamed("oxford").audience ?? [] : []);
}

/** Those who listen, as the engine asks them; by default with the first judge's model. */
export function listenersOf(
  given: readonly DebateListener[],
  { participants, judges }: {
    readonly participants: readonly Participant[];
    readonly judges: readonly Judge[];
  },
): Helper[] {
  const taken = new Set([...participants, ...judges].map(({ id }) => id));
  return given.map(({ name, model, agent, persona }, index) => {
    const own = agent !== undefined || model !== undefined;
    return {
      id: freeId(`listener-${index + 1}`, taken),
      name: name ?? `Listener ${index + 1}`,
      role: LISTENER,
      persona,
      model: own ? model : judges[0]?.model,
      agent: own ? agent : judges[0]?.agent,
    };
  });
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  return taken.has(id) ? freeId(`the-${id}`, taken) : id;
}
