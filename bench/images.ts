import { execFileSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeRunRoot, inRoot } from '#platform/engine/images/run-root.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import { makeRunFolders } from '#platform/engine/workspace/materialize.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { openTestImages, whyNoImages } from '#platform/program/testing/test-images.ts'
import { type Measurement, measureMs, percentile, report } from './result.ts'

/**
 * Measures how long a run takes to start and end its first command in an image, beside the same on the machine's
 * toolchain: 200 runs of each, in turn, with an image from the cache. The content is the smallest that has a shell.
 */
const runs = 200

if (whyNoImages) {
  console.log(`Images cannot be measured here: ${whyNoImages}`)
  report([])
} else {
  await measure()
}

async function measure() {
  const bench = await openTestImages()
  const sandbox = await detectSandbox({ limits: { memoryMb: 4096, processes: 1000, diskMb: 1000 } })
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-images-'))
  const [inImage, onMachine, opened]: [number[], number[], number[]] = [[], [], []]
  const command = { argv: ['sh', '-c', ':'], env: {}, forwards: [] }
  try {
    await bench.registry.push({ name: 'bench:1' })
    const pull = await measureMs(async () => (await bench.open('bench:1')).release())
    const digest = (await bench.open('bench:1')).facts.digest
    for (let index = 0; index < runs; index += 1) {
      const [a, b] = [join(folder, `a${index}`), join(folder, `b${index}`)]
      onMachine.push(await measureMs(async () => sandbox.spawn({ ...command, folders: await makeRunFolders(a) })))
      inImage.push(
        await measureMs(async () => {
          let image: Awaited<ReturnType<typeof bench.open>> | undefined
          opened.push(await measureMs(async () => (image = await bench.openPinned('bench:1', digest))))
          if (!image) return
          const folders = await makeRunFolders(b)
          const root = await makeRunRoot(sandbox, image, { folders, folder: b })
          await inRoot(sandbox, root).spawn({ ...command, folders })
          image.release()
        }),
      )
      await Promise.all([removeFolder(a), removeFolder(b)])
    }
    const used = Number(execFileSync('du', ['-sk', bench.settings.folder], { encoding: 'utf8' }).split('\t')[0])
    report(measurementsOf({ pull, used, inImage, onMachine, opened }))
  } finally {
    await removeFolder(folder)
    await bench.close()
  }
}

type Times = { pull: number; used: number; inImage: number[]; onMachine: number[]; opened: number[] }

function measurementsOf({ pull, used, inImage, onMachine, opened }: Times): Measurement[] {
  const both = (share: number) => ({ ours: percentile(inImage, share), floor: percentile(onMachine, share) })
  return [
    { what: 'first command of a run in an image, p50', unit: 'ms', ...both(0.5), target: { atMost: 100, ratio: 3 } },
    { what: 'first command of a run in an image, p95', unit: 'ms', ...both(0.95), target: { atMost: 200, ratio: 3 } },
    { what: 'image from the cache, p50', unit: 'ms', ours: percentile(opened, 0.5), target: { atMost: 10 } },
    { what: 'first pull of an image of 8 MB', unit: 'ms', ours: pull },
    { what: 'cache after 200 runs', unit: 'kB', ours: used, target: { atMost: 20_000 } },
  ]
}
