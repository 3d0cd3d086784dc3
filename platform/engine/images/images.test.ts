import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { openTestImages, whyNoImages } from '#platform/program/testing/test-images.ts'

let bench: Awaited<ReturnType<typeof openTestImages>>
beforeAll(async () => {
  if (whyNoImages) return
  bench = await openTestImages()
  await bench.registry.push({
    name: 'tiny:1',
    config: { Env: ['GREETING=hello', 'TWO_LINES=a\nb'], WorkingDir: '/app', User: '' },
    files: { '/app/given.txt': 'of the image\n', '/root/.profile': 'own home\n', '/etc/motd': 'unchanged\n' },
  })
})
afterAll(() => bench?.close())
afterEach(() => bench?.release())

describe.skipIf(whyNoImages !== null)(`images (${whyNoImages ?? 'available'})`, () => {
  test('a command runs in the root of an image, with its variables, user, home and working directory', async () => {
    const { shell, image } = await bench.openRun('tiny:1')
    const end = await shell(
      'id -u; pwd; cat given.txt ~/.profile; echo $HOME $GREETING; echo "$TWO_LINES"; ls /usr 2>&1',
    )
    expect(end).toMatchObject({ couldNotStart: null, stderr: '' })
    expect(end.stdout).toContain('0\n/app\nof the image\nown home\n/root hello\na\nb\n')
    expect(image.facts.digest).toMatch(/^sha256:[0-9a-f]{64}$/)
  })

  test('commands of one run share what they write, and neither the image nor another run sees it', async () => {
    const first = await bench.openRun('tiny:1')
    await first.shell('echo changed > /etc/motd; echo new > /tmp/new; rm /etc/group; echo work > out.txt')
    expect(await first.shell('cat /etc/motd /tmp/new out.txt; ls /etc/group')).toMatchObject({
      stdout: 'changed\nnew\nwork\n',
      stderr: expect.stringContaining('No such file'),
    })
    const second = await bench.openRun('tiny:1')
    expect(await second.shell('cat /etc/motd /etc/group; ls /tmp')).toMatchObject({
      stdout: 'unchanged\nroot:x:0:\nstaff:x:50:\n',
    })
  })

  test('where the kernel has no overlays, a run gets a copy of its image', async () => {
    const { folders, root, place, shell } = await bench.openRun('tiny:1')
    const layer = join(place, 'copy')
    await mkdir(layer)
    execFileSync('cp', ['-a', root.image, join(layer, 'root')])
    const copy = { ...root, layer, kind: 'copy' as const }
    await shell('echo copied > /etc/motd; touch out.txt', { root: copy })
    expect((await shell('cat /etc/motd; ls', { root: copy })).stdout).toBe('copied\ngiven.txt\nout.txt\n')
    expect((await shell('cat /etc/motd')).stdout).toBe('unchanged\n')
    expect(folders.workspace).toContain(place)
  })

  test('an image is built from a Dockerfile, and the same input is not built again', async () => {
    const dockerfile = [
      `ARG BASE=tiny`,
      `FROM ${bench.registry.address}/$BASE:1 AS base`,
      `RUN echo "$GREETING from the base" > /made.txt && chown 33:33 /made.txt`,
      `FROM base`,
      `ENV GREETING=hi WHO="the \\`,
      `  team"`,
      `WORKDIR /work/$GREETING`,
      `COPY --chmod=700 tools/*.sh ./`,
      `COPY --from=0 /made.txt given/ /opt/`,
      `COPY <<EOF here.txt`,
      `for $WHO`,
      `EOF`,
      `RUN ["sh", "-c", "cat here.txt > 'two words.txt'"]`,
      `USER developer`,
      `CMD ["ignored"]`,
    ]
    const context = [
      { dest: 'Dockerfile', content: dockerfile.join('\n').replace(' given/', '') },
      { dest: 'tools/a.sh', content: 'a' },
      { dest: 'tools/b.txt', content: 'b' },
    ]
    const printed: string[] = []
    const build = () =>
      bench
        .images()
        .open(
          { name: 'of a test', digest: null, build: { context, staged: [] } },
          { signal: new AbortController().signal, onOutput: (chunk) => printed.push(String(chunk)) },
        )
    const { shell, image } = await bench.runIn(await build())
    const end = await shell('id -u; id -g; pwd; ls; stat -c %a a.sh; cat "two words.txt" /opt/made.txt; echo $WHO')
    expect(end).toMatchObject({ stderr: '' })
    expect(end.stdout).toBe(
      '1500\n1600\n/work/hi\na.sh\nhere.txt\ntwo words.txt\n700\nfor the   team\nhello from the base\nthe team\n',
    )
    expect(printed.join('')).toContain('#3 RUN echo')
    printed.length = 0
    expect((await bench.runIn(await build())).image.facts.digest).toBe(image.facts.digest)
    expect(printed).toEqual([])
  })

  test('a build that fails names the line of the Dockerfile', async () => {
    const build = (content: string) =>
      bench
        .images()
        .open(
          { name: 'of a test', digest: null, build: { context: [{ dest: 'Dockerfile', content }], staged: [] } },
          { signal: new AbortController().signal },
        )
    const from = `FROM ${bench.registry.address}/tiny:1`
    await expect(build(`${from}\nRUN true\nRUN exit 7`)).rejects.toThrow(
      'The image of a test cannot be used: its build failed on line 3 of the Dockerfile: exit code 7',
    )
    await expect(build(`${from}\nCOPY ../../etc/passwd /x`)).rejects.toThrow('line 2')
    await expect(build(`FROM ${bench.registry.address}/none:1`)).rejects.toThrow(
      'none:1: the registry has no such image',
    )
    await expect(build('RUN true')).rejects.toThrow('line 1 of the Dockerfile comes before the first FROM')
    await expect(build(`${from}\nRUN --mount=type=secret,id=x true`)).rejects.toThrow('line 2')
  })
})
