import { type Page, expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

/** One agent fails with output, one fails silently and one passes. The first of the two tests prints a lot. */
const definition = (id: string) => `id: ${id}
name: Add numbers
agents:
  - { id: hasty, command: [bash, agents/hasty.sh], transcript: assay-jsonl }
  - { id: silent, command: [bash, agents/silent.sh], transcript: assay-jsonl }
  - { id: careful, command: [bash, agents/careful.sh], transcript: assay-jsonl }
files:
  - dest: agents/hasty.sh
    content: |
      echo 41 > sum.txt
      echo '{"role":"user","kind":"message","text":"Write 42 to sum.txt."}'
      echo '{"role":"assistant","kind":"tool_call","tool":"write_file","text":"sum.txt"}'
      echo '{"role":"tool","kind":"tool_result","tool":"write_file","text":"written"}'
      for turn in $(seq 60); do echo '{"role":"assistant","kind":"message","text":"I ponder."}'; done
      echo '{"role":"assistant","kind":"message","text":"I am content with sum.txt."}'
      for turn in $(seq 60); do echo '{"role":"assistant","kind":"message","text":"I rest."}'; done
  - dest: agents/silent.sh
    content: |
      echo 40 > sum.txt
      echo '{"role":"assistant","kind":"message","text":"I have nothing to say."}'
  - dest: agents/careful.sh
    content: |
      echo 42 > sum.txt
      echo '{"role":"assistant","kind":"message","text":"sum.txt holds the sum."}'
tests:
  - name: the sum is right
    command: [bash, -c, "grep -qx 42 sum.txt || { seq -f 'line %g' 80 >&2; echo 'sum.txt holds another number' >&2; exit 1; }"]
  - name: nothing is left over
    command: [bash, -c, "grep -qx 4[02] sum.txt || { echo 'one is left over' >&2; exit 1; }"]
`

test('a user triages five failures with the keyboard only', async ({ page }) => {
  test.setTimeout(300_000)
  const id = `triage-${Date.now()}`
  const { runs } = await submitExperiment(page, { id, yaml: definition(id), repeat: 2 })
  const press = (key: string) => page.keyboard.press(key)
  const heading = page.getByRole('heading', { level: 1 })

  await test.step('the first failure is open, and the page states the number of failures', async () => {
    await page.goto(`/runs/${encodeURIComponent(runs[0]?.id ?? '')}`)
    await expect(page.getByText('failure 1 of 6')).toBeVisible()
    await expect(openTest(page)).toHaveAccessibleName(/the sum is right/)
  })

  await test.step('t jumps to the last turn that mentions the test file, and b goes back', async () => {
    await expect(page.getByRole('button', { name: /^Go to turn #64/ })).toBeVisible()
    await press('t')
    const turn = page.getByRole('article', { name: 'Turn 64, assistant' })
    await expect(turn).toBeFocused()
    await expect(turn).toBeInViewport()
    await expect(page).toHaveURL(/turn=64/)
    await press('b')
    await expect(openTest(page)).toBeFocused()
  })

  await test.step('the keyboard scrolls stderr to its end', async () => {
    const stderr = page.getByRole('region', { name: 'stderr' })
    const lastLine = stderr.getByText('sum.txt holds another number')
    await tabTo(page, 'stderr')
    await press('End')
    await expect(stderr).toBeFocused()
    await expect(lastLine).toBeInViewport()
  })

  await test.step('n goes to the next failure, across runs', async () => {
    await press('n')
    await expect(page.getByText('failure 2 of 6')).toBeVisible()
    await expect(openTest(page)).toHaveAccessibleName(/nothing is left over/)
    await expect(openTest(page)).toBeFocused()
    await expect(page.getByRole('region', { name: 'stderr' }).getByText('one is left over')).toBeVisible()

    await press('n')
    await expect(heading).toHaveText('hasty #2')
    await expect(page.getByText('failure 3 of 6')).toBeVisible()
    await expect(openTest(page)).toBeFocused()
    await press('t')
    await expect(page.getByRole('article', { name: 'Turn 64, assistant' })).toBeFocused()

    await press('n')
    await expect(page.getByText('failure 4 of 6')).toBeVisible()
    await expect(openTest(page)).toBeFocused()

    await press('n')
    await expect(heading).toHaveText('silent #1')
    await expect(page.getByText('failure 5 of 6')).toBeVisible()
    await expect(page.getByText('This test isn’t mentioned in the transcript.')).toBeVisible()
  })

  await test.step('the URL names the failure; p goes back to the previous run', async () => {
    await page.reload()
    await expect(page.getByText('failure 5 of 6')).toBeVisible()
    await press('p')
    await expect(heading).toHaveText('hasty #2')
    await expect(openTest(page)).toHaveAccessibleName(/nothing is left over/)
    await expect(openTest(page)).toBeFocused()
  })

  await test.step('the strip opens the same test in another run', async () => {
    await tabTo(page, 'hasty #2: failed')
    await press('ArrowRight')
    await press('ArrowRight')
    await press('ArrowRight')
    await expect(page.getByRole('link', { name: 'careful #1: passed' })).toBeFocused()
    await press('Enter')
    await expect(heading).toHaveText('careful #1')
    await expect(openTest(page)).toHaveAccessibleName(/nothing is left over/)
  })
})

const openTest = (page: Page) => page.getByRole('region', { name: 'Tests' }).getByRole('button', { expanded: true })

/** Presses Tab until the element has the focus, as a person would. */
async function tabTo(page: Page, label: string) {
  const focusedLabel = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  for (let presses = 0; presses < 12; presses += 1) {
    if ((await focusedLabel()) === label) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${label}`)
}
