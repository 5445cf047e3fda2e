// Writes small PDF files for tests of the PDF reader.
import { createHash } from "node:crypto";

/** Contents and layout of a PDF. */
export interface PdfContents {
  /**
   * Paragraphs of each page. A paragraph that begins with `# ` or `## ` is a heading. A page without paragraphs shows a
   * grey box, like a scanned page; paragraphs that do not fit continue on an additional page.
   */
  readonly pages: readonly (readonly string[])[];
  /** Title in the file's metadata. @default none */
  readonly title?: string | undefined;
  /** Number of text columns. @default 1 */
  readonly columns?: 1 | 2 | undefined;
  /** Text at the top of every page. @default none */
  readonly header?: string | undefined;
  /** True if every page has its number at the bottom. @default false */
  readonly pageNumbers?: boolean | undefined;
  /** True if words are hyphenated at the end of a line. @default false */
  readonly hyphenate?: boolean | undefined;
  /** True if paragraphs begin with an indent instead of being separated by space. @default false */
  readonly indent?: boolean | undefined;
  /** User password; an empty password opens the file without a prompt. @default not encrypted */
  readonly password?: string | undefined;
}

const PAGE = { width: 612, height: 792, margin: 72, gutter: 24 } as const;
const SIZE = 11;
const LEADING = 14;

interface Style {
  readonly font: "F1" | "F2";
  readonly size: number;
  readonly leading: number;
}

const BODY: Style = { font: "F1", size: SIZE, leading: LEADING };
const HEADINGS: readonly (readonly [mark: string, style: Style])[] = [
  ["# ", { font: "F2", size: 18, leading: 22 }],
  ["## ", { font: "F2", size: 13, leading: 17 }],
];

/** A line and its position in points from the page's lower left corner. */
interface Line {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly style: Style;
}

/**
 * Returns a PDF of US letter pages in Helvetica, 11 points; the same contents give the same bytes. Throws for a
 * character that Windows-1252 does not have.
 */
export function writePdf(contents: PdfContents): Uint8Array {
  const streams = contents.pages.flatMap((paragraphs) => pagesOf(paragraphs, contents))
    .map((lines, at) => streamOf([...lines, ...furniture(at + 1, contents)]));
  return fileOf(streams, contents);
}

/** Lays out paragraphs on one page and, if they do not fit, on additional pages. */
function pagesOf(paragraphs: readonly string[], contents: PdfContents): Line[][] {
  const { columns = 1, indent = false } = contents;
  const width = (PAGE.width - 2 * PAGE.margin - (columns - 1) * PAGE.gutter) / columns;
  const top = PAGE.height - PAGE.margin;
  const pages: Line[][] = [[]];
  let column = 0;
  let y = top;
  for (const paragraph of paragraphs) {
    const { text, style } = styled(paragraph);
    const first = indent && style === BODY ? 14 : 0;
    if (y < top) y -= indent && style === BODY ? 0 : LEADING / 2;
    for (const [at, words] of wrapped(text, { style, width, first, ...contents }).entries()) {
      if (y - style.leading < PAGE.margin) {
        column = (column + 1) % columns;
        y = top;
        if (column === 0) pages.push([]);
      }
      y -= style.leading;
      const x = PAGE.margin + column * (width + PAGE.gutter) + (at === 0 ? first : 0);
      pages.at(-1)!.push({ text: words, x, y, style });
    }
  }
  return pages;
}

function styled(paragraph: string): { readonly text: string; readonly style: Style } {
  const heading = HEADINGS.find(([mark]) => paragraph.startsWith(mark));
  if (heading === undefined) return { text: paragraph, style: BODY };
  return { text: paragraph.slice(heading[0].length), style: heading[1] };
}

/** Returns the header and the page number. */
function furniture(number: number, { header, pageNumbers }: PdfContents): Line[] {
  const style: Style = { ...BODY, size: 9 };
  const lines: Line[] = [];
  if (header !== undefined) lines.push({ text: header, x: PAGE.margin, y: 750, style });
  if (pageNumbers) lines.push({ text: String(number), x: PAGE.width / 2 - 3, y: 36, style });
  return lines;
}

/** Breaks a text into lines of a width. */
function wrapped(
  text: string,
  { style, width, first, hyphenate = false }: {
    readonly style: Style;
    readonly width: number;
    readonly first: number;
    readonly hyphenate?: boolean | undefined;
  },
): string[] {
  const lines: string[] = [];
  let line = "";
  const room = () => lines.length === 0 ? width - first : width;
  for (let word of text.split(/\s+/).filter((each) => each !== "")) {
    while (true) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (widthOf(longer, style) <= room()) {
        line = longer;
        break;
      }
      const at = hyphenate ? divideAt(line, word, { style, width: room() }) : undefined;
      if (at !== undefined) {
        const head = word.slice(0, at);
        lines.push(`${line} ${head}${head.endsWith("-") ? "" : "-"}`);
        word = word.slice(at);
      } else if (line === "") {
        // A word that is longer than a line is not broken.
        line = word;
        break;
      } else lines.push(line);
      line = "";
    }
  }
  return line === "" ? lines : [...lines, line];
}

/** Returns where a word can be divided so that its head fits a line: after its own hyphen, else between vowel and consonant. */
function divideAt(
  line: string,
  word: string,
  { style, width }: { readonly style: Style; readonly width: number },
): number | undefined {
  const fits = (head: string) => line !== "" && widthOf(`${line} ${head}`, style) <= width;
  const own = word.indexOf("-") + 1;
  if (own > 0) return own < word.length && fits(word.slice(0, own)) ? own : undefined;
  if (!/^[A-Za-z]{8,}[.,;:]?$/.test(word)) return undefined;
  for (let at = word.length - 4; at >= 3; at--) {
    const between = /^[aeiou][b-df-hj-np-tv-z]$/.test(word.slice(at - 1, at + 1));
    if (between && fits(`${word.slice(0, at)}-`)) return at;
  }
  return undefined;
}

/** Widths of Helvetica's characters from space to tilde, in thousandths of the font size. */
const WIDTHS: readonly number[] = [
  ...[278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278],
  ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556],
  ...[1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778],
  ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556],
  ...[333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556],
  ...[556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584],
];

/** Widths of some characters after the tilde; an accented letter has the width of its base letter. */
const WIDER: Readonly<Record<string, number>> = {
  ...{ "‘": 222, "’": 222, "‚": 222, "“": 333, "”": 333, "„": 333, "‹": 333, "›": 333 },
  ...{ "—": 1000, "…": 1000, "™": 1000, "‰": 1000, "•": 350, "°": 400, "±": 584, "×": 584 },
};

function widthOf(text: string, { font, size }: Style): number {
  let width = 0;
  for (const char of text) {
    width += WIDER[char] ?? WIDTHS[char.normalize("NFD").codePointAt(0)! - 32] ?? 556;
  }
  return width * size / 1000 * (font === "F2" ? 1.08 : 1);
}

/** Characters of Windows-1252 from 0x80 that Latin-1 does not have; `\0` for unassigned codes. */
const HIGH = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";

/** Encodes a text in Windows-1252, one character per byte. */
function encoded(text: string): string {
  return [...text].map((char) => {
    const high = HIGH.indexOf(char);
    if (high !== -1 && char !== "\0") return String.fromCharCode(0x80 + high);
    if (/[ -~\u00a0-\u00ff]/.test(char)) return char;
    throw new Error(`Cannot write "${char}" to a PDF: Windows-1252 does not have it`);
  }).join("");
}

function literal(bytes: string): string {
  // A carriage return would be read as a line feed; encrypted strings can contain a carriage return.
  return `(${bytes.replace(/[\\()]/g, "\\$&").replaceAll("\r", "\\r")})`;
}

function streamOf(lines: readonly Line[]): string {
  if (lines.length === 0) return "0.8 g 72 72 468 648 re f";
  return lines.map(({ text, x, y, style: { font, size } }) =>
    `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${literal(encoded(text))} Tj ET`
  ).join("\n");
}

/** Assembles the file: catalogue, page tree, two fonts, information, and a page for each stream. */
function fileOf(streams: readonly string[], { title, password }: PdfContents): Uint8Array {
  const security = password === undefined ? undefined : securityOf(password);
  const kids = streams.map((_, at) => `${6 + 2 * at} 0 R`).join(" ");
  const cipher = (bytes: string, number: number) => security?.encrypt(bytes, number) ?? bytes;
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${streams.length} >>`,
    font("Helvetica"),
    font("Helvetica-Bold"),
    title === undefined ? "<< >>" : `<< /Title ${literal(cipher(encoded(title), 5))} >>`,
    ...streams.flatMap((stream, at) => {
      const bytes = cipher(stream, 7 + 2 * at);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] ` +
        `/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${7 + 2 * at} 0 R >>`,
        `<< /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`,
      ];
    }),
    ...security === undefined ? [] : [security.dictionary],
  ];
  return assembled(
    objects,
    security === undefined ? "" : ` /Encrypt ${objects.length} 0 R /ID [<${ID}> <${ID}>]`,
  );
}

function assembled(objects: readonly string[], more: string): Uint8Array {
  let text = "%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n";
  const offsets: number[] = [];
  for (const [at, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
  }
  const size = objects.length + 1;
  const rows = offsets.map((each) => `${String(each).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R${more} >>`;
  return bytesOf(`${text}${table}${trailer}\nstartxref\n${text.length}\n%%EOF\n`);
}

const ID = "00112233445566778899aabbccddeeff";
/** Padding of passwords in the PDF standard. */
const PADDING = bytesOf(
  "\x28\xbf\x4e\x5e\x4e\x75\x8a\x41\x64\x00\x4e\x56\xff\xfa\x01\x08" +
    "\x2e\x2e\x00\xb6\xd0\x68\x3e\x80\x2f\x0c\xa9\xfe\x64\x53\x69\x7a",
);

/** Standard security handler, revision 2: RC4 with a 40-bit key. */
function securityOf(password: string): {
  readonly dictionary: string;
  readonly encrypt: (bytes: string, number: number) => string;
} {
  const padded = Uint8Array.from([...bytesOf(encoded(password)), ...PADDING].slice(0, 32));
  const owner = rc4(md5(padded).slice(0, 5), padded);
  const permissions = [0xfc, 0xff, 0xff, 0xff];
  const id = Uint8Array.from(ID.match(/../g)!, (pair) => parseInt(pair, 16));
  const key = md5(Uint8Array.from([...padded, ...owner, ...permissions, ...id])).slice(0, 5);
  const hex = (bytes: Uint8Array) => `<${bytes.toHex()}>`;
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(rc4(key, PADDING))}` +
      " /P -4 >>",
    encrypt(bytes, number) {
      const own = [number & 0xff, number >> 8 & 0xff, number >> 16 & 0xff, 0, 0];
      const objectKey = md5(Uint8Array.from([...key, ...own])).slice(0, 10);
      return String.fromCharCode(...rc4(objectKey, bytesOf(bytes)));
    },
  };
}

function md5(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("md5").update(bytes).digest());
}

function rc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [state[b]!, state[a]!];
  };
  let other = 0;
  for (let at = 0; at < 256; at++) {
    other = (other + state[at]! + key[at % key.length]!) & 255;
    swap(at, other);
  }
  let [one, two] = [0, 0];
  return bytes.map((byte) => {
    one = (one + 1) & 255;
    two = (two + state[one]!) & 255;
    swap(one, two);
    return byte ^ state[(state[one]! + state[two]!) & 255]!;
  });
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
