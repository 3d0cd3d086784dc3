import { join } from 'node:path'

import { resolverSettings } from '#platform/egress/named-hosts.ts'
import type { ProcessLimits } from './limits.ts'
import { prlimit } from './limits.ts'
import type { ImageRoot, RunFolders } from './sandbox.ts'

/** The PATH of a container whose image sets none. */
const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Where a sandbox with an image's root also mounts its workspace, so that a later service recognizes its processes. */
export const workspaceMark = '/dev/assay'

export const imageMounts = ({ kind, image, layer }: ImageRoot): [name: string, path: string][] =>
  kind === 'copy'
    ? [['root', join(layer, 'root')]]
    : [
        ['image', image],
        ['layer', layer],
      ]

/** The image's programs come before ours: its Node may differ from the platform's on purpose. */
export const variablesOfImage = ({ env }: ImageRoot, ourFolders: readonly string[]) => ({
  ...env,
  PATH: [env['PATH'] || usualPath, ...ourFolders].join(':'),
})

/**
 * Makes every mount point a real folder. A run may leave a link in its place, and bubblewrap would follow it out of the
 * root. Then writes the resolver's settings, if there are any. No process of the run is alive meanwhile.
 */
const tidyScript = `
while [ "$1" != -- ]; do
  path=$1
  rest=$2/
  shift 2
  while [ -n "$rest" ]; do
    part=\${rest%%/*}
    rest=\${rest#*/}
    [ -n "$part" ] || continue
    path=$path/$part
    if [ -L "$path" ] || { [ -e "$path" ] && [ ! -d "$path" ]; }; then rm -f -- "$path"; fi
    [ -d "$path" ] || mkdir -- "$path" || exit 1
  done
done
shift
if [ -n "$1" ]; then
  rm -rf -- "$2/etc/resolv.conf"
  printf %s "$1" > "$2/etc/resolv.conf"
fi 2> /dev/null
shift 2
exec "$@"`

/** The folders of the host that contain the root and the run's own folders. */
type Places = { root: string } & RunFolders

type Inside = { folders: RunFolders; others: readonly string[]; hasNames: boolean }

export function tidyingCommand(
  program: readonly string[],
  places: Places,
  { folders: { workspace, home }, others, hasNames }: Inside,
) {
  const below = (parent: string, path: string) => path.startsWith(`${parent}/`)
  const points = [
    ...[...others, ...(hasNames ? ['/etc'] : []), workspace, home].map((path) => [places.root, path]),
    ...(below(workspace, home) ? [[places.workspace, home.slice(workspace.length)]] : []),
    ...(below(home, workspace) ? [[places.home, workspace.slice(home.length)]] : []),
  ]
  const resolver = [hasNames ? resolverSettings : '', places.root]
  return ['/bin/sh', '-c', tidyScript, 'sh', ...points.flat(), '--', ...resolver, ...program]
}

/** Runs of images share one user on the host, and the kernel counts the processes of a user. */
const runsOfOneUser = 64

/** The limits of a command whose image may have no program to set them, set before the sandbox starts. */
export function withOuterLimits(program: readonly string[], limits: ProcessLimits | undefined, ownsUser: boolean) {
  if (!limits || !prlimit) return program
  const settings = [
    ...(limits.memoryMb > 0 ? [`--data=${limits.memoryMb * 1024 ** 2}`] : []),
    ...(limits.processes > 0 && ownsUser ? [`--nproc=${limits.processes * runsOfOneUser}`] : []),
    ...(limits.diskMb > 0 ? [`--fsize=${limits.diskMb * 1024 ** 2}`] : []),
  ]
  return settings.length === 0 ? program : [prlimit, ...settings, '--', ...program]
}
