import { load, YAMLException } from 'js-yaml'
import { expect, test } from 'vitest'

import { describeYamlError } from '#contract/yaml-errors.ts'

/** `line: message` of the error in a text. */
function faultOf(text: string): string {
  try {
    load(text, { maxDepth: 50, maxAliases: 200 })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { line, message } = describeYamlError(error, text)
    return `${line}: ${message}`
  }
  return 'no error'
}

test.each([
  ['a list', 'id: a\ntags: [x, y\nname: b\n', '2: This [ is never closed. Add ] at the end of the list'],
  ['a list at the end', 'id: a\ntags: [x\n\n', '2: This [ is never closed. Add ] at the end of the list'],
  [
    'a list before other lists',
    'agents:\n  - id: a\n    command: [bash, a.sh\n  - id: b\n    command: [x]\n',
    '3: This [ is never closed. Add ] at the end of the list',
  ],
  ['an object', 'a: {x: 1, y: 2\nname: b\n', '1: This { is never closed. Add } at the end of the object'],
  ['a quote', 'id: "a\nname: b\nc: d\n', '1: This " is never closed. Add " at the end of the text'],
  [
    'a list after a text with brackets',
    "text: |\n  [ and {\n  it's \"fine\nother: it's [ok # [\ntags: [x\nname: b\n",
    '5: This [ is never closed. Add ] at the end of the list',
  ],
])('an unclosed bracket or quote is marked where it opens: %s', (_, text, fault) => {
  expect(faultOf(text)).toBe(fault)
})

test.each([
  [
    'in the middle',
    'id: a\nname b\nagents: []\n',
    '2: Put a colon and a value after the name of the field, as in name: value',
  ],
  [
    'at the end',
    'id: a\n\n# A half-typed field.\nprom\n',
    '4: Put a colon and a value after the name of the field, as in prom: value',
  ],
  [
    'in a list',
    'a:\n  - id: x\n    comm\nb: []\n',
    '3: Put a colon and a value after the name of the field, as in comm: value',
  ],
  ['on the first line', 'id\nname: b\n', '1: Put a colon and a value after the name of the field, as in id: value'],
  ['without a space', 'name: b\nid:a\n', '2: Put a space after the colon: id: a'],
])('a missing colon is marked at its own field: %s', (_, text, fault) => {
  expect(faultOf(text)).toBe(fault)
})

test.each([
  ['id: a\n  name: b\n', '2: Indent this line like the other lines of its list or object'],
  ['agents:\n    - id: x\n  - id: y\n', '3: Indent this line like the other lines of its list or object'],
  ['agents:\n  - id: x\n   command: [a]\n', '3: Indent this line like the other lines of its list or object'],
  ['agents:\n\t- id: x\n', '2: Indent with spaces. YAML does not allow tabs here'],
  ['id: a\n- b\n', '2: Put this list item below the field that it belongs to'],
  ['- a\nid: b\n', '2: Indent this line, or end the list above it first'],
])('a wrong indentation says how to indent: %j', (text, fault) => {
  expect(faultOf(text)).toBe(fault)
})

test.each([
  ['text: do this: now\n', '1: Put the text after the first colon in quotes, because it contains a colon'],
  ['name: @foo\n', '1: Put this text in quotes, because it starts with @'],
  ['name: *foo\n', '1: Nothing above is named &foo. Put *foo in quotes if it is a text'],
  ['name: !foo bar\n', '1: Put this text in quotes, because it starts with *, & or !'],
  ['name: "a" b\n', '1: Remove the text after ", or put all of it in quotes'],
  ['name: "\\d+"\n', '1: Write \\\\ for a backslash in double quotes, or use single quotes'],
  ['tags: [a]]\n', '1: Remove this ], which closes nothing'],
  ['tags: [a}\nb: 1\n', '1: Close [ with ] and { with }'],
  ['tags: ["a" "b"]\n', '1: Put a comma between these items'],
  ['tags: [\n  "a"\n  "b",\n]\n', '3: Put a comma between these items'],
  ['tags: [a,,b]\n', '1: Remove this comma, or put an item before it'],
  ['id: a\n---\nid: b\n', '2: Remove --- and what follows. A definition is one document'],
  ['id: a\nid: b\n', '2: This field is already set above. Remove one of the two'],
  ['a: |x\n  b\n', '1: Begin the text on the line after | or >'],
  ['a: \u0001\n', '1: Remove the control character'],
  ['['.repeat(100), '1: Use fewer levels of brackets or indentation'],
])('an error says what to do: %j', (text, fault) => {
  expect(faultOf(text)).toBe(fault)
})
