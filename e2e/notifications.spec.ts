import { submitRuns } from '#contract/run-submission.ts'
import { callAs } from './call-as.ts'
import { expect, test, waitUntilNothingRuns } from './fixtures.ts'
import { assay } from './operator.ts'

test('an announcement appears in the feed and can be marked as read by itself', async ({ page }) => {
  const title = `Maintenance ${Date.now()}`
  await page.clock.install()
  await page.goto('/notifications')
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  const feed = page.getByRole('list', { name: 'Notifications' })

  await test.step('a new entry waits behind a bar and does not move the list', async () => {
    expect(await assay('announce', '--title', title, '--message', 'On Sunday')).toEqual([
      expect.stringMatching(/^Sent to \d+ people$/),
    ])
    await expect(feed).not.toContainText(title)
    await page.clock.fastForward('01:00')
    await page.getByRole('button', { name: /^\d+ new$/ }).click()
    await expect(feed.getByRole('listitem').first()).toContainText(`${title}On Sunday`)
  })

  await test.step('an entry marked as read stays read', async () => {
    await page.getByRole('button', { name: `Mark as read: ${title}` }).click()
    await expect(page.getByRole('button', { name: `Mark as read: ${title}` })).toHaveCount(0)
    await page.reload()
    await expect(feed.getByRole('listitem').first()).toContainText(title)
    await expect(page.getByRole('button', { name: `Mark as read: ${title}` })).toHaveCount(0)
  })
})

test('the menu marks all entries as read, and the unread page is then empty', async ({ page }) => {
  test.setTimeout(300_000)
  await waitUntilNothingRuns(page.context())
  const title = `First ${Date.now()}`
  await assay('announce', '--title', title, '--message', '')
  await page.goto('/')
  const announced = page.getByRole('list', { name: 'Needs attention' }).getByText(title)
  await expect(announced).toBeVisible()
  await page.getByRole('button', { name: /^Notifications, .* unread$/ }).click()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
  await expect(announced).toHaveCount(0)
  await page.getByRole('link', { name: 'All notifications' }).click()
  // The switch follows the URL, so it changes shortly after the click.
  const unreadOnly = page.getByRole('switch', { name: 'Unread only' })
  await unreadOnly.click()
  await expect(unreadOnly).toBeChecked()
  await expect(page.getByText('All caught up')).toBeVisible()
})

test('a feed longer than a page shows each entry exactly once, even while new entries arrive', async ({
  page,
  push,
}) => {
  test.slow()
  const id = `noted-${Date.now()}`
  await push(`{id: ${id}, name: ${id}, agents: [{id: a, command: ["true"]}]}`)
  await page.goto('/notifications')
  const requests = 60
  for (let at = 0; at < requests; at += 1) await callAs(page, submitRuns, { id, mock: true })
  const notified = async () => {
    const feed = await page.request.get('/api/v1/notifications?page_size=100')
    return (await feed.text()).split(`"experiment_id":"${id}"`).length - 1
  }
  await expect.poll(notified, { timeout: 120_000 }).toBe(requests)

  await page.reload()
  const finished = page.getByRole('list', { name: 'Notifications' }).getByRole('link', { name: `${id} v1 finished` })
  const older = page.getByRole('button', { name: 'Load more' })
  await expect(finished).toHaveCount(50)
  await assay('announce', '--title', 'Meanwhile', '--message', '')
  await older.click()
  await expect(finished).toHaveCount(requests)
  const hrefs = await finished.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(new Set(hrefs).size).toBe(requests)
})

test('with an organization key, the menu and the page explain that notifications need a personal key', async ({
  page,
}) => {
  const person = ['--email', 'robot@demo.example', '--role', 'member', '--kind', 'organization']
  const [key = ''] = await assay('key', 'create', '--org', 'demo', ...person)
  await page.goto('/')
  await page.getByRole('button', { name: 'Ada Admin' }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await page.getByRole('textbox', { name: 'API key' }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Notifications need a personal key.')
  await page.goto('/notifications')
  await expect(page.getByRole('main')).toContainText('Notifications need a personal key.')
})
