import { expect, type Page, test } from './fixtures.ts'

const sound = `id: points-at-faults
name: Points at faults
agents:
  - id: careful
    command: [bash, agent.sh]
  - id: hasty
    command: [bash, agent.sh]
variants:
  exclude:
    - agent: hasty
files:
  - dest: agent.sh
    content: echo hello
`

async function write(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Experiment definition, YAML' }).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(text)
}

const faults = [
  {
    kind: 'a syntax error',
    text: sound.replace('command: [bash, agent.sh]\n  - id: hasty', 'command: [bash, agent.sh\n  - id: hasty'),
    line: 5,
    message: 'is never closed',
  },
  {
    kind: 'an unknown field',
    text: sound.replace('agents:', 'descripton: x\nagents:'),
    line: 3,
    message: 'unknown field "descripton"',
  },
  { kind: 'an invalid id', text: sound.replace('points-at-faults', 'Points'), line: 1, message: 'kebab-case' },
  {
    kind: 'an unknown agent in a variant',
    text: sound.replace('- agent: hasty', '- agent: lazy'),
    line: 10,
    message: 'unknown agent "lazy"; known: careful, hasty',
  },
  {
    kind: 'a duplicate id',
    text: sound.replace('id: hasty', 'id: careful').replace('- agent: hasty', '- agent: careful'),
    line: 6,
    message: 'duplicate id "careful" in agents',
  },
  {
    kind: 'a file with neither content nor source',
    text: sound.replace('\n    content: echo hello', ''),
    line: 12,
    message: 'must have either content or source',
  },
]

test('the editor points at each fault of a definition, and Create pushes nothing', async ({ page }) => {
  await page.goto('/experiments/new')
  for (const { kind, text, line, message } of faults)
    await test.step(kind, async () => {
      await write(page, text)
      const fault = page.getByRole('button', { name: new RegExp(`^Line ${line} .*${message}`) })
      await expect(fault).toBeVisible()
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.locator('.cm-activeLineGutter')).toHaveText(String(line))
      await expect(page).toHaveURL(/\/experiments\/new/)
    })
})

test('the editor suggests known ids below variants, and the grid updates', async ({ page }) => {
  await page.goto('/experiments/new')
  await write(
    page,
    sound.replace('files:', 'models: [m1, m2]\nfiles:').replace('- agent: hasty', '- model: m2\n      agent: '),
  )
  await page.getByRole('button', { name: /^Line 11 / }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Control+Space')
  await page.getByRole('option', { name: 'hasty' }).click()
  await expect(page.getByRole('heading', { name: '3 variants' })).toBeVisible()
  const grid = page.getByRole('table', { name: 'Variants by axis' })
  await expect(grid.getByRole('row', { name: 'hasty ● –' })).toBeVisible()
})

test('a template has its own URL, and the editor warns about local files before the push and shows the commands to run', async ({
  page,
}) => {
  await page.goto('/experiments/new')
  await page.getByRole('navigation', { name: 'Templates' }).getByRole('link', { name: 'Summarize a CSV file' }).click()
  await expect(page).toHaveURL(/template=csv-summary/)
  const editor = page.getByRole('textbox', { name: 'Experiment definition, YAML' })
  await expect(editor).toContainText('id: csv-summary-copy')

  await write(page, sound.replace('content: echo hello', 'source: ./agent.sh'))
  await expect(page.getByText('This can’t be pushed from the browser.')).toBeVisible()
  await page.getByText('Commands to stage and push').click()
  await expect(page.getByLabel('Commands to stage and push')).toContainText(
    'files stage "$FILES"/./agent.sh --org demo --source ./agent.sh --dest agent.sh',
  )
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('alert')).toContainText('needs files that a raw push cannot send')

  await write(page, sound)
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByText('Saved as v1.')).toBeVisible()
})

test('a definition that is not pushed yet is kept for its author and hidden from others in the same browser', async ({
  page,
}) => {
  const signInAs = async (person: RegExp) => {
    await page.getByRole('button', { name: /^Account menu for/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: person }).click()
    await expect(page.getByRole('navigation').first()).toBeVisible()
    await page.goto('/experiments/new')
  }
  const editor = page.getByRole('textbox', { name: 'Experiment definition, YAML' })
  await page.goto('/experiments/new')
  await write(page, 'id: not-pushed-yet\n')
  await expect(editor).toContainText('not-pushed-yet')
  await signInAs(/Max Member/)
  await expect(editor).toContainText('agents')
  await expect(editor).not.toContainText('not-pushed-yet')
  await signInAs(/Ada Admin/)
  await expect(editor).toContainText('not-pushed-yet')
})
