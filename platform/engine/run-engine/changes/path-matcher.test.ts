import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { pathMatcher } from './path-matcher.ts'

test.each([
  ['out/*.png', 'out/a.png', true],
  ['out/*.png', 'out/deep/a.png', false],
  ['out/**/*.png', 'out/a.png', true],
  ['out/**/*.png', 'out/deep/er/a.png', true],
  ['**/log?.txt', 'a/b/log1.txt', true],
  ['**/log?.txt', 'a/b/log12.txt', false],
  ['**', 'any/file', true],
  ['*', '.env', false],
  ['.*', '.env', true],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'aXbYcZ', false],
  ['(1)[a]{b,c}+!', '(1)[a]{b,c}+!', true],
  ['{a,b}', 'a', false],
  ['**/a/**/b', 'a/x/a/y/b', true],
  ['src', 'src/a', false],
])('%s and %s: %s', (pattern, path, isMatch) => {
  expect(pathMatcher([pattern])(path)).toBe(isMatch)
})

test('patterns that make other matchers backtrack for ever are matched at once', async () => {
  const name = 'a'.repeat(255)
  const matches = pathMatcher([`${'*a'.repeat(199)}b`, `${'**/'.repeat(120)}b`, `${'*'.repeat(390)}b`])
  await expectLinear((parts) => expect(matches(Array.from({ length: parts }, () => name).join('/'))).toBe(false), 16)
})
