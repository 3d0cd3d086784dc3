import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'

import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

import { measured } from '#tools/processor-time.ts'

import { type ContentJob, ContentLost, ContentStopped } from './content-job.ts'
import { askContent, openContent } from './content-pool.ts'
import { startContentProcess } from './content-process.ts'

/** A job whose module is the source text itself. */
const jobOf = (source: string, processorSeconds = 20): ContentJob<string, string, string> => ({
  module: new URL(`data:text/javascript,${encodeURIComponent(`export const open = (start) => ${source}`)}`),
  answer: z.string(),
  processorSeconds,
})
const echo = jobOf('(request) => start + request')

test('a session keeps its state, answers in order, and reports an error with its message', async () => {
  const counting = openContent(
    jobOf(
      `{ let said = start; return (word) => { if (word === 'no') throw new Error('not that'); return said += word } }`,
    ),
    'a',
  )
  const answers = [counting.ask('b'), counting.ask('no').catch((error: Error) => error.message), counting.ask('c')]
  expect(await Promise.all(answers)).toEqual(['ab', 'not that', 'abc'])
  counting.close()
})

test('a failure that a library loses while it works does not end the process', async () => {
  const losing = `async (word) => { void Promise.reject(new Error('lost')); await new Promise((go) => setImmediate(() => setImmediate(go))); return word }`
  expect(await askContent('', jobOf(losing), '', 'still here')).toBe('still here')
})

test('a job that never ends is killed for its processor time, and a session beside it goes on', async () => {
  const beside = openContent(echo, 'still ')
  const endless = askContent('', jobOf('() => { for (;;) {} }', 0.5), '', '')
  await expect(endless).rejects.toThrow('it needs more than 0.5 s of processor time')
  await expect(endless).rejects.toBeInstanceOf(ContentStopped)
  expect(await beside.ask('here')).toBe('still here')
  beside.close()
})

test('many short requests of one session share its processor time', measured, async () => {
  const busy = openContent(
    jobOf(`() => { const end = process.cpuUsage().user + 2e5; while (process.cpuUsage().user < end); return '' }`, 0.5),
    '',
  )
  const ask = async () => {
    for (let count = 0; count < 20; count += 1) await busy.ask('')
  }
  await expect(ask()).rejects.toThrow('processor time')
  busy.close()
})

test.each([
  ['of its heap', 'new Array(2e6).fill(0.5)'],
  ['outside of its heap', 'Buffer.alloc(3e7, 1)'],
])('a job that needs too much memory %s is ended, and this process is not', async (_, piece) => {
  const small = startContentProcess({ heapMb: 64, residentMb: 250 })
  await small.open(jobOf(`() => { const all = []; for (;;) all.push(${piece}) }`).module, '', 60)
  await expect(small.ask('')).rejects.toThrow('it needs more than 64 MiB of memory')
})

test('long jobs leave processes that wait to short ones', async () => {
  vi.resetModules()
  const { askContent, openContent } = await import('./content-pool.ts')
  const pidJob = jobOf('() => String(process.pid)')
  const openFour = () => Array.from({ length: 4 }, () => openContent(pidJob, ''))
  const pidsOf = (sessions: ReturnType<typeof openFour>) => Promise.all(sessions.map(({ ask }) => ask('')))
  const first = openFour()
  const waiting = await pidsOf(first)
  for (const { close } of first) close()
  const long = openFour()
  onTestFinished(() => long.forEach(({ close }) => close()))
  const taken = (await pidsOf(long)).filter((pid) => waiting.includes(pid))
  const left = waiting.filter((pid) => !taken.includes(pid))
  expect([taken.length, left.length]).toEqual([2, 2])
  expect(left).toContain(await askContent('', pidJob, '', ''))
})

test('large values arrive whole, in both directions', async () => {
  const large = 'wide ⅔ '.repeat(1_000_000)
  const two = await Promise.all([askContent('', echo, '1', large), askContent('', echo, '2', large)])
  expect(two.map((value, index) => value === `${index + 1}${large}`)).toEqual([true, true])
})

test.for([
  ['no value', 'Buffer.from([3, 0, 0, 0, 1, 2, 3])'],
  ['a value without end', 'Buffer.from([0xff, 0xff, 0xff, 0xff])'],
  ['no answer', 'Buffer.from([3, 0, 0, 0, 0xff, 0x0f, 0x30])'],
])('a process that writes %s to its connection is ended, and this one is not', async ([, bytes]) => {
  const breaking = jobOf(`async () => {
    process.getBuiltinModule('fs').writeSync(0, ${bytes})
    await new Promise(() => {})
  }`)
  const asked = askContent('', breaking, '', '')
  await expect(asked).rejects.toThrow('its answer cannot be read')
  await expect(asked).rejects.toBeInstanceOf(ContentLost)
})

test('a program ends beside a process that waits for its next job, and that process with it', async () => {
  const program = `
    import { askContent } from '${import.meta.dirname}/content-pool.ts'
    const module = new URL('data:text/javascript,export const open = () => () => process.pid')
    const answer = { parse: (value) => value }
    console.log(await askContent('', { module, answer, processorSeconds: 20 }, '', ''))`
  const run = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [pid, exitCode] = await Promise.all([text(run.stdout), once(run, 'exit').then(([code]) => code)])
  expect(exitCode).toBe(0)
  await expect.poll(() => existsSync(`/proc/${pid.trim()}`)).toBe(false)
})

test('an answer of another shape is refused', async () => {
  await expect(askContent('', jobOf('() => 1'), '', '')).rejects.toThrow('invalid_type')
})

test('a process that ends by itself is lost, which is no fault of its job', async () => {
  await expect(askContent('', jobOf(`() => process.exit(3)`), '', '')).rejects.toBeInstanceOf(ContentLost)
})

test('closing a session that is busy kills its process', async () => {
  const endless = openContent(jobOf('() => { for (;;) {} }'), '')
  const asked = endless.ask('')
  endless.close()
  await expect(asked).rejects.toThrow('it was canceled')
})
