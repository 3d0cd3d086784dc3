import { expect, test } from 'vitest'

import { returnPath } from './return-path.ts'

test('a path of ours comes back whole', () => {
  expect(returnPath('/runs/a~b%3A%3Ac?test=x#turn-3')).toBe('/runs/a~b%3A%3Ac?test=x#turn-3')
})

test.each([null, '', 'runs', '//evil.example', '/\\evil.example', 'https://evil.example/', '/sign-in?from=/'])(
  '%j leads home',
  (from) => expect(returnPath(from)).toBe('/'),
)
