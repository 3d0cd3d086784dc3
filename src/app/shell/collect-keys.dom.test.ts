import { expect, test, vi } from 'vitest'

import { collectKeys } from './collect-keys.ts'

const press = (key: string, more: KeyboardEventInit = {}) =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))

test('keys typed while the palette loads are its text and no shortcuts, and reach the page again afterwards', () => {
  const [onEscape, shortcut] = [vi.fn(), vi.fn()]
  document.addEventListener('keydown', shortcut)
  const keys = collectKeys(onEscape)
  for (const key of ['c', 'ü', 'x', 'Backspace', 'Shift', '日']) press(key)
  expect(shortcut).not.toHaveBeenCalled()
  press('r', { ctrlKey: true })
  expect(shortcut).toHaveBeenCalledOnce()
  press('Escape')
  expect(onEscape).toHaveBeenCalledOnce()
  expect([keys.stop(), keys.stop()]).toEqual(['cü日', ''])
  press('c')
  expect(shortcut).toHaveBeenCalledTimes(2)
  document.removeEventListener('keydown', shortcut)
})
