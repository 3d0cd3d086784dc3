import { expect, test } from 'vitest'

import { pushExperiment } from '#contract/experiments.ts'
import { getRunPolicy, putRunPolicy } from '#contract/run-policy.ts'
import { click, fill } from './act.ts'
import { expectPage } from './expect-page.ts'
import { newName, openOrganization, type Page } from './open-page.tsx'

const submitDialog = (page: Page) => page.getByRole('dialog', { name: 'Submit runs' })

const networks = { allowed: 'Only allowed hosts', public: 'Any public address' }

async function chooseNetwork(page: Page, network: keyof typeof networks) {
  await page.goto('/settings/run-policy')
  await click(page.getByRole('radio', { name: networks[network] }))
  await click(page.getByRole('button', { name: 'Save policy' }))
  // An earlier change may also read “just now”, so the page says nothing about when this one has ended.
  await expect.poll(async () => (await page.call(getRunPolicy, {})).network).toBe(network)
  await expectPage(page.getByText(/Changed just now/)).toBeVisible()
  await page.reload()
  await expectPage(page.getByRole('radio', { name: networks[network] })).toBeChecked()
}

test('an admin closes the network, and runs that need it are refused before they are submitted', async () => {
  const { page } = await openOrganization()
  const id = newName('policed')
  const environments = '[{id: open, network: true}]'
  const tests = '[{name: ends, command: ["true"]}]'
  await page.call(pushExperiment, {
    experimentYaml: `{id: ${id}, name: Policed, agents: [{id: only, command: ["true"]}], environments: ${environments}, tests: ${tests}}`,
  })

  // Faults are shown at their field, and nothing is saved.
  await page.goto('/settings')
  await click(page.getByRole('link', { name: 'Run policy' }))
  await fill(page.getByRole('textbox', { name: 'Maximum duration' }), '0')
  await click(page.getByRole('button', { name: 'Save policy' }))
  await expectPage(page.getByRole('textbox', { name: 'Maximum duration' })).toHaveAttribute('aria-invalid', 'true')

  // Without a network the dialog says what is refused, and mock runs are allowed.
  await chooseNetwork(page, 'allowed')
  await page.goto(`/experiments/${id}?submit=1`)
  const submit = submitDialog(page).getByRole('button', { name: 'Submit 1 run' })
  await expectPage(submitDialog(page).getByText('environments.open.network')).toBeVisible()
  await expectPage(submit).toBeDisabled()
  await click(submitDialog(page).getByRole('button', { name: 'Use mock runs' }).first())
  await expectPage(submit).toBeEnabled()

  // The change is in the audit log.
  await page.goto('/settings/audit?event=run-policy.set')
  await expectPage(page.getByRole('region', { name: 'events' }).getByText('Run policy changed').first()).toBeVisible()

  // An open network allows them again.
  await chooseNetwork(page, 'public')
  await page.goto(`/experiments/${id}?submit=1`)
  await expectPage(page.getByRole('button', { name: 'Submit 1 run' })).toBeEnabled()
})

test('an admin who edits the run policy while another saves sees what changed and loses no edit', async () => {
  const { page } = await openOrganization()
  await page.goto('/settings/run-policy')
  const cost = page.getByRole('textbox', { name: 'Maximum cost' })
  await fill(cost, '7')
  const { updatedAt, ...rules } = await page.call(getRunPolicy, {})
  await page.call(putRunPolicy, { ...rules, network: 'none', maxCostUsd: 3, expectedUpdatedAt: updatedAt })
  await click(page.getByRole('button', { name: 'Save policy' }))
  const notice = page.getByRole('region', { name: 'Someone else changed the policy while you were editing.' })
  await expectPage(notice).toContainText(
    'Updated to their change: Network. You and someone else changed: Maximum cost.',
  )
  await expectPage(page.getByRole('radio', { name: 'No network' })).toBeChecked()
  await expectPage(cost).toHaveValue('7')
  await click(notice.getByRole('button', { name: 'Discard my edits' }))
  await expectPage(cost).toHaveValue('3')
  await fill(cost, '')
  await click(page.getByRole('button', { name: 'Save policy' }))
  await expect.poll(async () => (await page.call(getRunPolicy, {})).maxCostUsd).toBe(null)
})
