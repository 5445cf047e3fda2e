// deno-lint-ignore-file camelcase -- the keys of the format are in snake_case
import { decide, round4, type Standing, standings } from "../../core/scoring.ts";
import { writeFrontMatter } from "../frontmatter.ts";
import { markdownText } from "../markdown.ts";
import type { Panel, RecordModel } from "../record_model.ts";
import { CUT, winnerWords } from "./index_page.ts";
import { common } from "./renderer.ts";

/** `summary.md`: the moderator's summary, or the last stop's, and the result. */
export function summaryPage(model: RecordModel): string {
  const { start, progress, outcome, winner } = model;
  const data = {
    ...common("summary"),
    index: "index.md",
    status: progress.status,
    end_reason: progress.endReason ?? null,
    outcome: outcome ?? null,
    winner,
  };
  const body = `# Summary: ${markdownText(start.topic, 200)}

${summaryText(model)}

## Result

Status: ${progress.status}${
    progress.endReason === undefined ? "" : ` (${progress.endReason})`
  }. Winner: ${winnerWords(model, markdownText)}.

${totalLines(model)}[index.md](index.md) lists what was said.
`;
  return writeFrontMatter(data, body);
}

function summaryText({ summary, lastStop, progress }: RecordModel): string {
  if (summary !== undefined) return summary.trim();
  if (lastStop !== undefined && progress.status !== "completed") {
    const text = lastStop.body.trim();
    return `It was stopped early (${lastStop.reason}) after message ${lastStop.lastSeq}.${
      text === "" ? "" : `\n\n${text}`
    }`;
  }
  return progress.status === "completed"
    ? "No summary was made."
    : "It is not finished: there is no summary yet.";
}

function totalLines(model: RecordModel): string {
  const { scores, unscored } = model.standings;
  const lines = ranked(scores).map(([id, { total, missing }]) =>
    `- ${nameAndPosition(model, id)}: **${total}**${
      missing === 0 ? "" : ` (${missing} scores missing)`
    }`
  );
  for (const id of unscored) {
    lines.push(`- ${nameAndPosition(model, id)}: no score could be read`);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n\n`;
}

function ranked(
  scores: Readonly<Record<string, Standing>>,
): [string, Standing][] {
  return Object.entries(scores).sort(([, a], [, b]) => b.total - a.total);
}

function nameAndPosition({ start }: RecordModel, id: string): string {
  const found = start.participants.find((each) => each.id === id);
  if (found === undefined) return markdownText(id, CUT.name);
  const name = markdownText(found.name, CUT.name);
  return found.position === undefined
    ? name
    : `${name} (${markdownText(found.position, CUT.position)})`;
}

/** `scores.md`: the standings of each panel as tables, whose totals are the sums of their weighted rows. */
export function scoresPage(model: RecordModel): string {
  const panels = model.panels.map((panel) => panelText(model, panel));
  const body = `# Scores: ${markdownText(model.start.topic, 200)}

A mean is over a participant's scored turns; weighted is weight × mean, and a total is the sum of its weighted rows.
Each judge's numbers and reasons are in \`scores/\`, each verdict in \`verdicts/\`. Up: [index.md](index.md)

${panels.length === 0 ? "Nothing was scored.\n" : panels.join("\n")}`;
  return writeFrontMatter(
    { ...common("scores"), index: "index.md", panels: panels.length },
    body,
  );
}

function panelText(model: RecordModel, panel: Panel): string {
  const { scores, unscored } = standings(panel.scores, model.names);
  const whose = panel.own ? "The convening's own judges" : "Judged again";
  const lines = [
    `## ${whose}: rubric ${markdownText(panel.rubric, 80)}, ${
      panel.models.map((each) => markdownText(each, 80)).join(", ")
    }`,
    "",
  ];
  const weights = panel.scores.find(({ status }) => status === "scored")
    ?.weights ?? {};
  for (const [id, standing] of ranked(scores)) {
    lines.push(...standingTable(nameAndPosition(model, id), standing, weights));
  }
  for (const id of unscored) {
    lines.push(
      `### ${nameAndPosition(model, id)}`,
      "",
      "No score could be read.",
      "",
    );
  }
  lines.push(...verdictLines(model, panel));
  return `${lines.join("\n")}\n`;
}

function standingTable(
  heading: string,
  { breakdown, total, scored, missing }: Standing,
  weights: Readonly<Record<string, number>>,
): string[] {
  const rows = Object.entries(breakdown).map(([id, mean]) => {
    const weight = weights[id] ?? 0;
    return `| ${markdownText(id, 80)} | ${weight} | ${mean} | ${round4(mean * weight)} |`;
  });
  return [
    `### ${heading}`,
    "",
    "| criterion | weight | mean | weighted |",
    "| --- | --- | --- | --- |",
    ...rows,
    `| **total** | | | **${total}** |`,
    "",
    `${scored} scored, ${missing} missing.`,
    "",
  ];
}

function verdictLines(model: RecordModel, panel: Panel): string[] {
  if (panel.verdicts.length === 0) return [];
  const { outcome, winner, votes, ties } = decide(
    panel.verdicts,
    panel.scores,
  );
  const judges = new Map(
    model.start.judges.map(({ id, name }) => [id, name]),
  );
  const nameOf = (id: string | null) => id === null ? "a tie" : nameAndPosition(model, id);
  const rows = panel.verdicts.map((verdict) => {
    const order = verdict.order.map((id) => markdownText(model.names.get(id) ?? id, CUT.name)).join(
      ", ",
    );
    const named = verdict.status === "read" ? nameOf(verdict.winner) : "unread";
    return `| ${
      markdownText(judges.get(verdict.judge) ?? verdict.judge, CUT.name)
    } | ${verdict.number} | ${order} | ${named} |`;
  });
  const counted = Object.entries(votes).map(([id, count]) => `${nameOf(id)}: ${count}`);
  return [
    "### Verdicts",
    "",
    "| judge | number | order shown | winner |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    `Votes: ${counted.length === 0 ? "none" : counted.join(", ")}; ties: ${ties}. ${
      winner === null ? `Outcome: ${outcome}.` : `Winner: ${nameOf(winner)}.`
    }`,
    "",
  ];
}
