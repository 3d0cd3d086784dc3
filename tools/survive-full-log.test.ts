import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'

import { expect, test } from 'vitest'

const preload = new URL('./survive-full-log.mjs', import.meta.url).href

/** Logs in both ways repeatedly. Exits with 0 if neither ends nor blocks the process. */
const talkative = `
  import pino from 'pino'
  const log = pino(process.stdout)
  for (let line = 0; line < 50; line += 1) {
    console.error('a line', line)
    log.error({ err: new Error('another') }, 'failed')
    await new Promise((done) => setImmediate(done))
  }
`

test.skipIf(process.platform !== 'linux')('a process whose log is on a full disk continues and drops the lines', () => {
  const full = openSync('/dev/full', 'w')
  const run = (flags: string[]) =>
    spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', talkative], {
      stdio: ['ignore', full, full],
      timeout: 30_000,
    }).status
  expect(run(['--import', preload])).toBe(0)
  // Without it Node ends. If a newer Node does not, the file can be deleted.
  expect(run([])).not.toBe(0)
})
