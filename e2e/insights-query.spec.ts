import { readFile } from 'node:fs/promises'

import { expect, type Page, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Asked ${id}
agents:
  - { id: good, command: ["true"] }
  - { id: bad, command: ["false"] }
tests:
  - { name: ends, command: ["true"] }
  - { name: fails, command: ["false"] }
`

const sqlEditor = (page: Page) => page.getByRole('textbox', { name: 'SQL' })

/** As a person would: all of it replaced. */
async function writeSql(page: Page, sql: string) {
  await sqlEditor(page).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(sql)
}

const queryUrl = (experiment: string, sql = '', more = '') =>
  `/insights/query?experiment=${experiment}${more}${sql && `#sql=${encodeURIComponent(sql)}`}`

async function signInAs(page: Page, person: 'Ada Admin' | 'Max Member') {
  await page.getByRole('button', { name: /account and theme/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: new RegExp(person) }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
}

test('what is written and not run is there again after a reload, after leaving, and after signing in; for nobody else', async ({
  page,
  push,
}) => {
  const [id, other] = [`draft-${Date.now()}`, `draft-other-${Date.now()}`]
  await push(definition(id))
  await push(definition(other))
  const draft = 'SELECT 41 + 1 AS never_run'
  await page.goto(queryUrl(id))
  await writeSql(page, draft)

  await test.step('a reload keeps it', async () => {
    await page.reload()
    await expect(sqlEditor(page)).toHaveText(draft)
    await expect(page.getByRole('region', { name: 'Draft' })).toContainText('Written and not run yet')
  })

  await test.step('so does leaving; where no experiment is chosen, the list says where it waits', async () => {
    await page.getByRole('link', { name: 'Insights', exact: true }).first().click()
    await page.getByRole('link', { name: 'New query' }).click()
    const choice = page.getByRole('listitem').filter({ hasText: `Asked ${id}` })
    await expect(choice).toContainText('a draft waits here')
    await choice.getByRole('link').click()
    await expect(sqlEditor(page)).toHaveText(draft)
  })

  await test.step('a colleague at the same browser sees nothing of it; its writer does', async () => {
    await signInAs(page, 'Max Member')
    await page.goto(queryUrl(id))
    await expect(sqlEditor(page)).toContainText('FROM runs')
    await expect(page.getByRole('region', { name: 'Draft' })).toHaveCount(0)
    await signInAs(page, 'Ada Admin')
    await page.goto(queryUrl(id))
    await expect(sqlEditor(page)).toHaveText(draft)
  })

  await test.step('a link that holds SQL shows that, and the draft waits', async () => {
    await page.goto('/')
    await page.goto(queryUrl(id, 'SELECT 7 AS linked'))
    await expect(sqlEditor(page)).toHaveText('SELECT 7 AS linked')
    await expect(page.getByRole('row', { name: '7', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await expect(sqlEditor(page)).toHaveText(draft)
    await expect(page.getByText('The answer below is to the statement before your edits.')).toBeVisible()
  })

  await test.step('it goes along to another experiment', async () => {
    await page.getByRole('combobox', { name: 'Experiment' }).click()
    await page.getByRole('option', { name: new RegExp(other) }).click()
    await expect(page).toHaveURL(new RegExp(`experiment=${other}`))
    await expect(sqlEditor(page)).toHaveText(draft)
  })

  await test.step('once it is run it is no draft', async () => {
    await sqlEditor(page).press('ControlOrMeta+Enter')
    await expect(page.getByRole('row', { name: '42', exact: true })).toBeVisible()
    for (const experiment of [other, id]) {
      await page.goto('/')
      await page.goto(queryUrl(experiment))
      await expect(sqlEditor(page)).toContainText('FROM runs')
      await expect(page.getByRole('region', { name: 'Draft' })).toHaveCount(0)
    }
  })
})
