import { seeAll } from './use-seen.ts'

/** Loads all figures and images below an element, whether they are near the screen or not. */
export async function whenLoaded(root: HTMLElement) {
  seeAll()
  await new Promise<void>((resolve) => {
    const look = () => {
      if (root.querySelector('[data-figure]:not([data-figure="ready"])')) return
      observer.disconnect()
      resolve()
    }
    const observer = new MutationObserver(look)
    observer.observe(root, { subtree: true, childList: true, attributeFilter: ['data-figure'] })
    look()
  })
  await whenDrawn(root)
  // A broken image shows its text, which is printed.
  await Promise.allSettled(Array.from(root.querySelectorAll('img'), (image) => image.decode()))
}

const patience = { times: 50, milliseconds: 40 }

/** Our own chart says that it measures its place; of those of Recharts the axes tell. */
const undrawn = '[data-measuring], .recharts-responsive-container:not(:has(.recharts-cartesian-axis-tick))'

/** Charts measure their place before they draw, and the labels of their axes before they draw the rest. */
async function whenDrawn(root: HTMLElement) {
  for (let turn = 0; turn < patience.times && root.querySelector(undrawn); turn += 1)
    await new Promise((resolve) => setTimeout(resolve, patience.milliseconds))
}
