import type { Masker } from '#platform/secrets/masking/masker.ts'
import type { MaskStream } from '#platform/secrets/masking/mask-stream.ts'
import type { Sandbox, SandboxCommand } from './sandbox.ts'

/**
 * Wraps a sandbox so that all output passes through a masker. Readers of the output never see a secret or a part of
 * one.
 */
export const maskOutput = (sandbox: Sandbox, masker: Masker): Sandbox => ({
  ...sandbox,
  async spawn(command) {
    const stdout = masker.stream()
    const stderr = masker.stream()
    const end = await sandbox.spawn({
      ...command,
      onStdout: (chunk) => pass(stdout.push(chunk), command.onStdout),
      onStderr: (chunk) => pass(stderr.push(chunk), command.onStderr),
    })
    await passRest(stdout, command.onStdout)
    await passRest(stderr, command.onStderr)
    return { ...end, couldNotStart: end.couldNotStart === null ? null : masker.text(end.couldNotStart) }
  },
})

type Reader = SandboxCommand['onStdout']

const pass = (bytes: Uint8Array, read: Reader) => (bytes.byteLength > 0 ? read?.(bytes) : undefined)

const passRest = async (stream: MaskStream, read: Reader) => pass(stream.end(), read)
