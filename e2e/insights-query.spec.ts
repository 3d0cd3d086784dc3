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

/** Replaces the whole text, as a person would. */
async function writeSql(page: Page, sql: string) {
  await sqlEditor(page).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(sql)
}

const queryUrl = (experiment: string, sql = '', more = '') =>
  `/insights/query?experiment=${experiment}${more}${sql && `#sql=${encodeURIComponent(sql)}`}`

async function signInAs(page: Page, person: 'Ada Admin' | 'Max Member') {
  await page.getByRole('button', { name: /^Account menu for/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: new RegExp(person) }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
}

test('an unsaved query survives a reload, navigation and a new sign-in, and stays hidden from other people', async ({
  page,
  push,
}) => {
  const [id, other] = [`draft-${Date.now()}`, `draft-other-${Date.now()}`]
  await push(definition(id))
  await push(definition(other))
  const draft = 'SELECT 41 + 1 AS never_run'
  await page.goto(queryUrl(id))
  await writeSql(page, draft)

  await test.step('a reload keeps the draft', async () => {
    await page.reload()
    await expect(sqlEditor(page)).toHaveText(draft)
    await expect(page.getByRole('region', { name: 'Draft' })).toContainText('Restored your unsaved draft')
  })

  await test.step('navigation keeps the draft, and the list of experiments marks it', async () => {
    await page.getByRole('link', { name: 'Insights', exact: true }).first().click()
    await page.getByRole('link', { name: 'New query' }).click()
    const choice = page.getByRole('listitem').filter({ hasText: `Asked ${id}` })
    await expect(choice).toContainText('unsaved draft')
    await choice.getByRole('link').click()
    await expect(sqlEditor(page)).toHaveText(draft)
  })

  await test.step('a colleague in the same browser does not see the draft; its author does', async () => {
    await signInAs(page, 'Max Member')
    await page.goto(queryUrl(id))
    await expect(sqlEditor(page)).toContainText('FROM runs')
    await expect(page.getByRole('region', { name: 'Draft' })).toHaveCount(0)
    await signInAs(page, 'Ada Admin')
    await page.goto(queryUrl(id))
    await expect(sqlEditor(page)).toHaveText(draft)
  })

  await test.step('a link with SQL shows its own statement, and the draft can be restored', async () => {
    await page.goto('/')
    await page.goto(queryUrl(id, 'SELECT 7 AS linked'))
    await expect(sqlEditor(page)).toHaveText('SELECT 7 AS linked')
    await expect(page.getByRole('row', { name: '7', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Restore draft' }).click()
    await expect(sqlEditor(page)).toHaveText(draft)
    await expect(page.getByText('Results below are from before your edits.')).toBeVisible()
  })

  await test.step('the draft moves to another experiment', async () => {
    await page.getByRole('combobox', { name: 'Experiment' }).click()
    await page.getByRole('option', { name: new RegExp(other) }).click()
    await expect(page).toHaveURL(new RegExp(`experiment=${other}`))
    // The URL changes before the page does.
    await expect(page.getByRole('combobox', { name: 'Experiment' })).toHaveValue(new RegExp(other))
    await expect(sqlEditor(page)).toHaveText(draft)
  })

  await test.step('a statement that ran is no longer a draft', async () => {
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

test('each of two tabs keeps its own statement, and a new tab starts with the latest one', async ({ page, push }) => {
  const id = `tabs-${Date.now()}`
  await push(definition(id))
  const beside = await page.context().newPage()
  const written = { first: "SELECT 'in the first tab'", second: "SELECT 'in the second tab'" }
  for (const each of [page, beside]) await each.goto(queryUrl(id))
  await writeSql(page, written.first)
  await writeSql(beside, written.second)
  for (const each of [page, beside]) await each.reload()
  await expect(sqlEditor(page)).toHaveText(written.first)
  await expect(sqlEditor(beside)).toHaveText(written.second)
  const late = await page.context().newPage()
  await late.goto(queryUrl(id))
  await expect(sqlEditor(late)).toHaveText(written.second)

  await test.step('running the statement in one tab ends its draft there; the other tab keeps its own', async () => {
    await sqlEditor(beside).press('ControlOrMeta+Enter')
    await expect(beside.getByRole('row', { name: 'in the second tab', exact: true })).toBeVisible()
    await beside.goto('/')
    await beside.goto(queryUrl(id))
    await expect(sqlEditor(beside)).toContainText('FROM runs')
    await page.reload()
    await expect(sqlEditor(page)).toHaveText(written.first)
  })
})

const twoStatements = `SELECT 1 AS first;

  SELECT 2 AS second,
    nonsense AS third`

test('a user runs a selected part, goes to its error, copies a full cell, and cancels a long query', async ({
  page,
  context,
  push,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [id, other] = [`part-${Date.now()}`, `long-${Date.now()}`]
  await push(definition(id))
  await push(definition(other))
  await page.goto(queryUrl(id))

  await test.step('run only the part from the third line', async () => {
    await writeSql(page, twoStatements)
    await page.keyboard.press('ControlOrMeta+Home')
    for (const _ of [1, 2]) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ControlOrMeta+Shift+End')
    await expect(page.getByRole('button', { name: 'Run selection' })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByRole('alert').getByRole('button', { name: 'Line 4, column 5' }).click()
    await expect(sqlEditor(page)).toContainText('nonsense AS third')
    for (const _ of 'nonsense') await page.keyboard.press('Delete')
    await page.keyboard.insertText("'a text that is longer than the grid has room for, ' || repeat('x', 60) || ' end'")
    await page.keyboard.press('ControlOrMeta+Shift+Home')
    for (const _ of [1, 2]) await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('ControlOrMeta+Home')
    for (const _ of [1, 2]) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ControlOrMeta+Shift+End')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(page.getByText('Results below are for the selected text.')).toBeVisible()
    await expect(sqlEditor(page)).toContainText('SELECT 1 AS first')
  })

  await test.step('Ctrl+A selects every row of the result, and Copy copies them', async () => {
    await page.getByRole('cell', { name: '2', exact: true }).click()
    await page.keyboard.press('ControlOrMeta+a')
    await expect(page.getByRole('status').filter({ hasText: 'selected. Ctrl C or ⌘ C copies' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Copy table' }).click()
    await expect(page.getByRole('button', { name: 'Table copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^second\tthird\n2\ta text/)
  })

  await test.step('copy the second of its two cells with the keyboard', async () => {
    await page.getByRole('cell', { name: '2', exact: true }).click()
    const cell = page.getByRole('region', { name: 'Cell' })
    await expect(cell).toContainText('second UInt8')
    await page.keyboard.press('ArrowRight')
    await expect(cell.getByRole('status')).toHaveText(/^a text that is longer .* x{60} end$/)
    await page.keyboard.press('ControlOrMeta+C')
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/x{60} end$/)
  })

  await test.step('cancel a query that would never finish', async () => {
    await page.goto(queryUrl(other))
    await writeSql(
      page,
      'SELECT count() FROM numbers(10000) AS a CROSS JOIN numbers(10000) AS b CROSS JOIN numbers(1000) AS c',
    )
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(page.getByRole('timer')).toContainText('running for 3.')
    await expect(sqlEditor(page)).toContainText('CROSS JOIN numbers(1000) AS c')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Canceled. The query may take up to 20 s to stop')).toBeVisible()
    await writeSql(page, 'SELECT 3 AS after_it')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(page.getByRole('row', { name: '3', exact: true })).toBeVisible({ timeout: 30_000 })
  })
})

test('the builder generates SQL and keeps its fields while the user edits, runs and charts it; the history lists the query', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const id = `modeled-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id), repeat: 2 })
  const mode = page.getByRole('radiogroup', { name: 'Mode' })

  await test.step('build a query: tests passed and failed, by agent', async () => {
    await page.goto(queryUrl(id, '', '&mode=modeled'))
    await page.getByRole('button', { name: 'Mean of: Test pass rate' }).click()
    await page.getByRole('checkbox', { name: 'Tests failed' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Group by: variant' }).click()
    await page.getByRole('checkbox', { name: 'agent', exact: true }).click()
    await page.getByRole('checkbox', { name: 'variant', exact: true }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('row', { name: 'good 0.5 1 2' })).toBeVisible()
    await page.getByText('Generated SQL').click()
    await expect(page.getByText(/GROUP BY agent/).first()).toBeVisible()
  })

  await test.step('its SQL returns the same rows; then edit it and draw a chart', async () => {
    await mode.getByText('SQL').click()
    await expect(sqlEditor(page)).toContainText('GROUP BY agent')
    await expect(page.getByRole('row', { name: 'good 0.5 1 2' })).toBeVisible()
    await writeSql(page, 'SELECT agent, sum(failed) AS fails FROM runs GROUP BY agent ORDER BY agent')
    await page.getByRole('button', { name: /^Run/ }).click()
    await expect(page.getByRole('row', { name: 'bad 2' })).toBeVisible()
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Chart').click()
    await expect(page.getByRole('application', { name: /^Bar chart of fails by agent, 2 marks/ })).toBeVisible()
  })

  await test.step('back in the builder, the fields are unchanged', async () => {
    await mode.getByText('Builder').click()
    await expect(page.getByRole('button', { name: 'Mean of: 2' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Group by: agent' })).toBeVisible()
  })

  await test.step('the history restores the statement, which runs only on request', async () => {
    await page.goto(queryUrl(id))
    await page.getByRole('button', { name: 'History' }).click()
    const past = page.getByRole('list', { name: 'Recent queries' })
    await expect(past.getByRole('listitem').first()).toContainText(id)
    await past.getByRole('button', { name: /sum\(failed\) AS fails/ }).click()
    await expect(sqlEditor(page)).toContainText('sum(failed) AS fails')
    await expect(page.getByRole('region', { name: 'Result' })).toHaveCount(0)
    await page.getByRole('button', { name: /^Run/ }).click()
    await expect(page.getByRole('row', { name: 'bad 2' })).toBeVisible()
  })

  await test.step('the list of tables inserts a column into the statement', async () => {
    await writeSql(page, 'SELECT FROM tests')
    await page.keyboard.press('ControlOrMeta+Home')
    for (const _ of 'SELECT ') await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'Tables' }).click()
    await page.getByText('One row per captured test of a finished run').click()
    await page
      .getByRole('list', { name: 'Columns of tests' })
      .getByRole('button', { name: /^duration_ms/ })
      .click()
    await expect(sqlEditor(page)).toHaveText('SELECT duration_msFROM tests')
    await page.keyboard.insertText(' ')
    await expect(sqlEditor(page)).toHaveText('SELECT duration_ms FROM tests')
  })
})

/** Every kind of value, including texts that a spreadsheet would run as formulas. */
const awkward = `SELECT number AS n, '=1+1' AS sum, '+x' AS plus, '-y' AS minus, '@z' AS at, NULL AS nothing,
  'say "hi",\\nthere' AS quoted, [1, 2] AS list, toInt64(-9007199254740993) AS exact, 1 / 4 AS part
FROM numbers(2)`

test('downloaded files contain complete rows, and no cell that a spreadsheet would run as a formula', async ({
  page,
  push,
}) => {
  const id = `files-${Date.now()}`
  await push(definition(id))
  await page.goto(queryUrl(id, awkward))
  await expect(page.getByText('2 rows')).toBeVisible()
  const save = async (kind: 'CSV' | 'JSON') => {
    await page.getByRole('button', { name: 'Download' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: kind }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe(`query-on-${id}.${kind.toLowerCase()}`)
    return readFile(await file.path(), 'utf8')
  }
  const row = (n: number) => `${n},'=1+1,'+x,'-y,'@z,,"say ""hi"",\nthere","[1,2]",-9007199254740993,0.25`
  expect(await save('CSV')).toBe(['n,sum,plus,minus,at,nothing,quoted,list,exact,part', row(0), row(1)].join('\r\n'))
  const object = (n: number) => ({
    n,
    sum: '=1+1',
    plus: '+x',
    minus: '-y',
    at: '@z',
    nothing: null,
    quoted: 'say "hi",\nthere',
    list: [1, 2],
    exact: '-9007199254740993',
    part: 0.25,
  })
  expect(JSON.parse(await save('JSON'))).toEqual([object(0), object(1)])
})

test('a grid tells close values apart, and sorts NaN after every number', async ({ page, push }) => {
  const id = `close-${Date.now()}`
  await push(definition(id))
  const close = `SELECT arrayJoin([toDateTime64('2026-11-20 10:00:00.002', 3, 'UTC'), toDateTime64('2026-11-20 10:00:00.001', 3, 'UTC')]) AS at`
  await page.goto(queryUrl(id, close))
  const cells = page.getByRole('region', { name: /^Rows of/ }).getByRole('cell')
  await expect(cells).toHaveText(['2026-11-20 10:00:00.002', '2026-11-20 10:00:00.001'])
  await page.goto(queryUrl(id, 'SELECT arrayJoin([3., nan, 1., inf, -inf, 2.]) AS v'))
  const head = page.getByRole('columnheader', { name: /^v/ })
  await head.getByRole('button').click()
  await expect(cells).toHaveText(['-Infinity', '1', '2', '3', 'Infinity', 'NaN'])
  await head.getByRole('button').click()
  await expect(cells).toHaveText(['Infinity', '3', '2', '1', '-Infinity', 'NaN'])
})
