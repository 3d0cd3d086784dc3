import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

/** The careful agent solves both tasks that can be solved, the hasty one only the easy one. */
const definition = (id: string) => `id: ${id}
name: Who solves what
agents:
  - { id: careful, command: [bash, -c, "cat > answer.txt"] }
  - { id: hasty, command: [bash, -c, "echo easy > answer.txt"] }
prompts:
  - { id: easy-one, text: Say easy, tests: [{ name: answers, command: [grep, -q, easy, answer.txt] }] }
  - id: hard-one
    text: Say something that is hard to guess
    tests: [{ name: guesses, command: [grep, -q, hard, answer.txt] }]
  - { id: impossible, text: Do nothing, tests: [{ name: never, command: ["false"] }] }
`

test('the tasks of an experiment show who solves each, and a task has its instruction, tests, groups and runs', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const id = `tasks-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id), repeat: 2 })

  await test.step('the table says which tasks tell the groups apart, and finds a task by its instruction', async () => {
    await page.goto(`/experiments/${id}/results`)
    await page.getByRole('link', { name: 'How hard each task is' }).click()
    await expect(page.getByText(/^2 tasks of 3 do not tell these groups apart/)).toBeVisible()
    await expect(page.getByRole('row', { name: /hard-one/ })).toContainText('careful: solved 2 of 2')
    await expect(page.getByRole('row', { name: /hard-one/ })).toContainText('hasty: solved 0 of 2')
    await expect(page.getByRole('row', { name: /impossible/ })).toContainText('No. No run solved it')
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill('to guess')
    await expect(page.getByText('1 of 3 tasks of v1')).toBeVisible()
    await expect(page.getByRole('row', { name: /easy-one/ })).toHaveCount(0)
  })

  await test.step('a task leads to what it asks, who solves it and the runs that failed', async () => {
    await page.getByRole('link', { name: /hard-one/ }).click()
    await expect(page.getByRole('heading', { name: 'hard-one' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Instruction', exact: true })).toContainText(
      'Say something that is hard to guess',
    )
    await expect(page.getByRole('region', { name: 'Tests (1)' })).toContainText('grep -q hard answer.txt')
    const groups = page.getByRole('region', { name: 'Who solves it' })
    await expect(groups.getByRole('row', { name: /careful/ })).toContainText('100.0 %')
    await expect(groups.getByRole('row', { name: /hasty/ })).toContainText('0.0 %')
    await expect(page.getByRole('region', { name: 'How its runs fail' })).toContainText('2 runs')
    await groups.getByRole('row', { name: /hasty/ }).getByRole('link', { name: '2' }).last().click()
    await expect(page).toHaveURL(/\/runs\?.*prompt=hard-one/)
    await expect(page.getByRole('row', { name: /hasty.*Not solved/ })).toHaveCount(2)
  })
})
