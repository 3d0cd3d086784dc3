import type { openTestImages } from './test-images.ts'

const dockerfile = (base: string) => `
FROM ${base}
WORKDIR /work
COPY greeting.txt /greeting.txt
COPY tools /opt/tools/
COPY . ./
ADD tools/run.sh /usr/bin/
FROM scratch
COPY --from=0 / /
WORKDIR /work
`

const context = [
  { dest: 'greeting.txt', content: 'hello\n' },
  { dest: 'tools/run.sh', content: '#!/bin/sh\necho ran\n', executable: true },
  { dest: 'tools/deep/note.txt', content: 'note\n' },
]

/** Builds an image that copies its context in every way. Returns what a run in it says about the copies. */
export async function buildCopyingImage(bench: Awaited<ReturnType<typeof openTestImages>>) {
  await bench.registry.push({ name: 'copied:1' })
  const file = { dest: 'Dockerfile', content: dockerfile(`${bench.registry.address}/copied:1`) }
  const build = { context: [file, ...context], staged: [] }
  const { signal } = new AbortController()
  const image = await bench.images().open({ name: 'of a test', digest: null, build }, { signal })
  const { shell } = await bench.runIn(image)
  const places =
    '/ /work /work/tools /opt/tools /opt/tools/deep /greeting.txt /opt/tools/run.sh /work/tools/deep/note.txt'
  return shell(`cat /greeting.txt && run.sh && stat -c '%a %n' ${places}`)
}

/** What the copies must be, whatever the user and the umask of the program. */
export const copiesAsExpected = `hello
ran
755 /
755 /work
755 /work/tools
755 /opt/tools
755 /opt/tools/deep
644 /greeting.txt
755 /opt/tools/run.sh
644 /work/tools/deep/note.txt
`
