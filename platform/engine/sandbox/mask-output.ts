import { maskApart, type MaskRequest } from '#platform/inputs/secrets/masking/mask-apart.ts'
import type { Masker } from '#platform/inputs/secrets/masking/masker.ts'
import type { Sandbox, SandboxCommand } from './sandbox.ts'

/**
 * Wraps a sandbox so that all output is masked in a content process, except the stdout of a command whose reader masks it
 * itself. Readers of the output never see a secret or a part of one.
 */
export const maskOutput = (sandbox: Sandbox, masker: Masker): Sandbox =>
  masker.secrets.length === 0
    ? sandbox
    : {
        ...sandbox,
        async spawn(command) {
          const masking = maskApart(masker.secrets)
          const pass = async (request: MaskRequest) => {
            const bytes = await masking.push(request)
            if (bytes.byteLength > 0) await readersOf(command)[request.from]?.(bytes)
          }
          try {
            const end = await sandbox.spawn({
              ...command,
              onStdout: command.masksStdout ? command.onStdout : (chunk) => pass({ from: 'stdout', chunk }),
              onStderr: (chunk) => pass({ from: 'stderr', chunk }),
            })
            if (!command.masksStdout) await pass({ from: 'stdout', chunk: null })
            await pass({ from: 'stderr', chunk: null })
            return { ...end, couldNotStart: end.couldNotStart === null ? null : masker.text(end.couldNotStart) }
          } finally {
            masking.close()
          }
        },
      }

const readersOf = ({ onStdout, onStderr }: SandboxCommand) => ({ stdout: onStdout, stderr: onStderr })
