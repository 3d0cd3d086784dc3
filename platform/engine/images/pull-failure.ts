import type { InfrastructureCause } from '#contract/infrastructure.ts'
import type { CommandEnd } from '#platform/engine/sandbox/sandbox.ts'
import { InfrastructureFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'

/**
 * The reasons of skopeo and registries, the sentence for each, and the cause if the definition has made no mistake. The
 * tools give no codes, so this is the one place that reads their words.
 */
const sentences: [pattern: RegExp, sentence: string, cause?: InfrastructureCause][] = [
  [
    /status(?: code)?:? 5\d\d|HTTP 5\d\d|internal server error|bad gateway|service unavailable|gateway time-?out/i,
    'the registry failed',
    'image_pull',
  ],
  [
    /manifest unknown|name unknown|not found|repository name not known|status(?: code)? 404|\b404\b/i,
    'the registry has no such image',
  ],
  [
    /unauthorized|authentication required|access to the resource is denied|denied|forbidden|invalid username|no basic auth|\b40[13]\b/i,
    'the registry denies access to it: check the name; a private image needs imageAuth, a private base image needs build.imageAuth',
  ],
  [
    /toomanyrequests|too many requests|\b429\b/i,
    'the registry limits how often images may be pulled: try again later, or sign in with imageAuth (build.imageAuth for a base image)',
    'image_pull',
  ],
  [
    /no image found in (?:manifest list|image index)|no match for platform|no matching manifest/i,
    'the registry has it, but not for the architecture of this worker',
  ],
  [
    /server gave HTTP response to HTTPS client/i,
    'the registry supports only unencrypted HTTP: ask the operator to add it to INSECURE_REGISTRIES',
  ],
  [/x509|certificate/i, 'the registry’s certificate is not trusted'],
  [/no such host/i, 'the name of the registry is unknown'],
  [/server misbehaving|lookup .* on/i, 'the name servers of the worker do not answer', 'image_pull'],
  [
    /connection refused|i\/o timeout|timeout|unreachable|connection reset|\bEOF\b/i,
    'the registry cannot be reached; if its address is private, the operator must allow it (EGRESS_ALLOW, INSECURE_REGISTRIES)',
    'image_pull',
  ],
  [/no space left/i, 'the disk of the worker is full', 'disk_full'],
  [/digest|does not match/i, 'the registry sent content that does not match the digest'],
]

/** What a file system says to any tool. */
const ofDisk = /no space left/i

const maxCharacters = 300

/** Returns why a tool did not get or unpack an image, in one sentence. */
export function pullFailure(tool: string, end: CommandEnd, said: string): RunFailure {
  if (end.couldNotStart !== null) return couldNotStart(tool, end)
  if (end.timedOut) return new InfrastructureFailure(`${tool} did not finish in time`, 'image_pull')
  if (end.exceeded !== null) return new RunFailure(`it is larger than a run may be: ${end.exceeded}`)
  const message = lastMessage(said)
  // Only skopeo asks a registry: "permission denied" of another tool is about a file.
  const known = tool === 'skopeo' || ofDisk.test(message) ? failureFor(message) : null
  return known ?? new RunFailure(`${tool} failed: ${message || `exit code ${end.exitCode}`}`)
}

function couldNotStart(tool: string, { couldNotStart: why, isSandboxFault }: CommandEnd) {
  if (isSandboxFault) return new InfrastructureFailure(`${tool} could not start: ${why}`, 'sandbox')
  const reason = `images need skopeo and umoci on the worker’s machine, and ${tool} could not start: ${why}`
  return new InfrastructureFailure(reason, 'image_pull', { isTransient: false })
}

/** Returns the failure for a message of a registry or of the program that asked it, or null for an unknown one. */
export function failureFor(message: string): RunFailure | null {
  const known = sentences.find(([pattern]) => pattern.test(message))
  if (!known) return null
  const [, sentence, cause] = known
  return cause ? new InfrastructureFailure(sentence, cause) : new RunFailure(sentence)
}

/** Both tools write log lines with the reason in `msg`, or plain lines. */
function lastMessage(said: string) {
  const line = said.trim().split('\n').at(-1) ?? ''
  const message = /msg="((?:[^"\\]|\\.)*)"/.exec(line)?.[1]?.replaceAll('\\"', '"') ?? line
  return message.slice(0, maxCharacters)
}
