import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const root = new URL('../../../', import.meta.url)

/** Prints the address of every module that a program loads. */
const printLoaded = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  registerHooks({ load: (url, context, next) => (writeSync(2, url + '\\n'), next(url, context)) })`)}`

test('an operator’s command loads neither a database nor an engine before it knows that no service is running', async () => {
  const { stderr } = await run(process.execPath, ['--import', printLoaded, 'platform/program/cli/main.ts', '--help'], {
    cwd: root,
  })
  expect(stderr).toContain('platform/program/cli/call-operator.ts')
  for (const heavy of ['drizzle-orm', 'pglite', 'chdb', '/pg/', 'fastify', 'build-platform.ts'])
    expect(stderr).not.toContain(heavy)
})
