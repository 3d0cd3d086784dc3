import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { serverFile } from '#tools/build-servers.mjs'
import { openCommands } from './operator-commands.ts'
import { responds, supervise } from './supervised.ts'

/** The real program on one machine, as `npm start` starts it: a platform with its own databases and workers, and a BFF. */
export async function startEmbedded({ folder, name, port }: { folder: string; name: string; port: number }) {
  const dataFolder = join(folder, name)
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const environment = {
    DATA_DIR: dataFolder,
    PLATFORM_PORT: `${port + 1}`,
    PLATFORM_URL: `http://127.0.0.1:${port + 1}`,
    PORT: `${port}`,
    WORKER_SLOTS: '4',
    ASSAY_DEMO: 'off',
    LOG_LEVEL: 'error',
  }
  const logFile = join(folder, `${name}.log`)
  const start = (program: 'platform' | 'BFF', file: string, at: number) =>
    supervise({ name: program, args: [file], environment, logFile, isReady: () => responds(at) })
  const platform = start('platform', await serverFile('platform'), port + 1)
  await platform.untilReady()
  const bff = start('BFF', await serverFile('BFF'), port)
  await bff.untilReady()
  return {
    dataFolder,
    url: `http://127.0.0.1:${port}`,
    command: openCommands(dataFolder, port + 1),
    programs: [platform, bff],
    async stop() {
      await bff.stop()
      await platform.stop()
    },
  }
}

/** Runs `assay` in a process of its own, as an operator does. Returns what it printed. */
export async function runAssay(dataFolder: string, ...args: readonly string[]) {
  const environment = { ...process.env, DATA_DIR: dataFolder, LOG_LEVEL: 'error' }
  const { stdout } = await promisify(execFile)(process.execPath, [await serverFile('assay'), ...args], {
    env: environment,
  })
  return stdout.trim()
}
