const fill = (length: number, piece: string) => piece.repeat(Math.ceil(length / piece.length))
const signs = [
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '`',
  '\\',
  '<',
  '&',
  '|',
  ' |# ',
  '*',
  '_',
  '~',
  '#',
  '=',
  '%',
  ':',
  '\t',
  '\r',
  '\r\n',
  '\n',
]

/** Texts of a length on which patterns and prefixes typically take quadratic time, each with a name. */
export function adversarialTexts(length: number): [name: string, text: string][] {
  return [
    ...signs.map((sign): [string, string] => [`many ${JSON.stringify(sign)}`, fill(length, sign)]),
    ...signs.map((sign): [string, string] => [
      `an item, then ${JSON.stringify(sign)}`,
      `k: [a${fill(length, sign)}\u2028x`,
    ]),
    ['a comment on every second sign', `a: ${fill(length, ' |#')}\u2028x\nb`],
    ['blanks before another sign', `a${fill(length, ' ')}b`],
    ['lines of blanks', fill(length, `${' '.repeat(500)}\n`)],
    ['a long line and returns', `${fill(length / 2, 'x')}${fill(length / 2, '\rx')}`],
    ['escapes of a terminal', fill(length, '\u001b[')],
    ['links of a terminal', fill(length, '\u001b]8;;')],
    ['opened lists and objects', fill(length, '[{"a":')],
    ['many fields', `{${fill(length, '"a":1,')}"b":2}`],
    ['many short values', `{"type":"x","content":[${fill(length, '0,')}0]}`],
    ['elements that are never closed', fill(length, '<a b="')],
    ['nested elements', fill(length, '<testsuite>')],
    ['lines of a report', fill(length, 'not ok 1 - a # skip\n')],
    ['indented subtests', fill(length, '    ok 1 - a\n  ---\n')],
    ['half links', fill(length, '![a](')],
  ]
}
