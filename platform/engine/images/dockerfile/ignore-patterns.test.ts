import { expect, test } from 'vitest'

import { readIgnorePatterns } from './ignore-patterns.ts'

const matches = (pattern: string, path: string) =>
  readIgnorePatterns(pattern, '.dockerignore').some((each) => each.matches(path, () => {}))

test.each([
  ['a.txt', 'a.txt', true],
  ['a.txt', 'sub/a.txt', false],
  ['/a.txt', 'a.txt', true],
  ['sub/', 'sub', true],
  ['./sub//b/../c', 'sub/c', true],
  ['*', '.env', true],
  ['*', 'sub/a', false],
  ['*/*.log', 'sub/a.log', true],
  ['*/*.log', 'sub/deep/a.log', false],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['**/*.log', 'a.log', true],
  ['**/*.log', 'sub/deep/a.log', true],
  ['**/node_modules', 'a/node_modules', true],
  ['**/node_modules', 'a/my_node_modules', false],
  ['sub/**', 'sub/deep/a', true],
  ['sub/**', 'sub', false],
  ['**', 'any/thing', true],
  ['sub/**/z', 'sub/z', true],
  ['sub/**/z', 'sub/x/y/z', true],
  ['sub/**/z', 'sub/xz', false],
  ['x*y**z', 'xyyz', true],
  ['x**y', 'xa/by', false],
  ['x**y', 'xa/b/y', true],
  ['[a-c]1', 'b1', true],
  ['[^a-c]1', 'b1', false],
  ['[^a]', '/', false],
  ['a[\\]]', 'a]', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['a+(b).{1,2}|$^', 'a+(b).{1,2}|$^', true],
  ['# comment', '# comment', false],
  ['\\#name', '#name', true],
  ['  padded  ', 'padded', true],
])('the pattern %s and the path %s: %s', (pattern, path, isMatch) => {
  expect(matches(pattern, path)).toBe(isMatch)
})

test('a pattern that Docker refuses is refused with its line and file', () => {
  expect(() => readIgnorePatterns('a\n[z-a]', 'x.dockerignore')).toThrow(
    'line 2 of x.dockerignore has the pattern [z-a], which is not complete',
  )
  for (const text of ['[a', '[', 'a\\', '[a-', '[]', '[^]', '!'])
    expect(() => readIgnorePatterns(text, 'f')).toThrow('line 1 of f')
  expect(() => readIgnorePatterns('a\n'.repeat(1001), 'f')).toThrow('at most 1000')
  expect(() => readIgnorePatterns('a'.repeat(1001), 'f')).toThrow('line 1 of f is longer than 1000 characters')
})

test('patterns that make other matchers backtrack for ever take the product of both lengths at most', () => {
  const path = Array.from({ length: 15 }, () => 'a'.repeat(255)).join('/')
  for (const pattern of [`${'*a'.repeat(300)}b`, `${'**/'.repeat(300)}b`, `${'**a'.repeat(300)}b`]) {
    let steps = 0
    const [only] = readIgnorePatterns(pattern, 'f')
    expect(only?.matches(path, (more) => (steps += more))).toBe(false)
    expect(steps).toBeLessThan(2 * path.length * pattern.length)
  }
})
