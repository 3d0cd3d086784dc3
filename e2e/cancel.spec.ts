import { execFileSync } from 'node:child_process'

import { expect, test } from './fixtures.ts'

/** The queue takes the six agents in turn, so the hanging one is soon at work. */
const definition = (id: string, seconds: string) => `id: ${id}
name: Some hang
agents:
  - {id: hangs, command: [sleep, "${seconds}"]}
  - {id: works, command: ["true"]}
  - {id: works-b, command: ["true"]}
  - {id: works-c, command: ["true"]}
  - {id: works-d, command: ["true"]}
  - {id: works-e, command: ["true"]}
prompts: [{id: a, text: A}]
tests: [{name: ends, command: ["true"]}]
`

test('a user cancels some of 30 live runs by selecting their squares', async ({ page, push }) => {
  const id = `some-hang-${Date.now()}`
  const seconds = `6${Date.now() % 1_000_000}`
  await push(definition(id, seconds))
  const link = (repeat: number) => page.getByRole('link', { name: new RegExp(`^hangs · a, repeat ${repeat}:`) })
  const square = (repeat: number) => page.getByRole('button', { name: new RegExp(`^hangs · a, repeat ${repeat}:`) })

  await test.step('submit 6 variants × 5 repeats and see that some hang', async () => {
    await page.goto(`/experiments/${id}?submit=1&repeat=5`)
    await page.getByRole('button', { name: 'Submit 30 runs' }).click()
    await expect(page.getByRole('heading', { name: '6 variants × 5 repeats' })).toBeVisible()
    await expect(page.getByRole('link', { name: /^hangs · a, repeat \d: running/ }).first()).toBeVisible({
      timeout: 60_000,
    })
    await expect.poll(() => processesWith(seconds)).toBeGreaterThan(0)
  })

  await test.step('drag over three squares and shift-click the fifth', async () => {
    await link(1).hover()
    await page.mouse.down()
    await link(3).hover()
    await page.mouse.up()
    await expect(page.getByRole('button', { name: 'Cancel 3 selected runs' })).toBeVisible()
    await square(5).click({ modifiers: ['Shift'] })
    await expect(page.getByRole('button', { name: 'Cancel 5 selected runs' })).toBeVisible()
  })

  await test.step('deselect one square with the keyboard and select it again', async () => {
    await square(1).focus()
    await page.keyboard.press('ArrowRight')
    await expect(square(2)).toBeFocused()
    await page.keyboard.press('Space')
    await expect(square(2)).toHaveAttribute('aria-pressed', 'false')
    await page.keyboard.press('Space')
    await expect(page.getByRole('button', { name: 'Cancel 5 selected runs' })).toBeVisible()
  })

  await test.step('the dialog warns about lost work, and the selected runs end as canceled', async () => {
    await page.getByRole('button', { name: 'Cancel 5 selected runs' }).click()
    const question = page.getByRole('dialog', { name: 'Cancel 5 runs?' })
    await expect(question).toContainText('their tests are skipped')
    await question.getByRole('button', { name: 'Cancel 5 runs' }).click()
    for (const repeat of [1, 2, 3, 4, 5]) await expect(link(repeat)).toHaveAccessibleName(/canceled/)
  })

  await test.step('the other 25 runs complete, and no run remains live', async () => {
    await expect(page.getByText('30 of 30 runs', { exact: true })).toBeVisible({ timeout: 120_000 })
    const tabs = page.getByRole('navigation', { name: 'Runs by status' })
    await expect(tabs.getByRole('link', { name: 'Completed 25' })).toBeVisible()
    await expect(tabs.getByRole('link', { name: 'Canceled 5' })).toBeVisible()
    await expect(page.getByText('25 passed, 5 unresolved of 30')).toBeAttached()
    expect(processesWith(seconds)).toBe(0)
  })
})

/** Processes on this machine that were started with this argument. */
const processesWith = (argument: string) =>
  execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.split(' ').includes(argument)).length
