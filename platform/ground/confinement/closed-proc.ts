import { existsSync } from 'node:fs'

/**
 * The parts of /proc that container runtimes hide, or that only root may read, as the user of a sandbox may be root
 * outside.
 */
const hiddenFiles = [
  'interrupts',
  'iomem',
  'ioports',
  'kcore',
  'key-users',
  'keys',
  'kmsg',
  'kpagecgroup',
  'kpagecount',
  'kpageflags',
  'latency_stats',
  'mtrr',
  'pagetypeinfo',
  'sched_debug',
  'slabinfo',
  'sysrq-trigger',
  'timer_list',
  'timer_stats',
  'vmallocinfo',
]
const hiddenFolders = ['acpi', 'asound', 'bus', 'driver', 'fs', 'irq', 'scsi']

const present = (names: readonly string[]) => names.map((name) => `/proc/${name}`).filter((path) => existsSync(path))

/**
 * Bubblewrap's options for a separate, read-only /proc in the sandbox. Bubblewrap itself only checks whether the folder
 * /proc/sys is writable, which it never is, and leaves its files writable for a user who is root outside.
 */
export const closedProc = () =>
  [
    ['--proc', '/proc'],
    ...present(hiddenFiles).map((path) => ['--ro-bind', '/dev/null', path]),
    ...present(hiddenFolders).map((path) => ['--tmpfs', path, '--remount-ro', path]),
    ['--remount-ro', '/proc'],
  ].flat()
