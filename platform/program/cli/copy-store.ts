import { counted } from '#contract/wire/counted.ts'
import { copyBlobs } from '#platform/ground/blobs/copy-blobs.ts'
import { openPlace } from '#platform/ground/blobs/open-blobs.ts'
import { progressBar } from './progress-bar.ts'

/** Copies the packages and transcripts of an installation and prints what it did. A place is a folder or a bucket. */
export async function copyStore(places: { from: string; to: string }) {
  const [from, to] = [await openPlace(places.from), await openPlace(places.to)]
  const bar = progressBar()
  try {
    const { blobs, bytes, alreadyThere } = await copyBlobs(from, to, (done, all) =>
      bar.show({ done: done.blobs, total: all.blobs, label: 'files' }),
    )
    bar.stop()
    const skipped = alreadyThere > 0 ? `. Skipped ${counted(alreadyThere, 'file')} already there` : ''
    process.stdout.write(`Copied ${counted(blobs, 'file')} (${(bytes / 1e6).toFixed(1)} MB) to ${to.place}${skipped}\n`)
  } finally {
    bar.stop()
  }
}
