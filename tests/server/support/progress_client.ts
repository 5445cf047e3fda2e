// Simple client of a debate's event stream, like many existing ones.

/** Callbacks of {@linkcode followDebate}. */
interface ProgressListener {
  /** Receives the data of every event, whatever its type. */
  readonly onProgress: (data: unknown) => void;
  /** Never called: the client ignores event types. */
  readonly onComplete: (data: unknown) => void;
  /** Receives an error that breaks the stream. */
  readonly onError: (error: Error) => void;
}

/**
 * Reads a debate's event stream: parses only lines that begin with `data:`, so that the last event counts as progress
 * too.
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
