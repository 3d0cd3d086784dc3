import { readFile } from 'node:fs/promises'

import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const long = Array.from({ length: 40 }, (_, line) => `row ${line + 1}`)

const definition = (id: string) => `id: ${id}
name: What agents change
agents:
  - {id: fixer, command: [sh, -c, "sed -i s/two/2/ src/numbers.txt; sed -i 's/row 3$/third/; s/row 30/thirtieth/' src/long.txt; rm notes/old.md; echo new > out.txt"]}
  - {id: shouter, command: [sh, -c, "sed -i s/two/TWO/ src/numbers.txt"]}
files:
  - {dest: src/numbers.txt, content: "one\\ntwo\\nthree\\n"}
  - {dest: src/long.txt, content: "${long.join('\\n')}\\n"}
  - {dest: notes/old.md, content: "old\\nstale\\n"}
tests: [{name: counts, command: [grep, -q, "2", src/numbers.txt]}]
`

test('a user sees what an agent changed, downloads the patch, and compares it with another run', async ({ page }) => {
  const id = `changes-${Date.now()}`
  const { runs } = await submitExperiment(page, { id, yaml: definition(id) })
  const [fixer, shouter] = runs.map((run) => encodeURIComponent(run.id))

  await test.step('the run lists its changed files', async () => {
    await page.goto(`/runs/${fixer}`)
    await page.getByRole('link', { name: 'Changes' }).click()
    await expect(page.getByText('4 changed files: 1 added, 2 changed, 1 deleted')).toBeVisible()
    await expect(page).toHaveURL(/view=changes/)
  })

  await test.step('the tree chooses a file, and the URL keeps it', async () => {
    await page.getByRole('treeitem', { name: /numbers\.txt/ }).click()
    const file = page.getByRole('article', { name: 'src/numbers.txt' })
    await expect(file).toContainText('+1 −1')
    await expect(file.getByLabel('Before the agent → After the agent')).toContainText('three')
    await page.reload()
    await expect(file.locator('.cm-deletedChunk')).toHaveText('two')
  })

  await test.step('the patch has every change', async () => {
    await page.getByRole('button', { name: 'Download' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Patch, for git apply' }).click(),
    ])
    const patch = await readFile(await download.path(), 'utf8')
    expect(patch).toContain('-two\n+2\n')
    expect(patch).toContain('deleted file mode 100644')
  })

  await test.step('a clip quotes the changed lines', async () => {
    await page.getByRole('article', { name: 'src/numbers.txt' }).getByRole('button', { name: 'Clip to report' }).click()
    const dialog = page.getByRole('dialog', { name: 'Clip to report' })
    await expect(dialog.getByLabel('Figure to add')).toContainText('three')
    await dialog.getByText('Text snapshot', { exact: true }).click()
    await expect(dialog.getByLabel('Text to add')).toContainText('-two')
    await page.keyboard.press('Escape')
  })

  await test.step('a clip of one hunk shows only its lines, and its form changes it', async () => {
    await page.getByRole('treeitem', { name: /long\.txt/ }).click()
    const file = page.getByRole('article', { name: 'src/long.txt' })
    await file.getByRole('button', { name: 'Clip one hunk' }).click()
    await page.getByRole('menuitem', { name: /lines 27–33/i }).click()
    const dialog = page.getByRole('dialog', { name: 'Clip to report' })
    const figure = dialog.getByLabel('Figure to add')
    await expect(figure).toContainText('thirtieth')
    await expect(figure).not.toContainText('third')
    await expect(figure.locator('.cm-lineNumbers')).toContainText('27')
    await dialog.getByText('Text snapshot', { exact: true }).click()
    await expect(dialog.getByLabel('Text to add')).toHaveText(/^@@ -27,7 \+27,7 @@[^]*\+thirtieth[^@]*$/)
    await dialog.getByText('Live figure', { exact: true }).click()
    await dialog.getByLabel('Or create a report').fill(id)
    await dialog.getByRole('button', { name: 'Create with this clip' }).click()
    await dialog.getByRole('link', { name: id }).click()
    const clip = page.getByRole('figure', { name: /src\/long\.txt, lines 27–33/ })
    await expect(clip).toContainText('thirtieth')
    await clip.getByRole('button', { name: 'Edit figure' }).click()
    const form = page.getByRole('dialog', { name: 'Edit figure' })
    await form.getByLabel('Part of the diff').selectOption({ label: 'lines 1–6: -row 3' })
    await form.getByRole('button', { name: 'Update figure' }).click()
    await expect(page.getByRole('figure', { name: /src\/long\.txt/ })).not.toContainText('thirtieth')
    await expect(page.getByRole('figure', { name: /src\/long\.txt/ })).toContainText('third')
  })

  await test.step('a deleted file shows its lines, each numbered, and no other', async () => {
    await page.goto(`/runs/${fixer}?view=changes&file=notes/old.md`)
    const lines = page.getByRole('article', { name: 'notes/old.md' })
    await expect(lines.locator('.cm-line')).toHaveText(['old', 'stale'])
    await expect(lines.locator('.cm-lineNumbers')).toHaveText(/1\s*2$/)
  })

  await test.step('Compare shows how two runs left the same file', async () => {
    await page.goto(`/runs/compare?left=${fixer}&right=${shouter}`)
    const file = page.getByRole('article', { name: 'src/numbers.txt' })
    await expect(file).toContainText('Left: changed')
    await expect(file.getByLabel('Right: changed')).toContainText('TWO')
    await page.getByRole('treeitem', { name: /old\.md/ }).click()
    await expect(page.getByRole('article', { name: 'notes/old.md' })).toContainText('Right: not changed')
  })
})
