import { expect, test } from 'vitest'

import { createMethodTable } from './method-table.ts'

test('a path accepts the methods of every template that it matches, and an unknown path accepts none', () => {
  const table = createMethodTable()
  table.add('GET', '/runs/:id')
  table.add(['GET', 'HEAD'], '/runs/:id')
  table.add('POST', '/runs/:id/cancel')
  table.add('GET', '/embed/*')
  expect(table.allowed('/runs/a%2Fb')).toEqual(['GET', 'HEAD'])
  expect(table.allowed('/runs/a/cancel')).toEqual(['POST'])
  expect(table.allowed('/embed/a/b')).toEqual(['GET'])
  for (const path of ['/runs', '/runs/', '/runs/a/b', '/']) expect(table.allowed(path)).toEqual([])
})
