import { expect, type Page } from './fixtures.ts'

/** Moves the mouse over the heatmap until the description of the cell under it matches. */
export async function clickCell(page: Page, described: RegExp) {
  const heatmap = page.getByRole('button', { name: /^Heatmap of/ })
  await expect(heatmap).toBeVisible()
  const box = await heatmap.boundingBox()
  if (!box) throw new Error('The heatmap has no place on the page')
  for (let y = box.y + 8; y < box.y + box.height; y += 16) {
    for (let x = box.x + 20; x < box.x + box.width; x += 60) {
      await page.mouse.move(x, y)
      if (described.test(await heatmap.evaluate(describe))) return page.mouse.click(x, y)
    }
  }
  throw new Error(`No cell of the heatmap is described as ${described}`)
}

const describe = (element: Element) =>
  document.querySelector(`#${CSS.escape(element.getAttribute('aria-describedby') ?? '')}`)?.textContent ?? ''
