import type { PublishedInsight } from '#contract/publications.ts'
import { type Hit, hitAt } from '#src/charts/result/drawing.ts'
import { markup } from '#src/charts/result/markup.ts'
import { exactTime } from '#src/format/dates.ts'
import type { PublishedResponse } from './fetch-published.ts'
import { asOfClass, publishedMarkup } from './published-markup.ts'
import { toDom } from './to-dom.ts'

type Seen = { insight: PublishedInsight; result: string }

/** The page in its states: loading, result, gone, or failed with or without an older result. */
export function createPage(root: HTMLElement, onRetry: () => void) {
  const content = root.appendChild(toDom(markup('main', { className: 'published' })))
  const hint = root.appendChild(document.createElement('output'))
  const notice = root.appendChild(toDom(markup('div', { role: 'status' })))
  let seen: Seen | null = null
  let hits: readonly Hit[] = []
  notice.textContent = 'Loading the result…'

  const draw = () => {
    if (!seen) return
    const isOpen = content.querySelector('details')?.open ?? false
    const published = publishedMarkup(seen.insight, content.clientWidth)
    hits = published.hits
    content.replaceChildren(...published.parts.map((part) => toDom(part)))
    const details = content.querySelector('details')
    if (details) details.open = isOpen
  }

  let width = 0
  new ResizeObserver(() => {
    if (content.clientWidth !== width) draw()
    width = content.clientWidth
  }).observe(content)

  content.addEventListener('mousemove', (event) => {
    const svg = content.querySelector('.rc-scroll svg')?.getBoundingClientRect()
    const { clientX, clientY } = event instanceof MouseEvent ? event : { clientX: 0, clientY: 0 }
    hint.textContent = (svg && hitAt(hits, clientX - svg.left, clientY - svg.top)?.words) ?? ''
  })

  return (response: PublishedResponse) => {
    if (response.kind === 'gone') {
      seen = null
      hint.textContent = ''
      content.replaceChildren(...gone.map((part) => toDom(part)))
      notice.replaceChildren()
      return
    }
    if (response.kind === 'failed') {
      notice.replaceChildren(failure(seen), retryButton(onRetry))
      return
    }
    notice.replaceChildren()
    const { asOf, ...result } = response.insight
    const next = { insight: response.insight, result: JSON.stringify(result) }
    const isSame = seen?.result === next.result
    seen = next
    document.title = `${response.insight.heading} · ${response.insight.organization.name}`
    const time = content.querySelector<HTMLTimeElement>(`time.${asOfClass}`)
    // If only the time has changed, the page isn't redrawn, so the reader's position stays.
    if (!isSame || !time) draw()
    else {
      time.dateTime = asOf
      time.textContent = exactTime(asOf)
    }
  }
}

const gone = [
  markup('h1', { className: 'published-heading' }, 'This page isn’t available'),
  markup('p', { className: 'published-description' }, 'The link is wrong or the result was unpublished.'),
]

const failure = (seen: Seen | null) =>
  seen
    ? `Couldn’t refresh the result. Showing the version from ${exactTime(seen.insight.asOf)}. `
    : 'The result isn’t available right now. Retrying automatically. '

function retryButton(onRetry: () => void) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Try again'
  button.addEventListener('click', onRetry)
  return button
}
