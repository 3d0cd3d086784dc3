// `npm run test:long`: the simulations and walks that `npm test` shortens (`test-length.ts`), at their full length.
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'

import { root } from './installed.mjs'
import { findTestsThatRead } from './find-tests.mjs'

const path = [join(root, 'node_modules/.bin'), join(root, 'node_modules/node/bin'), process.env.PATH].join(delimiter)

function run(program, files, ...flags) {
  if (files.length === 0) return 0
  const env = { ...process.env, PATH: path, TEST_LONG: '1' }
  return spawnSync(program, [...flags, ...files], { cwd: root, env, stdio: 'inherit' }).status ?? 1
}

const tests = findTestsThatRead('TEST_LONG', '{statistics,platform,BFF,src,deploy}/**/*.test.{ts,tsx}')
const stories = findTestsThatRead('TEST_LONG', 'e2e/*.spec.ts')
process.exitCode = run('vitest', tests, 'run') || run('playwright', stories, 'test')
