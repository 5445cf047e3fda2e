import { type Figure, figure, spread } from "./figure.ts";
import type { MessageCost, MessageTask } from "./message_process.ts";
import { type Bench, runJson } from "./processes.ts";
import type { Extent } from "./rows.ts";

/** What a message costs late in a dialogue, beside early. */
export async function messages(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const count = quick ? 200 : 10_000;
  const out = await bench.folder();
  const task: MessageTask = { out, messages: count, block: count / 10 };
  const args = [JSON.stringify(task)];
  const { cpu, wall } = await runJson("message_process.ts", { out, args }) as MessageCost;
  // The first block also compiles and holds prompts that are still short.
  const parts = (list: readonly number[]) => {
    const early = spread(list.slice(1, 4)).median;
    return list.slice(-3).map((each) => each / early);
  };
  return [
    figure(`CPU of a message, last three tenths of ${count} ÷ tenths 2 to 4`, {
      row: "messages",
      goal: { atMost: 1.1 },
      value: parts(cpu),
      ours: spread(cpu),
      unit: "ms",
      others: "linear where an index is rewritten",
    }),
    figure(`time of a message, last three tenths of ${count} ÷ tenths 2 to 4`, {
      row: "messages",
      goal: { atMost: 1.1 },
      value: parts(wall),
      ours: spread(wall),
      unit: "ms",
      others: "linear where an index is rewritten",
    }),
  ];
}
