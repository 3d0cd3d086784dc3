import { test } from 'vitest'

import { expectPage } from './expect-page.ts'
import { openOrganization } from './open-page.tsx'

test('schedules, suggestions and notifications say that nothing matches a search', async () => {
  const { page } = await openOrganization()
  await page.goto('/schedules?query=nothing')
  await expectPage(page.getByText('No schedules match this search')).toBeVisible()
  await page.goto('/context/suggestions?show=all&query=nothing-like-this')
  await expectPage(page.getByText('No suggestions match this search')).toBeVisible()
  await page.goto('/notifications?query=nothing-like-this')
  await expectPage(page.getByText('No notifications match this search')).toBeVisible()
})
