import { load, YAMLException } from 'js-yaml'
import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { checkDefinition } from '#contract/check-definition.ts'
import { describeYamlError } from '#contract/yaml-errors.ts'

/** `line:column message` of the error in a text. */
function faultOf(text: string): string {
  try {
    load(text, { maxDepth: 50, maxAliases: 200 })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { line, column, message } = describeYamlError(error, text)
    return `${line}:${column} ${message}`
  }
  return 'no error'
}

const issuesOf = (yaml: string) =>
  checkDefinition(load(yaml)).issues.map(({ path, message }) => `${path.map(String).join('.')} ${message}`)

const whole = 'id: a\nname: b\nagents:\n  - {id: c, command: [d]}\n'

test.each([
  [
    'agents:\n\u00A0\u00A0- {id: a, command: [b]}\n',
    '2:1 Indent this line with spaces: it has a non-breaking space (U+00A0)',
  ],
  [
    'agents:\n  -\u00A0id: a\n    command: [x]\n',
    '2:4 Indent this line with spaces: it has a non-breaking space (U+00A0)',
  ],
  ['id:\u00A0a\nname: b\n', '1:4 Replace this non-breaking space (U+00A0) with a space'],
  ['id: a\nname:\u200Bb\nagents: []\n', '2:6 Replace this zero-width space (U+200B) with a space'],
  ['id: a\nname:\u3000b\nagents: []\n', '2:6 Replace this ideographic space (U+3000) with a space'],
  ['id: a\n  \uFEFFname: b\n', '2:3 Indent this line with spaces: it has a byte order mark (U+FEFF)'],
  ['name: “a: b”\n', `1:7 Use straight quotes, " or ', in place of “`],
  ['name: ‘a: b’\n', `1:7 Use straight quotes, " or ', in place of ‘`],
  ['id： a\nname: b\n', '1:3 Use : and a space in place of ：'],
  ['agents:\n\t- id: x\n', '2:1 Indent with spaces. YAML does not allow tabs here'],
  ['agents:\n  \t- id: x\n    command: [y]\n', '2:3 Indent with spaces. YAML does not allow tabs here'],
  ['agents:\n  -\tid: x\n    command: [y]\n', '2:4 Indent with spaces. YAML does not allow tabs here'],
  ['agents:\n  - {id: x,\tcommand: [y]}\n', '2:12 Replace this tab with a space'],
  ['agents:\n  – id: x: y\n', '2:3 Use - and a space in place of –'],
  ['agents:\n  - {id: x， command: [y]}\n', '2:11 Use , in place of ，'],
  ['```yaml\nid: a\n```\n', '1:1 Remove this line. ``` is Markdown'],
  ['name: b\n\u00ADagents: [\n', '2:1 Indent this line with spaces: it has a soft hyphen (U+00AD)'],
  ['tests: [*mine]\n', '1:10 Nothing above is named &mine. Put *mine in quotes if it is a text'],
  ['name: *.ts\n', '1:8 Put this text in quotes, because it starts with *, & or !'],
  ['tests:\n  - name:t\n    command: [x]\n', '2:5 Put a space after the colon: name: t'],
  ['id:a\r\nname: b\r\n', '1:1 Put a space after the colon: id: a'],
  ['i\0d\0:\0 \0a\0\n\0', '1:2 This text is UTF-16. Save it as UTF-8'],
  ['i\0\0\0d\0\0\0:\0\0\0', '1:2 This text is UTF-32. Save it as UTF-8'],
  ['id: a\nname: some text of a name \0\n', '2:27 Remove the NUL character'],
  ['# id: a\n\n', '1:1 The definition has no fields, only comments or blank lines'],
])('a mistake that cannot be seen is named for what it is, at its place: %j', (text, fault) => {
  expect(faultOf(text)).toBe(fault)
})

test('special blanks and quotes inside of texts are no mistakes', () => {
  expect(faultOf('text: 5\u00A0km “there”: it\n')).toBe(
    '1:19 Put the text after the first colon in quotes, because it contains a colon',
  )
  expect(issuesOf(`${whole}description: “Why” 5\u00A0km?\n`)).toEqual([])
})

test('line ends of Windows and a byte order mark at the start are accepted', () => {
  expect(issuesOf(`\uFEFF${whole}`.replaceAll('\n', '\r\n'))).toEqual([])
})

test.each([
  ['a\u00A0', ': it has a non-breaking space (U+00A0)'],
  ['a\u200Bb', ': it has a zero-width space (U+200B)'],
  ['“a”', `: use straight quotes, " or ', in place of “`],
  ['A b', ''],
])('an id that is not valid says what is odd about it: %s', (id, why) => {
  const words = 'id must be kebab-case: lower-case letters, digits and single hyphens'
  expect(issuesOf(whole.replace('id: a', `id: ${id}`))).toEqual([`${words}${why}`])
})

test('an optional field without a value is absent, at every level', () => {
  const yaml = `id: a
name: b
description:
agents:
  - id: c
    command: [d]
    modes:
    env:
prompts:
tests:
  # - {name: t, command: ["true"]}
limits:
  maxTimeSeconds:
  retries: 1
`
  const { definition, issues } = checkDefinition(load(yaml))
  expect(issues).toEqual([])
  const expected = { id: 'a', name: 'b', agents: [{ id: 'c', command: ['d'] }], limits: { retries: 1 } }
  expect(definition).toEqual(expected)
})

test.each([
  ['id: a\nname:\nagents:\n', ['name is empty: add a value', 'agents is empty: add a value']],
  ['id: a\nname: b\nagents:\n  - id:\n    command: [d]\n', ['agents.0.id is empty: add a value']],
  [`${whole}prompts:\n  - {id: p, text: }\n`, ['prompts.0.text is empty: add a value']],
  [
    `${whole}variants:\n  exclude:\n    - product: p\n      prompt:\n`,
    ['variants.exclude.0.prompt is empty: add a value'],
  ],
  [`${whole}promts:\n`, ['promts unknown field "promts"']],
  [`${whole}environments:\n  - id: e\n    env:\n      KEY:\n`, ['environments.0.env.KEY is empty: add a value']],
  ['id: a\nagents: []\n', ['name is required', 'agents must not be empty']],
  [
    `${whole}environments:\n  - id: e\n    env:\n      <<: {A: b}\n`,
    [
      'environments.0.env.<< merge keys are YAML 1.1, and this is YAML 1.2. Repeat the fields, or use an alias for a whole value',
    ],
  ],
])('an empty field that is needed, unknown or named by the author is a mistake: %j', (yaml, issues) => {
  expect(issuesOf(yaml)).toEqual(issues)
})

test('an aliased object that is empty in part is read once, however often it is used', async () => {
  const bombOf = (levels: number) => {
    const aliases = Array.from({ length: levels }, (_, level) => `  x${level + 1}: [*x${level}, *x${level}]`).join('\n')
    return load(`x:\n  x0: &x0 {a: }\n${aliases.replaceAll(/(x\d+): \[/g, '$1: &$1 [')}\n`)
  }
  await expectLinear((levels) => expect(checkDefinition(bombOf(levels)).definition).toBeNull(), 24)
})

test.each([
  [
    '<<',
    '{<<: {a: 1}, id: c, command: [d]}',
    'unknown field "<<": merge keys are YAML 1.1, and this is YAML 1.2. Repeat the fields, or use an alias for a whole value',
  ],
  ['id:c', '{id:c, command: [d]}', 'unknown field "id:c": put a space after the colon, as in id: c'],
  [
    'mo\u00A0des',
    '{id: c, command: [d], mo\u00A0des: [e]}',
    'unknown field "mo\u00A0des": its name has a non-breaking space (U+00A0)',
  ],
  [
    'm\u043Edes',
    '{id: c, command: [d], m\u043Edes: [e]}',
    'unknown field "m\u043Edes": its “\u043E” (U+043E) is no Latin letter',
  ],
  [
    'mo\u00ADdes',
    '{id: c, command: [d], mo\u00ADdes: [e]}',
    'unknown field "mo\u00ADdes": its name has a soft hyphen (U+00AD)',
  ],
  [
    '“modes”',
    '{id: c, command: [d], “modes”: [e]}',
    `unknown field "“modes”": use straight quotes, " or ', in place of “`,
  ],
])('an unknown field says what is odd about its name: %s', (_, agent, message) => {
  const { issues } = checkDefinition(load(`id: a\nname: b\nagents:\n  - ${agent}\n`))
  expect(issues.map((issue) => issue.message)).toContain(message)
})

test.each([
  ['brackets on a line', (many: number) => `k: [a${'['.repeat(many)}\n`],
  ['opened brackets', (many: number) => `k: ${'['.repeat(many)}\n`],
  ['brackets on lines', (many: number) => `k: [a\n${'  - [\n'.repeat(many)}`],
  ['quotes', (many: number) => `k: [${'"a" '.repeat(many)}\n`],
  ['comment signs', (many: number) => `k: [${'#'.repeat(many)}\n`],
  ['blanks', (many: number) => `k: [a${' '.repeat(many)}[\nb\n`],
  ['block signs', (many: number) => `k: [a\n${'| '.repeat(many)}x\n`],
  ['blank lines before a second document', (many: number) => `a: b\n${'\n'.repeat(many)}---\nb: c\n`],
  ['lines without a colon', (many: number) => `${'a\n'.repeat(many)}b: c\n`],
  ['special blanks', (many: number) => `a: 1\n${'\u00A0'.repeat(many)}b: c: d\n`],
  ['closing signs', (many: number) => `a: "b"${'] '.repeat(many)}c\n`],
])('a mistake after a hundred thousand %s is described at once', async (_, textOf) => {
  await expectLinear((many) => faultOf(textOf(many)), 100_000)
})
