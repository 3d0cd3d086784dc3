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

/** Prints the modules of Node that a program has loaded when it ends. */
const printLoaded = `data:text/javascript,process.on('exit', () => console.log(process.moduleLoadList.join()))`

test.each(['platform', 'BFF'] as const)('the %s loads without the fetch of Node', async (name) => {
  const file = await serverFile(name)
  const env = { ...process.env, PORT: 'none', PLATFORM_PORT: 'none' }
  const refused = run(process.execPath, ['--import', printLoaded, file], { env, maxBuffer: 2 ** 24 })
  const { stdout, stderr } = await refused.catch((error: { stdout: string; stderr: string }) => error)
  expect(stderr).toContain('PORT')
  expect(stdout).toContain('NativeModule')
  expect(stdout).not.toContain('deps/undici')
})
