import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

const run = promisify(execFile)

/** The machine's own Node, where it is the oldest that the package supports. */
const oldest = '/usr/bin/node'

test('the package starts in Node 20, which lacks names that newer ones export', async ({ skip }) => {
  const version = await run(oldest, ['--version']).then(
    ({ stdout }) => stdout,
    () => 'none',
  )
  if (!version.startsWith('v20.')) skip(`${oldest} is not Node 20 but ${version.trim()}`)
  const folder = await mkdtemp(join(tmpdir(), 'assay-package-'))
  await run(process.execPath, ['tools/build-client.mjs', join(folder, 'package')])
  const assay = (...words: string[]) =>
    run(oldest, [join(folder, 'package/assay.mjs'), ...words], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, ASSAY_URL: 'http://127.0.0.1:1', ASSAY_API_KEY: 'assay_none' },
    })
  await assay('init')
  expect((await assay('check')).stdout).toContain('experiment.yaml is valid: word-count, 2 variants')
  await expect(assay('whoami')).rejects.toMatchObject({
    code: 3,
    stderr: expect.stringContaining('could not be reached'),
  })
})
