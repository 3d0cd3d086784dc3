import { expect, test } from 'vitest'

import { quotedWords } from './quoted-words.ts'

test.each([
  [
    '**Both** agents _fail_ on `MCMXC`, says [the paper](https://example.com/a).',
    'Both agents fail on MCMXC, says the paper.',
  ],
  [
    '[@Ann Lee](assay://people/1) looked at [@parse-roman](assay://experiments/parse-roman)',
    '@Ann Lee looked at @parse-roman',
  ],
  ['## What we found', 'What we found'],
  ['- one\n- [x] two\n  - three', 'one\ntwo\nthree'],
  ['> [!NOTE]\n> Only **two** prompts', 'Only two prompts'],
  ['| agent | solved |\n| --- | --: |\n| hasty | ~~40~~ 50 % |', 'agent · solved\nhasty · 40 50 %'],
  ['```python\nprint("*")\n```', 'print("*")'],
  ['```chart\npage: /runs/a\ntitle: By agent\n```', 'Chart: By agent'],
  ['```chart\npage: /runs/a\n```', 'Chart'],
  ['```insight\nref: pass-rate\ntitle: Pass rate\n```', 'Insight: Pass rate'],
  ['![A drawn result](image.png)', 'A drawn result'],
  ['<b>text</b> 2 \\* 3', '<b>text</b> 2 * 3'],
])('%j is quoted as it reads', (markdown, words) => {
  expect(quotedWords(markdown)).toBe(words)
})

test('a paragraph without words is quoted as it was written', () => {
  expect(quotedWords('---')).toBe('---')
})
