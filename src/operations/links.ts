/** Where what there is of a convening can be asked for: paths of this server. */
export function linksOf(id: string): Readonly<Record<string, string>> {
  const self = `/api/convenings/${id}`;
  return {
    self,
    events: `${self}/events`,
    messages: `${self}/messages`,
    scores: `${self}/scores`,
    verify: `${self}/verify`,
    export: `${self}/export`,
    index: `${self}/files/index.md`,
  };
}
