import { test } from 'vitest'

import { pushExperiment } from '#contract/experiments.ts'
import { click, selectOption } from './act.ts'
import { expectPage } from './expect-page.ts'
import { newName, openOrganization } from './open-page.tsx'

const yamlOf = (id: string, prompts: number) => `
id: ${id}
name: Three agents
agents:
${['alpha', 'beta', 'gamma'].map((agent) => `  - {id: ${agent}, command: ["true"]}`).join('\n')}
prompts:
${Array.from({ length: prompts }, (_, place) => `  - {id: p${place}, text: Do it.}`).join('\n')}`

test('a person asks one question of a request, whose page says how far it is and where it ends', async () => {
  const { page } = await openOrganization()
  const [small, large] = [newName('small'), newName('large')]
  await page.call(pushExperiment, { experimentYaml: yamlOf(small, 10) })
  await page.call(pushExperiment, { experimentYaml: yamlOf(large, 12) })

  await page.goto(`/experiments/${small}?submit=1&mock=1`)
  await click(page.getByRole('switch', { name: 'Stop when decided' }))
  await expectPage(page.getByText('more than 10 common prompts')).toBeVisible()

  await page.goto(`/experiments/${large}?submit=1&mock=1`)
  await click(page.getByRole('switch', { name: 'Stop when decided' }))
  await selectOption(page.getByRole('combobox', { name: 'Question' }), 'One against another')
  await selectOption(page.getByRole('combobox', { name: 'Another' }), 'gamma')
  await click(page.getByRole('button', { name: 'Submit 36 runs' }))
  const section = page.getByRole('region', { name: 'Until decided' })
  await expectPage(section).toContainText('Nothing is judged before 10 prompts are complete')
  await expectPage(section).toContainText('Is alpha or gamma better?')
  await expectPage(section).toContainText('After 36 runs')
})
