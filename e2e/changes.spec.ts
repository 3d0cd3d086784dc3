import { readFile } from 'node:fs/promises'

import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: What agents change
agents:
  - {id: fixer, command: [sh, -c, "sed -i s/two/2/ src/numbers.txt; rm notes/old.md; echo new > out.txt"]}
  - {id: shouter, command: [sh, -c, "sed -i s/two/TWO/ src/numbers.txt"]}
files:
  - {dest: src/numbers.txt, content: "one\\ntwo\\nthree\\n"}
  - {dest: notes/old.md, content: old}
tests: [{name: counts, command: [grep, -q, "2", src/numbers.txt]}]
`

test('a user sees what an agent changed, downloads the patch, and compares it with another run', async ({ page }) => {
  const id = `changes-${Date.now()}`
  const { runs } = await submitExperiment(page, { id, yaml: definition(id) })
  const [fixer, shouter] = runs.map((run) => encodeURIComponent(run.id))

  await test.step('the run lists its changed files', async () => {
    await page.goto(`/runs/${fixer}`)
    await page.getByRole('link', { name: 'Changes' }).click()
    await expect(page.getByText('3 changed files: 1 added, 1 changed, 1 deleted')).toBeVisible()
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

  await test.step('Compare shows how two runs left the same file', async () => {
    await page.goto(`/runs/compare?left=${fixer}&right=${shouter}`)
    const file = page.getByRole('article', { name: 'src/numbers.txt' })
    await expect(file).toContainText('Left: changed')
    await expect(file.getByLabel('Right: changed')).toContainText('TWO')
    await page.getByRole('treeitem', { name: /old\.md/ }).click()
    await expect(page.getByRole('article', { name: 'notes/old.md' })).toContainText('Right: not changed')
  })
})
