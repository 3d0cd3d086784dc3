import type { Page } from '@playwright/test'

type Listeners = { onStep: () => void; onRefusal: (request: string) => void }

/**
 * Reports what a person can notice: pages, downloads and what `reportStepsInPage` sees. Requests don't count, but refused ones
 * are reported separately.
 */
export async function watchSteps(page: Page, { onStep, onRefusal }: Listeners) {
  page.on('popup', onStep)
  page.on('download', onStep)
  page.on('filechooser', onStep)
  page.on('framenavigated', onStep)
  page.on('response', (response) => {
    if (response.status() === 403) onRefusal(`${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  await page.exposeFunction('stepTaken', onStep)
  await page.addInitScript(reportStepsInPage)
}

/** Runs in the page and reports changes, scrolling, copying and printing. */
function reportStepsInPage() {
  const taken = () => void (window as unknown as { stepTaken: () => void }).stepTaken()
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(taken).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: [
        'aria-expanded',
        'aria-pressed',
        'aria-checked',
        'aria-selected',
        'value',
        'open',
        'data-loading',
      ],
    })
  })
  addEventListener('input', taken, true)
  addEventListener('scroll', taken, true)
  const { clipboard } = navigator
  if (clipboard) clipboard.writeText = async () => taken()
  window.print = taken
}
