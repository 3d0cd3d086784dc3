import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { closedProc } from '#platform/ground/confinement/closed-proc.ts'
import { inProbeFolder } from '#platform/ground/confinement/probe-folder.ts'
import { spawnConfined } from './spawn-confined.ts'

const projectFolder = fileURLToPath(new URL('../../../..', import.meta.url))

/** `…/node_modules`, at the place where npm installed the library. */
const modulesFolder = createRequire(import.meta.url)
  .resolve('chdb')
  .replace(/([\\/]node_modules)[\\/].*$/, '$1')

/** The only parts of the machine that are visible inside: programs and libraries, no data and no network. */
const readOnly = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  // Without it the engine logs that it cannot read the memory limit of the container.
  '/sys/fs/cgroup',
  process.execPath,
  modulesFolder,
  join(projectFolder, 'package.json'),
  join(projectFolder, 'contract', 'sql-tables.ts'),
  join(projectFolder, 'contract', 'wire', 'message-of.ts'),
  join(projectFolder, 'platform', 'analysis', 'analytics'),
  join(projectFolder, 'platform', 'ground', 'processes', 'lower-priority.ts'),
]

/** The size limit of files that a statement could write to the machine's memory if it broke out. */
const memoryFolderBytes = 64 * 1024 ** 2

/** `isOld`: bubblewrap before 0.8, which lacks --disable-userns and --size. */
const argumentsFor = (folder: string, isOld: boolean, shown: readonly string[] = []) =>
  [
    ['user', 'pid', 'ipc', 'uts', 'net'].map((kind) => `--unshare-${kind}`),
    ['--unshare-cgroup-try', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    isOld ? [] : ['--disable-userns'],
    [...closedProc(), '--dev', '/dev'],
    isOld ? [] : ['--size', String(memoryFolderBytes)],
    ['--tmpfs', '/tmp'],
    [...readOnly, ...shown].flatMap((path) => ['--ro-bind-try', path, path]),
    ['--bind', folder, folder, '--chdir', folder],
    ['--remount-ro', '/dev', '--remount-ro', '/', '--'],
  ].flat()

export type Confinement = {
  /** The command that runs `argv` confined to one folder. `shown` lists further readable paths. */
  confine: (folder: string, argv: readonly string[], shown?: readonly string[]) => readonly string[]
  /** The reason why engines run unconfined, which turns users' SQL off; null if they are confined. */
  missing: string | null
}

/** The error message where users' SQL is off. */
export const sqlUnavailableMessage = (missing: string) =>
  `SQL is off: this server cannot confine the analytics engine (${missing}). Install bubblewrap and restart the server, or set CLICKHOUSE_URL. The built-in charts still work.`

const confinementProbe = fileURLToPath(new URL('./confinement-probe.ts', import.meta.url))

const probeMilliseconds = 10_000

/**
 * Runs the probe confined and returns the fault, or null. A start of bubblewrap is no proof, because it may be a stub.
 */
function findFault(isOld: boolean): Promise<string | null> {
  return inProbeFolder(async (hidden) => {
    const [own, secret] = [join(hidden, 'own'), join(hidden, 'secret.txt')]
    await mkdir(own)
    await writeFile(secret, 'secret')
    const probe = [process.execPath, confinementProbe, secret]
    const { stdout, stderr } = await outputOf(['bwrap', ...argumentsFor(own, isOld), ...probe])
    if (existsSync(join(hidden, 'written-by-probe'))) return 'bubblewrap lets programs write outside their folder'
    if (/^confined$/m.test(stdout)) return null
    const said = stdout.trim() || stderr.trim().split('\n')[0]
    return `bubblewrap does not work here${said ? `: ${said}` : ''}`
  }).catch(faultOf)
}

async function outputOf(command: readonly string[]) {
  const child = spawnConfined(command, ['ignore', 'pipe', 'pipe'])
  const timer = setTimeout(() => child.kill('SIGKILL'), probeMilliseconds)
  try {
    const read = (stream: Readable | null) => (stream ? text(stream) : '')
    const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'close')])
    return { stdout, stderr }
  } finally {
    clearTimeout(timer)
  }
}

function faultOf(error: unknown) {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  return isMissing ? 'bubblewrap is not installed' : 'bubblewrap does not work here'
}

/** Like findConfinement, without its cache. */
export async function proveConfinement(): Promise<Confinement> {
  const strict = await findFault(false)
  const missing = strict && (await findFault(true)) && strict
  if (missing) return { confine: (_, argv) => argv, missing }
  const isOld = strict !== null
  return { confine: (folder, argv, shown) => ['bwrap', ...argumentsFor(folder, isOld, shown), ...argv], missing: null }
}

let found: Promise<Confinement> | undefined

/**
 * The confinement of engine processes on this machine: bubblewrap where it works, tested once. Even a statement that
 * passed every check can then read and write only one organization's rows. Without bubblewrap, engines serve only
 * charts and projections: `missing` keeps users' statements out.
 */
export function findConfinement(): Promise<Confinement> {
  found ??= proveConfinement()
  return found
}
