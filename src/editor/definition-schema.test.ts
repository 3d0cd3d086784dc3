import { expect, test } from 'vitest'

import { allFields } from './definition-schema.ts'

test('every field of a definition is described', () => {
  const fields = allFields()
  expect(fields.length).toBeGreaterThan(50)
  const undescribed = fields.filter(({ description }) => description === '')
  expect(undescribed.map(({ path }) => path.join('.'))).toEqual([])
})
