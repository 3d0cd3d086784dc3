/** Builds an image with COPY and prints what a run in it says about the copies, as the user who starts it. */
import { buildCopyingImage } from './build-copying-image.ts'
import { openTestImages } from './test-images.ts'

process.umask(0o077)

const bench = await openTestImages()
try {
  const end = await buildCopyingImage(bench)
  process.stdout.write(end.stdout + end.stderr)
} finally {
  bench.release()
  await bench.close()
}
