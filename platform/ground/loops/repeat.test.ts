import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { repeat } from './repeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const workOf = (run: (stopping: AbortSignal) => Promise<unknown>) => ({
  run: vi.fn<typeof run>(run),
  fault: 'It failed',
})
const done = () => Promise.resolve()

/** A work that lasts until `end` is called. */
function longWork() {
  const ends: (() => void)[] = []
  const work = workOf(() => new Promise<void>((resolve) => ends.push(resolve)))
  return { work, end: () => ends.shift()?.() }
}

test('a pass begins after a pause, and the next one after the one before it has ended', async () => {
  const { work, end } = longWork()
  const loop = repeat({ everyMs: 1000, works: [work] })
  await pass(999)
  expect(work.run).toHaveBeenCalledTimes(0)
  await pass(1)
  expect(work.run).toHaveBeenCalledTimes(1)
  await pass(5000)
  expect(work.run).toHaveBeenCalledTimes(1)
  end()
  await pass(999)
  expect(work.run).toHaveBeenCalledTimes(1)
  await pass(1)
  expect(work.run).toHaveBeenCalledTimes(2)
  end()
  await loop.stop()
})

test('it does not wait before the first pass where it shall not', async () => {
  const work = workOf(done)
  const loop = repeat({ everyMs: 1000, firstMs: 0, works: [work] })
  await pass(0)
  expect(work.run).toHaveBeenCalledTimes(1)
  await loop.stop()
})

test('a pass whose work has more to do is followed by the next one without a pause', async () => {
  const answers = [true, true, false]
  const work = workOf(async () => answers.shift())
  const loop = repeat({ everyMs: 1000, works: [work] })
  await pass(1010)
  expect(work.run).toHaveBeenCalledTimes(3)
  await loop.stop()
})

test('a fault keeps no other work from being done, is logged, and the next pass tries again after its own pause', async () => {
  const onFault = vi.fn<(error: unknown, fault: string) => void>()
  const failing = workOf(() => Promise.reject(new Error('no')))
  const other = workOf(async () => true)
  const loop = repeat({ everyMs: 1000, afterFaultMs: 10_000, works: [failing, other], onFault })
  await pass(1000)
  expect([failing.run, other.run].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  expect(onFault.mock.calls).toEqual([[new Error('no'), 'It failed']])
  await pass(9999)
  expect(failing.run).toHaveBeenCalledTimes(1)
  await pass(1)
  expect(failing.run).toHaveBeenCalledTimes(2)
  await loop.stop()
})

test('a call ends the pause, and one during a pass begins another pass', async () => {
  const { work, end } = longWork()
  const loop = repeat({ everyMs: 60_000, works: [work] })
  await pass(0)
  loop.wake()
  await pass(0)
  expect(work.run).toHaveBeenCalledTimes(1)
  loop.wake()
  loop.wake()
  end()
  await pass(0)
  expect(work.run).toHaveBeenCalledTimes(2)
  end()
  await pass(59_999)
  expect(work.run).toHaveBeenCalledTimes(2)
  await loop.stop()
})

test('a stop tells the work in progress, waits for it, and begins no other', async () => {
  const { work, end } = longWork()
  const next = workOf(done)
  const loop = repeat({ everyMs: 1000, works: [work, next] })
  await pass(1000)
  let isStopped = false
  const stopped = loop.stop().then(() => (isStopped = true))
  await pass(0)
  expect([isStopped, work.run.mock.calls[0]?.[0].aborted]).toEqual([false, true])
  end()
  await stopped
  await pass(5000)
  expect(next.run).not.toHaveBeenCalled()
})

test('a stop during a pause ends at once', async () => {
  const work = workOf(done)
  await repeat({ everyMs: 60_000, works: [work] }).stop()
  expect(work.run).not.toHaveBeenCalled()
})
