import { z } from 'zod'

import type { ImageReference } from '#contract/image-reference.ts'
import { InspectedImage } from '#platform/engine/containers/engine/engine-answers.ts'
import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { EngineError } from '#platform/engine/containers/engine/engine-error.ts'
import { EgressRefusal, addressesForService } from '#platform/ground/egress/resolve-destination.ts'
import type { EgressSettings } from '#platform/ground/egress/egress-settings.ts'
import { requirePlatform } from '#platform/engine/images/image-config.ts'
import { inMirror, type Mirrors } from '#platform/engine/images/mirrors.ts'
import { failureFor } from '#platform/engine/images/pull-failure.ts'
import { InfrastructureFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { removeImage } from './reap-containers.ts'

export type PullSettings = {
  insecureRegistries: readonly string[]
  mirrors?: Mirrors
  egress: EgressSettings
  /** The largest image, and what the prepared images of one worker may take together. 0: no limit. */
  limitMb: number
}

type Wanted = { reference: ImageReference; password: string | null; digest: string | null }

/** `digest` is the one in the registry; `inspected` is the image as the engine has it. */
export type PulledImage = { digest: string; inspected: InspectedImage }

/**
 * Returns the image with the digest that an earlier step found, from the engine if it has it. Without one the registry
 * is always asked: a private image of the engine is only for those who may pull it.
 */
export async function pullContainerImage(
  engine: EngineClient,
  { reference, password, digest: pinned }: Wanted,
  settings: PullSettings,
  signal: AbortSignal,
): Promise<PulledImage> {
  const mirrored = settings.mirrors ? inMirror(settings.mirrors, reference) : null
  const place = mirrored ?? reference
  const name = `${place.registry}/${place.repository}`
  if (pinned !== null) {
    const present = await inspectImage(engine, `${name}@${pinned}`, signal)
    if (present) return checked(pinned, present)
  }
  await requireRegistry(place.registry, settings)
  const digest = pinned ?? place.digest
  const source = { name, version: digest ?? place.tag ?? 'latest' }
  // The password is for the registry itself.
  const access = mirrored ? null : { password, registry: place.registry }
  const text = digest === null ? `${name}:${source.version}` : `${name}@${digest}`
  const isNew = (await inspectImage(engine, text, signal)) === null
  const found = await pull(engine, source, { access, limitMb: settings.limitMb, signal })
  const inspected = await inspectImage(engine, text, signal)
  if (!inspected) throw new RunFailure('the engine pulled it but cannot find it')
  if (settings.limitMb > 0 && inspected.Size > settings.limitMb * 1024 ** 2) {
    if (isNew) await removeImage(engine, text)
    throw tooLarge(settings.limitMb)
  }
  const known = digest ?? found ?? digestIn(inspected, place.repository)
  if (known === null) throw new RunFailure('the engine does not report its digest')
  return checked(known, inspected)
}

function checked(digest: string, inspected: InspectedImage): PulledImage {
  requirePlatform({ os: inspected.Os, architecture: inspected.Architecture })
  return { digest, inspected }
}

const digestIn = ({ RepoDigests }: InspectedImage, repository: string) =>
  RepoDigests?.map((text) => text.split('@'))
    .find(([name = '']) => name === repository || name.endsWith(`/${repository}`) || `library/${name}` === repository)
    ?.at(1) ?? null

/** Returns null if the engine has no such image. */
async function inspectImage(engine: EngineClient, name: string, signal: AbortSignal) {
  try {
    return await engine.ask({ method: 'GET', path: `/images/${name}/json`, signal }, InspectedImage)
  } catch (error) {
    if (error instanceof EngineError && error.status === 404) return null
    throw error
  }
}

/**
 * The engine itself opens the connection, so the address is checked before: a definition must not lead the engine into
 * the operator's network. Registries that the operator named may be anywhere.
 */
async function requireRegistry(registry: string, { insecureRegistries, egress }: PullSettings) {
  if (insecureRegistries.includes(registry)) return
  const [, host = '', port = '443'] = /^(.*?)(?::(\d+))?$/.exec(registry) ?? []
  try {
    // Behind the operator's proxy, only that proxy may know the name.
    await addressesForService(egress.exceptions)(host, Number(port))
  } catch (error) {
    if (!(error instanceof EgressRefusal)) throw error
    const reason = `the registry may not be reached: ${error.message}`
    throw error.isOutage ? new InfrastructureFailure(reason, 'image_pull') : new RunFailure(reason)
  }
}

const tooLarge = (limitMb: number) =>
  new InfrastructureFailure(`it is larger than the limit of an image: ${limitMb} MiB (IMAGE_CACHE_MB)`, 'disk_full', {
    isTransient: false,
  })

type Source = { name: string; version: string }

type Pulling = {
  access: { password: string | null; registry: string } | null
  limitMb: number
  signal: AbortSignal
}

const pullMs = 1_800_000

async function pull(engine: EngineClient, { name, version }: Source, { access, limitMb, signal }: Pulling) {
  try {
    const answer = await engine.open({
      method: 'POST',
      path: '/images/create',
      query: { fromImage: name, tag: version },
      headers: access?.password ? { 'X-Registry-Auth': registryAuth(access.password, access.registry) } : {},
      signal,
      limitMs: pullMs,
    })
    return await readPull(answer, limitMb)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw failureFor(error.message) ?? new RunFailure(`the engine failed: ${error.message}`)
  }
}

export function registryAuth(password: string, serveraddress: string) {
  const at = password.indexOf(':')
  const auth = { username: password.slice(0, at), password: password.slice(at + 1), serveraddress }
  // Engines read the alphabet of URLs, but with padding.
  const text = Buffer.from(JSON.stringify(auth)).toString('base64')
  return text.replaceAll('+', '-').replaceAll('/', '_')
}

/**
 * An engine reports its progress as lines of JSON, errors included. Returns the digest if a line says it. The engine
 * stops if it announces more than the limit, because the connection then closes.
 */
async function readPull(answer: AsyncIterable<Uint8Array>, limitMb: number): Promise<string | null> {
  let rest = ''
  let digest: string | null = null
  const layers = new Map<string, number>()
  const read = (line: string) => {
    const said = PullLine.safeParse(parseLine(line)).data
    if (!said) return
    if (said.error) throw new EngineError(500, said.error.slice(0, maxLetters))
    digest = /^Digest: (sha256:[0-9a-f]{64})$/.exec(said.status ?? '')?.[1] ?? digest
    if (said.id && said.progressDetail?.total && layers.size < maxLayers) layers.set(said.id, said.progressDetail.total)
    const bytes = Array.from(layers.values()).reduce((sum, total) => sum + total, 0)
    if (limitMb > 0 && bytes > limitMb * 1024 ** 2) throw tooLarge(limitMb)
  }
  for await (const chunk of answer) {
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split('\n')
    rest = (lines.pop() ?? '').slice(0, 1024 * 1024)
    lines.forEach(read)
  }
  read(rest)
  return digest
}

const maxLetters = 1000
/** More than any engine can stack. */
const maxLayers = 1000

const PullLine = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
  progressDetail: z.object({ total: z.number().optional() }).nullish(),
})

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
