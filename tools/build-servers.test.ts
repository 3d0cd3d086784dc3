import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

import { serverFile, serverSource } from './build-servers.mjs'

const run = promisify(execFile)

test('a bundled program prints what its source prints, and is not built twice', async () => {
  const [bundled, again] = await Promise.all([serverFile('assay'), serverFile('assay')])
  expect(bundled).toMatch(/\.mjs$/)
  expect(again).toBe(bundled)
  const [ofBundle, ofSource] = await Promise.all(
    [bundled, serverSource('assay')].map((file) => run(process.execPath, [file, '--help'])),
  )
  expect(ofBundle?.stdout).toContain('assay')
  expect(ofBundle?.stdout).toBe(ofSource?.stdout)
})
