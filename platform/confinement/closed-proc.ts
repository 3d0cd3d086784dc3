import { existsSync } from 'node:fs'

/** What container runtimes hide of /proc, and what only root may read there, which a sandbox of root's may be outside. */
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
 * Bubblewrap's options for a /proc of the sandbox's own in which nothing can be written. Bubblewrap itself only looks
 * whether the folder /proc/sys could be written, which nobody can, and leaves its files to whoever is root outside.
 */
export const closedProc = () =>
  [
    ['--proc', '/proc'],
    ...present(hiddenFiles).map((path) => ['--ro-bind', '/dev/null', path]),
    ...present(hiddenFolders).map((path) => ['--tmpfs', path, '--remount-ro', path]),
    ['--remount-ro', '/proc'],
  ].flat()
