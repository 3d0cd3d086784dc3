import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'

import { useSettledText } from './use-settled-text.ts'

/** Types texts of one letter each, and returns the letters of those that the hook gave to be checked, each once. */
function typeInto() {
  const checked = new Set<string>()
  const Checked = ({ text }: { text: string }) => {
    checked.add(useSettledText(text).slice(0, 1))
    return null
  }
  const root = createRoot(document.createElement('div'))
  onTestFinished(() => root.unmount())
  const type = (text: string) => flushSync(() => root.render(<Checked text={text} />))
  return { type, checked }
}

const long = (key: string) => key.repeat(60_000)

test('a long text is checked once after a pause, however many keys came before it', async () => {
  const { type, checked } = typeInto()
  for (const key of 'abcdef') type(long(key))
  expect([...checked]).toEqual(['a'])
  await expect.poll(() => [...checked]).toEqual(['a', 'f'])
})

test('a short text is checked without a pause', async () => {
  const { type, checked } = typeInto()
  for (const key of 'ab') type(key)
  await expect.poll(() => [...checked]).toEqual(['a', 'b'])
})
