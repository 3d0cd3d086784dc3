import { test } from 'vitest'

import { pushExperiment } from '#contract/experiments.ts'
import { click, fill } from './act.ts'
import { expectPage } from './expect-page.ts'
import { newName, openOrganization } from './open-page.tsx'

test('a user adds, pastes, edits and removes links of an experiment, and undoes a removal', async () => {
  const { page } = await openOrganization()
  const id = newName('linked')
  await page.call(pushExperiment, {
    experimentYaml: `{id: ${id}, name: Linked, agents: [{id: a, command: ["true"]}]}`,
  })
  await page.goto(`/experiments/${id}`)
  const links = page.getByRole('list', { name: 'Links' })

  // Add a link; the field reports an invalid URL.
  await click(page.getByRole('button', { name: 'Add link', exact: true }))
  const added = page.getByRole('form', { name: 'Add link' })
  await fill(added.getByRole('textbox', { name: 'Title' }), 'The paper')
  await fill(added.getByRole('textbox', { name: 'URL' }), 'javascript:alert(1)')
  await page.press('Enter')
  await expectPage(added.getByText('must be an http or https URL')).toBeVisible()
  await fill(added.getByRole('textbox', { name: 'URL' }), 'https://lab.example/paper')
  await page.press('Enter')
  await expectPage(links.getByRole('link', { name: 'The paper' })).toHaveAttribute('href', 'https://lab.example/paper')
  await click(added.getByRole('button', { name: 'Close' }))

  // Paste three links; the invalid line stays for correction.
  await click(page.getByRole('button', { name: 'Paste links' }))
  const pasted = page.getByRole('form', { name: 'Paste links' })
  const box = pasted.getByRole('textbox', { name: 'One link per line' })
  const bad = 'Click me javascript:alert(1)'
  await fill(
    box,
    `Thread https://chat.example/1\n[Dashboard](https://dash.example/d)\n${bad}\nhttps://arxiv.example/abs/1`,
  )
  await expectPage(pasted.getByText('Line 3 skipped:')).toBeVisible()
  await click(pasted.getByRole('button', { name: 'Add 3 links' }))
  await expectPage(links.getByRole('link')).toHaveTexts(['The paper', 'Thread', 'Dashboard', 'arxiv.example/abs/1'])
  await expectPage(box).toHaveValue(bad)
  await click(pasted.getByRole('button', { name: 'Close' }))

  // Edit a link in place.
  await click(page.getByRole('button', { name: 'Edit Thread' }))
  const edited = page.getByRole('form', { name: 'Edit Thread' })
  await fill(edited.getByRole('textbox', { name: 'Title' }), '')
  await click(edited.getByRole('button', { name: 'Save' }))
  await expectPage(edited.getByText('must not be blank')).toBeVisible()
  await fill(edited.getByRole('textbox', { name: 'Title' }), 'The thread')
  await click(edited.getByRole('button', { name: 'Save' }))
  await expectPage(links.getByRole('link', { name: 'The thread' })).toHaveAttribute('href', 'https://chat.example/1')
  await expectPage(page.getByRole('button', { name: 'Edit The thread' })).toBeFocused()

  // Remove two links and restore one of them.
  await click(page.getByRole('button', { name: 'Remove Dashboard' }))
  await click(page.getByRole('button', { name: 'Remove The paper' }))
  await click(page.getByRole('button', { name: 'Undo the removal of The paper' }))
  await expectPage(links.getByRole('link')).toHaveCount(3)
  await page.reload()
  await expectPage(links.getByRole('link')).toHaveTexts(['The paper', 'The thread', 'arxiv.example/abs/1'])
})
