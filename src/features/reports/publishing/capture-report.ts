import type { PublishedDocument } from '#contract/published-document.ts'
import { captureCharts, capturePage } from './capture-page.ts'

/** Of a public page, and of a phone of 360 pixels without the page's margins. */
const widths = { wide: 720, narrow: 328 }

/**
 * Copies a drawn report for the public, whatever the width of this window. Its charts are drawn for a page and for a phone,
 * and the copy has both: scaled from one to the other, they could not be read.
 */
export async function captureReport(root: HTMLElement): Promise<PublishedDocument> {
  const narrow = await atWidth(root, widths.narrow, () => captureCharts(root))
  return atWidth(root, widths.wide, () => capturePage(root, narrow))
}

async function atWidth<Result>(root: HTMLElement, width: number, work: () => Result): Promise<Result> {
  const { width: before, maxWidth } = root.style
  Object.assign(root.style, { width: `${width}px`, maxWidth: 'none' })
  try {
    await whenRedrawn(root)
    return work()
  } finally {
    Object.assign(root.style, { width: before, maxWidth })
  }
}

const patience = { times: 50, milliseconds: 40 }

/** Charts follow the width of their place a frame later, and place their labels after that. */
async function whenRedrawn(root: HTMLElement) {
  let before = ''
  for (let turn = 0; turn < patience.times; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, patience.milliseconds))
    const places = [...root.querySelectorAll('.recharts-responsive-container')]
    const now = Array.from(root.querySelectorAll('[data-chart]'), (chart) => chart.innerHTML).join('')
    if (now === before && places.every(fitsItsPlace)) return
    before = now
  }
}

function fitsItsPlace(place: Element) {
  const drawing = place.querySelector('svg')
  return !drawing || Math.abs(drawing.clientWidth - place.clientWidth) < 2
}
