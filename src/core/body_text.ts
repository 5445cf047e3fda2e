/** A response's body as text; undefined past so many bytes, where reading stops. */
export async function bodyText({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) return undefined;
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
