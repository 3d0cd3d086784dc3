import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const projectFolder = fileURLToPath(new URL('../../..', import.meta.url))

/** `…/node_modules`, wherever npm put the library. */
const modulesFolder = createRequire(import.meta.url)
  .resolve('chdb')
  .replace(/([\\/]node_modules)[\\/].*$/, '$1')

/** Nothing but this of the machine is there inside: programs and libraries, no data and no network. */
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
  // Without it the engine complains that it cannot read how much memory the container may use.
  '/sys/fs/cgroup',
  process.execPath,
  modulesFolder,
  join(projectFolder, 'package.json'),
  join(projectFolder, 'platform', 'analytics'),
]

/** What a statement could write to the machine's memory, were it to get that far. */
const memoryFolderBytes = 64 * 1024 ** 2

/** `isOld`: a bubblewrap before 0.8, which knows neither --disable-userns nor --size. */
const argumentsFor = (folder: string, isOld: boolean, shown: readonly string[] = []) =>
  [
    ['user', 'pid', 'ipc', 'uts', 'net'].map((kind) => `--unshare-${kind}`),
    ['--unshare-cgroup-try', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    isOld ? [] : ['--disable-userns'],
    ['--proc', '/proc', '--dev', '/dev'],
    isOld ? [] : ['--size', String(memoryFolderBytes)],
    ['--tmpfs', '/tmp'],
    [...readOnly, ...shown].flatMap((path) => ['--ro-bind-try', path, path]),
    ['--bind', folder, folder, '--chdir', folder],
    ['--remount-ro', '/dev', '--remount-ro', '/', '--'],
  ].flat()

export type Confinement = {
  /** The command that runs `argv` with one folder of its own; `shown` is what else it may read. */
  confine: (folder: string, argv: readonly string[], shown?: readonly string[]) => readonly string[]
}

const unconfined: Confinement = { confine: (_, argv) => argv }

async function prove(isOld: boolean): Promise<Confinement | null> {
  try {
    const [probed, probe] = [dirname(process.execPath), [process.execPath, '--version']]
    await promisify(execFile)('bwrap', [...argumentsFor(probed, isOld), ...probe], { timeout: 10_000 })
    return { confine: (folder, argv, shown) => ['bwrap', ...argumentsFor(folder, isOld, shown), ...argv] }
  } catch {
    return null
  }
}

let found: Promise<Confinement> | undefined

/**
 * How engine processes are shut in on this machine: by bubblewrap where it works, which is tried once, so that even a
 * statement that got past every check reads and writes one organization's rows and nothing else. Elsewhere they are not.
 */
export function findConfinement(): Promise<Confinement> {
  found ??= prove(false).then(async (strict) => strict ?? (await prove(true)) ?? unconfined)
  return found
}
