import { expect } from 'vitest'

import { isVisible, type Locator, matches, textOf } from './locate.ts'

type Words = string | RegExp

const patience = { timeout: 120_000, interval: 50 }
const visible = (locator: Locator) => locator.find().filter(isVisible)
const poll = <Value>(read: () => Value, words: string) => expect.poll(read, { ...patience, message: words })

const only = <Value>(locator: Locator, read: (element: HTMLElement) => Value) => {
  const [element, ...others] = visible(locator)
  if (!element || others.length > 0) return `${others.length + (element ? 1 : 0)} elements`
  return read(element as HTMLElement)
}

/** Assertions about a locator, each waiting until it holds. */
export function expectPage(locator: Locator) {
  const { words } = locator
  const is = (read: (element: HTMLElement) => unknown, wanted: unknown = true) =>
    poll(() => only(locator, read), words).toEqual(wanted)
  return {
    toBeVisible: () => poll(() => visible(locator).length, words).toBe(1),
    toBeHidden: () => poll(() => visible(locator).length, words).toBe(0),
    toHaveCount: (count: number) => poll(() => locator.find().length, words).toBe(count),
    toContainText: (text: Words) =>
      poll(() => visible(locator).map(textOf), words).toSatisfy(
        (found: string[]) => found.length === 1 && matches(found[0] ?? '', text),
      ),
    toHaveText: (text: Words) =>
      text instanceof RegExp ? is((element) => text.test(textOf(element))) : is(textOf, text),
    toHaveTexts: (texts: string[]) => poll(() => locator.find().map(textOf), words).toEqual(texts),
    toHaveValue: (value: Words) =>
      value instanceof RegExp
        ? is((element) => value.test((element as HTMLInputElement).value))
        : is((element) => (element as HTMLInputElement).value, value),
    toHaveAttribute: (name: string, value: string) => is((element) => element.getAttribute(name), value),
    toBeFocused: () => is((element) => element === document.activeElement),
    toBeChecked: () => is((element) => (element as HTMLInputElement).checked),
    toBeDisabled: () => is((element) => element.matches(':disabled, [data-disabled="true"], [aria-disabled="true"]')),
    toBeEnabled: () => is((element) => !element.matches(':disabled, [data-disabled="true"], [aria-disabled="true"]')),
  }
}
