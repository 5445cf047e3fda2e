import type { Flag, FlagValues } from "./flag.ts";
import type { Session } from "./session.ts";

/** What a command was given. */
export interface Invocation {
  /** The arguments that are no flags. */
  readonly args: readonly string[];
  readonly values: FlagValues;
}

/** How a command ended: what is printed, and the exit code. */
export interface Reply {
  readonly code: number;
  /** What `--json` prints; undefined where it was printed as it came. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  /** What is printed without it; ends with a line break unless empty. */
  readonly text: string;
}

/** The flags of a command, and what the command does. */
export interface CommandAction {
  readonly flags: readonly Flag<unknown>[];
  run(invocation: Invocation, session: Session): Promise<Reply>;
}

/** A row of the table of commands. */
export interface CliCommand {
  readonly name: string;
  /** In the notation of help: `<dir>` is needed, `[topic]` is not. */
  readonly arguments: readonly string[];
  /** One line for help. */
  readonly about: string;
  /** Under which heading help lists it. */
  readonly group: string;
  /** No flags of its own. @default false */
  readonly flagless?: boolean;
  /** Whether it runs a convening: its JSON then always has the keys of a result. */
  readonly runs?: boolean;
  /** Whether it goes on until it is interrupted, and then ends in good order by itself. */
  readonly stays?: boolean;
  load(): Promise<CommandAction>;
}
