import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

/** One agent writes a wrong sum after a tool call that failed, the other a right one. */
const definition = (id: string) => `id: ${id}
name: Add numbers and fail
agents:
  - { id: hasty, command: [bash, agents/hasty.sh], transcript: assay-jsonl }
  - { id: careful, command: [bash, agents/careful.sh], transcript: assay-jsonl }
files:
  - dest: agents/hasty.sh
    content: |
      echo $RANDOM > sum.txt
      echo '{"role":"user","kind":"message","text":"Write the sum to sum.txt."}'
      for turn in $(seq 40); do echo '{"role":"assistant","kind":"message","text":"I ponder."}'; done
      echo '{"role":"tool","kind":"tool_result","tool":"bash","failed":true,"text":"bc: command not found"}'
      echo '{"role":"assistant","kind":"message","text":"I guess the sum without a Calculator."}'
  - dest: agents/careful.sh
    content: |
      echo right > sum.txt
      echo '{"role":"assistant","kind":"message","text":"The sum is right."}'
tests:
  - name: the sum is right
    command: [bash, -c, "grep -qx right sum.txt || { echo \\"Error: expected the sum, but sum.txt has $(cat sum.txt)\\" >&2; exit 1; }"]
`

test('a researcher goes from what failed most to a failed test, and from a search to its turn', async ({ page }) => {
  test.setTimeout(300_000)
  const id = `fails-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id), repeat: 2 })

  await test.step('the overview names what failed most, and leads to its runs', async () => {
    await page.goto(`/experiments/${id}`)
    const most = page.getByRole('region', { name: 'What failed most' })
    await expect(most.getByRole('listitem')).toHaveCount(2)
    await most.getByRole('link', { name: /expected the sum, but sum\.txt has \d+.*2 runs/ }).click()
    await expect(page.getByRole('complementary', { name: 'Runs with the failure' })).toBeVisible()
  })

  const pane = page.getByRole('complementary', { name: 'Runs with the failure' })

  await test.step('numbers that differ make no difference: both runs have one failure, with its group and an example', async () => {
    await expect(page.getByText(/^2 different failures in 2 of 4 runs/)).toBeVisible()
    await expect(pane.getByText('2 runs, 1 test', { exact: true })).toBeVisible()
    await expect(pane.getByRole('region', { name: 'Example' })).toContainText('Error: expected the sum')
    await pane.getByRole('button', { name: 'hasty' }).click()
    await expect(page).toHaveURL(/group=hasty/)
    await expect(pane.getByText('2 runs of hasty, newest first')).toBeVisible()
  })

  await test.step('a run of it opens in triage, at the failed test', async () => {
    await pane
      .getByRole('link', { name: /^Run\s*#\d/ })
      .first()
      .click()
    await expect(page.getByText(/failure [12] of 2/i)).toBeVisible()
    const tests = page.getByRole('region', { name: 'Tests' })
    await expect(tests.getByRole('button', { expanded: true })).toHaveAccessibleName(/the sum is right/)
  })

  await test.step('the last tool error leads to its turn', async () => {
    await page.goto(`/experiments/${id}/results?view=failures&kind=tool_error`)
    await page.getByRole('link', { name: /bash: bc: command not found/ }).click()
    await pane.getByRole('link', { name: 'Open the newest' }).click()
    await expect(page.getByRole('article', { name: 'Turn 42, tool' })).toBeInViewport()
  })

  await test.step('a search shows each match in its context, and opens the run at its turn', async () => {
    await page.goto(`/experiments/${id}/results?view=failures`)
    await page.getByRole('searchbox', { name: 'Search transcripts, test output and errors' }).fill('calculator')
    const matches = page.getByRole('region', { name: 'Matches' })
    await expect(matches.getByText(/^2 matches in 2 runs; 4 runs/)).toBeVisible()
    await expect(matches.getByText('Calculator', { exact: true }).first()).toBeVisible()
    await matches
      .getByRole('link', { name: /Turn 43/ })
      .first()
      .click()
    await expect(page).toHaveURL(/pane=transcript.*turn=43/)
    await expect(page.getByRole('article', { name: 'Turn 43, assistant' })).toBeInViewport()
  })

  await test.step('test output is found too, and a text that occurs nowhere says so', async () => {
    await page.goto(`/experiments/${id}/results?view=failures&find=sum.txt+has`)
    const matches = page.getByRole('region', { name: 'Matches' })
    await expect(matches.getByRole('link', { name: /the sum is right · stderr/ })).toHaveCount(2)
    await page.getByRole('searchbox', { name: 'Search transcripts, test output and errors' }).fill('no such words')
    await expect(matches.getByText('“no such words” occurs in none of these runs.')).toBeVisible()
  })
})
