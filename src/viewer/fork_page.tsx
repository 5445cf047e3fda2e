// The page that asks before a fork: the message that the fork ends with, to be kept or edited.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { Message } from "../core/message.ts";
import { own } from "../record/html/markup.tsx";
import { messageHref } from "./exchange.tsx";
import { type Page, page } from "./page.tsx";

/** The question before a fork of a convening at a message. */
export function forkPage(
  { id, topic, message: { seq, name, body } }: {
    readonly id: string;
    readonly topic: string;
    readonly message: Message;
  },
): Page {
  return page({
    title: `Fork: ${topic}`,
    body: (
      <>
        <h1>{`Fork from message ${seq}`}</h1>
        <p>
          {"A new convening takes over messages 1 to "}
          <a href={messageHref(id, seq)}>{`${seq}, `}{own(name)}</a>
          {" of "}
          <a href={`/convenings/${id}`} dir="auto">{topic}</a>
          {". This one stays as it is. No model is asked before you resume the fork."}
        </p>
        <form
          method="post"
          action={`/convenings/${id}/actions/fork`}
          data-draft={`${id}/fork/${seq}`}
        >
          <input type="hidden" name="at" value={seq} />
          <input type="hidden" name="said" value={body} />
          <label>
            {`Message ${seq} in the fork`}
            <textarea name="edit" rows={14} required maxlength={100_000}>{body}</textarea>
          </label>
          <button type="submit">Fork</button> <a href={messageHref(id, seq)}>Cancel</a>
        </form>
      </>
    ),
  });
}
