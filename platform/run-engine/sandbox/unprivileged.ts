import { randomInt } from 'node:crypto'
import { stat } from 'node:fs/promises'

import type { Mounts } from './bubblewrap-arguments.ts'

/**
 * User ids that Linux distributions and systemd leave unused. Each workspace has its own, so that runs do not share
 * one.
 */
const [firstUser, userCount] = [60_600, 400]

/** A mount point inside the launcher's own mount namespace. A sandbox needs none of the real content of /sys. */
const stage = '/sys'

const script = `
set -e
mount -t tmpfs -o size=64k,mode=755 assay ${stage}
user=$1
service=$2
shift 2
while [ "$1" != -- ]; do
  mkdir "${stage}/$1"
  mount --bind "$2" "${stage}/$1"
  shift 2
done
shift
chown -Rh --from=0:0 "$user:$user" ${stage}/workspace ${stage}/home
# Bubblewrap dies with its parent, but does not see when that died before.
read -r _ _ _ parent _ < /proc/$$/stat
[ "$parent" = "$service" ]
exec setpriv --reuid "$user" --regid "$user" --clear-groups --inh-caps=-all --bounding-set=-all -- "$@"`

/** The paths where the launched program finds its folders, by name. */
export const stagedMounts = (mounts: Mounts): Mounts =>
  new Map(Array.from(mounts.keys(), (name) => [name, `${stage}/${name}`]))

/**
 * Returns the command line that drops root and then runs `program`. The unprivileged user cannot pass through the
 * parents of its folders, so root first binds the folders elsewhere. Files of root in `workspace` and `home` become the
 * user's.
 */
export async function unprivilegedCommand(program: readonly string[], mounts: Mounts) {
  const owner = await stat(mounts.get('workspace') ?? '/').then(
    ({ uid }) => uid,
    () => 0,
  )
  const user = owner === 0 ? firstUser + randomInt(userCount) : owner
  const pairs = Array.from(mounts).flat()
  return ['unshare', '--mount', '--propagation', 'private', '--'].concat(
    ['sh', '-c', script, 'sh', String(user), String(process.pid)],
    pairs,
    '--',
    program,
  )
}
