// Requests that post JSON.

/** Returns the settings of a request that posts a value as JSON, or a text as it is. */
export function asPost(
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): RequestInit & { readonly method: string; readonly body: string } {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}
