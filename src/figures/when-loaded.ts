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
  // A broken image shows its text, which is printed.
  await Promise.allSettled(Array.from(root.querySelectorAll('img'), (image) => image.decode()))
}
