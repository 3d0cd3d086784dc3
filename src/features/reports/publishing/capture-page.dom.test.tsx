import { MantineProvider } from '@mantine/core'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'

import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { captureCharts, capturePage } from './capture-page.ts'

test('of a figure that could not be loaded, the public page has the message, and neither its button nor its request', () => {
  const rendered = document.body.appendChild(document.createElement('div'))
  const root = createRoot(rendered)
  const error = { message: 'The analytics engine is busy', requestId: '5d0c-request' }
  flushSync(() =>
    root.render(
      <MantineProvider>
        <figure>
          <ErrorNotice title="The result could not be loaded" error={error} onRetry={() => {}} />
        </figure>
      </MantineProvider>,
    ),
  )
  onTestFinished(() => {
    root.unmount()
    rendered.remove()
  })
  expect(rendered.textContent).toContain('5d0c-request')
  expect(rendered.textContent).toContain('Try again')
  const texts = capturePage(rendered).nodes.flatMap((node) => ('text' in node ? [node.text] : []))
  expect(texts.join(' ')).toBe('The result could not be loaded The analytics engine is busy')
})

test('a number and its percent sign are on one line of the public page, and code is as it was', () => {
  const root = document.body.appendChild(document.createElement('div'))
  onTestFinished(() => root.remove())
  root.innerHTML = '<h2>It solves 100 % of 4 %</h2><code>5 % 3</code>'
  const texts = capturePage(root).nodes.flatMap((node) => ('text' in node ? [node.text] : []))
  expect(texts).toEqual(['It solves 100\u00a0% of 4\u00a0%', '5 % 3'])
})

/** The tags of what is in an element with this class, with their attributes. */
const partsOf = ({ nodes }: ReturnType<typeof capturePage>, name: string) => {
  const top = nodes.findIndex((node) => 'tag' in node && node.attributes?.['class'] === name)
  const isIn = (place: number): boolean => place === top || (place >= 0 && isIn(nodes[place]?.in ?? -1))
  return nodes.flatMap((node) => ('tag' in node && isIn(node.in) ? [[node.tag, node.attributes ?? {}]] : []))
}

test('a chart is on the public page twice, for a page and for a phone, and each refers to its own parts', () => {
  const root = document.body.appendChild(document.createElement('div'))
  onTestFinished(() => root.remove())
  root.style.width = '720px'
  const draw = (width: number) => {
    const chart = root.querySelector('[data-chart]') ?? root.appendChild(document.createElement('figure'))
    chart.setAttribute('data-chart', '')
    chart.innerHTML = `<svg width="${width}"><clipPath id="a"></clipPath><g clip-path="url(#a)"></g></svg>`
  }
  draw(300)
  const narrow = captureCharts(root)
  draw(700)
  const page = capturePage(root, narrow)
  expect(page.nodes[0]).not.toHaveProperty('styles')
  expect(partsOf(page, 'published-wide')).toEqual([
    ['figure', {}],
    ['svg', { width: '700' }],
    ['clipPath', { id: 'a' }],
    ['g', { 'clip-path': 'url(#a)' }],
  ])
  expect(partsOf(page, 'published-narrow')).toEqual([
    ['figure', {}],
    ['svg', { width: '300' }],
    ['clipPath', { id: 'a-narrow' }],
    ['g', { 'clip-path': 'url(#a-narrow)' }],
  ])
})
