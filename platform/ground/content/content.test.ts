import { expect, test } from 'vitest'
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
