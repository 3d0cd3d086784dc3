import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Pictured
agents:
  - {id: careful, command: [touch, first]}
  - {id: hasty, command: ["true"]}
tests: [{name: makes the first, command: [test, -f, first]}]
`

/** The file that the button of a chart saves. */
async function save(page: Page, format: 'PNG' | 'SVG') {
  // The button shows itself at the pointer.
  await page.getByRole('button', { name: 'Save picture' }).first().click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format, exact: true }).click(),
  ])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

const widthOfPng = (content: Buffer) => content.readUInt32BE(16)

test('a chart is saved as it is shown, as SVG with its texts and as a sharp PNG, and a heatmap whole', async ({
  page,
}) => {
  const id = `pictured-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id), repeat: 4 })
  await page.emulateMedia({ colorScheme: 'dark' })

  await test.step('a scatterplot', async () => {
    await page.goto(`/experiments/${id}/results?view=scatter`)
    const svg = await save(page, 'SVG')
    expect(svg.name).toMatch(/^Pictured-.*\.svg$/)
    const drawn = await page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
      const paper = root.querySelector('rect')
      return {
        tag: root.localName,
        text: root.textContent,
        paper: paper?.getAttribute('fill'),
        buttons: text.includes('Save picture'),
      }
    }, svg.content.toString('utf8'))
    expect(drawn).toMatchObject({ tag: 'svg', paper: 'white', buttons: false })
    expect(drawn.text).toMatch(/careful.*hasty|hasty.*careful/s)
    // Colors are values, because a file has no style sheet, and paper has the light theme.
    expect(svg.content.toString('utf8')).toMatch(/<text[^>]*style="[^"]*fill: rgb\((?:\d{1,2}|1[0-4]\d), /)
    const chart = await page.getByRole('figure').first().boundingBox()
    const png = await save(page, 'PNG')
    expect(png.content.subarray(1, 4).toString()).toBe('PNG')
    expect(widthOfPng(png.content)).toBe(2 * (Math.ceil(chart?.width ?? 0) + 32))
  })

  await test.step('a heatmap', async () => {
    await page.goto(`/experiments/${id}/results?view=heatmap`)
    const png = await save(page, 'PNG')
    expect(png.name).toContain('heatmap')
    expect(widthOfPng(png.content)).toBeGreaterThan(600)
  })
})
