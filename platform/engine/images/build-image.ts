import type { EgressSettings } from '#platform/ground/egress/egress-settings.ts'
import { createHash } from 'node:crypto'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { ImageBuild } from '#contract/environment-image.ts'
import type { VersionFile } from '#contract/experiments.ts'
import type { Blobs } from '#platform/ground/blobs/blobs.ts'
import { runToEnd } from '#platform/ground/processes/run-to-end.ts'
import { diskUsageMb } from '#platform/engine/sandbox/disk-usage.ts'
import { createTail } from '#platform/engine/sandbox/output-tail.ts'
import { makePlainFolder, materialize, stagedFor } from '#platform/engine/workspace/materialize.ts'
import { readInside } from '#platform/engine/workspace/workspace-path.ts'
import { RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { applyDockerignore } from './apply-dockerignore.ts'
import { type Building, newStage, runStep, type StageState } from './build-stage.ts'
import { DockerfileFault } from '#platform/engine/images/dockerfile/parse-dockerfile.ts'
import { type BuildPlan, planBuild, type Source } from '#platform/engine/images/dockerfile/plan-build.ts'
import type { HeldImage } from './image-cache.ts'
import { architecture, type ImageConfig, toImageConfig } from './image-config.ts'
import { finishImage, finishingScript, makeToolFolders, runTool, type Workshop } from './image-tools.ts'

/** A build of a definition, with the staged files of its version. `passwords`: "user:password" by registry. */
export type WantedBuild = Omit<ImageBuild, 'imageAuth'> & {
  staged: readonly VersionFile[]
  passwords?: ReadonlyMap<string, string>
}

const finishTimeoutMs = 600_000
const usualDockerfile = 'Dockerfile'
const maxDockerfileBytes = 1024 * 1024

/**
 * Reads the Dockerfile, which may be inline or staged. `folder` is empty and becomes the context, without the files that
 * its .dockerignore excludes.
 */
export async function openContext(build: WantedBuild, blobs: Blobs, folder: string, signal: AbortSignal) {
  // COPY executes as another user, and `COPY . x` gives this folder's mode to x.
  await makePlainFolder(folder)
  await materialize(blobs, folder, build.context, build.staged, signal)
  signal.throwIfAborted()
  const path = build.dockerfile ?? usualDockerfile
  // A package can contain links that lead out of it.
  const text = await readInside(folder, path, maxDockerfileBytes).catch(() => {
    throw new RunFailure(`the context of its build has no plain file of at most 1 MiB at ${path}`)
  })
  return asRunFailure(async () => {
    const plan = planBuild(text)
    await applyDockerignore(folder, path, { signal })
    return plan
  })
}

/** The identity of a build's input: the same input with the same base images is not built again. */
export function inputKeyOf(build: WantedBuild, bases: ReadonlyMap<string, HeldImage>) {
  const context = build.context.map(({ dest, content, source, executable }) => {
    const staged = content === undefined ? stagedFor(build.staged, source, dest) : undefined
    return [dest, content ?? null, staged?.tarSha256 ?? null, executable ?? false]
  })
  const digests = Array.from(bases, ([name, { facts }]) => [name, facts.digest]).toSorted()
  const input = JSON.stringify([3, architecture, build.dockerfile ?? usualDockerfile, context, digests])
  return createHash('sha256').update(input).digest('hex')
}

type Input = {
  plan: BuildPlan
  context: string
  bases: ReadonlyMap<string, HeldImage>
  egress: EgressSettings
  onOutput: (chunk: Uint8Array) => void
}

/** Builds the last stage of a Dockerfile. Returns the folder of the finished image. */
export async function buildImage(place: Workshop, { plan, context, bases, egress, onOutput }: Input): Promise<string> {
  const { home } = await makeToolFolders(place)
  const building: Building = { ...place, stages: join(place.folder, 'stages'), home, egress, onOutput }
  await mkdir(building.stages)
  const stages: StageState[] = []
  const rootOf = (source: Source | undefined) => {
    if (source === undefined || source === 'context') return context
    if (source === 'scratch') throw new RunFailure('its build copies from nothing')
    const found = 'stage' in source ? stages[source.stage]?.root : bases.get(source.image)?.root
    if (found === undefined) throw new Error('a build copies from a stage or image that it did not make')
    return found
  }
  for (const [index, { from, steps, copiesFrom }] of plan.stages.entries()) {
    if (!plan.needed.has(index)) continue
    const base = typeof from === 'object' && 'stage' in from ? stages[from.stage] : undefined
    const image = typeof from === 'object' && 'image' in from ? bases.get(from.image) : undefined
    const layer = await copyRoot(building, String(index), base?.root ?? image?.root)
    const stage = newStage(layer, configOf(base, image))
    stages[index] = stage
    for (const instruction of steps) {
      place.signal.throwIfAborted()
      onOutput(Buffer.from(`#${instruction.line} ${instruction.keyword} ${instruction.text}\n`))
      const from = rootOf(copiesFrom.get(instruction))
      const count = plan.countFor(instruction.line)
      await asRunFailure(() => runStep(building, stage, { instruction, from, globals: plan.globals, count }))
    }
  }
  const last = stages.at(-1)
  if (!last) throw new RunFailure('its Dockerfile has no stage')
  return finish(building, last)
}

function configOf(base: StageState | undefined, image: HeldImage | undefined): ImageConfig {
  const config = base?.config ?? image?.facts.config ?? toImageConfig({})
  return { ...config, env: { ...config.env } }
}

/** Copies a root into a new folder of the build, or makes an empty one. */
async function copyRoot({ sandbox, stages, signal }: Building, name: string, from: string | undefined) {
  signal.throwIfAborted()
  const layer = join(stages, name)
  const root = join(layer, 'root')
  await mkdir(layer)
  await makePlainFolder(root)
  if (from !== undefined) {
    const diskMb = sandbox.roots?.diskMb ?? 0
    if (diskMb > 0 && (await diskUsageMb([stages])) + (await diskUsageMb([from])) > diskMb)
      throw new RunFailure(`the stages of its build are larger than a run may be: more than ${diskMb} MiB`)
    await runToEnd('cp', ['-a', '--reflink=auto', '--', `${from}/.`, root], { signal })
  }
  const owner = sandbox.roots?.owner ?? null
  if (owner !== null) for (const each of [layer, root]) await chown(each, owner, owner)
  return layer
}

/** The digest is that of the files and the configuration, so an image that is built again has another one. */
const measureScript = `${finishingScript}
tar --sort=name --numeric-owner -cf - . | sha256sum | cut -d' ' -f1`

async function finish(building: Building, { root, config }: StageState) {
  const printed = createTail()
  const argv = ['sh', '-c', measureScript]
  const folders = { workspace: root, home: building.home }
  await runTool(building, folders, { tool: 'tar', argv, timeoutMs: finishTimeoutMs, onStdout: printed.push })
  const [kilobytes, files = ''] = printed.text().trim().split('\n')
  const digest = `sha256:${createHash('sha256')
    .update(`${files}\n${JSON.stringify(config)}`)
    .digest('hex')}`
  return finishImage(building.folder, { root, digest, kilobytes: Number(kilobytes), config })
}

async function asRunFailure<Result>(work: () => Promise<Result>) {
  try {
    return await work()
  } catch (error) {
    throw error instanceof DockerfileFault ? new RunFailure(error.message) : error
  }
}
