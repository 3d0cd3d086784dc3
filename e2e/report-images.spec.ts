import { Buffer } from 'node:buffer'

import { type Page, expect, test } from './fixtures.ts'

const text = (page: Page) => page.getByRole('textbox', { name: 'Report text' })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const saved = (page: Page) => expect(page.getByRole('status').filter({ hasText: /^Saved/ })).toBeVisible()

type Dropped = { name: string; type: string; base64: string }

/** Pastes or drops a file as a person would, from another program. */
const give = (page: Page, event: 'paste' | 'drop', file: Dropped) =>
  text(page).evaluate(
    (target, { event, name, type, base64 }) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], name, { type }))
      const { left, top } = target.getBoundingClientRect()
      const shared = { bubbles: true, cancelable: true, clientX: left + 5, clientY: top + 5 }
      target.dispatchEvent(
        event === 'paste'
          ? new ClipboardEvent('paste', { ...shared, clipboardData: data })
          : new DragEvent('drop', { ...shared, dataTransfer: data }),
      )
    },
    { event, ...file },
  )

/** Draws a PNG image of one gray. */
const draw = (page: Page, shade: number) =>
  page.evaluate((gray) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 200 })
    const drawing = canvas.getContext('2d')
    if (!drawing) throw new Error('nothing to draw on')
    drawing.fillStyle = `rgb(${gray} ${gray} ${gray})`
    drawing.fillRect(0, 0, 320, 200)
    return canvas.toDataURL('image/png').replace(/^[^,]*,/, '')
  }, shade)

test('a person pastes, drops and picks images, describes them, and everyone sees them', async ({ page, colleague }) => {
  await page.goto('/reports?new=1')
  await page.getByRole('textbox', { name: 'Title' }).fill('With images')
  await page.keyboard.press('Enter')
  await text(page).click()
  await page.keyboard.type('Before.')

  await test.step('a pasted image is stored, and the page asks for its alt text', async () => {
    await give(page, 'paste', { name: 'dark.png', type: 'image/png', base64: await draw(page, 64) })
    const dialog = page.getByRole('dialog', { name: 'Describe image' })
    await dialog.getByRole('textbox', { name: 'Alt text' }).fill('A dark [square]')
    await dialog.getByRole('textbox', { name: 'Caption' }).fill('All runs "failed".')
    await dialog.getByRole('button', { name: 'Save description' }).click()
    const shown = preview(page).getByRole('img', { name: 'A dark [square]' })
    await expect(shown).toBeVisible()
    await expect(shown).toHaveJSProperty('naturalWidth', 320)
    await expect(preview(page)).toContainText('All runs "failed".')
  })

  await test.step('a dropped image can be described later', async () => {
    await give(page, 'drop', { name: 'gray.png', type: 'image/png', base64: await draw(page, 128) })
    const dialog = page.getByRole('dialog', { name: 'Describe image' })
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await preview(page).getByRole('button', { name: 'Add alt text' }).click()
    await dialog.getByRole('textbox', { name: 'Alt text' }).fill('A gray square')
    await dialog.getByRole('button', { name: 'Save description' }).click()
    await expect(preview(page).getByRole('img', { name: 'A gray square' })).toBeVisible()
  })

  await test.step('what only looks like an image by its name is refused, and the text is kept', async () => {
    const drawing = { name: 'drawing.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') }
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Image', exact: true }).click()
    await (await chooser).setFiles(drawing)
    const refusal = page.getByRole('alert').filter({ hasText: 'drawing.png was not added' })
    await expect(refusal).toContainText('must be a PNG, JPEG, WebP or GIF image')
    await refusal.getByRole('button', { name: 'Dismiss' }).click()
    await expect(text(page)).toContainText('Before.')
  })

  await test.step('several picked images are added at once; one of them is stored already', async () => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Image', exact: true }).click()
    const drawn = await Promise.all([64, 192].map((shade) => draw(page, shade)))
    const files = drawn.map((base64) => ({ name: 'x', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') }))
    await (await chooser).setFiles(files)
    await expect(preview(page).getByRole('img')).toHaveCount(4)
    const sources = await preview(page)
      .getByRole('img')
      .evaluateAll((all) => all.map((each) => each.getAttribute('src')))
    expect(new Set(sources).size).toBe(3)
    await saved(page)
  })

  const source = (await preview(page).getByRole('img').first().getAttribute('src')) ?? ''

  await test.step('a colleague sees the images, and opened as a page an image can run nothing', async () => {
    await colleague.goto(new URL(page.url()).pathname)
    await expect(colleague.getByRole('article').getByRole('img', { name: 'A gray square' })).toHaveJSProperty(
      'naturalWidth',
      320,
    )
    const { headers } = await colleague.request.get(source).then((answer) => ({ headers: answer.headers() }))
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
    expect(headers['content-security-policy']).toContain('sandbox')
  })

  await test.step('when the report is deleted, its images stay for a day, for a colleague who is pasting one', async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete report…' }).click()
    await page.getByRole('button', { name: 'Delete report' }).click()
    await expect(page).toHaveURL(/\/reports$/)
    expect((await page.request.get(source)).status()).toBe(200)
  })
})
