import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'

import { paragraphsOf } from '#contract/report-blocks/paragraphs.ts'
import { type Comments, CommentsContext } from './comments/CommentsContext.ts'
import { renderMark } from './comments/ParagraphMark.tsx'
import { toStandaloneHtml } from './standalone-html.ts'

test('an exported report does not say who is reading it or comments on it', async () => {
  const [place = null] = paragraphsOf('One.')
  const grace = { id: 'g', name: 'Grace Hopper' }
  const doNothing = () => {}
  const comments: Comments = {
    reportId: 'r',
    person: { id: 'a', name: 'Ada' },
    isAdmin: false,
    placed: [],
    paragraphs: place ? [place] : [],
    people: [{ person: grace, place }],
    isOpen: false,
    open: doNothing,
    close: doNothing,
    selected: null,
    select: doNothing,
    commented: null,
    comment: doNothing,
    start: () => Promise.resolve(),
    decide: () => Promise.resolve(),
    error: null,
  }
  const rendered = document.body.appendChild(document.createElement('div'))
  const root = createRoot(rendered)
  flushSync(() =>
    root.render(
      <CommentsContext value={comments}>
        <p>One.</p>
        {renderMark({ from: 0, to: 4 })}
      </CommentsContext>,
    ),
  )
  expect(rendered.innerHTML).toContain('Grace Hopper')
  expect(await toStandaloneHtml(rendered)).toBe('<p>One.</p>')
  root.unmount()
  rendered.remove()
})

/** A report of this HTML, in which every canvas has pixels. */
async function exported(html: string) {
  const rendered = document.body.appendChild(document.createElement('div'))
  onTestFinished(() => rendered.remove())
  rendered.innerHTML = html
  const draw = () => {
    for (const canvas of rendered.querySelectorAll('canvas'))
      canvas.toDataURL = () => `data:image/png;base64,${btoa(canvas.id)}`
  }
  draw()
  const file = document.createElement('div')
  const print = () => {
    for (const figure of rendered.querySelectorAll('[data-whole]')) figure.innerHTML = `${whole}${figure.innerHTML}`
    draw()
  }
  window.addEventListener('beforeprint', print)
  onTestFinished(() => window.removeEventListener('beforeprint', print))
  file.innerHTML = await toStandaloneHtml(rendered)
  return file
}

/** What a heatmap draws for paper. */
const whole =
  '<canvas id="light" style="width: 680px" data-published="light" aria-label="Heatmap of 2 rows by 1 group"></canvas><canvas id="dark" data-published="dark"></canvas>'

test('an exported heatmap is one image of the whole heatmap, in the light theme', async () => {
  const file = await exported(
    '<figure data-whole=""><div data-unpublished=""><button type="button"><canvas id="screen"></canvas></button></div></figure>',
  )
  const [image, ...others] = file.querySelectorAll('img')
  expect(image?.getAttribute('src')).toBe(`data:image/png;base64,${btoa('light')}`)
  expect([image?.getAttribute('alt'), image?.getAttribute('width')]).toEqual(['Heatmap of 2 rows by 1 group', '680'])
  expect([others, file.querySelector('canvas, button')]).toEqual([[], null])
})

test('an exported chart has the points of its canvas inside its drawing, its legend, and no tooltip', async () => {
  const file = await exported(
    '<figure><div data-backdrop=""><canvas id="points" aria-hidden="true"></canvas></div><div class="recharts-responsive-container"><div style="width: 600px"><svg class="recharts-surface" role="application" width="600" height="300"><text>y</text></svg><div class="recharts-legend-wrapper"><ul><li>a</li></ul></div><div class="recharts-tooltip-wrapper">a: 3</div></div></div></figure>',
  )
  const figure = file.querySelector('figure')
  expect(Array.from(figure?.children ?? [], ({ localName }) => localName)).toEqual(['ul', 'svg'])
  expect(figure?.textContent).toBe('ay')
  const drawing = figure?.querySelector('svg')
  expect(drawing?.getAttribute('viewBox')).toBe('0 0 600 300')
  expect(drawing?.getAttribute('role')).toBe('img')
  expect(Array.from(drawing?.children ?? [], ({ localName }) => localName)).toEqual(['image', 'text'])
  const points = drawing?.querySelector('image')
  expect(points?.getAttribute('href')).toBe(`data:image/png;base64,${btoa('points')}`)
  expect([points?.getAttribute('width'), points?.getAttribute('height')]).toEqual(['600', '300'])
})

test('an exported table keeps the headings that sort it, and controls are removed', async () => {
  const file = await exported(
    '<p>Text <button class="mantine-Button-root">Edit image</button></p><table><tbody><tr><th><button>Cost<svg class="tabler-icon" viewBox="0 0 24 24"></svg></button></th><td><button class="mantine-Button-root">Edit image</button></td></tr></tbody></table>',
  )
  expect(file.innerHTML).toBe('<p>Text </p><table><tbody><tr><th>Cost</th><td></td></tr></tbody></table>')
})
