import './published-report.css'
import { PublishedReport } from '#contract/report-publications.ts'
import { styleDocument } from './draw-document.ts'
import { drawReport } from './published-report.ts'

/** Shows the published report of this address, once: it does not change while it is read. */
export async function showReport(root: HTMLElement) {
  root.className = 'published-report'
  const path = globalThis.location.pathname.replace(/\/$/, '')
  const content = root.appendChild(document.createElement('main'))
  const notice = root.appendChild(document.createElement('div'))
  notice.setAttribute('role', 'status')
  notice.textContent = 'Loading the report…'
  const answer = await fetchReport(path)
  if (answer === 'gone') {
    document.title = 'Not published'
    content.replaceChildren(
      line('h1', 'This page isn’t available'),
      line('p', 'The link is wrong or the report was unpublished.'),
    )
    notice.remove()
  } else if (answer === 'failed') {
    notice.replaceChildren('The report isn’t available right now. ', retryButton(root))
  } else {
    document.title = `${answer.title} · ${answer.organization.name}`
    document.adoptedStyleSheets = [styleDocument(answer.document)]
    content.replaceChildren(...drawReport(answer, (place) => `${path}/images/${place}`))
    notice.remove()
    new ResizeObserver(() => focusScrollers(content)).observe(content)
    showFragment()
  }
}

async function fetchReport(path: string): Promise<PublishedReport | 'gone' | 'failed'> {
  try {
    const response = await fetch(`${path}/data`, { credentials: 'omit' })
    if (response.status === 404) return 'gone'
    return response.ok ? PublishedReport.parse(await response.json()) : 'failed'
  } catch {
    return 'failed'
  }
}

/** Parts wider than the page scroll, and do so by keyboard too. */
function focusScrollers(content: HTMLElement) {
  for (const element of content.querySelectorAll<HTMLElement>('figure, figure div, pre, table')) {
    const scrolls = element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX)
    if (scrolls) element.tabIndex = 0
    else element.removeAttribute('tabindex')
  }
}

/** The browser looked for the fragment before the text was there. */
function showFragment() {
  const { hash } = globalThis.location
  if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
}

function line(tag: string, text: string) {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}

function retryButton(root: HTMLElement) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Try again'
  button.addEventListener('click', () => {
    root.replaceChildren()
    void showReport(root)
  })
  return button
}
