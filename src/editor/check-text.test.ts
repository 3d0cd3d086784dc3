import { expect, test } from 'vitest'

import { checkText, serverProblems } from './check-text.ts'

const good = `id: parse-roman
name: Parse roman numerals
agents:
  - id: careful
    command: [bash, agent.sh]
`

/** `line: marked text: message` of every problem. */
const problems = (text: string) =>
  checkText(text).problems.map(({ line, from, to, message }) => `${line}: ${text.slice(from, to)}: ${message}`)

test('a valid definition has no problems', () => {
  expect(checkText(good)).toMatchObject({ definition: { id: 'parse-roman' }, problems: [] })
})

test('a wrong value is marked at its position', () => {
  expect(problems(good.replace('id: parse-roman', 'id: Parse Roman'))).toEqual([
    '1: Parse Roman: id must be kebab-case: lower-case letters, digits and single hyphens',
  ])
})

test('an unknown field is marked at its key', () => {
  const text = `${good}tests: [{ name: t, comand: [x] }]\n`
  expect(problems(text)).toEqual(['6: comand: unknown field "comand". Did you mean "command"?'])
})

test('a missing field is marked at the mapping that needs it', () => {
  expect(problems(good.replace('id: careful\n    ', ''))).toEqual(['4: command: id is required'])
})

test('an empty value and a value of the wrong type are named', () => {
  expect(problems(good.replace('id: careful', 'id:'))).toEqual(['4: id: id is empty: add a value'])
  expect(problems(`${good}tests: soon\n`)).toEqual(['6: soon: tests must be a list'])
  expect(problems(good.replace('id: careful', 'id: 4'))).toEqual(['4: 4: id must be text'])
})

test('a semantic error is marked too', () => {
  const text = `${good}variants:\n  include:\n    - agent: nobody\n`
  expect(problems(text)).toEqual(['8: nobody: unknown agent "nobody"; known: careful'])
})

test('a misspelled field, value or id names the one that was probably meant', () => {
  const text = `id: a
name: A
agnets: []
agents:
  - { id: careful, preset: claude_code }
limits: { max_time_seconds: 9 }
`
  expect(problems(text)).toEqual([
    '3: agnets: unknown field "agnets"',
    expect.stringMatching(/^5: claude_code: preset must be one of claude-code, .*\. Did you mean "claude-code"\?$/),
    '6: max_time_seconds: unknown field "max_time_seconds". Did you mean "maxTimeSeconds"?',
  ])
  expect(problems(`${good}variants: { exclude: [{ agent: carful }] }\n`)).toEqual([
    '6: carful: unknown agent "carful"; known: careful. Did you mean "careful"?',
  ])
  expect(problems(`${good}colour: blue\n`)).toEqual(['6: colour: unknown field "colour"'])
})

test('repeated fields are all marked, together with the errors of the schema', () => {
  expect(problems(`${good}name: Again\ntests: soon\nlimits: { maxTimeSeconds: 1, maxTimeSeconds: 2 }\n`)).toEqual([
    '6: name: duplicate field "name"; the first is on line 2',
    '7: soon: tests must be a list',
    '8: maxTimeSeconds: duplicate field "maxTimeSeconds"; the first is on line 8',
  ])
  expect(checkText(`${good}name: Again\n`).definition).toBeNull()
})

test('an unknown field hides neither duplicates, unknown ids nor missing tests', () => {
  const text = `bogus: 1
${good}  - { id: careful, command: [x] }
prompts: [{ id: p, text: x }, { id: p, text: y, environment: nowhere }]
`
  expect(problems(text)).toEqual([
    '1: bogus: unknown field "bogus"',
    '7: careful: duplicate id "careful" in agents',
    '8: p: duplicate id "p" in prompts',
    '8: nowhere: unknown environment "nowhere"; known: none',
  ])
  expect(checkText(text).warnings.map(({ message }) => message)).toEqual([expect.stringMatching(/^No tests, so/)])
})

test('a field of the wrong type does not hide duplicates', () => {
  const text = `${good}models: [a, a, 3]\ntests: [{ name: t, command: [x] }, { name: t, command: soon }]\n`
  expect(problems(text)).toEqual([
    '6: a: duplicate id "a" in models',
    expect.stringMatching(/^6: 3: /),
    '7: t: duplicate id "t" in tests',
    '7: soon: command must be a list, such as [node, agent.mjs]',
  ])
})

test('a misspelled field is not called missing as well', () => {
  expect(problems(good.replace('agents', 'agnts'))).toEqual(['3: agnts: unknown field "agnts". Did you mean "agents"?'])
  const misspelled = checkText(`${good}tets: [{ name: ends, command: ["true"] }]\n`)
  expect([misspelled.problems.length, misspelled.warnings]).toEqual([1, []])
})

test('a definition without tests has a warning and can be pushed', () => {
  const { definition, problems, warnings } = checkText(good)
  expect([definition?.id, problems]).toEqual(['parse-roman', []])
  expect(warnings.map(({ line, message }) => [line, message])).toEqual([
    [1, 'No tests, so no run can pass or fail. Add "tests" to score the runs'],
  ])
  expect(checkText(`${good}tests: [{ name: ends, command: ["true"] }]\n`).warnings).toEqual([])
})

test('a prompt without tests has a warning if only other prompts have tests', () => {
  const prompts =
    'prompts:\n  - {id: one, text: x, tests: [{ name: ends, command: ["true"] }]}\n  - {id: two, text: x}\n'
  expect(checkText(good + prompts).warnings.map(({ line, message }) => [line, message])).toEqual([
    [8, 'No tests for two, so its runs can’t pass or fail. Add "tests" to this prompt or to the experiment'],
  ])
  expect(checkText(`${good}${prompts}tests: [{ name: all, command: ["true"] }]\n`).warnings).toEqual([])
})

test('a misspelled environment of a prompt names the one that was probably meant, also among many', () => {
  const ids = Array.from({ length: 80 }, (_, index) => `task-${index}`)
  const text = `${good}environments: [${ids.map((id) => `{id: ${id}}`).join(', ')}]\nprompts: [{id: p, text: x, environment: tsak-79}]\n`
  expect(problems(text)).toEqual([
    expect.stringMatching(/^7: tsak-79: unknown environment .*Did you mean "task-79"\?$/),
  ])
})

test('positions are exact in flow collections and in later list items', () => {
  expect(problems(`${good}models: [a, {id: b, provder: x}, "c d"]\n`)).toEqual([
    '6: provder: unknown field "provder". Did you mean "provider"?',
    expect.stringMatching(/^6: c d: /),
  ])
})

test('invalid YAML is marked at the mistake, and not where the parser stops', () => {
  expect(problems(`${good}models: [a\nprompts: b\n`)).toEqual([
    '6: [a: This [ is never closed. Add ] at the end of the list',
  ])
})

test('a field that exists already is not suggested for another name', () => {
  expect(problems(`${good}agent: x\n`)).toEqual(['6: agent: unknown field "agent"'])
  expect(problems(good.replace('agents', 'agent'))).toEqual(['3: agent: unknown field "agent". Did you mean "agents"?'])
})

test('a wrong item of a list is named by its list', () => {
  expect(problems(good.replace('agent.sh]', '[x]]'))).toEqual([
    expect.stringMatching(/^5: .*command\[1\] must be text$/),
  ])
})

test('deeply nested brackets are refused before parsing', () => {
  expect(problems('['.repeat(2000))).toHaveLength(1)
})

test('problems from the server are marked by path or by line', () => {
  const issues = [
    { path: 'agents.0.command', message: 'no such program' },
    { path: '', message: 'bad line', line: 2 },
  ]
  expect(serverProblems(good, issues).map(({ line, from, to }) => [line, good.slice(from, to)])).toEqual([
    [5, 'command'],
    [2, 'name: Parse roman numerals'],
  ])
})
