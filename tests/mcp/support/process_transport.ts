// MCP transport to a server process whose exit can be observed.
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

/** Connects to a server process over its standard input and output. */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #command: Deno.Command;
  #process: Deno.ChildProcess | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #reading: Promise<void> | undefined;
  #errors: Promise<string> | undefined;
  /** Lines of standard output that are not messages. */
  readonly strays: string[] = [];

  /** Starts `deno` with these arguments in a folder. */
  constructor(args: readonly string[], folder: string) {
    this.#command = new Deno.Command("deno", {
      args: [...args],
      cwd: folder,
      env: { NO_COLOR: "1", OPENAI_API_KEY: "", OPENAI_BASE_URL: "", INIT_CWD: "" },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    });
  }

  start(): Promise<void> {
    this.#process = this.#command.spawn();
    this.#writer = this.#process.stdin.getWriter();
    this.#errors = new Response(this.#process.stderr).text();
    this.#reading = this.#read(this.#process.stdout);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.write(`${JSON.stringify(message)}\n`);
  }

  /** Writes text as it is to standard input. */
  async write(text: string): Promise<void> {
    await this.#writer?.write(new TextEncoder().encode(text));
  }

  /** Closes standard input, as a client does, and waits for the process. */
  async close(): Promise<void> {
    await this.ended("input");
  }

  /** Closes standard input, or sends a signal, and returns how the process ended. */
  async ended(
    by: "input" | Deno.Signal,
  ): Promise<{ readonly code: number; readonly errors: string }> {
    if (by !== "input") this.#process?.kill(by);
    await this.#writer?.close().catch(() => {});
    this.#writer = undefined;
    const status = await this.#process?.status;
    await this.#reading;
    this.onclose?.();
    return { code: status?.code ?? -1, errors: await this.#errors ?? "" };
  }

  async #read(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let rest = "";
    for await (const piece of stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    }
    if (rest !== "") this.strays.push(rest);
  }

  #take(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = JSON.parse(line);
    } catch {
      this.strays.push(line);
      return;
    }
    if (message.jsonrpc !== "2.0") this.strays.push(line);
    this.onmessage?.(message);
  }
}
