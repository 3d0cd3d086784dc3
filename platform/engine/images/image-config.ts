import { open } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { RunFailure } from '#platform/queue/run-queue/run-failure.ts'

const Descriptor = z.object({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/) })
const Index = z.object({ manifests: z.array(Descriptor).min(1) })
const Layer = Descriptor.extend({ mediaType: z.string().default(''), size: z.number().min(0).default(0) })
const Manifest = z.object({ config: Descriptor, layers: z.array(Layer).default([]) })

/** Docker writes null for an absent list or text. */
export const WrittenConfig = z.object({
  Env: z.array(z.string()).nullish(),
  User: z.string().nullish(),
  WorkingDir: z.string().nullish(),
  Entrypoint: z.array(z.string()).nullish(),
  Cmd: z.array(z.string()).nullish(),
})
type WrittenConfig = z.infer<typeof WrittenConfig>

const Config = z.object({
  architecture: z.string().default(''),
  os: z.string().default('linux'),
  config: WrittenConfig.nullish(),
})

/** Together the command that a container of an image starts. Agents and tests have commands of their own. */
export type OwnCommand = { entrypoint: string[]; cmd: string[] }

export type ImageConfig = OwnCommand & { env: Record<string, string>; user: string; workingDir: string }

const maxBytes = 4 * 1024 * 1024

/** Docker's names of the architectures that Node names differently. */
const dockerNames: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' }

export const architecture = dockerNames[process.arch] ?? process.arch

/**
 * Reads the configuration of the only image in an OCI layout, and estimates its unpacked size. Throws RunFailure if this
 * machine cannot run it.
 */
export async function readLayout(layout: string): Promise<{ config: ImageConfig; estimatedKb: number }> {
  const blob = ({ digest }: z.infer<typeof Descriptor>) => join(layout, 'blobs', digest.replace(':', '/'))
  const { manifests } = await readJson(join(layout, 'index.json'), Index)
  const { config, layers } = await readJson(blob(manifests[0] ?? { digest: '' }), Manifest)
  const found = await readJson(blob(config), Config)
  requirePlatform(found)
  const sizes = await Promise.all(layers.map((layer) => unpackedBytes(blob(layer), layer)))
  const estimatedKb = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024)
  return { config: toImageConfig(found.config ?? {}), estimatedKb }
}

const wordBytes = 4

/** The size of a layer, which gzip writes at the end of a file; for other formats at least its packed size. */
async function unpackedBytes(path: string, { mediaType, size }: z.infer<typeof Layer>) {
  if (!mediaType.includes('gzip') || size < wordBytes) return size
  const file = await open(path).catch(() => null)
  const tail = await file?.read(Buffer.alloc(wordBytes), 0, wordBytes, size - wordBytes).finally(() => file.close())
  return Math.max(size, tail?.bytesRead === wordBytes ? tail.buffer.readUInt32LE() : 0)
}

/** Throws RunFailure if this machine cannot run an image for this platform. */
export function requirePlatform(image: { os: string; architecture: string }) {
  if (image.os !== 'linux') throw new RunFailure(`it is for ${image.os}, and runs execute on Linux`)
  if (image.architecture !== architecture)
    throw new RunFailure(`it is for the architecture ${image.architecture}, and this worker has ${architecture}`)
}

export const toImageConfig = ({ Env, User, WorkingDir, Entrypoint, Cmd }: WrittenConfig): ImageConfig => ({
  env: readVariables(Env ?? []),
  user: User ?? '',
  workingDir: WorkingDir ?? '',
  entrypoint: Entrypoint ?? [],
  cmd: Cmd ?? [],
})

/** NUL would end a variable, and bubblewrap would read what follows as an option. */
function readVariables(entries: readonly string[]) {
  const pairs = entries.flatMap((entry): [string, string][] => {
    const at = entry.indexOf('=')
    return at < 1 || entry.includes('\0') ? [] : [[entry.slice(0, at), entry.slice(at + 1)]]
  })
  return Object.fromEntries(pairs)
}

async function readJson<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
  const file = await open(path).catch(() => null)
  try {
    if (!file || (await file.stat()).size > maxBytes) throw new Error('missing or too large')
    return schema.parse(JSON.parse(await file.readFile('utf8')))
  } catch {
    throw new RunFailure('its configuration cannot be read')
  } finally {
    await file?.close()
  }
}
