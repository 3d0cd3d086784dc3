import { expect, test } from 'vitest'

import { inHours } from './to-mail.ts'

test('a time in hours keeps its microseconds', () => {
  expect(inHours('2026-01-01T23:30:00.123456Z', 1)).toBe('2026-01-02T00:30:00.123456Z')
  expect(inHours('2026-01-01T00:30:00.000009Z', -1)).toBe('2025-12-31T23:30:00.000009Z')
})
