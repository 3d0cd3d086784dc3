import { copyAs } from './copies.ts'
import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Boil an egg
agents:
  - id: hasty
    command: [bash, -c, "echo 'The water boils.'; echo 'I take the egg out.'; echo 2 > minutes.txt"]
  - id: patient
    command: [bash, -c, "echo 'The water is cold.'; echo 'The water boils.'; echo 'The egg stays in.'; echo 'I take the egg out.'; echo 7 > minutes.txt"]
tests:
  - name: there is an egg
    command: [test, -s, minutes.txt]
  - name: the egg is hard
    command: [bash, -c, "grep -qx 7 minutes.txt || { echo 'the egg is soft' >&2; exit 1; }"]
`

test('a user compares a failed run with a run that passed the same test', async ({ page }) => {
  test.setTimeout(300_000)
  const id = `egg-${Date.now()}`
  const { requestId, runs } = await submitExperiment(page, { id, yaml: definition(id), repeat: 2 })

  await test.step('open the comparison from the failing test', async () => {
    await page.goto(`/runs/${encodeURIComponent(runs[0]?.id ?? '')}`)
    await page.getByRole('link', { name: 'Compare with patient #1, where it passed' }).click()
    await expect(page.getByRole('heading', { name: 'Compare two runs' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'Agent differs hasty patient' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'Repeat #1 #1' })).toBeVisible()
  })

  await test.step('tests are listed by name; the first one differs and is open', async () => {
    await expect(page.getByText('1 of 2 differ')).toBeVisible()
    const tests = page.getByRole('region', { name: 'Tests' }).getByRole('button')
    await expect(tests.first()).toHaveAccessibleName(/differs.*the egg is hard.*failed.*passed/)
    await expect(tests.first()).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByText('the egg is soft')).toBeVisible()
  })

  await test.step('one search finds matches in both transcripts', async () => {
    await page.getByRole('searchbox', { name: 'Find in the transcript' }).fill('egg')
    await expect(page.getByText('1 found | 2 found')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(page.getByText('1 of 1 | 2 of 2')).toBeVisible()
    const right = page.getByRole('region', { name: 'Transcript, right' })
    await right.getByRole('link', { name: 'Link to turn 2' }).click()
    await expect(page).toHaveURL(/rightTurn=2/)
    // The page scrolls to the turn. A list that was opened before would be hidden when its field leaves the view.
    await expect(right.locator('article[aria-current]')).toBeInViewport()
  })

  await test.step('replace the right-hand run; the URL contains both runs', async () => {
    await page.getByRole('combobox', { name: 'Right run' }).click()
    await page.getByRole('option', { name: /^hasty #2/ }).click()
    await expect(page.getByRole('row', { name: 'Repeat differs #1 #2' })).toBeVisible()
    await expect(page.getByText('0 of 2 differ')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('row', { name: 'Repeat differs #1 #2' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('row', { name: 'Agent differs hasty patient' })).toBeVisible()
  })

  await test.step('choose the other run among those of the same request, from the run page', async () => {
    await page.goto(`/runs/${encodeURIComponent(runs[2]?.id ?? '')}`)
    await page.getByRole('button', { name: 'More about the run' }).click()
    await page.getByRole('menuitem', { name: 'Compare with…' }).click()
    await expect(page.getByText('Choose a run to compare')).toBeVisible()
    await page.getByRole('combobox', { name: 'Right run' }).click()
    await page.getByRole('option', { name: /^patient #2/ }).click()
    await expect(page.getByRole('row', { name: /^Repeat differs/ })).toBeVisible()
  })

  await test.step('select two squares on the request page with the keyboard', async () => {
    await page.goto(`/runs/${requestId}`)
    const square = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}: completed`) })
    await page.getByRole('button', { name: 'Select runs to compare' }).press('Enter')
    await square('hasty, repeat 1').press('Space')
    await expect(page.getByRole('link', { name: 'Compare runs' })).toHaveCount(0)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await square('patient, repeat 2').press('Space')
    await page.getByRole('link', { name: 'Compare runs' }).press('Enter')
    await expect(page.getByRole('row', { name: 'Agent differs hasty patient' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'Repeat differs #1 #2' })).toBeVisible()
  })
})

/** In every repeat, careful solves the first six of nine dishes and hasty the last two. The difference is certain for these prompts but not for others. */
const dishes = (id: string) => `id: ${id}
name: Cook nine dishes
agents:
  - {id: careful, command: [bash, -c, 'test $ASSAY_REPEAT = 2 && touch tasted; grep -q "[1-6]" "$ASSAY_PROMPT_FILE" && touch done; true']}
  - {id: hasty, command: [bash, -c, 'test $ASSAY_REPEAT = 1 && touch tasted; grep -q "[89]" "$ASSAY_PROMPT_FILE" && touch done; true']}
prompts: [${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((dish) => `{id: dish-${dish}, text: "Cook ${dish}"}`).join(', ')}]
tests:
  - {name: is served, command: [test, -f, done]}
  - {name: is warm, command: [test, -f, done]}
  - {name: is eaten, command: [test, -f, done]}
  - {name: was tasted, command: [test, -f, tasted]}
`

test('a verdict names its scope (these prompts or prompts like these); copied text, links and clips keep it', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const id = `dishes-${Date.now()}`
  await submitExperiment(page, { id, yaml: dishes(id), repeat: 2 })
  const compare = `/experiments/${id}/results?view=compare&measure=passRate&group_by=agent`
  const pair = page.getByRole('region', { name: 'careful vs hasty' })
  const verdict = pair.getByRole('status').first()
  const scope = page.getByRole('combobox', { name: 'Scope of the verdict' })
  const onThese =
    /^careful scores 33(\.3)? points higher than hasty in mean test pass rate on these 9 prompts: 95 % CI \+/

  await test.step('with eight or more prompts the verdict is about prompts like these', async () => {
    await page.goto(compare)
    await expect(verdict).toHaveText(
      /^Inconclusive on prompts like these: careful − hasty = \+33(\.3)? points, 95 % CI −\d+(\.\d)? to \+\d+(\.\d)? \(9 prompts, 18 vs 18 runs\)\.$/,
    )
    await expect(scope).toHaveValue('like-these')
    await expect(pair).toContainText('Treats the 9 matched prompts as a random sample')
    await expect(pair).toContainText('Prompts9 matched')
    await expect(pair).toContainText(/About \d+ more prompts like these would detect/)
    await expect(pair).toContainText('More repeats of these prompts alone would not be enough')
  })

  await test.step('with the prompts fixed, the same runs differ significantly, and the URL keeps the choice', async () => {
    await scope.selectOption('Only these 9 prompts')
    await expect(verdict).toHaveText(onThese)
    await expect(page).toHaveURL(/scope=these/)
    await page.reload()
    await expect(verdict).toHaveText(onThese)
  })

  await test.step('the copied sentence and the copied link name the scope', async () => {
    const region = page.getByRole('region', { name: 'Comparison of two groups' })
    expect(await copyAs(page, region, 'Text')).toMatch(onThese)
    await page.goto(compare)
    await expect(verdict).toContainText('on prompts like these')
    expect(await copyAs(page, region, 'Text')).toContain('Inconclusive on prompts like these')
    const link = new URL(await copyAs(page, region, 'Link'))
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      scope: 'like-these',
      measure: 'passRate',
      left: 'careful',
      right: 'hasty',
    })
  })

  await test.step('the clip quotes the scope and links to the same view', async () => {
    await page.goto(`${compare}&scope=these`)
    await expect(verdict).toHaveText(onThese)
    await page.getByRole('button', { name: 'Clip to report' }).click()
    const dialog = page.getByRole('dialog', { name: 'Clip to report' })
    await expect(dialog.getByLabel('Figure to add')).toContainText('on these 9 prompts')
    await dialog.getByText('Text snapshot', { exact: true }).click()
    await expect(dialog.getByLabel('Text to add')).toContainText('on these 9 prompts')
    await dialog.getByRole('textbox', { name: 'Or create a report' }).fill(`Dishes ${id}`)
    await dialog.getByRole('button', { name: 'Create with this clip' }).click()
    await dialog.getByRole('link', { name: `Dishes ${id}` }).click()
    const clip = page.getByRole('region', { name: 'Preview' }).getByRole('blockquote')
    await expect(clip).toContainText('on these 9 prompts')
    await clip.getByRole('link').click()
    await expect(page).toHaveURL(/scope=these/)
    await expect(verdict).toHaveText(onThese)
  })

  await test.step('a failed run of the better group is two clicks from the overview', async () => {
    await page.goto(`/experiments/${id}`)
    await page.getByRole('link', { name: 'On which prompts does careful lose to hasty?' }).click()
    const lost = page.getByRole('region', { name: 'On which prompts does careful lose?' })
    await expect(lost).toContainText('careful loses on 2 of 9 prompts, wins on 6 and ties on 1.')
    const first = lost.getByRole('row').nth(1)
    await expect(first).toHaveAccessibleName(/^dish-8 Failed run of careful on dish-8 0 of 2 1 of 2 −50 points/)
    await expect(first).toContainText('0/2 vs 2/2')
    await first.getByRole('link', { name: 'Failed run of careful on dish-8' }).click()
    const tests = page.getByRole('region', { name: 'Tests' })
    await expect(tests.getByRole('button', { name: /failed.*is (served|warm|eaten)/, expanded: true })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('careful')
  })

  await test.step('groups that are prompts can only have the scope of these prompts, and the page says so', async () => {
    await page.goto(`/experiments/${id}/results?view=compare&measure=passRate&group_by=prompt&scope=like-these`)
    const prompts = page.getByRole('region', { name: 'dish-1 vs dish-2' })
    await expect(prompts.getByRole('status').first()).toContainText('on these 2 prompts')
    await expect(prompts).toContainText('the groups are prompts, so there is nothing to pair by prompt')
    await expect(scope.getByRole('option', { name: 'Prompts like these' })).toBeDisabled()
  })
})
