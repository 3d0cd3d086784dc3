/** A token of SQL. `text` of a quoted name is without its quotes. `start` is its index in the statement. */
export type Token = { kind: 'word' | 'quoted' | 'string' | 'number' | 'sign'; text: string; start: number }

/** Takes linear time: after an unclosed quote or comment, no other of its kind is tried up to the end of the text. */
const pattern = new RegExp(
  [
    /(?<skipped>\s+|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?(?:\*\/|$))/,
    /(?<string>'(?:[^'\\]|\\[\s\S]|'')*')/,
    /(?<quoted>`(?:[^`\\]|\\[\s\S]|``)*`|"(?:[^"\\]|\\[\s\S]|"")*")/,
    /(?<word>[A-Za-z_][A-Za-z0-9_]*)/,
    /(?<number>\d[\w.]*)/,
    /(?<sign>\\[\s\S]|[\s\S])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)

/** Splits SQL into tokens, without whitespace and comments. */
export function readTokens(sql: string): Token[] {
  return [...sql.matchAll(pattern)].flatMap(({ groups = {}, index }) => {
    const [kind, text] = Object.entries(groups).find(([, text]) => text !== undefined) ?? ['skipped', '']
    if (kind === 'skipped') return []
    return [{ kind: kind as Token['kind'], text: kind === 'quoted' ? text.slice(1, -1) : text, start: index }]
  })
}
