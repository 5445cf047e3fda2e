// The flow sheet of a debate as a table: a row an argument, a column a side.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { ConveningStart } from "../../core/event.ts";
import { counted } from "../../core/text.ts";
import type { FlowSheet, NotedPoint } from "../../debate/flow/sheet.ts";
import { nameOf } from "../transcript_outline.ts";
import { type Markup, own } from "./markup.tsx";
import { sideOf } from "./message.tsx";

/** The most arguments of a table; the record's own pages have the others. */
const MOST_ROWS = 100;

/** The flow sheet as a table; `hrefOf` is the URL of a message. */
export function flowTable(
  start: ConveningStart,
  sheet: FlowSheet,
  hrefOf: (seq: number) => string,
): Markup {
  const { points, roots, dropped, conceded } = sheet;
  const made = new Set(points.map(({ participant }) => participant));
  const sides = start.participants.filter(({ id }) => made.has(id));
  const all = [...new Set(points.flatMap(({ id }) => roots.get(id) ?? []))];
  const fates = new Map([
    ...dropped.map(({ id }) => [id, "dropped"] as const),
    ...conceded.map(({ id }) => [id, "conceded"] as const),
  ]);
  const cell = (root: string, side: string) =>
    points.filter(({ id, participant }) => participant === side && roots.get(id)?.includes(root))
      .map((point) => pointItem(point, fates.get(point.id), hrefOf));
  return (
    <>
      <p class="note">
        {`${
          counted(points.length, "point")
        }, as a note-taker wrote them down: ${dropped.length} dropped, ${conceded.length} conceded. A point is dropped if another side could have answered the point and nobody did.`}
      </p>
      <div class="wide" role="region" aria-label="Flow sheet" tabindex={0}>
        <table class="flow">
          <thead>
            <tr>
              <th scope="col">Argument</th>
              {sides.map(({ id }) => (
                <th scope="col" data-side={sideOf(start, id)}>{own(nameOf(start, id))}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.slice(0, MOST_ROWS).map((root) => (
              <tr>
                <th scope="row">{root}</th>
                {sides.map(({ id }) => (
                  <td class="words">
                    <ul role="list">{cell(root, id)}</ul>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all.length > MOST_ROWS && (
        <p class="note">{`${all.length - MOST_ROWS} more arguments are in the record's pages.`}</p>
      )}
    </>
  );
}

function pointItem(
  { id, seq, kind, answers, text }: NotedPoint,
  fate: "dropped" | "conceded" | undefined,
  hrefOf: (seq: number) => string,
): Markup {
  const reference = answers.length === 0 ? "" : ` ${[kind, ...answers].join(" ")}`;
  return (
    <li>
      <a href={hrefOf(seq)}>
        {id}
        <span class="unseen">{`, message ${seq}`}</span>
      </a>
      <span class="note">{reference}</span> {own(text)}
      {fate !== undefined && (
        <>
          {" "}
          <span class="mark" data-verdict={fate === "dropped" ? "unverifiable" : "false"}>
            {fate}
          </span>
        </>
      )}
    </li>
  );
}
