import type { PublishedInsight } from '#contract/publications.ts'
import { markup } from './markup.ts'
import { exactTime } from '#src/format/dates.ts'
import type { PublishedResponse } from './fetch-published.ts'
import { asOfClass, drawnAs, publishedMarkup } from './published-markup.ts'
import { toDom } from './to-dom.ts'

type Seen = { insight: PublishedInsight; result: string }

/** The page in its states: loading, result, gone, or failed with or without an older result. */
export function createPage(root: HTMLElement, onRetry: () => void) {
  const content = root.appendChild(toDom(markup('main', { className: 'published' })))
  const notice = root.appendChild(toDom(markup('div', { role: 'status' })))
  const chart = createChart()
  let seen: Seen | null = null
  notice.textContent = 'Loading the result…'

  const draw = ({ insight }: Seen) => {
    const isOpen = content.querySelector('details')?.open ?? false
    const { head, body, foot } = publishedMarkup(insight)
    content.replaceChildren(toDom(head), ...chart(insight), toDom(body), toDom(foot))
    const details = content.querySelector('details')
    if (details) details.open = isOpen
  }

  return (response: PublishedResponse) => {
    if (response.kind === 'gone') {
      seen = null
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
    if (!isSame || !time) draw(seen)
    else {
      time.dateTime = asOf
      time.textContent = exactTime(asOf)
    }
  }
}

/** The element with the chart of an insight, if it has one. What draws charts loads with the first of them, after the text. */
function createChart() {
  const host = document.createElement('div')
  const mounted = () => import('./mount-chart.tsx').then(({ mountChart }) => mountChart(host))
  let show: ReturnType<typeof mounted> | null = null
  return (insight: PublishedInsight): Element[] => {
    const presentation = drawnAs(insight)
    if (!presentation) return []
    show ??= mounted()
    show.then(
      (draw) => draw(insight, presentation),
      () => {
        show = null
        host.textContent = 'The chart could not be loaded. The table has its values.'
      },
    )
    return [host]
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
