// Kinds of convenings: what a library must know of one to hold, resume, verify, fork, judge and serve it.
import { z } from "zod";
import type { CommonConfig } from "../config/convening_config.ts";
import { callable, checkFields, schema } from "../core/check_fields.ts";
import { ConfigurationError } from "../core/error.ts";
import type { ConveningStart } from "../core/event.ts";
import type { SchemaShape, ValuesOf } from "../core/schema.ts";
import type { DialogueWorkflow } from "./dialogue_workflow.ts";
import {
  type Participant,
  type ParticipantOptions,
  participantsFrom,
} from "../core/participant.ts";
import type { HandedIn, WorkflowDesign, WorkflowOptions } from "./workflow_options.ts";

/** A kind of convening: one row of a library's table. */
export interface Kind {
  /** The `kind` of its configurations and records. */
  readonly name: string;
  /** One line for help texts. */
  readonly summary: string;
  /** Schemas of its own configuration keys; absent of a built-in kind, whose keys are in the table of settings. */
  readonly settings?: SchemaShape | undefined;
  /** The participants where a configuration has none. @default those that `create` makes, or none of an own kind */
  readonly participants?: readonly ParticipantOptions[] | undefined;
  /** Makes the workflow of a checked configuration. */
  create(
    config: never,
    handed: HandedIn,
  ): DialogueWorkflow<unknown> | Promise<DialogueWorkflow<unknown>>;
  /** The ids of the participants whose messages are judged; absent where nothing is to be judged. */
  readonly judged?: ((start: ConveningStart) => readonly string[]) | undefined;
}

/** Options for the constructor of an own kind: every option of a workflow, and the kind's own settings. */
export type KindOptions<S extends SchemaShape> = WorkflowOptions & ValuesOf<S> & {
  /** The kind's name and its settings as the record keeps them; spread them into the design of the workflow. */
  readonly design: WorkflowDesign;
};

/** An own kind of convening, as {@linkcode defineKind} takes it. */
export interface KindDefinition<S extends SchemaShape> {
  /** Small letters, digits and `-`; no built-in kind's name. */
  readonly name: string;
  /** One line for help texts. */
  readonly summary: string;
  /** Schemas of its own configuration keys, over those that every kind has. */
  readonly settings: S;
  /** Participants of a configuration that names none. @default none: each configuration names its own */
  readonly participants?: readonly ParticipantOptions[] | undefined;
  /** Makes the workflow; `options` is for the constructor of `DialogueWorkflow`. */
  create(
    topic: string,
    participants: readonly Participant[],
    options: KindOptions<S>,
  ): DialogueWorkflow<unknown> | Promise<DialogueWorkflow<unknown>>;
  /** The ids of the participants whose messages `judge` scores and compares. @default nothing is judged */
  readonly judged?: ((start: ConveningStart) => readonly string[]) | undefined;
}

const KIND = z.strictObject({
  name: z.string(),
  summary: z.string(),
  settings: z.record(z.string(), schema),
  participants: z.array(z.unknown()).optional(),
  create: callable,
  judged: callable.optional(),
});

/** A kind of a program's own; `createLibrary({ kinds })` holds, resumes, verifies and serves it like the built-in ones. */
export function defineKind<const S extends SchemaShape>(definition: KindDefinition<S>): Kind {
  const { name, summary, settings, create, judged } = checkFields(definition, KIND, "kind");
  const { participants: cast = [] } = definition;
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name)) {
    throw new ConfigurationError(`Cannot define the kind ${JSON.stringify(name)}`, {
      field: "name",
      hint: "A kind's name has small letters, digits and '-', at most 40.",
    });
  }
  const keys = Object.keys(settings);
  return {
    name,
    summary,
    settings,
    participants: definition.participants,
    judged,
    create(config: CommonConfig, { agentOf, papers: _papers, ...handed }: HandedIn) {
      const { kind: _kind, topic, participants: given = cast, sources: _files, ...settings } =
        config as
          & CommonConfig
          & { readonly kind: string };
      const configuration = Object.fromEntries(
        Object.entries(settings).filter(([key]) => keys.includes(key)),
      );
      const participants = participantsFrom(given)
        .map((each) => ({ ...each, agent: agentOf(each.id) }));
      const design = { kind: name, configuration, keepsValue: true };
      // The configuration was checked against the kind's own schema.
      return create(
        topic,
        participants,
        { ...settings, ...handed, design } as unknown as KindOptions<S>,
      );
    },
  };
}
