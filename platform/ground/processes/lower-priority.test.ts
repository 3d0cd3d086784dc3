import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'

import { expect, test } from 'vitest'

const module = new URL('lower-priority.ts', import.meta.url).href

/** The niceness of a process that starts with `started` more than ours, and then asks for `wanted`. */
function nicenessAfter(started: number, wanted: number) {
  const script = `import { getPriority } from 'node:os'
    const { lowerPriority } = await import(${JSON.stringify(module)})
    lowerPriority(${wanted})
    console.log(getPriority())`
  const words = ['-n', `${started}`, process.execPath, '--input-type=module', '--eval', script]
  return Number(execFileSync('nice', words, { encoding: 'utf8' }))
}

test('a process gets its niceness, and one that started with a higher one keeps that', () => {
  const ours = getPriority()
  expect(nicenessAfter(0, ours + 2)).toBe(ours + 2)
  expect(nicenessAfter(4, ours + 2)).toBe(ours + 4)
})
