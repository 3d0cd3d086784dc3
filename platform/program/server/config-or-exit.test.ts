import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

test.each(['../../main.ts', '../cli/main.ts'])(
  '%s says which setting is invalid, and nothing else',
  (file) => {
    const env = { ...process.env, PLATFORM_PORT: 'abc', NODE_OPTIONS: '' }
    const program = fileURLToPath(new URL(file, import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, 'Invalid settings:\n`PLATFORM_PORT` must be a number\n'])
  },
  60_000,
)
