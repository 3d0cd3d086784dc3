import { argumentsFd, mountPoints, type Mounts } from './bubblewrap-arguments.ts'
import { tidyingCommand, withOuterLimits } from './image-root.ts'
import { type ProcessLimits, withLimits } from './limits.ts'
import type { SandboxCommand } from './sandbox.ts'
import { overlayCommand, stagedMounts } from './staging.ts'
import { unprivilegedCommand } from './unprivileged.ts'

type Launch = { mounts: Mounts; limits: ProcessLimits | undefined; isUnprivileged: boolean }

/** Returns the command line that starts bubblewrap for a command, and where bubblewrap finds the mounts. */
export async function launchCommand({ argv, root, names }: SandboxCommand, { mounts, limits, isUnprivileged }: Launch) {
  const bubblewrap = (program: readonly string[]) => ['bwrap', '--args', String(argumentsFd), '--', ...program]
  const found = isUnprivileged || root?.kind === 'overlay' ? stagedMounts(mounts) : mounts
  const place = (name: string) => found.get(name) ?? ''
  const program = root
    ? tidyingCommand(
        withOuterLimits(bubblewrap(argv), limits, isUnprivileged),
        { root: place('root'), workspace: place('workspace'), home: place('home') },
        { folders: root.inside, others: mountPoints, hasNames: names !== undefined },
      )
    : bubblewrap(withLimits(argv, limits))
  if (isUnprivileged) return { argv: await unprivilegedCommand(program, mounts), mounts: found }
  return { argv: root?.kind === 'overlay' ? overlayCommand(program, mounts) : program, mounts: found }
}
