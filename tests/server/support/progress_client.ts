/** What a client of the debate's stream is told. */
interface ProgressListener {
  /** Hears what every line of data holds, whichever event it is of. */
  readonly onProgress: (data: unknown) => void;
  /** Never called: this client does not look at what an event is. */
  readonly onComplete: (data: unknown) => void;
  /** Hears what keeps the stream from being read. */
  readonly onError: (error: Error) => void;
}

/**
 * A simple client of the debate's events, of the kind that many have written: it looks at lines that begin with `data:`,
 * and at nothing else, so that it takes the last event for progress, too.
 */
export async function followDebate(
  url: string,
  body: unknown,
  { onProgress, onError }: ProgressListener,
): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(body),
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    return onError(new Error(`The server answered ${response.status}`));
  }
  let unread = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = `${unread}${piece}`.split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data: ")) onProgress(JSON.parse(line.slice("data: ".length)));
    }
  }
}
