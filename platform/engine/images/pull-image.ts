import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { ImageReference } from '#contract/image-reference.ts'
import type { EgressSettings } from '#platform/ground/egress/egress-settings.ts'
import { createTail } from '#platform/engine/sandbox/output-tail.ts'
import type { RunFolders } from '#platform/engine/sandbox/sandbox.ts'
import { RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { type ImageConfig, readLayout } from './image-config.ts'
import { openRegistryNetwork } from './registry-network.ts'
import { finishImage, finishingScript, makeToolFolders, runTool, type Workshop } from './image-tools.ts'

/** `password`: "user:password" of the registry. `isInsecure`: the registry may use unencrypted HTTP. */
export type PullSource = {
  reference: ImageReference
  password: string | null
  isInsecure: boolean
  egress: EgressSettings
}

const manifestBytes = 4 * 1024 * 1024
const resolveTimeoutMs = 60_000
const pullTimeoutMs = 1_800_000

/**
 * Returns the digest that the reference has now. Also asks the registry for a reference with a digest: a private image
 * in the cache is only for those who may pull it.
 */
export async function resolveDigest(source: PullSource, place: Workshop): Promise<string> {
  const folders = await makeToolFolders(place)
  const { registry, repository, tag, digest } = source.reference
  const options = ['--insecure-policy', 'inspect', '--raw', ...(await accessOptions(source, folders, ''))]
  const network = networkOf(source)
  const manifest: Buffer[] = []
  let bytes = 0
  await runTool(place, folders, {
    argv: ['skopeo', ...options, `docker://${registry}/${repository}${digest === null ? `:${tag}` : `@${digest}`}`],
    timeoutMs: resolveTimeoutMs,
    network,
    onStdout: (chunk) => {
      bytes += chunk.byteLength
      if (bytes <= manifestBytes) manifest.push(Buffer.from(chunk))
    },
  }).finally(network.close)
  if (bytes > manifestBytes) throw new RunFailure('its manifest is larger than 4 MiB')
  return `sha256:${createHash('sha256').update(Buffer.concat(manifest)).digest('hex')}`
}

export type PulledLayers = { folders: RunFolders; digest: string; config: ImageConfig; estimatedKb: number }

/** Pulls the layers of the image with this digest. */
export async function pullLayers(source: PullSource, digest: string, place: Workshop): Promise<PulledLayers> {
  const folders = await makeToolFolders(place)
  const { registry, repository } = source.reference
  const network = networkOf(source)
  await runTool(place, folders, {
    argv: [
      'skopeo',
      '--insecure-policy',
      'copy',
      '--quiet',
      ...(await accessOptions(source, folders, 'src-')),
      `docker://${registry}/${repository}@${digest}`,
      'oci:layout:image',
    ],
    timeoutMs: pullTimeoutMs,
    network,
  }).finally(network.close)
  return { folders, digest, ...(await readLayout(join(folders.workspace, 'layout'))) }
}

/** Unpacks pulled layers. Returns the folder of the finished image. */
export async function unpackLayers({ folders, digest, config }: PulledLayers, place: Workshop): Promise<string> {
  const printed = createTail()
  const argv = ['sh', '-c', unpackScript]
  await runTool(place, folders, { tool: 'umoci', argv, timeoutMs: pullTimeoutMs, onStdout: printed.push })
  const kilobytes = Number(printed.text())
  return finishImage(place.folder, { root: join(folders.workspace, 'root'), digest, kilobytes, config })
}

const unpackScript = `
umoci raw unpack --rootless --image layout:image root >/dev/null || exit 1
rm -rf layout
cd root || exit 1
${finishingScript}`

const networkOf = ({ reference, isInsecure, egress }: PullSource) =>
  openRegistryNetwork(reference.registry, { isNamed: isInsecure, egress })

async function accessOptions({ reference, password, isInsecure }: PullSource, folders: RunFolders, prefix: string) {
  const insecure = isInsecure ? [`--${prefix}tls-verify=false`] : []
  if (password === null) return insecure
  // A file, because every user can see a command line in the process list.
  const auths = { [reference.registry]: { auth: Buffer.from(password).toString('base64') } }
  await writeFile(join(folders.home, 'auth.json'), JSON.stringify({ auths }), { mode: 0o644 })
  return [...insecure, '--authfile', '/home/agent/auth.json']
}
