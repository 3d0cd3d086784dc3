import { fireEvent } from '@testing-library/dom'
import userEvent from '@testing-library/user-event'
import { vi } from 'vitest'

import { isVisible, type Locator, textOf } from './locate.ts'

const user = userEvent.setup({ delay: null, pointerEventsCheck: 0, document })

const patience = { timeout: 120_000, interval: 50 }

/** The one visible element, waited for as a person would. Several are an error, as in Playwright. */
const one = <E extends Element = HTMLElement>(locator: Locator) =>
  vi.waitFor(() => {
    const found = locator.find().filter(isVisible)
    if (found.length !== 1)
      throw new Error(`${locator.words}: found ${found.length}, of ${locator.find().length} in all`)
    return found[0] as unknown as E
  }, patience)

const isDisabled = (element: Element) =>
  element.matches(':disabled, [aria-disabled="true"], [data-disabled="true"], fieldset:disabled *')

async function enabled(locator: Locator) {
  return vi.waitFor(async () => {
    const element = await one(locator)
    if (isDisabled(element)) throw new Error(`${locator.words} is disabled`)
    return element
  }, patience)
}

export const click = async (locator: Locator) => user.click(await enabled(locator))

/** Replaces the whole text of a field. */
export async function fill(locator: Locator, text: string) {
  const field = await enabled(locator)
  field.focus()
  fireEvent.change(field, { target: { value: text } })
}

/** Chooses an option by its value or its words. */
export async function selectOption(locator: Locator, wanted: string) {
  const select = (await enabled(locator)) as HTMLSelectElement
  const option = [...select.options].find((each) => each.value === wanted || textOf(each) === wanted)
  if (!option) throw new Error(`${locator.words} has no option ${wanted}`)
  fireEvent.change(select, { target: { value: option.value } })
}

const modifiers: Record<string, string> = { ControlOrMeta: 'Control', Control: 'Control', Shift: 'Shift' }

/** A key with its modifiers, such as `Escape`, `g` or `ControlOrMeta+k`. */
export async function press(keys: string) {
  // Here, unlike in a browser, an element that is removed keeps the focus.
  if (document.activeElement instanceof HTMLElement && !document.activeElement.isConnected)
    document.activeElement.blur()
  const parts = keys.split('+')
  const held = parts.slice(0, -1).map((name) => modifiers[name] ?? name)
  const down = held.map((name) => `{${name}>}`).join('')
  const up = held.map((name) => `{/${name}}`).join('')
  const key = parts.at(-1) ?? ''
  await user.keyboard(`${down}${key.length > 1 ? `{${key}}` : key}${up}`)
}
