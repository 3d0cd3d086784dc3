import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { boundedLog } from './bounded-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const [info, error] = [30, 50]
const refusal = Object.assign(new Error('too many'), { code: 'unavailable' })

function openLog() {
  const lines: unknown[][] = []
  const log = boundedLog(3)
  return {
    lines,
    write: (level: number, ...line: unknown[]) => log.call({}, line, (...written) => void lines.push(written), level),
  }
}

test('a flood of equal errors writes a few lines a minute and then how many were skipped', () => {
  const { lines, write } = openLog()
  for (let count = 0; count < 1000; count += 1) write(error, { err: refusal }, 'request failed')
  expect(lines).toHaveLength(3)
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(3)).toEqual([[{ skipped: 997 }, 'request failed (lines skipped in one minute)']])
  write(error, { err: refusal }, 'request failed')
  expect(lines).toHaveLength(5)
})

test('a flood hides no error of another kind', () => {
  const { lines, write } = openLog()
  for (let count = 0; count < 1000; count += 1) write(error, { err: refusal }, 'request failed')
  write(error, { err: new TypeError('a fault') }, 'request failed')
  expect(lines).toHaveLength(4)
})

test('kinds without end are bounded together', () => {
  const { lines, write } = openLog()
  for (let count = 0; count < 5000; count += 1) write(error, `message ${count}`)
  expect(lines.length).toBeLessThan(210)
})

test('lines below warnings are always written, because the operator asked for them', () => {
  const { lines, write } = openLog()
  for (let count = 0; count < 100; count += 1) write(info, 'request completed')
  expect(lines).toHaveLength(100)
})
