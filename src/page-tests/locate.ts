import { type ByRoleOptions, queryAllByRole } from '@testing-library/dom'

type Words = string | RegExp
type RoleOptions = { name?: Words; exact?: boolean; level?: number; expanded?: boolean; checked?: boolean }
type Find = () => Element[]

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Text matches as in Playwright: a part in any case, or with `exact` the whole. */
export function matches(text: string, words: Words, exact = false) {
  const line = inOneLine(text)
  if (words instanceof RegExp) return words.test(line)
  return exact ? line === inOneLine(words) : line.toLowerCase().includes(inOneLine(words).toLowerCase())
}

/** The text that a person reads, with the values of neither fields nor scripts. */
export const textOf = (element: Element) => inOneLine(element.textContent ?? '')

/** Without layout, an element is hidden by an attribute or a style of its own or of what contains it. */
export function isVisible(element: Element): boolean {
  if (!element.isConnected) return false
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at.hasAttribute('hidden')) return false
    const style = (at as HTMLElement).style
    if (style?.display === 'none' || style?.visibility === 'hidden') return false
    const isFolded = at.parentElement?.localName === 'details' && !at.parentElement.hasAttribute('open')
    if (isFolded && at.localName !== 'summary') return false
  }
  return true
}

const isExposed = (element: Element) => isVisible(element) && !element.closest('[aria-hidden="true"]')

/**
 * Finds elements by role and name with the styles of their own only, as `isVisible` does. To compute styles from sheets takes
 * most of the time of a test.
 */
function findByRole(root: HTMLElement, role: string, options: ByRoleOptions) {
  const { getComputedStyle } = window
  window.getComputedStyle = (element) => (element as HTMLElement).style
  try {
    return queryAllByRole(root, role, options)
  } finally {
    window.getComputedStyle = getComputedStyle
  }
}

/** Elements found anew at each use, so that a locator survives what React draws again. */
export class Locator {
  readonly find: Find
  readonly words: string

  constructor(find: Find, words: string) {
    this.find = find
    this.words = words
  }

  getByRole(role: string, { name, exact, ...state }: RoleOptions = {}) {
    const isNamed = name === undefined ? undefined : (given: string) => matches(given, name, exact)
    return this.#within(`${role} ${name ?? ''}`, (root) =>
      findByRole(root, role, { hidden: true, name: isNamed, ...state }).filter(isExposed),
    )
  }

  getByText(words: Words, { exact = false } = {}) {
    const holds = (element: Element) => matches(element.textContent ?? '', words, exact)
    return this.#within(`text ${words}`, (root) =>
      [...root.querySelectorAll(':not(script, style)')].filter(
        (each) => holds(each) && ![...each.children].some(holds),
      ),
    )
  }

  getByLabel(words: Words) {
    return this.#within(`label ${words}`, (root) => [
      ...[...root.querySelectorAll('label')].flatMap((label) =>
        matches(label.textContent ?? '', words) && label.control ? [label.control] : [],
      ),
      ...[...root.querySelectorAll('[aria-label]')].filter((each) =>
        matches(each.getAttribute('aria-label') ?? '', words),
      ),
    ])
  }

  locator(selector: string) {
    return this.#within(selector, (root) => [...root.querySelectorAll(selector)])
  }

  filter({ hasText }: { hasText: Words }) {
    return new Locator(
      () => this.find().filter((each) => matches(each.textContent ?? '', hasText)),
      `${this.words} with ${hasText}`,
    )
  }

  first = () => this.nth(0)
  last = () => this.nth(-1)
  nth = (at: number) =>
    new Locator(() => this.find().slice(at, at === -1 ? undefined : at + 1), `${this.words} [${at}]`)

  #within(words: string, find: (root: HTMLElement) => Element[]) {
    const found = () => [...new Set(this.find().flatMap((root) => find(root as HTMLElement)))]
    return new Locator(found, `${this.words} › ${words}`)
  }
}
