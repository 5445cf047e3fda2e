/** The style of the HTML transcript: one column for phones and screens alike, light and dark. */
export const TRANSCRIPT_STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1a; --paper: #fdfcf9; --soft: #5c5b56; --line: #d8d5cc; --link: #1f5a9c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6df; --paper: #17181a; --soft: #a5a39a; --line: #3b3c3f; --link: #8ab8ee; }
}
body { margin: 0 auto; padding: 1rem; max-width: 44rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin-bottom: 0; font-size: 1.1rem; }
h4, h5, h6 { font-size: 1rem; }
a { color: var(--link); }
blockquote { margin: .5rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); }
.note, .scores, footer { margin: 0; color: var(--soft); font-size: .9rem; }
.scores { padding-inline-start: 1.2rem; }
.outcome { font-weight: 600; }
.notice { padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .3rem; }
.image { color: var(--soft); }
pre, .wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .25rem .6rem; border: 1px solid var(--line); text-align: start; }
td { text-align: end; }
footer { margin-top: 3rem; }
@media print { body { max-width: none; } article { break-inside: avoid-page; } }
`;
