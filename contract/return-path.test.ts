import { expect, test } from 'vitest'

import { returnPath } from './return-path.ts'

test.each(['/runs/a~b%3A%3Ac?test=x#turn-3', '/o/lab/insights/query?experiment=x#sql=select%201'])(
  'the return path %s stays unchanged',
  (path) => expect(returnPath(path)).toBe(path),
)

test.each([
  null,
  undefined,
  '',
  'runs',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/.\\/evil.example',
  '/\t/evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/sign-in?from=/',
  '/o/lab/sign-in',
])('the return path %j is replaced by the home page', (from) => expect(returnPath(from)).toBe('/'))
