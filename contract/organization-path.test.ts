import { expect, test } from 'vitest'

import { organizationPath, splitOrganizationPath } from './organization-path.ts'

test.each([
  ['/o/lab/runs?status=errored#x', 'lab', '/runs?status=errored#x'],
  ['/o/lab', 'lab', '/'],
  ['/o/lab/', 'lab', '/'],
  ['/o/lab?x=1', 'lab', '/?x=1'],
  ['/runs', null, '/runs'],
  ['/', null, '/'],
  ['/o/', null, '/o/'],
  ['/o/LAB/runs', null, '/o/LAB/runs'],
  ['/of/lab', null, '/of/lab'],
])('the path %s refers to the organization %s and the page %s', (path, slug, rest) => {
  expect(splitOrganizationPath(path)).toMatchObject({ slug, rest })
})

test('an organization path is parsed back to the same organization and page', () => {
  expect(splitOrganizationPath(organizationPath('lab', '/runs?a=1'))).toEqual({
    slug: 'lab',
    base: '/o/lab',
    rest: '/runs?a=1',
  })
})
